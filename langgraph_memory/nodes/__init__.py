"""The graph's steps: state in, partial state out. Every rule lives behind the memory."""
