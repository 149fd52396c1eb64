"""What the write policy makes of personal data and of claims about persons."""

from __future__ import annotations

from typing import Any

import pytest

from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidPolicyError, RefusedError
from langgraph_memory.policy.governing import check_eligible, govern, says_little
from langgraph_memory.policy.rulebook import WritePolicy
from langgraph_memory.policy.sensitive import About, claim
from langgraph_memory.storage.policy_file import shipped_policy
from langgraph_memory.wiring import Settings, write_policy

POLICY = write_policy(Settings())
ME = Provenance(Source(SourceKind.USER, "jane"))
FOR_BILLING = Provenance(Source(SourceKind.USER, "jane"), purpose="pay invoices")
ACCOUNT = "My account is DE89 3704 0044 0532 0130 00 and it is in Berlin"


def but(**tables: Any) -> WritePolicy:
    return WritePolicy.of(shipped_policy(), over=tables)


# --- Claims -----------------------------------------------------------------------------------

OWN = [
    "I have diabetes",
    "I've got type 2 diabetes.",
    "I was diagnosed with epilepsy in 2019",
    "I am pregnant",
    "I'm a practising Catholic",
    "My depression is back",
    "I voted for the Greens",
    "I am gay",
    "我有糖尿病",
    "我怀孕了",
]
OTHERS = [
    "My colleague Bob has diabetes",
    "Bob is gay",
    "My mother was diagnosed with breast cancer last year",
    "She is pregnant",
    "Our neighbour is Jewish",
    "Anna Schmidt voted for the Republicans",
    "My boss is an alcoholic",
    "He was convicted of fraud",
    "My wife's pregnant and I have diabetes",
    "他是同性恋",
    "我妈妈有糖尿病",
    "王先生得了癌症",
]
NEITHER = [
    "I work in cancer research",
    "The town has a large Muslim community",
    "We visited the Jewish Museum in Berlin",
    "I read a book about depression",
    "Berlin has a Jewish museum",
    "The democrat candidate spoke on Monday",
    "My team fixed the AIDS dashboard colours",
    "Production deployment is not allowed",
    "The gay pride parade is on Saturday",
    "Please book the Buddhist temple tour",
    "I donated to a cancer charity",
    "我在癌症研究中心工作",
    "这家医院治疗糖尿病",
]


@pytest.mark.parametrize("text", OWN)
def test_a_claim_about_oneself_is_known(text: str) -> None:
    found = claim(text, POLICY.sensitive.phrases)
    assert found is not None
    assert found[0] is About.OWN


@pytest.mark.parametrize("text", OTHERS)
def test_a_claim_about_somebody_else_is_known(text: str) -> None:
    """R50: it is not pinned on the user."""
    found = claim(text, POLICY.sensitive.phrases)
    assert found is not None
    assert found[0] is About.OTHERS


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_said_of_no_person_is_no_claim(text: str) -> None:
    assert claim(text, POLICY.sensitive.phrases) is None


@pytest.mark.parametrize(
    ("text", "papers", "explicit", "waits"),
    [
        ("I have diabetes", ME, True, False),
        ("I have diabetes", ME, False, True),
        ("Bob has diabetes", ME, True, True),
        ("Bob has diabetes", ME, False, True),
        ("Bob has diabetes", FOR_BILLING, True, False),
        ("Bob has a boat", ME, False, False),
    ],
)
def test_a_claim_about_a_person_is_asked_for_or_waits(
    text: str, papers: Provenance, explicit: bool, waits: bool
) -> None:
    """R50: sensitive categories need an explicit purpose."""
    done = govern(POLICY, text, papers, explicit=explicit)
    assert done.content == text
    assert bool(done.why) == waits
    assert not waits or "health" in done.why


def test_the_policy_says_what_becomes_of_claims() -> None:
    assert govern(but(sensitive={"others": "keep"}), "Bob has diabetes", ME).why == ""
    assert govern(but(sensitive={"own": "review"}), "I have diabetes", FOR_BILLING).why
    with pytest.raises(RefusedError, match=r"sensitive\.own"):
        govern(but(sensitive={"own": "refuse"}), "I have diabetes", FOR_BILLING)


# --- Data -------------------------------------------------------------------------------------


def test_an_account_number_is_kept_for_a_purpose_alone() -> None:
    """R50."""
    with pytest.raises(RefusedError, match=r"bank account number.*purpose="):
        govern(POLICY, ACCOUNT, ME)
    with pytest.raises(RefusedError):
        govern(POLICY, "My account is new", ME, beside='{"account": "DE89 3704 0044 0532 0130 00"}')
    assert govern(POLICY, ACCOUNT, FOR_BILLING).content == ACCOUNT
    passing = govern(POLICY, ACCOUNT, ME, explicit=False)
    assert passing.content == "My account is [redacted: bank account number] and it is in Berlin"


def test_an_address_is_kept_to_reach_somebody() -> None:
    done = govern(POLICY, "Write to jane@example.com", ME)
    assert (done.content, done.why) == ("Write to jane@example.com", "")
    assert done.purpose == "reach or recognise the person it belongs to"
    assert govern(POLICY, "The sky is blue", ME).purpose == ""


@pytest.mark.parametrize("explicit", [True, False])
def test_the_policy_says_what_becomes_of_data(explicit: bool) -> None:
    text = "Write to jane@example.com"
    gone = govern(but(personal={"email": "redact"}), text, ME, explicit=explicit)
    assert gone.content == "Write to [redacted: e-mail address]"
    assert gone.purpose == ""
    held = govern(but(personal={"email": "review"}), text, ME, explicit=explicit)
    assert (held.content, held.why) == (text, "it holds an e-mail address")


@pytest.mark.parametrize(
    ("text", "little"),
    [
        ("My password is [redacted: password]", True),
        ("My account is [redacted: bank account number].", True),
        ("The production database password is [redacted: password]", True),
        ("We moved the staging server and its password is [redacted: password]", False),
        ("My password", False),
    ],
)
def test_what_is_left_of_a_secret_alone_says_little(text: str, little: bool) -> None:
    assert says_little(text) is little


# --- Who may state what -----------------------------------------------------------------------


def test_a_source_states_what_the_policy_lets_it() -> None:
    """R50: what may be stored, by whom, in which scope."""
    page = Provenance(Source(SourceKind.WEB, "x"))
    check_eligible(POLICY, page, Kind.SEMANTIC, "session")
    with pytest.raises(RefusedError, match=r"kinds\.semantic\.sources"):
        check_eligible(
            but(kinds={"semantic": {"sources": ["user"]}}), page, Kind.SEMANTIC, "personal"
        )
    with pytest.raises(RefusedError, match=r"circles\.organization"):
        check_eligible(
            but(circles={"organization": ["system"]}), page, Kind.SEMANTIC, "organization"
        )
    assert govern(but(review={"sources": ["web"]}), "The sky is blue", page).why


# --- The file ---------------------------------------------------------------------------------


def test_a_changed_policy_has_another_name() -> None:
    """R50, R85: what is stored with a record says by which rules."""
    changed = but(personal={"email": "redact"})
    assert changed.version.startswith("write-2+")
    assert changed.version == but(personal={"email": "redact"}).version
    assert changed.version != but(personal={"email": "review"}).version
    assert but(version="acme-7").version == "acme-7"
    assert POLICY.version == "write-2"


@pytest.mark.parametrize(
    ("tables", "where"),
    [
        ({"kinds": {"semantic": {"keep_days": 0}}}, "kinds.semantic.keep_days"),
        ({"kinds": {"semantic": {"keep_days": "forever"}}}, "kinds.semantic.keep_days"),
        ({"kinds": {"semantics": {"keep_days": 1}}}, "kinds"),
        ({"personal": {"emails": "keep"}}, "personal.emails"),
        ({"personal": {"email": "asked"}}, "personal.email"),
        ({"sensitive": {"own": "redact"}}, "sensitive.own"),
        ({"review": {"sources": ["neighbour"]}}, "review.sources"),
        ({"domains": {"pets": {"words": ["cat"]}}}, "domains.pets.keep_days"),
        ({"sentitive": {}}, "sentitive"),
        ({"version": ""}, "version"),
    ],
)
def test_a_rule_that_cannot_be_is_named(tables: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidPolicyError, match=where.replace(".", r"\.")):
        but(**tables)
