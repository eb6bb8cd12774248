"""BEIR folders: a collection as corpus.jsonl, queries.jsonl and qrels, with what else is known beside them.

    corpus.jsonl        {"_id", "title", "text", …}: further keys with text become fields; "turns": [{speaker, text}]
    queries.jsonl       {"_id", "text", "metadata": {"group": …, slice: value, …}}
    qrels/NAME.tsv      one tier a file (also JSON lines, or TREC's four columns); or qrels.tsv, qrels.jsonl
    tiers.json          {tier: {"label", "rule", "threshold"}}, in the order of the ladder; or [tier, …]
    roles.tsv           query-id, corpus-id, role; with roles.json {role: label}
    collection.json     {"main": the tier to look at first, "compared": the field that is compared word by word}
    decoys.json         {set: {"label", "roles": […]}}; without it every listed role is a set of its own
    per_query_excluded_ids.json   {query: [document, …]}

All but the first two and one qrels file may be missing. Every file may be packed with gzip, .gz at its name's end or
not.
"""

from askance.data.formats.beir.reading import read_beir
from askance.data.formats.beir.writing import write_beir

__all__ = ["read_beir", "write_beir"]
