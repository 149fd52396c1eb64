"""Every error a caller can meet, grouped by what the catcher would do about it.

    MemoryLayerError
    ├── InvalidInputError (ValueError)      the call is wrong: change it
    │   ├── InvalidScopeError                 who is asking is missing or malformed
    │   │   └── IdentityConflictError           two say different things of who is asking
    │   ├── InvalidFilterError                a filter the truth table does not know
    │   ├── InvalidValueError                 a value that cannot be kept exactly
    │   ├── InvalidSettingError               a setting or variable with an impossible value
    │   ├── InvalidPolicyError                a write policy with a rule that cannot be
    │   └── ConversationFormatError           a conversation file that cannot be read
    ├── NotFoundError (LookupError)         the thing named does not exist in this scope
    │   ├── NothingWaitsError                 it is there, and waits for no review
    │   └── AmbiguousReferenceError           it names several: say which
    ├── ConflictError (RuntimeError)        someone else was here first: read again, then decide
    │   ├── VersionConflictError              the head moved since it was read
    │   └── ThreadOwnershipError              the thread belongs to another identity
    ├── RefusedError (ValueError)           a rule of the write policy says no
    │   ├── NamespaceFullError                the bound is reached and all in it is protected
    │   └── UnreviewedError                   a way of working would take force without a review
    ├── AccessDeniedError (RuntimeError)    who asks has no role for it: somebody has to grant one
    │   ├── OwnClaimError                     nobody approves what they stated themselves
    │   └── UnsupportedActionError            what an action is based on does not hold
    ├── StorageError                        the files under the home
    │   ├── HomeNotFoundError                 no home at that path, and none may be made
    │   ├── NotAHomeError                     the file or folder there is not ours
    │   ├── HomeIncompleteError               the database is gone, the rest of the home is not
    │   ├── HomeVersionError                  written by a newer release
    │   ├── HomeReadOnlyError                 the folder or file cannot be written
    │   ├── StorageBusyError                  another program holds the database
    │   ├── StorageFullError                  the disk is full
    │   │   └── FileLimitError                  a file may not grow further
    │   ├── StorageDamagedError               the database file is damaged
    │   └── ClosedError                       used after close
    ├── EmbeddingError                      the embedder
    │   ├── EmbedderMismatchError             the home was built with another embedder
    │   │   ├── EmbedderMovedError              it was moved to another one while it was open
    │   │   └── EmbedderNamesakeError           another function has the same name
    │   └── EmbedderDamagedError              the shipped weights are missing or altered
    └── ModelError (RuntimeError)           the chat model
        ├── ModelUnavailableError             network, rate limit or time-out: try again
        ├── ModelRefusedError                 the model would not answer
        └── ModelSetupError                   key, name or address is missing or wrong

The class builds the sentence; whoever raises it supplies facts; whoever catches it reads
attributes. Each sentence ends with what to do next; where a program does that by a call and a
person by a command, the error knows both (:class:`Way`).
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, NamedTuple


class Way(NamedTuple):
    """What to do next, as its two readers do it: the end of what an error says.

    Attributes:
        call: In Python.
        command: On the command line.
    """

    call: str
    command: str


LIST_MEMORIES = Way(
    "List what is there with contents().", "List what is there with langgraph-memory inspect."
)
LIST_PROCEDURES = Way(
    "List what is there with procedures.list().",
    "List what is there with langgraph-memory procedures list.",
)
LIST_WAITING = Way(
    'List what waits with contents(status="pending review").',
    "List what waits with langgraph-memory inspect --pending.",
)


GIVE_BY = Way('Give a name, as in by="Ann".', "Give a name, as in --by Ann.")


def read_versions(key: str, call: str = "") -> Way:
    """Return the way to the versions of a memory; ``call`` instead of the memory's own."""
    return Way(
        f"Read which there are with {call or f'inspect({key!r})'}.",
        f"Read which there are with langgraph-memory inspect {shlex.quote(key)}.",
    )


class MemoryLayerError(Exception):
    """Anything this package raises on purpose.

    Attributes:
        message: The whole sentence, for whoever calls from Python.
        said: What is wrong, without the way to go on where that has two readers.
        way: That way; None where the message suits both.
    """

    def __init__(self, message: str, *, way: Way | None = None, **facts: Any) -> None:
        self.said = message
        self.way = way
        self.message = f"{message} {way.call}" if way else message
        self.facts = facts
        super().__init__(self.message)

    @property
    def commanded(self) -> str:
        """The whole sentence, for whoever gave a command."""
        return f"{self.said} {self.way.command}" if self.way else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by sentence and facts, so that an error crosses a process border whole."""
        return _revive, (type(self), self.said, self.way, self.facts)

    def __getattr__(self, name: str) -> Any:
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError(name)


def _revive(
    kind: type[MemoryLayerError], said: str, way: Way | None, facts: dict[str, Any]
) -> MemoryLayerError:
    error = kind.__new__(kind)
    MemoryLayerError.__init__(error, said, way=way, **facts)
    return error


class InvalidInputError(MemoryLayerError, ValueError):
    """The call is wrong; nothing was written."""


class InvalidScopeError(InvalidInputError):
    """Who is asking is missing or malformed."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"The scope's {field} {problem}.",
            way=Way(
                'Give a non-empty text, for example scope(tenant="acme", user="jane@example.com").',
                "Give a non-empty text, for example --tenant acme --user jane@example.com.",
            ),
            field=field,
            problem=problem,
        )


class IdentityConflictError(InvalidScopeError):
    """Two of those who may say who is asking disagree; nobody was let in."""

    def __init__(self, field: str, one: str, other: str) -> None:
        super().__init__(field, f"is claimed as {one!r} and as {other!r}")


class InvalidFilterError(InvalidInputError):
    """A filter the truth table does not know; refused rather than guessed."""

    def __init__(self, problem: str, *, operator: str | None = None) -> None:
        super().__init__(
            f"{problem} Known operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $contains, "
            "and $and $or $not around whole filters.",
            operator=operator,
        )


class InvalidValueError(InvalidInputError):
    """A value that cannot be kept exactly; names the path inside it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"The value at {path} {problem}. Values are JSON: text, numbers, booleans, None, "
            "lists and dictionaries with text keys. Convert it before storing.",
            path=path,
            problem=problem,
        )


class InvalidSettingError(InvalidInputError):
    """A setting or environment variable with an impossible value."""

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting} {problem}", setting=setting, problem=problem)


class InvalidPolicyError(InvalidInputError):
    """A write policy with a rule that is not known, or that cannot be."""

    def __init__(self, where: str, problem: str, *, file: str = "") -> None:
        named = file or "the write policy"
        place = f"In {named}, {where}" if where else named
        super().__init__(
            f"{place} is wrong: {problem}. Read the shipped one, with "
            "every rule there is and its values: langgraph-memory policy --shipped.",
            where=where,
            problem=problem,
            file=file,
        )


class ConversationFormatError(InvalidInputError):
    """A conversation file that cannot be read; names the place."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"{where}: {problem}. Expected JSON or JSON Lines: a list of "
            '{"role", "content", "timestamp"} messages, or an object with "sessions", each with '
            '"turns" of {"speaker", "text", "timestamp"}.',
            where=where,
            problem=problem,
        )


class NotFoundError(MemoryLayerError, LookupError):
    """The thing named does not exist in this scope; other scopes look the same from here."""

    def __init__(self, what: str, reference: str, *, way: Way = LIST_MEMORIES) -> None:
        super().__init__(
            f"No {what} {reference!r} in this scope.", way=way, what=what, reference=reference
        )


class NothingWaitsError(NotFoundError):
    """What is named is there, and nothing of it waits for a review; nothing was changed."""

    def __init__(self, key: str, *, way: Way = LIST_WAITING) -> None:
        MemoryLayerError.__init__(
            self, f"Nothing waits for review under {key!r}.", way=way, reference=key
        )


class AmbiguousReferenceError(NotFoundError):
    """The reference fits several records; nothing was changed."""

    def __init__(self, reference: str, matches: tuple[str, ...]) -> None:
        MemoryLayerError.__init__(
            self,
            f"{reference!r} fits {len(matches)} records. Say which, by id: {', '.join(matches)}.",
            reference=reference,
            matches=matches,
        )


class ConflictError(MemoryLayerError, RuntimeError):
    """Someone else was here first; nothing was written."""


class VersionConflictError(ConflictError):
    """The head is no longer the version the caller last read."""

    def __init__(self, namespace: tuple[str, ...], key: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{'/'.join(namespace)}/{key} is at version {actual}, not {expected}. "
            "Read it again, decide again,",
            way=Way(
                "then write with the new expected version.",
                "then name the version that you saw with --version.",
            ),
            namespace=namespace,
            key=key,
            expected=expected,
            actual=actual,
        )


class ThreadOwnershipError(ConflictError):
    """The thread belongs to the identity that opened it."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"Thread {thread_id!r} was opened by another identity. Use a thread id of your own.",
            thread_id=thread_id,
        )


class RefusedError(MemoryLayerError, ValueError):
    """A rule of the write policy says no; names the rule."""

    def __init__(self, rule: str, reason: str, *, way: Way | None = None) -> None:
        said = f"Not stored: {reason} (rule {rule})."
        super().__init__(
            said if way else f"{said} Leave that out, or ask who sets the rule.",
            way=way,
            rule=rule,
            reason=reason,
        )


class NamespaceFullError(RefusedError):
    """A namespace is at its bound, and everything in it is protected."""

    def __init__(self, namespace: tuple[str, ...], max_items: int) -> None:
        MemoryLayerError.__init__(
            self,
            f"{'/'.join(namespace)} holds {max_items} items, its bound, and all are protected. "
            "Nothing was written.",
            way=Way(
                "Give it more room by max_items, or delete one of them.",
                "Give it more room by MEMORY_MAX_ITEMS, or delete one of them: "
                "langgraph-memory forget.",
            ),
            namespace=namespace,
            max_items=max_items,
        )


class UnreviewedError(RefusedError):
    """A way of working would take force without the review that it needs; nothing was written."""

    def __init__(self, name: str, why: str, *, way: Way | None = None) -> None:
        MemoryLayerError.__init__(
            self, f"The procedure {name!r} stays as it is: {why}.", way=way, name=name, why=why
        )


class AccessDeniedError(MemoryLayerError, RuntimeError):
    """Who asks may not do this in this shared scope; nothing was read or written."""

    def __init__(
        self, user: str, permission: str, place: str, needed: tuple[str, ...],
        givers: str = "an owner or an admin",
    ) -> None:  # fmt: skip
        super().__init__(
            f"{user!r} may not {permission} in {place}: that needs the role "
            f"{' or '.join(needed)}. Ask {givers} of it to grant one, or whoever runs this memory.",
            user=user,
            permission=permission,
            place=place,
            needed=needed,
        )


class OwnClaimError(AccessDeniedError):
    """Nobody decides about what they stated themselves; it waits as it did."""

    def __init__(self, user: str, key: str) -> None:
        MemoryLayerError.__init__(
            self,
            f"{user!r} stated {key!r}, and nobody vouches for what they stated themselves. "
            "Ask another reviewer, admin or owner to decide.",
            user=user,
            key=key,
        )


class UnsupportedActionError(AccessDeniedError):
    """A memory that an action is based on does not hold, or too little vouches for it."""

    def __init__(self, reference: str, problem: str) -> None:
        MemoryLayerError.__init__(
            self,
            f"The action is based on the memory {reference!r}, and that {problem}. Ask the user, "
            "or the system of record, then try again.",
            reference=reference,
            problem=problem,
        )


class StorageError(MemoryLayerError):
    """The files under the home; truth is never touched by the failing call."""

    def __init__(self, path: Path | str, problem: str, *, way: Way | None = None) -> None:
        super().__init__(f"{path}: {problem}", way=way, path=str(path), problem=problem)


class HomeNotFoundError(StorageError):
    """No home at that path, and none may be made there."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(
            path,
            "no memory home here.",
            way=Way(
                "Check the path, or create one by writing.",
                "Name another folder with --home or MEMORY_HOME, or make one here: "
                'langgraph-memory remember "The launch is on Friday".',
            ),
        )


class NotAHomeError(StorageError):
    """The file or folder at the path is not ours; it was left as it is."""

    def __init__(self, path: Path | str, problem: str) -> None:
        super().__init__(path, f"{problem}. It was left untouched. Choose another path.")


class HomeIncompleteError(StorageError):
    """The database is gone or empty, and the rest of a home is still there; nothing was changed."""

    def __init__(self, path: Path | str, problem: str, rest: tuple[str, ...]) -> None:
        super().__init__(
            path,
            f"{problem}, but the rest of its home is there ({', '.join(rest)}). Nothing was "
            "changed. Restore it from a backup, or move the rest away to begin a new home: "
            "give the folder another name.",
        )
        self.facts.update(rest=rest)


class HomeVersionError(StorageError):
    """The home was written by a newer release."""

    def __init__(self, path: Path | str, found: int, known: int) -> None:
        super().__init__(
            path,
            f"schema {found} is newer than this release knows ({known}). Upgrade "
            "langgraph-memory-plugin to open it.",
        )
        self.facts.update(found=found, known=known)


class HomeReadOnlyError(StorageError):
    """The folder or the database file cannot be written."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path, "cannot be written. Give write permission, or choose another path.")


class StorageBusyError(StorageError):
    """Another program held the database longer than the time-out."""

    def __init__(self, path: Path | str, seconds: float) -> None:
        super().__init__(
            path,
            f"held by another program for more than {seconds:g} s. Nothing was written; "
            "end the other program's transaction or try again.",
        )


class StorageFullError(StorageError):
    """The disk is full; nothing of the call was written."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path, "the disk is full. Nothing was written; free space and try again.")


class FileLimitError(StorageFullError):
    """A file has the most bytes that this process may give it; nothing of the call was written."""

    def __init__(self, path: Path | str, limit: int) -> None:
        StorageError.__init__(
            self,
            path,
            f"no file of this process may grow past {limit:,} bytes (ulimit -f). Nothing was "
            "written. Give the process a higher limit, then try again.",
        )
        self.facts.update(limit=limit)


class StorageDamagedError(StorageError):
    """The database file is damaged."""

    def __init__(self, path: Path | str, detail: str) -> None:
        super().__init__(
            path, f"damaged ({detail}). Nothing was changed; restore it from a backup."
        )


class ClosedError(StorageError):
    """Used after close."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(
            path,
            "this home was closed.",
            way=Way("Open it again with open_memory().", "Give the command again."),
        )


class EmbeddingError(MemoryLayerError):
    """The embedder could not do its work."""


class EmbedderMismatchError(EmbeddingError):
    """The home was built with another embedder; vectors of two embedders never mix."""

    def __init__(self, stored: str, stored_dims: int, given: str, given_dims: int) -> None:
        super().__init__(
            f"This home was built with {stored} ({stored_dims} dimensions); {given} "
            f"({given_dims} dimensions) was given. Open it with the first, or move it to the "
            "second with langgraph-memory reindex.",
            stored=stored,
            stored_dims=stored_dims,
            given=given,
            given_dims=given_dims,
        )


class EmbedderMovedError(EmbedderMismatchError):
    """The home was moved to another embedder after it was opened here; nothing was written."""

    def __init__(self, stored: str, stored_dims: int, given: str, given_dims: int) -> None:
        MemoryLayerError.__init__(
            self,
            f"This home was opened with {given} ({given_dims} dimensions), and has been moved to "
            f"{stored} ({stored_dims} dimensions) since. Nothing was written. Open the home anew, "
            f"with {stored}.",
            stored=stored,
            stored_dims=stored_dims,
            given=given,
            given_dims=given_dims,
        )


class EmbedderNamesakeError(EmbedderMismatchError):
    """Another function than the one the home was built with, under the same name."""

    def __init__(self, name: str, dims: int, cosine: float) -> None:
        MemoryLayerError.__init__(
            self,
            f"This home was built with another function than the {name} ({dims} dimensions) that "
            f"was given: a text it holds now comes to another vector (cosine {cosine:.2f}). "
            "Open it with the function it was built with. To move it to this one, give that a "
            'name of its own (embed.model_id = "my-model-2")',
            way=Way("and call langgraph_memory.reindex().", "and run langgraph-memory reindex."),
            stored=name,
            stored_dims=dims,
            given=name,
            given_dims=dims,
            cosine=cosine,
        )


class EmbedderDamagedError(EmbeddingError):
    """The shipped weights are missing or altered."""

    def __init__(self, path: Path | str, problem: str) -> None:
        super().__init__(
            f"{path}: {problem}. Reinstall langgraph-memory-plugin.",
            path=str(path),
            problem=problem,
        )


class ModelError(MemoryLayerError, RuntimeError):
    """The chat model could not answer; what the user said stays recorded.

    ``facts["spent"]``, where it is known: ``input_tokens``, ``output_tokens``, ``milliseconds``.
    """

    def __init__(self, model: str, problem: str, *, way: Way | None = None) -> None:
        super().__init__(f"{model}: {problem}", way=way, model=model, problem=problem)


class ModelUnavailableError(ModelError):
    """Network, rate limit, server error or time-out: trying again may help."""

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(
            model,
            f"{problem}. Your message is recorded;",
            way=Way(
                "run the turn again: send the same message, or call invoke(None, ...) on its "
                "thread.",
                "run the turn again: send the same message.",
            ),
        )


class ModelRefusedError(ModelError):
    """The model refused or gave an empty answer."""

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(model, f"{problem}. Your message is recorded; rephrase it.")


class ModelSetupError(ModelError):
    """Key, model name or address is missing or wrong."""

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(
            model, f"{problem}. Check MEMORY_MODEL, OPENAI_API_KEY and OPENAI_BASE_URL."
        )
