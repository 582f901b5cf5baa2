"""Composed forms and the way back."""

import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chunkeval.text.normal import composed

CHARS = st.one_of(
    st.characters(),
    st.sampled_from([*unicodedata.normalize("NFD", "각힣가"), "\u0301", "\u0323", "e", "ℵ", "Å", "が", "\u3099"]),
)


@given(st.lists(CHARS, max_size=30).map("".join))
def test_form_is_nfc_and_every_piece_maps_back(text: str) -> None:
    form, origin = composed(text)
    whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    assert form == unicodedata.normalize("NFC", whole)
    if origin is None:
        assert len(form) == len(text)
        return
    assert origin[-1] == len(text) and len(origin) == len(form) + 1
    assert (origin[1:] >= origin[:-1]).all()
    bounds = sorted(set(origin.tolist()))
    for a, b in pairwise(bounds):
        first = int((origin < a).sum())
        last = int((origin < b).sum())
        assert form[first:last] == unicodedata.normalize("NFC", whole[a:b])
