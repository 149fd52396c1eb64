"""One form for the forms of an English word: agents and agent, moved and move.

Only words of the letters a to z come here. Stems of words in other languages may be odd,
but they are odd in the same way in the index and in the query.
"""

from __future__ import annotations

from functools import lru_cache

# Not `snowballstemmer.stemmer(...)`: that would hand the work to PyStemmer where it happens
# to be installed, whose algorithm may be of another year than the words in the index.
from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return the stem of a folded word of the letters a to z."""
    # A stemmer holds the word it works on: one per call, since calls come from any thread.
    return str(EnglishStemmer().stemWord(word)) or word
