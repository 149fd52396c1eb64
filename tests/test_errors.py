"""The error tree: what its drawing says, what travels, and what each sentence ends with."""

from __future__ import annotations

import builtins
import copy
import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import errors
from langgraph_memory.errors import MemoryLayerError

EXAMPLES: list[MemoryLayerError] = [
    MemoryLayerError("Something happened. Try again.", place="here"),
    errors.InvalidInputError("limit is -1; give 0 or more."),
    errors.InvalidScopeError("user", "is empty"),
    errors.IdentityConflictError("user", "jane", "ann"),
    errors.InvalidFilterError("Unknown operator $regex.", operator="$regex"),
    errors.InvalidValueError("$.a[3]", "is a datetime"),
    errors.InvalidSettingError("MEMORY_MODEL", "is empty. Give a model's name."),
    errors.InvalidPolicyError("personal.email", "Input should be 'keep'"),
    errors.ConversationFormatError("talk.json line 3", "not JSON"),
    errors.NotFoundError("memory", "launch_date"),
    errors.NothingWaitsError("launch_date"),
    errors.AmbiguousReferenceError("launch", ("id-1", "id-2")),
    errors.ConflictError("Somebody was first. Read it again."),
    errors.VersionConflictError(("memory", "t=a"), "plan", 2, 3),
    errors.ThreadOwnershipError("launch"),
    errors.RefusedError("secrets", "the text holds a key"),
    errors.NamespaceFullError(("notes",), 3),
    errors.UnreviewedError("deploy", "Ann proposed it: let somebody else review it"),
    errors.AccessDeniedError("jane", "write", "the organization 'acme'", ("member", "owner")),
    errors.OwnClaimError("jane", "refund_limit"),
    errors.UnsupportedActionError("id-1", "does not hold: deleted on 2026-05-01"),
    errors.StorageError(Path("/data/home"), "cannot be used. Choose another path."),
    errors.HomeNotFoundError("/data/home"),
    errors.NotAHomeError("/data/home", "a file of another program"),
    errors.HomeIncompleteError("/data/home/memory.sqlite", "is missing", ("chroma",)),
    errors.HomeVersionError("/data/home", 9, 3),
    errors.HomeReadOnlyError(Path("/data/home")),
    errors.StorageBusyError("/data/home", 30.0),
    errors.StorageFullError("/data/home"),
    errors.FileLimitError("/data/home", 1_000_000),
    errors.StorageDamagedError("/data/home", "page 7"),
    errors.ClosedError("/data/home"),
    errors.EmbeddingError("The embedder failed. Try again."),
    errors.EmbedderMismatchError("a", 384, "b", 256),
    errors.EmbedderMovedError("new", 384, "old", 256),
    errors.EmbedderNamesakeError("function:<lambda>", 384, 0.1),
    errors.EmbedderDamagedError("/weights", "altered"),
    errors.ModelError("gpt", "no answer. Try again."),
    errors.ModelUnavailableError("gpt", "time-out"),
    errors.ModelRefusedError("gpt", "refused"),
    errors.ModelSetupError("gpt", "no key"),
]
NAMES = [type(each).__name__ for each in EXAMPLES]

ADVICE = re.compile(
    r"(?:^|[.;:,] |\). )(?:Try|Ask|Give|Convert|List|Say|Read|Use|Leave|Choose|Check|Upgrade|Known"
    r"|Expected|Open|Reinstall|restore|free|end|run|rephrase|give|let|propose|test)\b[^\n]*$"
)


CALL = re.compile(r"[a-z_]+\((?!s\))[^)]*=|[a-z_]+\(\)|\b(?!ulimit)[a-z_]+=(?!\S*/)")


def _classes() -> dict[str, type[BaseException]]:
    return {
        name: found
        for name, found in vars(errors).items()
        if inspect.isclass(found) and issubclass(found, BaseException)
    }


def _drawn() -> list[tuple[int, str, str | None]]:
    """Return (depth, name, builtin parent) of every line of the drawing, in order."""
    assert errors.__doc__ is not None
    drawn = []
    for line in errors.__doc__.splitlines():
        found = re.match(r"^ {4}([│├└─ ]*)(\w+Error)(?: \((\w+)\))?(?:\s|$)", line)
        if found:
            drawn.append((len(found[1]) // 4, found[2], found[3]))
    return drawn


def test_the_drawing_names_every_class_once_and_in_the_order_of_the_file() -> None:
    assert [name for _, name, _ in _drawn()] == list(_classes())


def test_the_drawing_shows_every_parent() -> None:
    classes, above = _classes(), ["Exception"]
    for depth, name, builtin in _drawn():
        above = [*above[: depth + 1], name]
        parents = [above[depth], *([builtin] if builtin else [])]
        assert [base.__name__ for base in classes[name].__bases__] == parents, name


def test_every_line_of_the_drawing_says_what_the_error_means() -> None:
    assert errors.__doc__ is not None
    for line in errors.__doc__.splitlines():
        if re.match(r"^ {4}[│├└ ]+─", line):
            assert re.search(r"Error(?: \(\w+\))? {2,}\S", line), line


def test_every_class_has_an_example_here() -> None:
    assert sorted(NAMES) == sorted(_classes())


def test_no_class_shadows_a_builtin() -> None:
    assert not {*_classes()} & {*dir(builtins)}


@pytest.mark.parametrize("error", EXAMPLES, ids=NAMES)
class TestEachError:
    def test_it_survives_pickling_and_copying_whole(self, error: MemoryLayerError) -> None:
        protocols = range(pickle.HIGHEST_PROTOCOL + 1)
        twins = [pickle.loads(pickle.dumps(error, protocol)) for protocol in protocols]
        for twin in [*twins, copy.copy(error), copy.deepcopy(error)]:
            assert type(twin) is type(error)
            assert str(twin) == str(error) == error.message
            assert (twin.message, twin.facts, twin.args) == (error.message, error.facts, error.args)
            assert (twin.commanded, twin.said) == (error.commanded, error.said)

    def test_its_facts_are_attributes_and_nothing_else_is(self, error: MemoryLayerError) -> None:
        for name, fact in error.facts.items():
            assert getattr(error, name) == fact
        assert not hasattr(error, "no_such_fact")
        with pytest.raises(AttributeError, match="no_such_fact"):
            _ = error.no_such_fact

    def test_no_fact_hides_a_part_of_the_exception(self, error: MemoryLayerError) -> None:
        named = {"message", "facts", "said", "way", "commanded"}
        assert not {*error.facts} & {*dir(Exception()), *named}

    def test_its_sentence_is_one_and_ends_with_what_to_do(self, error: MemoryLayerError) -> None:
        assert str(error).endswith((".", ")."))
        assert "\n" not in str(error)
        assert ADVICE.search(str(error)), str(error)

    def test_who_gave_a_command_is_told_of_no_call(self, error: MemoryLayerError) -> None:
        """R74."""
        assert error.commanded.startswith(error.said)
        assert error.commanded.endswith(".")
        assert not CALL.search(error.commanded), error.commanded


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (errors.InvalidScopeError("user", "is empty"), {"field": "user", "problem": "is empty"}),
        (errors.InvalidFilterError("x", operator="$y"), {"operator": "$y"}),
        (errors.InvalidFilterError("x"), {"operator": None}),
        (errors.InvalidValueError("$.a", "is odd"), {"path": "$.a", "problem": "is odd"}),
        (errors.NotFoundError("memory", "m"), {"what": "memory", "reference": "m"}),
        (
            errors.AmbiguousReferenceError("m", ("a", "b")),
            {"reference": "m", "matches": ("a", "b")},
        ),
        (
            errors.VersionConflictError(("n",), "k", 1, 2),
            {"namespace": ("n",), "key": "k", "expected": 1, "actual": 2},
        ),
        (errors.RefusedError("r", "why"), {"rule": "r", "reason": "why"}),
        (errors.HomeVersionError(Path("h"), 2, 1), {"path": "h", "found": 2, "known": 1}),
        (errors.ModelSetupError("gpt", "no key"), {"model": "gpt"}),
        (
            errors.EmbedderMismatchError("a", 1, "b", 2),
            {"stored": "a", "stored_dims": 1, "given": "b", "given_dims": 2},
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_the_catcher_reads_what_the_raiser_supplied(
    error: MemoryLayerError, facts: dict[str, Any]
) -> None:
    assert {name: getattr(error, name) for name in facts} == facts


def test_the_sentence_quotes_every_fact_a_reader_needs() -> None:
    """B88, B96: both models are named; so are the reference and both versions."""
    mismatch = str(errors.EmbedderMismatchError("minilm-1", 384, "other-2", 256))
    assert all(part in mismatch for part in ("minilm-1", "384", "other-2", "256"))
    [stale] = [str(each) for each in EXAMPLES if type(each) is errors.VersionConflictError]
    assert all(part in stale for part in ("memory/t=a/plan", "version 3", "not 2"))
    assert "'launch_date'" in str(errors.NotFoundError("memory", "launch_date"))
    assert "id-1, id-2" in str(errors.AmbiguousReferenceError("launch", ("id-1", "id-2")))


def test_wrong_calls_are_value_errors_and_missing_things_lookup_errors() -> None:
    """So that callers who know only LangGraph's stores and Python catch them too."""
    for each in EXAMPLES:
        refused = errors.InvalidInputError | errors.RefusedError
        assert isinstance(each, ValueError) == isinstance(each, refused)
        assert isinstance(each, LookupError) == isinstance(each, errors.NotFoundError)


def test_a_revived_error_keeps_facts_that_were_added_after_construction() -> None:
    revived = pickle.loads(pickle.dumps(errors.HomeVersionError("h", 9, 3)))
    assert (revived.found, revived.known, revived.path) == (9, 3, "h")
