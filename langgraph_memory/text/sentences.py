"""Cut what was said into its sentences, each of which can be found by itself.

One vector for several sentences is near to none of them: what a turn says beside its topic
would be lost. Each sentence keeps the speaker's name, which the model reads as part of it.
"""

from __future__ import annotations

import re

from langgraph_memory.text.windows import windows

MOST_SENTENCES = 8

_BORDER = re.compile("(?<=[.!?…])[\"'”’)]*\\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_SPEAKER = re.compile(r"[^\s:][^:\n]{0,39}:\s")
_SPACE = re.compile(r"\s")
_SHORTEST_UNSPACED = 4


def sentences(said: str) -> tuple[str, ...]:
    """Return the sentences of a text, in order; none where it has one, or more than eight.

    A text that an embedder does not see whole has none either: its windows do as well. A
    sentence of one word ("Wow!") is left out. ``Mara: Yes, I do. Since May.`` has the sentence
    ``Mara: Since May.``
    """
    text = said.strip()
    if len(windows(text)) != 1:
        return ()
    named = _SPEAKER.match(text)
    speaker = named[0] if named else ""
    parts = [part.strip() for part in _BORDER.split(text[len(speaker) :])]
    found = [f"{speaker}{part}" for part in parts if _says_something(part)]
    if len(parts) < 2 or not found or len(found) > MOST_SENTENCES:
        return ()
    return tuple(each for each in dict.fromkeys(found) if each != text)


def _says_something(part: str) -> bool:
    if _SPACE.search(part):
        return True
    return len(part) >= _SHORTEST_UNSPACED and not part.isascii()
