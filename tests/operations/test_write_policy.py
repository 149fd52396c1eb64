"""The write policy at work: on purpose, in passing, through every way in; its file in a home."""

from __future__ import annotations

from pathlib import Path

import pytest

from langgraph_memory import Home, Kind, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidPolicyError, RefusedError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.conflict import Effect

ACCOUNT = "DE89 3704 0044 0532 0130 00"


def said(home: Home, me: ScopedMemory, *texts: str) -> list[str]:
    """Say something in passing, and return what is kept of it, what waits included."""
    me.capture(
        [Utterance("t", f"m{n}", "user", text) for n, text in enumerate(texts)],
        consolidate=True,
    )
    home.memory.work_off()
    assert home.memory.jobs() == []
    return [str((each.record.head.value or {})["content"]) for each in me.contents().records]


def laws(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "policy.toml").write_text(text, encoding="utf-8")


def test_an_account_number_is_refused_unless_it_serves_a_purpose(me: ScopedMemory) -> None:
    """R50, R19."""
    with pytest.raises(RefusedError, match=r"purpose="):
        me.remember(f"My account is {ACCOUNT}")
    assert me.contents().total == 0
    done = me.remember(f"My account is {ACCOUNT}", purpose="renew the subscription")
    assert me.explain(done.id).data["purpose"] == "renew the subscription"


def test_the_stores_own_door_has_the_same_rules(home: Home, me: ScopedMemory) -> None:
    place = me.bound.namespace(Kind.SEMANTIC)
    with pytest.raises(RefusedError):
        home.store.put(place, "card", {"content": f"My account is {ACCOUNT}"})
    home.store.put(("plain",), "card", {"content": f"My account is {ACCOUNT}"})
    assert home.store.get(("plain",), "card") is not None


def test_in_passing_personal_data_is_left_out(home: Home, me: ScopedMemory) -> None:
    kept = said(
        home, me, f"Our travel account {ACCOUNT} is kept in the safe.",
        f"My account is {ACCOUNT}.", "My password is Tr0ub4dor9.", "My office is in Berlin.",
    )  # fmt: skip
    assert sorted(kept) == [
        "My office is in Berlin.",
        "Our travel account [redacted: bank account number] is kept in the safe.",
    ]


def test_in_passing_a_sensitive_claim_waits(home: Home, me: ScopedMemory) -> None:
    said(home, me, "I have type 2 diabetes.", "My colleague Bob has epilepsy.", "I have a boat.")
    waiting = me.contents(status=Status.PENDING).records
    heads = [each.record.head for each in waiting]
    assert sorted(str((each.value or {})["content"]) for each in heads) == [
        "I have type 2 diabetes.", "My colleague Bob has epilepsy.",
    ]  # fmt: skip
    assert all("health" in each.provenance.reason for each in heads)
    assert me.recall("Do I have diabetes?").evidence == ()
    me.approve(heads[0].value["content"], by="Jane")  # type: ignore[index]
    assert me.contents(status=Status.PENDING).total == 1


@pytest.mark.parametrize(
    "text",
    ["I have HIV.", "I'm pregnant.", "I am gay", "I'm depressed", "He is gay.", "Bob has HIV.",
     "我怀孕了"],
)  # fmt: skip
def test_in_passing_a_short_claim_waits_as_a_long_one_does(
    home: Home, me: ScopedMemory, text: str
) -> None:
    """R50: what is no fragment to the policy is none to the background."""
    said(home, me, text, "I am tired.", "Do I have HIV?")
    [waiting] = me.contents().records
    assert waiting.record.head.status is Status.PENDING
    assert (waiting.record.head.value or {})["content"] == text


def test_what_is_said_on_purpose_of_oneself_counts(me: ScopedMemory) -> None:
    assert me.remember("I have diabetes").effect is Effect.BEGIN
    assert me.remember("My colleague Bob has epilepsy").effect is Effect.HOLD
    served = me.remember("My colleague Anna has epilepsy", purpose="first aid at the office")
    assert served.effect is Effect.BEGIN


def test_a_domain_has_its_lifetime_and_its_purpose(me: ScopedMemory) -> None:
    done = me.remember("The blue tent is on sale for 99 dollars")
    told = me.explain(done.id)
    assert told.data["purpose"] == "say what an offer costs while it lasts"
    assert told.data["kept_until"] != "permanent"
    assert "to say what an offer costs while it lasts" in str(told)
    lasting = me.remember("The red tent is on sale", metadata={"domain": "preference"})
    assert me.explain(lasting.id).data["kept_until"] == "permanent"


def test_a_homes_file_changes_the_rules(tmp_path: Path, settings: Settings) -> None:
    """R50: what is stored names the rules by which it was let in; old records keep theirs."""
    folder = tmp_path / "home"
    with open_memory(folder, settings=settings) as home:
        before = home.memory.scope(tenant="a", user="u").remember("I have a boat").id
    laws(
        folder, 'version = "acme-3"\n[personal]\nemail = "redact"\n[review]\nsources = ["web"]\n'
        '[kinds.episodic]\nkeep_days = 7\n[domains.boats]\nkeep_days = 1\npurpose = "sail"\n'
        'words = ["boat"]\n',
    )  # fmt: skip
    with open_memory(folder, settings=settings) as home:
        me = home.memory.scope(tenant="a", user="u")
        done = me.remember("Write to jane@example.com")
        assert me.explain(done.id).data["content"] == "Write to [redacted: e-mail address]"
        assert me.explain(done.id).data["policy"] == "acme-3"
        assert me.explain(before).data["policy"] == "write-2"
        assert me.explain(me.remember("I sold my old boat").id).data["purpose"] == "sail"
        page = Source(SourceKind.WEB, "http://example.org")
        assert me.remember("The sky is blue", source=page).effect is Effect.HOLD
        assert me.recall("What is my boat?").versions["policy"] == "acme-3"


def test_a_named_file_counts_instead_of_the_homes(tmp_path: Path, settings: Settings) -> None:
    laws(tmp_path / "home", 'version = "home"\n')
    named = tmp_path / "named.toml"
    named.write_text('version = "named"\n', encoding="utf-8")
    theirs = settings.model_copy(update={"policy": named})
    with open_memory(tmp_path / "home", settings=theirs) as home:
        assert home.memory.versions()["policy"] == "named"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[personal]\nemail = "maybe"\n',
         r"home.policy\.toml, personal\.email is wrong: \"maybe\" is given, and possible is"),
        ("[personel]\n",
         r"policy\.toml, \[personel\] is wrong: .*did you mean personal\? There are circles, dom"),
        ("[kinds.epsodic]\n", r"kinds\.epsodic is wrong: .*possible is 'semantic', 'episodic' or"),
        ("[kinds.episodic]\nkeep_days = -3\n",
         r"kinds\.episodic\.keep_days is wrong: -3 is given, and possible is a number above 0, or"),
        ("[personal\n", r"policy\.toml is wrong: it is no TOML"),
        ("\xff", "is no TOML"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_is_refused_at_opening(
    tmp_path: Path, settings: Settings, text: str, complaint: str
) -> None:
    folder = tmp_path / "home"
    laws(folder, "")
    (folder / "policy.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidPolicyError, match=complaint), open_memory(folder, settings=settings):
        pass
    missing = settings.model_copy(update={"policy": tmp_path / "nowhere.toml"})
    with (
        pytest.raises(InvalidPolicyError, match="cannot be read"),
        open_memory(tmp_path / "other", settings=missing),
    ):
        pass


def test_a_policy_may_review_what_is_said_in_passing(tmp_path: Path, settings: Settings) -> None:
    laws(tmp_path / "home", "[review]\nin_passing = true\n")
    with open_memory(tmp_path / "home", settings=settings) as home:
        me = home.memory.scope(tenant="a", user="u")
        assert said(home, me, "My office is in Berlin.") == ["My office is in Berlin."]
        assert me.recall("Where is my office?").evidence == ()


def test_who_may_state_what_is_the_policys(tmp_path: Path, settings: Settings) -> None:
    laws(tmp_path / "home", '[circles]\norganization = ["system"]\n')
    with open_memory(tmp_path / "home", settings=settings) as home:
        everyone = home.memory.scope(tenant="a")
        with pytest.raises(RefusedError, match=r"circles\.organization"):
            everyone.remember("The office closes at six")
        handbook = Source(SourceKind.SYSTEM, "handbook 7")
        assert everyone.remember("The office closes at six", source=handbook).version == 1
