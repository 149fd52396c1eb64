"""Personal data is found where it stands, and what only looks like it is left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.text.personal import NAMES, Data, find, without

FOUND = [
    ("Write to jane.doe@example.com please", Data.EMAIL, "jane.doe@example.com"),
    ("Mail: jane+news@mail.example.co.uk.", Data.EMAIL, "jane+news@mail.example.co.uk"),
    ("请发邮件到 wang@例子.中国 谢谢", Data.EMAIL, "wang@例子.中国"),
    ("Call me at +49 30 901820", Data.PHONE, "+49 30 901820"),
    ("My number is +1 (415) 555-2671", Data.PHONE, "+1 (415) 555-2671"),
    ("(030) 901 820 is the office", Data.PHONE, "(030) 901 820"),
    ("415-555-2671", Data.PHONE, "415-555-2671"),
    ("My phone number is 4155552671", Data.PHONE, "4155552671"),
    ("我的手机是13812345678", Data.PHONE, "13812345678"),
    ("电话：010 6552 9988", Data.PHONE, "010 6552 9988"),
    ("Pay to DE89 3704 0044 0532 0130 00 today", Data.IBAN, "DE89 3704 0044 0532 0130 00"),
    ("GB82WEST12345698765432", Data.IBAN, "GB82WEST12345698765432"),
    ("iban de89 3704 0044 0532 0130 00", Data.IBAN, "de89 3704 0044 0532 0130 00"),
    ("De89-3704-0044-0532-0130-00 is it", Data.IBAN, "De89-3704-0044-0532-0130-00"),
    ("nl91abna0417164300 of us", Data.IBAN, "nl91abna0417164300"),
    ("It is DE89.3704.0044.0532.0130.00.", Data.IBAN, "DE89.3704.0044.0532.0130.00"),
    ("My SSN is 078-05-1120", Data.IDENTITY, "078-05-1120"),
    ("social security number: 219 09 9999", Data.IDENTITY, "219 09 9999"),
    ("身份证号 11010519491231002X", Data.IDENTITY, "11010519491231002X"),
]
LEFT = [
    "The order 4111 1111 1111 1112 is late",  # the check digit is wrong
    "Boat 2 140188941686912 is blue",
    "Tracking number 1Z999AA10123456784",
    "ISBN 978-3-16-148410-0",
    "commit 3f785a3b8c9d4e5f6a7b8c9d0e1f2a3b4c5d6e7f",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "The temperature was 21.5, then 22.75 degrees",
    "We sold 1,234,567 units in 2025 for $4,111,111",
    "2026-11-30 18:54:50 and 1700000000",
    "Version 1.2.3-4 of 10.0.0.1:8080",
    "The parcel 00340434161094042557 is on its way",
    "DE00 3704 0044 0532 0130 00 is no account",
    "@jane is on call; see user@localhost",
    "Room 415-555 holds 26 people",
    "0.4111111111111111 is the share",
    "The budget is 150 dollars, not 1500",
    "0000 0000 0000 0000",
    "de12 abcd efgh ijkl mnop qrst uvwx",
    "in12 the cat sat on the mat and ate it all",
    "The part 078-05-1120 is in stock",
    "SSN 000-12-3456 is none",
    "de89 3704 0044 0532 0130 01 is no account",
]


@pytest.mark.parametrize(("text", "data", "piece"), FOUND)
def test_personal_data_is_found_where_it_stands(text: str, data: Data, piece: str) -> None:
    """R50."""
    [found] = find(text)
    assert (found.data, text[found.start : found.end]) == (data, piece)
    assert without(text, (found,)) == text.replace(
        piece, f"[redacted: {NAMES[data].partition(' ')[2]}]"
    )


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_personal_data_is_left_alone(text: str) -> None:
    assert find(text) == ()


def test_several_pieces_come_in_order() -> None:
    text = "jane@example.com, +49 30 901820 and GB82WEST12345698765432"
    assert [each.data for each in find(text)] == [Data.EMAIL, Data.PHONE, Data.IBAN]


@given(st.text(max_size=200) | st.text("0123456789 +-()@.A", max_size=80))
def test_any_text_is_looked_through(text: str) -> None:
    found = find(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert without(text, ()) == text


@pytest.mark.parametrize("text", ["1 " * 40_000, "a@" * 40_000, "A" * 90_000 + "1", "+1-" * 30_000])
def test_long_odd_texts_take_no_longer_than_their_length(text: str) -> None:
    find(text)
