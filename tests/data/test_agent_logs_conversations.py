"""Conversations as AgentInstruct and AgentGym publish them: goal, steps and what is left out, of raw turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.data.adapters import trajectories as published
from askance.data.adapters.agent_logs import Log, Step, read_logs
from askance.data.adapters.agent_logs_conversations import (
    LAST_SEEN,
    THOUGHTS,
)

PROMPTS = "turns of instructions and demonstrations, left out"
INVENTED = "observations that the model imagined, left out"
UNMARKED = "goals that no mark sets off: the whole turn was taken"


def human(text: str) -> dict[str, object]:
    return {"from": "human", "loss": None, "value": text}


def gpt(text: str, loss: bool | None = True) -> dict[str, object]:
    return {"from": "gpt", "loss": loss, "value": text}


def without_loss(turns: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{key: value for key, value in turn.items() if key != "loss"} for turn in turns]


HOUSE = [
    human("You live in a house. Each turn, answer with a thought and an action.\n\nThought: ...\nAction: ..."),
    gpt("Agreed. I will do so.", False),
    human("Here is your task. You stand in a hall. You see a crate 1.\n\nYour task is to: put a clean jar in crate."),
    gpt("Thought: A jar may be on the bench.\nIt is near.\nAction: go to bench 1"),
    human("On the bench 1, you see a jar 2."),
    gpt("Thought: There it is. Action: take jar 2"),
    human("Observation: You hold the jar 2."),
    gpt("ACTION: wash jar 2\nObservation: It is clean.\nAction: put jar 2"),
    human("Nothing happens."),
]
HOUSE_STEPS = (
    Step("You stand in a hall. You see a crate 1.", "go to bench 1"),
    Step("On the bench 1, you see a jar 2.", "take jar 2"),
    Step("You hold the jar 2.", "wash jar 2"),
)
SHELL = [
    human("You are at a shell. Example: My problem is: count the letters."),
    gpt("Think: easy.\n\nAct: answer(7)", False),
    human("Now, I will start a new problem. My problem is:\n\nHow many notes are in the drawer?\nLook well."),
    gpt("Think: I list them.\n\nAct: bash\n\n```bash\nls notes\n```"),
    human("The output of the OS:\na b"),
    gpt("Think: Two.\n\nAct: answer(2)"),
]
SHOP = [
    human("You shop. Say what you do."),
    gpt("Ok.", False),
    human("Observation:\nShop [SEP] Instruction: [SEP] a green lamp below 30 dollars [SEP] Search"),
    gpt("Thought:\nI search.\n\nAction:\nsearch[green lamp]"),
]
TABLE = [human("Which guests came twice?"), gpt("Action: Operation\n```sql\nSELECT 1;\n```")]
GRAPH = [
    human("Use the tools.\nQuestion: who painted the moon?\nA new question: who built the tower?\nEntities: ['tower']"),
    gpt("Thought: I ask.\nAction: relations(tower)"),
]


@pytest.mark.parametrize(
    ("turns", "goal", "steps", "notes"),
    [
        (HOUSE, "put a clean jar in crate.", HOUSE_STEPS, {PROMPTS: 2, THOUGHTS: 2, INVENTED: 1, LAST_SEEN: 1}),
        (
            without_loss(HOUSE),
            "put a clean jar in crate.",
            HOUSE_STEPS,
            {PROMPTS: 2, THOUGHTS: 2, INVENTED: 1, LAST_SEEN: 1},
        ),
        (
            SHELL,
            "How many notes are in the drawer?\nLook well.",
            (Step("", "bash\n\n```bash\nls notes\n```"), Step("a b", "answer(2)")),
            {PROMPTS: 2, THOUGHTS: 2},
        ),
        (
            SHOP,
            "a green lamp below 30 dollars",
            (
                Step(
                    "Shop [SEP] Instruction: [SEP] a green lamp below 30 dollars [SEP] Search",
                    "search[green lamp]",
                ),
            ),
            {PROMPTS: 2, THOUGHTS: 1},
        ),
        (TABLE, "Which guests came twice?", (Step("", "Operation\n```sql\nSELECT 1;\n```"),), {UNMARKED: 1}),
        (
            GRAPH,
            "who built the tower?",
            (Step("Use the tools.\nQuestion: who painted the moon?\nEntities: ['tower']", "relations(tower)"),),
            {THOUGHTS: 1},
        ),
    ],
    ids=["house", "house without loss", "shell", "shop", "table", "graph"],
)
def test_goal_and_steps(
    tmp_path: Path, turns: list[object], goal: str, steps: tuple[Step, ...], notes: dict[str, int]
) -> None:
    path = tmp_path / "logs.jsonl"
    path.write_text(json.dumps({"id": "house_7", "conversations": turns, "reward": 1.0, "env": "house"}) + "\n")
    found = read_logs(path)
    assert found.logs == (Log("house_7", goal, steps, {"reward": "1.0", "env": "house"}),)
    assert found.notes == notes


def test_a_demonstration_within_the_episode_is_a_step(tmp_path: Path) -> None:
    """Turns that no loss is taken of were done all the same, once the task has begun."""
    turns = [human("Task: rest"), gpt("Action: sit"), human("A chair."), gpt("Action: stand", False)]
    (tmp_path / "logs.jsonl").write_text(json.dumps({"conversations": turns}) + "\n")
    assert [step.action for step in read_logs(tmp_path / "logs.jsonl").logs[0].steps] == ["sit", "stand"]


def test_lines_list_and_parquet_are_one(tmp_path: Path) -> None:
    import polars

    records = [{"item_id": f"h_{at}", "conversations": turns} for at, turns in enumerate((HOUSE, SHELL, SHOP))]
    for name in ("lines", "short", "long", "columns"):
        (tmp_path / name).mkdir()
    (tmp_path / "lines" / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    (tmp_path / "short" / "a.json").write_text(json.dumps(records))
    (tmp_path / "long" / "a.json").write_text(json.dumps(records, indent=2))
    polars.DataFrame(records).write_parquet(tmp_path / "columns" / "a.parquet")
    found = [read_logs(tmp_path / name) for name in ("lines", "short", "long", "columns")]
    assert all(one == found[0] for one in found)
    assert [log.id for log in found[0].logs] == ["h_0", "h_1", "h_2"]


def test_the_published_trajectories_from_raw_turns(shared_data: Path, tmp_path: Path) -> None:
    """All 336, put into conversations with instructions and thoughts, are read as they were published."""
    known = read_logs(shared_data / published.TRAJECTORIES).logs
    records = []
    for log in known:
        first, *others = log.steps
        asked = f"{first.state}\nYour task is to: {log.goal}"
        turns = [*HOUSE[:2], human(asked), gpt(f"Thought: x\nAction: {first.action}")]
        for step in others:
            turns += [human(step.state), gpt(f"Thought: now what?\nAction: {step.action}")]
        records.append({"id": log.id, "conversations": turns, "source": log.metadata.get("source")})
    (tmp_path / "raw.json").write_text(json.dumps(records))
    found = read_logs(tmp_path / "raw.json").logs
    assert [(log.id, log.goal) for log in found] == [(log.id, log.goal) for log in known]
    assert [log.steps for log in found] == [
        tuple(Step(step.state.strip(), step.action.strip()) for step in log.steps) for log in known
    ]


def test_chat_messages_with_thoughts(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Find the jar."},
        {"role": "assistant", "content": "Thought: where?\nAction: look"},
        {"role": "user", "content": "Observation: a jar"},
    ]
    (tmp_path / "logs.json").write_text(json.dumps([{"id": "a", "messages": messages}]))
    found = read_logs(tmp_path / "logs.json")
    assert found.logs == (Log("a", "Find the jar.", (Step("", "look"),)),)
    assert found.notes == {THOUGHTS: 1, LAST_SEEN: 1}


@pytest.mark.parametrize(
    ("record", "found"),
    [
        ({"conversations": []}, "no list of turns"),
        ({"conversations": "x"}, "no list of turns"),
        ({"conversations": [{"from": "human"}]}, "turn 1 has no 'from' or no 'value'"),
        ({"conversations": [{"from": "oracle", "value": "x"}]}, "turn 1 is from 'oracle'; known: human"),
        ({"conversations": [gpt("Action: go")]}, "no turn says what to do"),
        ({"turns": []}, "neither 'goal' nor 'messages' nor 'conversations'"),
    ],
)
@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_what_cannot_be_read_names_its_place(tmp_path: Path, record: dict[str, object], found: str, form: str) -> None:
    fine = {"conversations": HOUSE}
    path = tmp_path / f"logs.{form}"
    if form == "jsonl":
        path.write_text(json.dumps(fine) + "\n" + json.dumps(record) + "\n")
    else:
        path.write_text("[" + json.dumps(fine) + ",\n" + json.dumps(record) + "]")
    with pytest.raises(FileProblem, match=found) as caught:
        read_logs(path)
    assert caught.value.line == 2
    assert caught.value.remedy


def test_a_row_of_parquet_is_named(tmp_path: Path) -> None:
    import polars

    polars.DataFrame({"task": ["x"]}).write_parquet(tmp_path / "logs.parquet")
    with pytest.raises(FileProblem, match="row 1: neither 'goal'"):
        read_logs(tmp_path / "logs.parquet")
    (tmp_path / "logs.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(FileProblem, match="damaged"):
        read_logs(tmp_path / "logs.parquet")
