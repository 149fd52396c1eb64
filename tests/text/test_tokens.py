"""The words of full-text search: what is found by what, and laws for any text."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.text.compounds import LONGEST, forget
from langgraph_memory.text.tokens import query_terms, tokens

FOUND = [
    # text, query that finds it
    ("The agents moved the launches.", "agent launch move"),
    ("budget", "BUDGETS"),
    ("ticket DGIA-4711 is open", "DGIA-4711"),
    ("ticket DGIA-4711 is open", "4711"),
    ("ticket DGIA-4711 is open", "dgia4711"),
    ("a multi-agent system", "multi-agent"),
    ("a multi-agent system", "multiagent"),
    ("a multi-agent system", "agents"),
    ("write an e-mail", "email"),
    ("Bob's car", "Bob"),
    ("Bob\u2019s car", "Bob's"),
    ("James' car", "James"),
    ("10 GB/s", "GB/s"),
    ("follow @nasa", "@nasa"),
    ("follow @nasa", "nasa"),
    ("tagged #launch", "launch"),
    ("written in C++, not in C#.", "C++"),
    ("written in C++, not in C#.", "c#"),
    ("release v1.2.3", "v1.2.3"),
    ("release v1.2.3", "1.2.3"),
    ("release v1.2.3", "1.2"),
    ("about 50% done", "50%"),
    ("about 50% done", "50"),
    ("costs $150 a month", "$150"),
    ("costs $150 a month", "150"),
    ("costs US$150", "$150"),
    ("costs $1,500", "1500"),
    ("150\u20ac", "150"),
    ("host 192.168.0.1", "192.168.0.1"),
    ("mail jane.doe@example.com", "jane.doe@example.com"),
    ("mail jane.doe@example.com", "jane"),
    ("mail jane.doe@example.com", "example.com"),
    ("see https://www.example.com/docs/page?id=7", "www.example.com"),
    ("see https://www.example.com/docs/page?id=7", "docs"),
    ("see https://www.example.com/docs/page?id=7", "https://www.example.com/docs/page?id=7"),
    ("def user_id(self)", "user_id"),
    ("def user_id(self)", "userId"),
    ("def user_id(self)", "user"),
    ("XMLHttpRequest", "http request"),
    ("the U.S.A. and", "USA"),
    ("at 5 p.m. sharp", "pm"),
    (".NET", ".net"),
    ("AT&T and R&D", "R&D"),
    ("2023-05-08T13:56:00Z", "2023-05-08"),
    ("2023-05-08T13:56:00Z", "13:56"),
    ("at 08:30", "8:30"),
    ("on May 08", "8"),
    ("the 8th of May", "8"),
    ("iPhone15", "iphone 15"),
    ("caf\u00e9 M\u00fcller", "cafe Muller"),
    ("\uff26\uff35\uff2c\uff2c width \ufb01le", "full file"),
    ("STRA\u00dfE", "strasse"),
    ("用户喜欢寿司", "寿司"),
    ("我喜欢喝茶", "茶"),
    ("我买了iPhone手机", "手机"),
    ("我买了iPhone手机", "iphone"),
    ("コーヒーが好きです", "コーヒー"),
    ("\uff7a\uff70\uff8b\uff70", "コーヒー"),
    ("그는 커피를 좋아한다", "커피"),
    ("ฉันรักแมวของฉัน", "แมว"),
    ("मुझे हिन्दी भाषा पसंद है", "हिन्दी"),
    ("Привет, мир!", "МИР"),
    ("Ещё ёж", "еж"),
    ("مُحَمَّد في القاهرة", "محمد"),
    ("٣ قطط", "3"),
    ("party 🎉🎉", "🎉"),
    ("ok 👍🏽", "👍"),
    ("a \u2764\ufe0f for you", "\u2764"),
    ("from 🇩🇪 with love", "🇩🇪"),
    ("I don't like it", "not"),
    ("wann ist das Essen fertig", "Essen"),
]


@pytest.mark.parametrize(("text", "query"), FOUND)
def test_a_text_is_found_by(text: str, query: str) -> None:
    """B52, B53, R22: names, codes, numbers, parts, and words of unspaced scripts."""
    asked = query_terms(query)
    assert asked
    assert set(asked) <= set(tokens(text))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("C++", "C"),
        ("C#", "C"),
        ("C", "C++"),
        ("version 1.2.3", "123"),
        ("192.168.0.1", "19216801"),
        ("3.14", "14"),
        ("用户喜欢寿司", "司寿"),
        ("classical", "class action"),
    ],
)
def test_different_things_stay_apart(text: str, query: str) -> None:
    assert not set(query_terms(query)) <= set(tokens(text))


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("When did Caroline go to the support group?", ["carolin", "go", "support", "group"]),
        ("What does she not like?", ["not", "like"]),
        ("Who never came?", ["never", "came"]),
        ("can't you do it?", ["not"]),
        ("who am I", ["who", "am", "i"]),
        ("to be or not to be", ["not"]),
        ("budget Budget BUDGETS", ["budget"]),
        ("Wann ist der Start in der Stadt?", ["start", "stadt"]),
        ("Who won the war with a hat?", ["won", "war", "hat"]),
        ("mail jane.doe@example.com", ["mail", "jane.doe@example.com", "jane.doe", "jane", "doe",
                                       "example.com", "exampl", "com"]),
        ("why?", ["whi"]),
        ('"', []),
        ("???", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_query_asks_for_each_telling_word_once(query: str, terms: list[str]) -> None:
    assert query_terms(query) == terms


def test_words_are_counted_as_often_as_they_stand() -> None:
    assert tokens("tea, Tea and teas") == ["tea", "tea", "and", "tea"]


def test_a_query_of_ideographs_asks_for_pairs_alone() -> None:
    assert query_terms("喜欢寿司") == ["喜欢", "欢寿", "寿司"]
    assert set("寿司") <= set(tokens("喜欢寿司"))


@pytest.mark.parametrize(
    "query",
    ["multi-agent", "Bob's", "GB/s", "@nasa", "why?", "50%", "C++", '"', "AND", "a:b", "NEAR(", "",
     "*", "^x", "a OR b", "-x", "{a}", "a" * 100_000],
)  # fmt: skip
def test_no_query_is_read_as_syntax(query: str) -> None:
    """B52: no exception, and the terms of a text that is the query are all in it."""
    assert set(query_terms(query)) <= set(tokens(query))


AWKWARD = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "aAbB019 \n\t-_./'@&+:,#%$€\u2019\u0300\u0e41\u200d\ufe0f\ud800\0寿司커あ🎉🇩🇪"
        ),
    )
)


@given(AWKWARD)
@example("\ud800\udfff\0")
@example("\ufdfa\u037a\u0345\u1fb3")
@example("\u00b4s \u2028x\u2029 \x1c\x85")
@example("İ ŉ ǰ ΐ ﬅ")
@example("_'_ .a '' __a__ a__ @_ $_ 1,000,000, 1,00")
def test_tokens_of_any_text_are_short_and_without_white_space(text: str) -> None:
    for term in tokens(text):
        assert 0 < len(term) <= LONGEST
        assert term.split() == [term]
        assert "\0" not in term
        term.encode()  # no surrogate


@given(AWKWARD)
def test_a_text_is_found_by_itself(text: str) -> None:
    assert set(query_terms(text)) <= set(tokens(text))


WORDS = st.one_of(
    AWKWARD.filter(lambda word: len(word.split()) == 1).map(str.strip),
    st.sampled_from([query for _, query in FOUND] + [text for text, _ in FOUND]),
)


@given(st.lists(WORDS, min_size=1, max_size=12), st.data())
def test_a_word_or_phrase_of_a_text_finds_it(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    phrase = " ".join(words[start:end])
    assert set(query_terms(phrase)) <= set(tokens(" ".join(words)))


@given(st.lists(st.sampled_from(["launch", "Lina's", "v1.2", "$150", "multi-agent", "C++"])),
       st.sampled_from(list(",;!?)(\"")))  # fmt: skip
def test_punctuation_around_a_word_does_not_hide_it(words: list[str], mark: str) -> None:
    text = " ".join(f"{mark}{word}{mark}" for word in words)
    assert set(query_terms(" ".join(words))) <= set(tokens(text))


@given(st.text(st.sampled_from("用户喜欢寿司커피あコ茶"), min_size=1), st.data())
def test_any_part_of_an_unspaced_run_finds_it(run: str, data: st.DataObject) -> None:
    """B53."""
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    assert set(query_terms(run[start:end])) <= set(tokens(f"ok {run}。"))


def test_words_behind_a_giant_one_are_found() -> None:
    """B36: tail words of a long text are findable."""
    assert "lina" in tokens("QUJD" * 50_000 + " Lina")
    assert "lina" in tokens('{"blob":"' + "QUJD" * 50_000 + '","owner":"Lina"}')
    assert max(map(len, tokens("x" * 200_000))) == LONGEST


def test_forgetting_empties_what_was_remembered_for_speed() -> None:
    before = tokens("Lina's multi-agent deployment")
    forget()
    assert tokens("Lina's multi-agent deployment") == before


@pytest.mark.parametrize(
    "unit",
    ["Lina owns the deployment of version 1.2.3, and jane.doe@example.com tests it. ", "a", "寿",
     "a-", "aB", "1:", "n't", "\u0300\u0323", "v1.", "@a", "\ufdfa", "हि", "👩🏽\u200d💻"],
)  # fmt: skip
def test_a_megabyte_takes_no_longer_than_its_length(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode()))
    began = time.process_time()
    tokens(text)
    assert time.process_time() - began < 4.0  # 0.02 to 1.1 s on an idle machine
