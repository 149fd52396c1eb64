"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Settings
from langgraph_memory.cli.main import run

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cli:
    """Run a command in this process and return exit code, output and errors."""
    monkeypatch.setenv("MEMORY_HOME", str(tmp_path / "home"))

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["langgraph-memory", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call


def _json(out: str) -> Any:
    return json.loads(out)


def test_what_looks_like_an_emoji_or_markup_is_printed_as_it_was_said(cli: Cli) -> None:
    said = "deploy :rocket: to [bold]alpha:x: on Friday"
    cli("remember", said, "--key", "deploy")
    code, out, _ = cli("search", "when do we deploy?")
    assert code == 0
    assert said in out
    code, _, err = cli("inspect", "a:x:b")
    assert code == 1
    assert "a:x:b" in err


def test_remember_search_inspect_forget(cli: Cli) -> None:
    """R60, R74: the life of one memory."""
    code, out, _ = cli("remember", "The launch is on Friday", "--key", "launch_date")
    assert (code, out.split(" (")[0]) == (0, "Remembered")
    code, out, _ = cli("remember", "The launch moved to Monday", "--key", "launch_date")
    assert "before: “The launch is on Friday”" in out
    code, out, _ = cli("search", "When is the launch?")
    assert code == 0
    assert "[m1] “The launch moved to Monday”" in out
    assert "you ·" in out
    assert "because it" in out
    assert "superseded on" in out
    code, out, _ = cli("inspect", "launch_date")
    assert "v2 active" in out
    assert "v1 superseded" in out
    code, out, _ = cli("inspect")
    assert "1 to 1 of 1 memories" in out
    code, out, _ = cli("forget", "launch_date", "--yes")
    assert (code, "Forgotten" in out) == (0, True)
    assert cli("search", "When is the launch?")[0] == 1
    assert cli("inspect", "launch_date")[0] == 1


def test_json_is_for_programs(cli: Cli) -> None:
    assert _json(cli("remember", "I like tea", "--json")[1])["effect"] == "begin"
    found = _json(cli("search", "Do I like tea?", "--json")[1])
    assert found["evidence"][0]["content"] == "I like tea"
    assert found["evidence"][0]["verdict"] == "valid"
    assert _json(cli("inspect", "--json")[1])["total"] == 1
    assert _json(cli("forget", "tea", "--json")[1])["content"] == "I like tea"
    assert _json(cli("purge", "--yes", "--json")[1])["remaining"] == {
        "records": 0, "events": 0, "jobs": 0, "threads": 0, "checkpoints": 0, "grants": 0,
        "counts": 0,
    }  # fmt: skip
    code, out, err = cli("inspect", "tea", "--json")
    assert (code, _json(out)["error"]) == (1, "NotFoundError")
    assert "No memory 'tea'" in err


def test_what_cannot_be_done_ends_with_a_sentence_and_a_code(cli: Cli, tmp_path: Path) -> None:
    """R74: 1 not found, 2 wrong call, 3 files."""
    assert cli("search", "anything")[0] == 3
    assert "no memory home here" in cli("inspect")[2]
    assert cli("remember", "  ")[0] == 2
    assert cli("remember", "x y", "--metadata", "[1]")[0] == 2
    assert cli("remember", "x y", "--metadata", "{")[0] == 2
    assert cli("remember", "x y", "--valid-from", "soon")[0] == 2
    assert cli("remember", "x y", "--user", "")[0] == 2
    assert cli("nonsense")[0] == 2
    (tmp_path / "file").write_text("x")
    code, _, err = cli("remember", "x y", "--home", str(tmp_path / "file"))
    assert (code, "left untouched" in err) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("access", "grant", "jane", "boss", "--by", "Ann"),
         "'boss' is not one of 'owner', 'admin', 'member', 'reviewer', 'reader'."),
        (("remember", "x y", "--kind", "fact"), "'fact' is not one of 'semantic'"),
        (("search", "x y", "--limit", "ten"), '"ten" is given, and possible is a whole number.'),
        (("search", "x y", "--limit", "0"), '"0" is given, and possible is a number of 1 or more.'),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_is_complained_about_in_plain_words(
    cli: Cli, arguments: tuple[str, ...], complaint: str
) -> None:
    """R74."""
    code, _, err = cli(*arguments)
    assert (code, "Value error" in err, "Input should" in err) == (2, False, False)
    assert complaint in err


@pytest.mark.parametrize(
    ("arguments", "code", "way"),
    [
        (("inspect", "plan"), 1, "List what is there with langgraph-memory inspect."),
        (("approve", "tea", "--by", "Ann"), 1, "langgraph-memory inspect --pending."),
        (("reject", "tea", "--by", "Ann"), 1, "langgraph-memory inspect --pending."),
        (("approve", "our way", "--by", " "), 2, "Give a name, as in --by Ann."),
        (("restore", "tea"), 1, "Read which there are with langgraph-memory inspect tea."),
        (("restore", "tea", "--version", "9"), 1, "with langgraph-memory inspect tea."),
        (("approve", "tea", "--by", "Ann", "--version", "9"), 5, "you saw with --version."),
        (("procedures", "results", "x"), 1, "with langgraph-memory procedures list."),
        (("procedures", "diff", "our way", "7"), 1, "langgraph-memory inspect 'our way'."),
        (("remember", ""), 2, 'as in: langgraph-memory remember "The launch is on Friday".'),
        (("remember", "x y", "--ttl-minutes", "0"), 2, "or leave --ttl-minutes out."),
        (("remember", "My account is DE89 3704 0044 0532 0130 00"), 5, "kept for with --purpose."),
        (("remember", "x y", "--user", ""), 2, "--tenant acme --user jane@example.com."),
        (("access", "grant", "jane", "member", "--by", ""), 2, "as in --by Ann."),
        (("search", "tea", "--home", ""), 2, "it is empty. Name a folder, or leave it out."),
        (("search", "tea", "--home", "nowhere"), 3, "with --home or MEMORY_HOME, or make one"),
    ],
)
def test_an_error_tells_of_commands_and_of_no_calls(
    cli: Cli, arguments: tuple[str, ...], code: int, way: str
) -> None:
    """R74."""
    cli("remember", "I like tea", "--key", "tea")
    cli("procedures", "propose", "our way", "Deploy by canary", "--by", "Lina")
    ended, _, err = cli(*arguments)
    assert (ended, err.strip().endswith(way) or way in err) == (code, True), err
    assert not re.search(r"[a-z]\(\)|[a-z]=[\s.\"(]", err)


def test_nothing_is_deleted_without_a_yes(cli: Cli) -> None:
    cli("remember", "I like tea")
    for command in (["forget", "tea"], ["purge"]):
        code, _, err = cli(*command)
        assert (code, "--yes" in err) == (2, True)
    assert "1 to 1 of 1" in cli("inspect")[1]


def test_an_empty_home_variable_makes_no_home_where_one_happens_to_be(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMORY_HOME", "")
    assert cli("remember", "I like tea")[0] == 0
    assert [each.name for each in tmp_path.iterdir()] == ["memory"]


def test_another_user_is_another_memory(cli: Cli) -> None:
    """B5: every command is bound to its user."""
    cli("remember", "I like tea", "--user", "jane.doe@example.com", "--key", "drink")
    assert cli("search", "Do I like tea?", "--user", "jane_doe@example.com")[0] == 1
    assert cli("inspect", "drink", "--user", "other")[0] == 1
    assert cli("forget", "drink", "--yes", "--user", "other")[0] == 1
    assert "of 1 memories" in cli("inspect", "--user", "jane.doe@example.com")[1]


def test_chat_remembers_between_calls(cli: Cli) -> None:
    """R73: one-shot, offline, with the transcript kept."""
    assert "I will remember" in cli("chat", "Remember that Lina owns deployment")[1]
    code, out, _ = cli("chat", "Who owns deployment?")
    assert (code, "“Lina owns deployment” — you" in out) == (0, True)
    turn = _json(cli("chat", "Who is our lawyer?", "--json")[1])
    assert turn["answer"].startswith("I don't know.")
    assert turn["abstained"]["reason"]
    assert turn["usage"]["model"].startswith("offline responder")


def test_chat_keeps_what_was_stated_for_the_next_call(cli: Cli) -> None:
    cli("chat", "The garage door code moved to the blue folder.")
    assert "blue folder" in cli("chat", "Where is the garage door code?", "--thread", "new")[1]


def test_import_is_done_once(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([
        {"role": "user", "content": "我们的发布会在上海", "timestamp": "2025-01-01T10:00:00"},
        {"role": "assistant", "content": ""},
    ]), encoding="utf-8")  # fmt: skip
    assert "2 turns read, 1 new, 1 without text" in cli("import", str(file))[1]
    assert _json(cli("import", str(file), "--json")[1])["new"] == 0
    assert "上海" in cli("search", "上海")[1]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"\xff\xfe", "UTF-8"),
        (b"{", "not JSON"),
        (b'[{"role": 1}]', 'no text under "text"'),
    ],
)
def test_a_file_that_is_no_conversation_says_where(
    cli: Cli, tmp_path: Path, content: bytes, problem: str
) -> None:
    file = tmp_path / "talk.json"
    file.write_bytes(content)
    code, _, err = cli("import", str(file))
    assert (code, problem in err) == (2, True)
    assert cli("import", str(tmp_path / "absent.json"))[0] == 2


def test_doctor_tells_versions_paths_model_and_index(cli: Cli) -> None:
    code, out, _ = cli("doctor")
    assert (code, "none yet at" in out) == (0, True)
    cli("remember", "I like tea")
    checks = {each["name"]: each for each in _json(cli("doctor", "--json")[1])["checks"]}
    assert "langgraph" in checks["versions"]["finding"]
    assert "memory.sqlite" in checks["home"]["finding"]
    assert "changes behind" in checks["index"]["finding"]
    assert "offline responder" in checks["model"]["finding"]
    assert "no key is set" in checks["model"]["finding"]
    assert all(each["well"] for each in checks.values())


def test_doctor_brings_the_index_up_to_date(cli: Cli) -> None:
    """R21."""
    cli("remember", "I like tea")
    checks = {each["name"]: each for each in _json(cli("doctor", "--sync", "--json")[1])["checks"]}
    assert checks["index"]["finding"] == "in step with the database"


def test_doctor_finds_what_is_wrong(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "memory.sqlite").write_bytes(b"not ours" * 100)
    code, out, _ = cli("doctor")
    assert (code, "WRONG home" in out) == (3, True)


def test_doctor_looks_at_the_policy_before_there_is_a_home(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R50, R74."""
    folder = tmp_path / "home"
    assert "ok    write policy: write-2 (the shipped one)" in cli("doctor")[1]
    folder.mkdir()
    (folder / "policy.toml").write_text('[personal]\nemail = "maybe"\n')
    code, out, _ = cli("doctor")
    assert (code, out.count("WRONG"), out.count('"maybe" is given')) == (3, 1, 1)
    (folder / "policy.toml").write_text('version = "ours"\n')
    assert f"ok    write policy: ours ({folder / 'policy.toml'})" in cli("doctor")[1]
    cli("remember", "I like tea")
    (folder / "policy.toml").write_text("[personel]\n")
    code, out, _ = cli("doctor")
    assert (code, out.count("WRONG"), out.count("[personel] is wrong")) == (3, 1, 1)
    monkeypatch.setenv("MEMORY_POLICY", str(tmp_path / "nowhere.toml"))
    code, out, _ = cli("doctor", "--home", str(tmp_path / "other"))
    assert (code, "nowhere.toml is wrong: it cannot be read" in out) == (3, True)
    assert not (tmp_path / "other").exists()


def test_chinese_survives_a_locale_that_knows_only_ascii(tmp_path: Path) -> None:
    """B35: UTF-8 bytes exact, through arguments, pipes and JSON."""
    env = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "MEMORY_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "langgraph_memory.cli.main"]
    told = subprocess.run([*command, "remember", "用户喜欢寿司"], env=env, capture_output=True)
    assert told.returncode == 0, told.stderr
    piped = subprocess.run([*command, "remember", "-"], env=env, input="他住在上海".encode(),
                           capture_output=True)  # fmt: skip
    assert piped.returncode == 0, piped.stderr
    listed = subprocess.run([*command, "inspect"], env=env, capture_output=True).stdout
    assert "用户喜欢寿司".encode() in listed
    assert "他住在上海".encode() in listed


def test_an_interactive_chat_reads_lines_until_quit(tmp_path: Path) -> None:
    env = {**os.environ, "MEMORY_HOME": str(tmp_path)}
    lines = "Remember that Lina owns deployment\n\nWho owns deployment?\n/sources\n/quit\n"
    done = subprocess.run(
        [sys.executable, "-m", "langgraph_memory.cli.main", "chat"],
        env=env, input=lines, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "I will remember" in done.stdout
    assert "“Lina owns deployment” — you" in done.stdout
    assert "[m1]" in done.stdout
    assert "offline responder" in done.stderr


def test_the_demo_passes_its_own_checks(tmp_path: Path) -> None:
    """The main job, end to end, on the conversation that ships with the package."""
    done = subprocess.run(
        [sys.executable, "-m", "langgraph_memory.cli.main", "demo", "--bench", str(tmp_path)],
        env={**os.environ, "COLUMNS": "100"}, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "0 failed" in done.stdout
    assert "Friday" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect", "caf\udce9"),
        ("forget", "caf\udce9", "--yes"),
        ("chat", "hello", "--thread", "\udcff"),
        ("remember", "caf\udce9"),
        ("remember", "x y", "--valid-from", "0001-01-01T00:00+02:00"),
        ("remember", "x y", "--metadata", '{"a": ' + "9" * 5000 + "}"),
        ("import", "\udcff.json"),
    ],
)
def test_text_that_is_no_text_ends_with_a_sentence(cli: Cli, arguments: tuple[str, ...]) -> None:
    cli("remember", "I like tea")
    code, _, err = cli(*arguments)
    assert code == 2
    assert err.strip()


def test_a_home_whose_name_is_too_long_says_so(cli: Cli) -> None:
    for command in (["remember", "x y"], ["search", "x"], ["doctor"], ["policy"]):
        code, out, err = cli(*command, "--home", "a" * 300)
        assert (code, "too long" in out + err) == (2 if command == ["policy"] else 3, True)
        assert "output cannot be written" not in err


def test_a_turn_that_failed_is_answered_by_sending_it_again(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R6: one question, one answer, as the error's own words say."""
    cli("remember", "Lina owns deployment")
    monkeypatch.setenv("MEMORY_MODEL", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMORY_MODEL_RETRIES", "0")
    code, _, err = cli("chat", "Who owns deployment?")
    assert (code, "send the same message" in err) == (4, True)
    monkeypatch.delenv("MEMORY_MODEL")
    assert "“Lina owns deployment”" in cli("chat", "Who owns deployment?")[1]
    assert _json(cli("inspect", "--json")[1])["events"] == 2


def test_a_message_the_model_refuses_does_not_lock_the_conversation(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Lina owns deployment")
    monkeypatch.setenv("MEMORY_MODEL", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMORY_MODEL_RETRIES", "0")
    assert cli("chat", "Something it cannot answer")[0] == 4
    code, _, err = cli("chat", "Who owns deployment?")
    assert (code, "stays unanswered" in err) == (4, True)


def test_a_turn_under_way_elsewhere_is_waited_for_and_not_resumed(tmp_path: Path) -> None:
    """R6: a live turn is no interrupted one."""
    from langgraph_memory.testing import OpenAIServer

    waits = threading.Event()

    def answer(request: Any) -> str:
        if len(server.requests) > 1:
            return "Fast."
        assert waits.wait(60)
        return "Slow."

    with OpenAIServer(answer) as server:
        env = {**os.environ, "MEMORY_HOME": str(tmp_path), "MEMORY_MODEL": "m",
               "OPENAI_BASE_URL": server.base_url, "NO_PROXY": "127.0.0.1"}  # fmt: skip
        command = [sys.executable, "-m", "langgraph_memory.cli.main", "chat"]
        slow = subprocess.Popen([*command, "One?"], env=env, text=True, encoding="utf-8",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        while not server.requests:
            assert slow.poll() is None
        fast = subprocess.Popen([*command, "Two?"], env=env, text=True, encoding="utf-8",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        assert fast.stderr is not None
        while "Waiting for a turn" not in fast.stderr.readline():
            assert fast.poll() is None
        waits.set()
        assert (slow.communicate()[0], fast.communicate()[0]) == ("Slow.\n", "Fast.\n")
        assert len(server.requests) == 2


def test_a_full_disk_behind_the_output_is_said(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    env = {**os.environ, "MEMORY_HOME": str(tmp_path)}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "langgraph_memory.cli.main", "remember", "I like tea"],
            env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 3
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_lines_from_a_pipe_are_answered_as_json_lines(tmp_path: Path) -> None:
    env = {**os.environ, "MEMORY_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "langgraph_memory.cli.main", "chat", "--json"],
        env=env, input="Remember that Lina owns deployment\nWho owns deployment?\n",
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    told, asked = map(json.loads, done.stdout.splitlines())
    assert "I will remember" in told["answer"]
    assert asked["citations"][0]["label"] == "m1"


def test_a_pipe_whose_lines_get_no_answer_ends_with_the_models_code(tmp_path: Path) -> None:
    env = {**os.environ, "MEMORY_HOME": str(tmp_path), "MEMORY_MODEL": "m",
           "MEMORY_MODEL_RETRIES": "0", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}  # fmt: skip
    command = [sys.executable, "-m", "langgraph_memory.cli.main", "chat"]
    done = subprocess.run(command, env=env, input="Anyone?\n", capture_output=True, text=True,
                          encoding="utf-8", check=False)  # fmt: skip
    assert done.returncode == 4
    again = subprocess.run(command, env=env, input="Nobody?\n", capture_output=True, text=True,
                           encoding="utf-8", check=False)  # fmt: skip
    assert again.stderr.count("stays unanswered") == 1


def test_a_memory_is_corrected_confirmed_invalidated_restored_and_explained(cli: Cli) -> None:
    """R60: by command line as by Python."""
    cli("remember", "The refund limit is 100 dollars", "--key", "refund_limit")
    code, out, _ = cli(
        "correct", "refund_limit", "The refund limit is 90 dollars", "--reason", "new"
    )
    assert (code, "before: “The refund limit is 100 dollars”" in out) == (0, True)
    assert (
        "Confirmed: “The refund limit is 90" in cli("confirm", "refund_limit", "--by", "billing")[1]
    )
    code, out, _ = cli("remember", "The refund limit is 500 dollars", "--key", "refund_limit")
    assert out.startswith("Held for review; nothing else was changed")
    code, out, _ = cli("inspect", "--pending")
    assert "(pending review)" in out
    assert "1 to 1 of 1" in out
    assert "Rejected" in cli("reject", "refund_limit", "--by", "Ann", "--reason", "too much")[1]
    assert "Nothing waits for review" in cli("inspect", "--pending")[1]
    assert "90 dollars" in cli("search", "What is the refund limit?")[1]
    code, out, _ = cli("invalidate", "refund_limit", "--reason", "no refunds any more")
    assert "Marked as false or revoked" in out
    assert cli("search", "What is the refund limit?")[0] == 1
    assert (
        "Restored: “The refund limit is 100" in cli("restore", "refund_limit", "--version", "1")[1]
    )
    code, out, _ = cli("explain", "refund_limit")
    assert (code, "said by you" in out, "before: “" in out) == (0, True, True)
    told = _json(cli("explain", "refund_limit", "--json")[1])
    assert (told["content"], told["verdict"]) == ("The refund limit is 100 dollars", "valid")
    assert _json(cli("restore", "refund_limit", "--json")[1])["status"] == "active"


def test_what_waits_is_approved_by_name(cli: Cli) -> None:
    cli("remember", "The refund limit is 100 dollars", "--key", "refund_limit")
    cli("confirm", "refund_limit", "--by", "billing")
    cli("remember", "The refund limit is 500 dollars", "--key", "refund_limit")
    assert cli("approve", "refund_limit")[0] == 2
    assert cli("approve", "refund_limit", "--by", " ")[0] == 2
    assert cli("approve", "refund_limit", "--by", "Ann", "--version", "1")[0] == 5
    assert "Approved: “The refund limit is 500" in cli("approve", "refund_limit", "--by", "Ann")[1]
    code, _, err = cli("approve", "refund_limit", "--by", "Ann")
    assert (code, "Nothing waits for review" in err) == (1, True)
    for command in (["correct", "nothing", "x y"], ["confirm", "nothing"], ["explain", "nothing"]):
        assert cli(*command)[0] == 1


def test_roles_are_granted_shown_and_taken_away(cli: Cli, tmp_path: Path) -> None:
    """R53, R74."""
    code, out, _ = cli("access", "grant", "jane@x.com", "member", "--by", "Ann", "--tenant", "acme")
    assert (code, out.split(" on ")[0]) == (0, "jane@x.com is member in acme, granted by Ann")
    cli("access", "grant", "jane@x.com", "owner", "--by", "Ann", "--tenant", "acme",
        "--project", "merger")  # fmt: skip
    found = _json(cli("access", "roles", "--tenant", "acme", "--json")[1])
    assert [(each["user"], each["role"]) for each in found] == [("jane@x.com", "member")]
    _, out, _ = cli("access", "roles", "--tenant", "acme", "--project", "merger")
    assert out.startswith("jane@x.com is owner in project merger of acme, granted by Ann")
    assert cli("access", "revoke", "jane@x.com", "--tenant", "acme")[0] == 2  # nobody is named
    assert cli("access", "revoke", "jane@x.com", "--by", "Olga", "--tenant", "acme") == (
        0, "jane@x.com was member, and is no more.\n", "",
    )  # fmt: skip
    code, out, _ = cli("access", "revoke", "jane@x.com", "--by", "Olga", "--tenant", "acme",
                       "--json")  # fmt: skip
    assert (code, _json(out)) == (1, {"user": "jane@x.com", "role": None})
    assert cli("access", "roles", "--tenant", "acme")[1] == "Nobody was given a role there.\n"
    _, out, _ = cli("access", "roles", "--revoked", "--tenant", "acme")
    assert out.startswith("jane@x.com was member in acme, taken away by Olga on ")
    _, out, _ = cli("access", "roles", "--revoked", "--tenant", "acme", "--json")
    assert [(each["role"], each["by"]) for each in _json(out)] == [("member", "Olga")]
    _, out, _ = cli("access", "roles", "--revoked", "--tenant", "acme", "--project", "merger")
    assert out == "Nobody lost a role there.\n"
    assert cli("access", "roles", "--tenant", "")[0] == 2
    assert cli("access", "grant", "jane@x.com", "boss", "--by", "Ann")[0] == 2


def test_what_was_refused_is_shown(cli: Cli) -> None:
    """R55, R74."""
    cli("remember", "I like tea")
    assert cli("stats") == (0, "Nothing was refused or noticed.\n", "")
    said = "The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    assert cli("remember", said, "--tenant", "acme", "--user", "jane")[0] == 5
    [count] = _json(cli("stats", "--json")[1])
    assert {name: count[name] for name in count if name != "day"} == {
        "tenant": "acme", "user": "jane", "what": "refused", "times": 1,
    }  # fmt: skip
    code, out, _ = cli("stats", "--since", count["day"], "--tenant", "acme")
    assert (code, out.split()) == (0, [count["day"], "1", "refused", "acme/jane"])
    assert cli("stats", "--tenant", "other")[1] == "Nothing was refused or noticed.\n"
    code, _, err = cli("stats", "--since", "yesterday")
    assert (code, "is no day. Write 2026-05-01" in err) == (2, True)
