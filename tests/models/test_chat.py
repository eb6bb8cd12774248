"""What counts as an answer, and the models that stand in for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askance.core.errors import FileProblem, ModelFailed
from askance.core.outcome import Outcome
from askance.models.chat import CUT, STOP, Completion, LanguageModel, Message, Usage, complete_whole, ended
from askance.models.chat import without_thoughts as shown
from askance.models.chat_fake import RecordedModel, ScriptedModel, cut, empty, filtered, request_hash
from askance.models.chat_registry import LANGUAGE_MODELS
from askance.models.unusable import Unusable

ASK = (Message("system", "be brief"), Message("user", "Who likes Snow?"))


@pytest.mark.parametrize(
    ("completion", "outcome"),
    [
        (Completion("(sn", CUT), Outcome.TRUNCATED),
        (Completion("", CUT, Usage(output=4096, reasoning=4096)), Outcome.TRUNCATED),
        (Completion("(snow)", "content_filter"), Outcome.REFUSED),
        (Completion("(snow)", "tool_calls"), Outcome.UNPARSED),
        (Completion("(snow)", "not said"), Outcome.UNPARSED),
        (Completion(" \n", STOP), Outcome.UNPARSED),
    ],
)
def test_what_is_no_answer_is_raised(completion: Completion, outcome: Outcome) -> None:
    with pytest.raises(Unusable) as caught:
        ended(completion, "here")
    assert caught.value.outcome is outcome
    assert caught.value.message.startswith("here: ")
    assert caught.value.output_tokens == completion.usage.output


def test_an_answer_that_ended_is_itself() -> None:
    completion = Completion("(snow)", STOP, Usage(3, 2))
    assert ended(completion, "here") is completion


def test_a_cut_answer_is_asked_for_once_more_with_twice_the_tokens() -> None:
    model = ScriptedModel([cut("(sn", 8), "(snow)"])
    assert complete_whole(model, ASK, max_tokens=8).text == "(snow)"
    assert model.budgets == [8, 16]
    twice = ScriptedModel([cut("a", 8), cut("b", 16), "(snow)"])
    with pytest.raises(Unusable, match="cut after 16 tokens"):
        complete_whole(twice, ASK, max_tokens=8)
    assert twice.budgets == [8, 16]


@pytest.mark.parametrize("reply", [filtered(), empty(), ModelFailed("gone")])
def test_other_failures_are_not_asked_again(reply: Completion | ModelFailed) -> None:
    model = ScriptedModel([reply, "(snow)"])
    with pytest.raises(ModelFailed):
        complete_whole(model, ASK, max_tokens=8)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(snow)", "(snow)"),
        ("<think>a\nb</think>(snow)", "(snow)"),
        ("<THINK>a</THINK>(snow)", "(snow)"),
        ("<think>a</think>x<think>b</think>(snow)", "x(snow)"),
        ("<think>a (dogs)", ""),
        ("(snow)<think>wait", "(snow)"),
        ("it may be dogs</think>(snow)", "(snow)"),
        ("1 < 2 and (snow)", "1 < 2 and (snow)"),
        ("", ""),
    ],
)
def test_thoughts_are_no_part_of_the_answer(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_many_open_thoughts_take_linear_time() -> None:
    assert shown("<think>" * 20_000) == ""


def test_a_scripted_model_has_so_many_replies() -> None:
    model: LanguageModel = ScriptedModel(["a"])
    assert model.complete(ASK, max_tokens=1).text == "a"
    with pytest.raises(ModelFailed, match="no reply left"):
        model.complete(ASK, max_tokens=1)


def test_a_function_may_answer() -> None:
    model = ScriptedModel(lambda messages: messages[-1].content.upper())
    assert model.complete(ASK, max_tokens=9).text == "WHO LIKES SNOW?"
    assert model.asked == [ASK]


def test_recorded_answers_are_found_again_and_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.jsonl"
    inner = ScriptedModel([Completion("(snow) ❄", STOP, Usage(5, 3, 1, 2), "m-1", "fp"), "(other)"])
    first = RecordedModel(path, inner)
    given = first.complete(ASK, max_tokens=8)
    assert first.complete(ASK, max_tokens=8) == given
    assert len(inner.asked) == 1
    again = RecordedModel(path)
    assert again.complete(ASK, max_tokens=8) == given
    for other in ({"max_tokens": 9}, {"max_tokens": 8, "seed": 1}):
        with pytest.raises(ModelFailed, match="no answer to the request"):
            again.complete(ASK, **other)
    assert first.complete(ASK, max_tokens=9).text == "(other)"
    assert len(path.read_text().splitlines()) == 2


def test_what_did_not_end_well_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    model = RecordedModel(path, ScriptedModel([cut("(s"), "(snow)"]))
    assert complete_whole(model, ASK, max_tokens=4).text == "(snow)"
    (line,) = path.read_text().splitlines()
    assert json.loads(line)["request"] == request_hash(ASK, max_tokens=8, temperature=0, seed=None)


def test_a_recorded_answer_that_was_cut_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    RecordedModel(path, ScriptedModel(["(snow)"])).complete(ASK, max_tokens=8)
    path.write_text(path.read_text().replace('"stop"', '"length"'))
    with pytest.raises(Unusable, match="cut"):
        RecordedModel(path).complete(ASK, max_tokens=8)


def test_a_torn_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    RecordedModel(path, ScriptedModel(["(snow)"])).complete(ASK, max_tokens=8)
    path.write_text(path.read_text() + '{"request": "ab')
    with pytest.raises(FileProblem, match=r"answers\.jsonl:2: is no recorded answer"):
        RecordedModel(path)
    with pytest.raises(FileProblem, match="cannot be read"):
        RecordedModel(tmp_path / "none.jsonl")


def test_the_hash_knows_who_said_what() -> None:
    asked = [(Message("user", "ab"),), (Message("system", "ab"),), (Message("user", "a"), Message("user", "b"))]
    hashes = {request_hash(messages, max_tokens=1, temperature=0, seed=None) for messages in asked}
    assert len(hashes) == 3
    same = request_hash(ASK, max_tokens=1, temperature=0, seed=None)
    assert same == request_hash(ASK, max_tokens=1, temperature=0.0, seed=None)


def test_the_registry_builds_recorded_models(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    RecordedModel(path, ScriptedModel(["(snow)"])).complete(ASK, max_tokens=8)
    kind = LANGUAGE_MODELS.get("recorded")
    assert kind.build(kind.Settings(path=str(path)), None).complete(ASK, max_tokens=8).text == "(snow)"
