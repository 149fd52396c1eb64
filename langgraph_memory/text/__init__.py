"""Pure text work: words for search, windows for embedding. Imports only errors and domain."""
