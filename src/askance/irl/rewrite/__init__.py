"""From a question to a query: five stages, each a pure function, each with its trace."""
