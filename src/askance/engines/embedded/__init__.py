"""The engine on disk: tantivy underneath, Lucene's scores and order on top."""
