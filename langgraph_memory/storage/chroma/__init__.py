"""The Chroma index of a home: a child process owns the folder, the caller only talks to it."""
