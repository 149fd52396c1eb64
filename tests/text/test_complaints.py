"""What is wrong with a value is said without the words of the library that found it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from langgraph_memory.text.complaints import LONGEST, Complaint, complaint


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    days: Annotated[float, Field(gt=0, le=1_000)] | Literal["permanent"] = 1
    name: str = Field(default="a", min_length=1, max_length=3)
    number: int = Field(default=1, ge=1, lt=20)
    on: bool = False
    colours: tuple[Literal["red", "green"], ...] = ()

    @field_validator("number")
    @classmethod
    def _odd(cls, given: int) -> int:
        if given % 2 == 0:
            raise ValueError("give an odd one.")
        return given


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    inner: Inner = Inner()
    by_sort: Mapping[Literal["cat", "dog"], Inner] = {}
    needed: str = "x"


class Needing(BaseModel):
    needed: str


def of(given: Any, model: type[BaseModel] = Outer) -> Complaint:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(given)
    return complaint(caught.value, model)


@pytest.mark.parametrize(
    ("given", "path", "problem"),
    [
        ({"days": -3}, "days", "-3 is given, and possible is a number above 0, or 'permanent'"),
        ({"days": 2_000}, "days",
         "2000 is given, and possible is a number up to 1,000, or 'permanent'"),
        ({"days": "ever"}, "days", "\"ever\" is given, and possible is a number, or 'permanent'"),
        ({"days": None}, "days", "nothing is given, and possible is a number, or 'permanent'"),
        ({"name": ""}, "name", '"" is given, and possible is a text that is not empty'),
        ({"name": "long"}, "name",
         '"long" is given, and possible is a text of at most 3 characters'),
        ({"name": 3}, "name", "3 is given, and possible is a text"),
        ({"number": 0}, "number", "0 is given, and possible is a number of 1 or more"),
        ({"number": 20}, "number", "20 is given, and possible is a number below 20"),
        ({"number": 0.5}, "number", "0.5 is given, and possible is a whole number"),
        ({"number": 4}, "number", "4 is given; give an odd one"),
        ({"on": "perhaps"}, "on", '"perhaps" is given, and possible is true or false'),
        ({"colours": ["blue"]}, "colours", "\"blue\" is given, and possible is 'red' or 'green'"),
        ({"colours": "red"}, "colours", '"red" is given, and possible is a list'),
        ({"nam": "a"}, "nam",
         "there is no such name; did you mean name? There are colours, days, name, number, on"),
    ],
)  # fmt: skip
def test_it_names_the_place_what_was_given_and_what_is_possible(
    given: dict[str, Any], path: str, problem: str
) -> None:
    """R74."""
    assert of({"inner": given}) == Complaint(("inner", path), problem)
    assert of({"by_sort": {"cat": given}}) == Complaint(("by_sort", "cat", path), problem)


def test_a_table_that_is_not_known_is_one_and_near_names_are_offered() -> None:
    found = of({"iner": {"days": 3}})
    assert (found.path, found.table) == (("iner",), True)
    assert found.problem == (
        "there is no such name; did you mean inner? There are by_sort, inner, needed"
    )
    assert of({"zzz": {}}).problem == "there is no such name. There are by_sort, inner, needed"


def test_a_name_in_a_table_of_names_is_one_of_them() -> None:
    assert of({"by_sort": {"cow": {}}}) == Complaint(
        ("by_sort", "cow"), "there is no such name; possible is 'cat' or 'dog'"
    )


def test_what_is_no_table_or_is_missing_is_said() -> None:
    assert of({"inner": 3}).problem == "3 is given, and possible is a table"
    assert of({"needed": {"a": 1}}).problem == "a table is given, and possible is a text"
    assert of({}, Needing) == Complaint(("needed",), "it is missing, and nothing stands in for it")


def test_a_long_value_is_cut() -> None:
    assert of({"inner": {"on": "x" * 900}}).problem.startswith(f'"{"x" * (LONGEST - 1)}… is given')


def test_without_a_model_it_says_nothing_of_where() -> None:
    with pytest.raises(ValidationError) as caught:
        Inner.model_validate({"on": "x"})
    assert complaint(caught.value).path == ()
