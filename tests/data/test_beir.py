"""BEIR folders: the layouts that occur, and faults with file and line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from askance.core.errors import FileProblem, UnknownName
from askance.data.collection import Collection, Decoys, Turn
from askance.data.formats.beir import read_beir

CORPUS = '{"_id": "d1", "title": "One", "text": "first"}\n{"_id": "d2", "title": "", "text": "second"}\n'
QUERIES = '{"_id": "q1", "text": "one?"}\n{"_id": "q2", "text": "two?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\n"


def folder(place: Path, files: Mapping[str, str | bytes | None] | None = None) -> Path:
    """A small BEIR folder with these files, or without those that are None."""
    plain: dict[str, str | bytes | None] = {
        "corpus.jsonl": CORPUS,
        "queries.jsonl": QUERIES,
        "qrels/test.tsv": QRELS,
    }
    for name, content in (plain | dict(files or {})).items():
        if content is not None:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return place


def grades(collection: Collection, tier: str) -> dict[str, dict[str, float]]:
    judgments = collection.tier(tier).judgments
    return {
        query: {judgments.documents[int(d)]: float(g) for d, g in zip(*judgments.of_query(at), strict=True)}
        for at, query in enumerate(judgments.queries)
        if len(judgments.of_query(at)[0])
    }


EXPECTED = {"q1": {"d1": 1.0}, "q2": {"d2": 2.0}}


def test_the_plain_layout(tmp_path: Path) -> None:
    collection = read_beir(folder(tmp_path / "mine"))
    assert (collection.name, collection.origin) == ("mine", "the BEIR folder mine")
    assert collection.documents.ids.names == ("d1", "d2")
    assert dict(collection.documents.fields) == {"title": ["One", ""], "text": ["first", "second"]}
    assert collection.queries.field("text") == ["one?", "two?"]
    assert grades(collection, "test") == EXPECTED
    assert (collection.tier("test").label, collection.tier("test").threshold) == ("test", 1.0)
    assert (collection.roles, collection.excluded, collection.decoys, collection.notes) == (None, None, (), {})
    assert collection.documents.turns is None
    assert (collection.queries.groups, collection.queries.slices) == (None, {})
    assert read_beir(tmp_path / "mine", name="given").name == "given"


@pytest.mark.parametrize(
    "files",
    [
        {"qrels/test.tsv": "query_id\tcorpus_id\tscore\nq1\td1\t1\nq2\td2\t2\n"},
        {"qrels/test.tsv": "corpus-id\tscore\tquery-id\nd1\t1\tq1\nd2\t2\tq2\n"},
        {"qrels/test.tsv": "\ufeffquery-id\tcorpus-id\tscore\r\nq1\td1\t1\r\n\r\nq2\td2\t2"},
        {"qrels/test.tsv": "q1\td1\t1\nq2\td2\t2\n"},
        {"qrels/test.tsv": "q1 0 d1 1\nq2 0 d2 2\n"},
        {"qrels/test.tsv": "query-id corpus-id score\nq1 d1 1\nq2 d2 2\n"},
        {"qrels/test.tsv": gzip.compress(QRELS.encode())},
        {"qrels/test.tsv": None, "qrels/test.tsv.gz": gzip.compress(QRELS.encode())},
        {"qrels/test.tsv": None, "qrels/test.txt": "q1 0 d1 1\n# so much for q1\nq2 0 d2 2\n"},
        {
            "qrels/test.tsv": None,
            "qrels/test.jsonl": '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n'
            '{"query_id": "q2", "corpus_id": "d2", "score": 2.0}\n',
        },
        {"corpus.jsonl": None, "corpus.jsonl.gz": gzip.compress(CORPUS.encode())},
        {"corpus.jsonl": gzip.compress(CORPUS.encode()), "queries.jsonl": gzip.compress(QUERIES.encode())},
        {"corpus.jsonl": None, "corpus/corpus.jsonl": CORPUS},
        {"queries.jsonl": None, "queries+qrels/queries.jsonl": QUERIES},
    ],
)
def test_layouts_that_mean_the_same(tmp_path: Path, files: dict[str, str | bytes | None]) -> None:
    collection = read_beir(folder(tmp_path, files))
    assert collection.documents.sha256 == read_beir(folder(tmp_path / "plain")).documents.sha256
    assert grades(collection, "test") == EXPECTED
    assert collection.notes == {}


@pytest.mark.parametrize("name", ["qrels.tsv", "qrels.jsonl", "qrels_pool.tsv", "queries+qrels/qrels.tsv"])
def test_judgments_beside_the_corpus(tmp_path: Path, name: str) -> None:
    rows = '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n' if name.endswith("jsonl") else QRELS
    collection = read_beir(folder(tmp_path, {"qrels/test.tsv": None, name: rows}))
    assert list(collection.tiers) == [Path(name).stem]


def test_fractions_and_negative_grades_are_kept(tmp_path: Path) -> None:
    rows = "query-id\tcorpus-id\tscore\nq1\td1\t0.5\nq1\td2\t-1\nq2\td1\t1.0\nq2\td2\t0\n"
    collection = read_beir(folder(tmp_path, {"qrels/test.tsv": rows}))
    assert grades(collection, "test") == {"q1": {"d1": 0.5, "d2": -1.0}, "q2": {"d1": 1.0, "d2": 0.0}}


def test_tiers_in_the_order_of_the_ladder(tmp_path: Path) -> None:
    cards = {"lenient": {"label": "any", "rule": "says it"}, "hard": {"threshold": 2}}
    files = {f"qrels/{name}.tsv": QRELS for name in ("hard", "lenient", "a.b", "test")}
    collection = read_beir(folder(tmp_path, {**files, "tiers.json": json.dumps(cards)}))
    assert list(collection.tiers) == ["lenient", "hard", "a.b", "test"]
    assert [(t.label, t.rule, t.threshold) for t in collection.tiers.values()][:2] == [
        ("any", "says it", 1.0),
        ("hard", "", 2.0),
    ]
    assert len({id(tier.judgments.documents) for tier in collection.tiers.values()}) == 1


def test_tiers_json_may_be_the_bare_order(tmp_path: Path) -> None:
    files = {f"qrels/{name}.tsv": QRELS for name in ("hard", "lenient")}
    collection = read_beir(folder(tmp_path, {**files, "qrels/test.tsv": None, "tiers.json": '["lenient", "hard"]'}))
    assert [(tier.name, tier.label) for tier in collection.tiers.values()] == [("lenient", "lenient"), ("hard", "hard")]


def test_the_same_tier_twice_is_read_once_if_it_says_the_same(tmp_path: Path) -> None:
    rows = "".join(
        json.dumps({"query-id": q, "corpus-id": d, "score": s}) + "\n" for q, d, s in (("q1", "d1", 1), ("q2", "d2", 2))
    )
    collection = read_beir(folder(tmp_path, {"qrels/test.jsonl": rows, "qrels/README.md": "#"}))
    assert grades(collection, "test") == EXPECTED
    assert sum(collection.notes.values()) == 2
    (tmp_path / "qrels/test.jsonl").write_text(rows.replace('"score": 2', '"score": 1'))
    with pytest.raises(FileProblem, match=r"test\.tsv: it judges otherwise than test\.jsonl"):
        read_beir(tmp_path)


def test_further_fields_turns_groups_and_slices(tmp_path: Path) -> None:
    corpus = (
        '{"_id": "d1", "text": "one", "url": "u1", "year": 1999, "metadata": {"a": 1}, "empty": null, '
        '"turns": [{"speaker": "user", "text": "hi"}]}\n'
        '{"_id": 2, "text": " "}\n'
    )
    queries = (
        '{"_id": "q1", "text": "one?", "metadata": '
        '{"group": "g", "set": "old", "n": 1, "x": true, "no": [1], "z": null}}\n'
        '{"_id": "q2", "text": "two?", "answer": "2"}\n'
        '{"_id": "q3", "text": "three?", "metadata": "?"}\n'
    )
    collection = read_beir(
        folder(tmp_path, {"corpus.jsonl": corpus, "queries.jsonl": queries, "qrels/test.tsv": "q1\td1\t1\nq2\t2\t1\n"})
    )
    assert dict(collection.documents.fields) == {"text": ["one", " "], "url": ["u1", ""]}
    assert collection.documents.ids.names == ("d1", "2")
    assert collection.documents.turns == ((Turn("user", "hi"),), ())
    assert dict(collection.queries.fields) == {"text": ["one?", "two?", "three?"], "answer": ["", "2", ""]}
    assert collection.queries.groups == ("g", "q2", "q3")
    assert collection.queries.slices == {"set": ("old", "", ""), "n": ("1", "", ""), "x": ("true", "", "")}
    assert collection.notes == {
        "documents whose 'year' is left out (it is not text)": 1,
        "documents whose 'metadata' is left out (it is not text)": 1,
        "documents without 'url'": 1,
        "documents with an empty text": 1,
        "values in queries' 'metadata' left out (neither text nor number)": 1,
        "queries whose 'metadata' is left out (it is no object)": 1,
        "queries without 'answer'": 2,
        "queries without a group: each is its own": 2,
        "queries without a judgment in any tier": 1,
    }


ROLES = "query-id\tcorpus-id\trole\nq1\td2\tnear miss\nq2\td1\tsibling\n"


def test_roles_decoys_and_exclusions(tmp_path: Path) -> None:
    files = {
        "roles.tsv": ROLES,
        "roles.json": '{"sibling": "a sibling", "far": "far off", "rest": {"label": "the rest", "default": true}}',
        "per_query_excluded_ids.json": '{"q1": ["N/A"], "q2": ["d1", "d1"]}',
    }
    collection = read_beir(folder(tmp_path, files))
    roles = collection.roles
    assert roles is not None
    assert [(role.name, role.label) for role in roles.every] == [
        ("sibling", "a sibling"),
        ("far", "far off"),
        ("near miss", "near miss"),
        ("rest", "the rest"),
    ]
    assert roles.of_query(0, "near miss").tolist() == [1]
    assert roles.of_query(1, "sibling").tolist() == [0]
    assert [decoys.roles for decoys in collection.decoys] == [("sibling",), ("far",), ("near miss",)]
    assert collection.excluded is not None
    assert [collection.excluded.of_query(at).tolist() for at in (0, 1)] == [[], [0]]
    assert collection.notes == {"exclusions marked N/A": 1}
    (tmp_path / "decoys.json").write_text('{"both": {"label": "either", "roles": ["sibling", "rest"]}}')
    assert read_beir(tmp_path).decoys == (Decoys("both", "either", ("sibling", "rest")),)


FAULTS: list[tuple[dict[str, str | bytes | None], str, int | None, str]] = [
    ({"corpus.jsonl": None}, "corpus.jsonl", None, "there is no such file"),
    ({"queries.jsonl": None}, "queries.jsonl", None, "there is no such file"),
    ({"qrels/test.tsv": None}, "", None, "there are no judgments"),
    ({"qrels/test.tsv": None, "qrels/README.md": ""}, "", None, "there are no judgments"),
    ({"corpus.jsonl.gz": gzip.compress(CORPUS.encode())}, "corpus.jsonl.gz", None, "is there too"),
    ({"corpus.jsonl": ""}, "corpus.jsonl", None, "empty"),
    ({"queries.jsonl": "\n \n"}, "queries.jsonl", None, "empty"),
    ({"corpus.jsonl": CORPUS + '{"_id": "d1", "text": "again"}\n'}, "corpus.jsonl", 3, "first on line 1"),
    ({"corpus.jsonl": '{"_id": 7, "text": "a"}\n{"_id": "7", "text": "b"}'}, "corpus.jsonl", 2, "first on line 1"),
    ({"corpus.jsonl": '{"_id": "d1"}\n'}, "corpus.jsonl", 1, "'text' is missing"),
    ({"corpus.jsonl": '{"text": "a"}\n'}, "corpus.jsonl", 1, "there is no '_id'"),
    ({"corpus.jsonl": '{"_id": "", "text": "a"}\n'}, "corpus.jsonl", 1, "'_id' is empty"),
    ({"corpus.jsonl": '{"_id": 7.0, "text": "a"}\n'}, "corpus.jsonl", 1, "'_id' is 7.0"),
    ({"corpus.jsonl": '{"_id": true, "text": "a"}\n'}, "corpus.jsonl", 1, "'_id' is True"),
    ({"corpus.jsonl": '{"_id": "d1", "text": 5}\n'}, "corpus.jsonl", 1, "expected a string"),
    ({"corpus.jsonl": CORPUS + '{"_id": "d3", "te'}, "corpus.jsonl", 3, "not valid JSON"),
    ({"corpus.jsonl": b'{"_id": "d1", "text": "caf\xe9"}\n'}, "corpus.jsonl", 1, "not UTF-8"),
    ({"corpus.jsonl": '{"_id": "d1", "text": "a", "turns": [{"who": "x"}]}\n'}, "corpus.jsonl", 1, "'turns' is"),
    ({"qrels/test.tsv": "query-id\tcorpus-id\tscore\n"}, "qrels/test.tsv", None, "no judgments in it"),
    ({"qrels/test.tsv": ""}, "qrels/test.tsv", None, "no judgments in it"),
    ({"qrels/test.tsv": QRELS + "q1\td1\t0\n"}, "qrels/test.tsv", 4, "line 2"),
    ({"qrels/test.tsv": QRELS + "q1\td2\tnan\n"}, "qrels/test.tsv", 4, "'nan' is no finite number"),
    ({"qrels/test.tsv": QRELS + "q1\td2\tyes\n"}, "qrels/test.tsv", 4, "'yes' is no finite number"),
    ({"qrels/test.tsv": QRELS + "q1\td2\n"}, "qrels/test.tsv", 4, "2 columns, expected 3"),
    ({"qrels/test.tsv": QRELS + "q1\t\t1\n"}, "qrels/test.tsv", 4, "an identifier is empty"),
    ({"qrels/test.tsv": "qid\tpid\trel\nq1\td1\t1\n"}, "qrels/test.tsv", 1, "no row of judgments"),
    ({"qrels/test.tsv": "q1\td1\tnan\n"}, "qrels/test.tsv", 1, "'nan' is no finite number"),
    ({"qrels/test.tsv": QRELS + "q9\td1\t1\n"}, "qrels/test.tsv", 4, "the query 'q9' is not in the collection"),
    ({"qrels/test.tsv": QRELS + "q1\td9\t1\n"}, "qrels/test.tsv", 4, "the document 'd9' is not in the collection"),
    (
        {"qrels/test.tsv": "Q1\td1\t1\nQ2\td1\t1\n"},
        "qrels/test.tsv",
        1,
        "it names 'Q1', 'Q2'; the collection has 'q1', 'q2'",
    ),
    ({"qrels/test.tsv": "q1\t1\t1\n"}, "qrels/test.tsv", 1, "it names '1'; the collection has 'd1', 'd2'"),
    ({"qrels/t.jsonl": '{"query-id": "q1", "corpus-id": "d1"}'}, "qrels/t.jsonl", 1, "'score' is missing"),
    (
        {"qrels/t.jsonl": '{"query-id": "q1", "corpus-id": "d1", "score": 1e999}'},
        "qrels/t.jsonl",
        1,
        "no finite number",
    ),
    ({"qrels/t.jsonl": '{"query-id": "q1", "corpus-id": 1.5, "score": 1}'}, "qrels/t.jsonl", 1, "'corpus-id' is 1.5"),
    ({"roles.tsv": ROLES + "q1\td2\tsibling\n"}, "roles.tsv", 4, "line 2"),
    ({"roles.tsv": ROLES + "q1\td2\n"}, "roles.tsv", 4, "2 columns"),
    ({"roles.tsv": "q1\td2\tnear\n"}, "roles.tsv", 1, "no header"),
    ({"roles.tsv": ROLES + "q1\td7\tsibling\n"}, "roles.tsv", 4, "the document 'd7'"),
    ({"roles.json": '{"a": "b"}'}, "roles.json", None, "no roles.tsv"),
    ({"roles.tsv": ROLES, "roles.json": '{\n"sibling": 5}'}, "roles.json", 2, "no label"),
    ({"roles.tsv": ROLES, "roles.json": "[]"}, "roles.json", None, "no JSON object"),
    ({"per_query_excluded_ids.json": '{\n"q1": ["d1"],\n"q8": ["d1"]}'}, "per_query_excluded_ids.json", 3, "'q8'"),
    ({"per_query_excluded_ids.json": '{\n"q1": ["d1",\n"d8"]}'}, "per_query_excluded_ids.json", 3, "'d8'"),
    ({"per_query_excluded_ids.json": '{"q1": [1]}'}, "per_query_excluded_ids.json", 1, "no list of documents"),
    ({"tiers.json": '["test", "test"]'}, "tiers.json", None, "no list of different tiers"),
    ({"tiers.json": '["test", 1]'}, "tiers.json", None, "no list of different tiers"),
    ({"tiers.json": '{"test": 1}'}, "tiers.json", 1, "no object"),
    ({"tiers.json": '{"test": {"threshold": "high"}}'}, "tiers.json", 1, "no finite number"),
    ({"tiers.json": '{\n"test": {"threshold": 0}}'}, "tiers.json", 2, "is 0; an unjudged document"),
    ({"tiers.json": '{"test": {"threshold": -5}}'}, "tiers.json", 1, "is -5"),
    ({"roles.tsv": "\n"}, "roles.tsv", None, "the file is empty"),
    ({"tiers.json": '{"test": {"label": 1}}'}, "tiers.json", 1, "no text"),
    ({"tiers.json": '{"test": {"label"}}'}, "tiers.json", 1, "not valid JSON"),
    ({"decoys.json": '{"set": {"label": "x"}}', "roles.tsv": ROLES}, "decoys.json", 1, "lists no roles"),
]


@pytest.mark.parametrize(("files", "name", "line", "said"), FAULTS)
def test_faults_name_file_line_and_remedy(
    tmp_path: Path, files: dict[str, str | bytes | None], name: str, line: int | None, said: str
) -> None:
    with pytest.raises(FileProblem) as caught:
        read_beir(folder(tmp_path, files))
    assert caught.value.path == str(tmp_path / name)
    assert caught.value.line == line
    assert said in str(caught.value)
    assert caught.value.remedy
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"tiers.json": '{"tset": {}}'}, "Did you mean 'test'?"),
        ({"tiers.json": '["tset"]'}, "Did you mean 'test'?"),
        ({"tiers.json": '{"test": {"treshold": 1}}'}, "Did you mean 'threshold'?"),
        ({"roles.tsv": ROLES, "decoys.json": '{"a": {"roles": ["siblings"]}}'}, "Did you mean 'sibling'?"),
        ({"decoys.json": '{"a": {"roles": ["sibling"]}}'}, "Known: other."),
        ({"tiers.json": '{\n"tset": {}}'}, "tiers.json:2: "),
        ({"tiers.json": '{"test":\n{"treshold": 1}}'}, "tiers.json:2, 'test': "),
        ({"decoys.json": '{"a":\n\n{"roles": ["sibling"]}}'}, "decoys.json:3, 'a': "),
        ({"collection.json": '{\n"mian": "test"}'}, "collection.json:2: "),
        ({"collection.json": '{"main":\n"tset"}'}, "collection.json:2: "),
    ],
)
def test_names_that_do_not_exist_come_with_the_nearest(
    tmp_path: Path, files: dict[str, str | bytes | None], said: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        read_beir(folder(tmp_path, files))
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)


OPTIONAL = ["corpus.jsonl", "qrels/more.tsv", "tiers.json", "roles.tsv", "roles.json", "decoys.json", "collection.json"]


@pytest.mark.parametrize("name", [*OPTIONAL, "per_query_excluded_ids.json"])
@pytest.mark.parametrize("target", ["gone", "itself"])
def test_a_link_to_nowhere_is_no_missing_file(tmp_path: Path, name: str, target: str) -> None:
    place = folder(tmp_path) / name
    place.unlink(missing_ok=True)
    place.symlink_to(place.name if target == "itself" else target)
    with pytest.raises(FileProblem, match="a link that leads to no file") as caught:
        read_beir(tmp_path)
    assert caught.value.path == str(place)


@pytest.mark.parametrize("name", ["corpus.jsonl", "tiers.json", "roles.tsv"])
def test_a_folder_is_no_missing_file(tmp_path: Path, name: str) -> None:
    place = folder(tmp_path) / name
    place.unlink(missing_ok=True)
    place.mkdir()
    with pytest.raises(FileProblem, match="this is a folder, expected a file"):
        read_beir(tmp_path)


def test_gold_that_is_excluded_is_counted(tmp_path: Path) -> None:
    files = {"per_query_excluded_ids.json": '{"q1": ["d1", "d2"], "q2": ["d1"]}'}
    assert read_beir(folder(tmp_path, files)).notes == {
        "gold of the tier 'test' that is excluded, and so does not count": 1
    }


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no such folder"):
        read_beir(tmp_path / "nowhere")


def test_three_of_each_side_are_shown_where_nothing_matches(tmp_path: Path) -> None:
    queries = "".join(f'{{"_id": "{n}", "text": "t"}}\n' for n in range(12, 20))
    rows = "query-id\tcorpus-id\tscore\n" + "".join(f"{n}.1\td1\t1\n" for n in range(12, 20))
    with pytest.raises(FileProblem) as caught:
        read_beir(folder(tmp_path, {"queries.jsonl": queries, "qrels/test.tsv": rows}))
    assert "it names '12.1', '13.1', '14.1' …; the collection has '12', '13', '14' …" in str(caught.value)
