"""What was indexed of a document, written beside the postings and read again."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from askance.data.fields.schema import Fact, Fields, Outside
from askance.engines.stored import Source, packed, unpacked

TEXTS = st.text(st.sampled_from('ab \n\r\x0b\x1f\u2028"\\,é雪'), max_size=6)
FACTS = st.builds(Fact, st.lists(TEXTS, max_size=4).map(tuple), st.none() | TEXTS)
SPLITS = st.one_of(
    st.none(),
    st.builds(Outside, TEXTS, TEXTS),
    st.builds(Fields, st.none() | TEXTS, st.lists(FACTS, max_size=3).map(tuple), st.dictionaries(TEXTS, TEXTS)),
)
METADATA = st.dictionaries(TEXTS, TEXTS | st.booleans() | st.floats(allow_nan=False), max_size=2)


@given(st.builds(Source, TEXTS, TEXTS, METADATA, SPLITS))
@example(Source("a", "", {}, Fields("n", (Fact(("",)), Fact(()), Fact(("a\nb", "c")), Fact(("", ""))))))
def test_what_was_packed_is_unpacked(source: Source) -> None:
    assert unpacked(source.id, source.text.encode(), packed(source)) == source
