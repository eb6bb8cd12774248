"""The engine on OpenSearch."""
