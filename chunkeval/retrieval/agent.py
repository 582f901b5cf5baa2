"""An agent over a chunk table: it thinks, searches, reads, and answers with citations, within limits.

Yao et al. 2023, "ReAct: Synergizing Reasoning and Acting in Language Models"; the tools are those of `tools`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from chunkeval.errors import ToolError
from chunkeval.llm.prompts import searching
from chunkeval.llm.reading import value
from chunkeval.llm.turns import ToolCall
from chunkeval.retrieval import written
from chunkeval.retrieval.citations import citations
from chunkeval.retrieval.schemas import call, functions_of

if TYPE_CHECKING:
    from chunkeval.llm.turns import Message
    from chunkeval.retrieval.tools import Tools

LONGEST = 12_000
"""Characters of a tool's result that the model gets; what is beyond is left out, with a notice."""

EMPTY = "empty replies"
"""What is wrong with them where they hold nothing."""
ASK_CHAT = "is it the address up to /v1 of a server that speaks chat completions?"
"""What to look at where no reply held anything."""

Ended = Literal["answered", "max_loops", "max_tokens", "refused"]
Spoken = Literal["tools", "text"]


class Chat(Protocol):
    """Takes a turn of a chat; see `llm.client.Client`."""

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        tool_choice: str | Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
    ) -> Message:
        """Give the model's message."""
        ...


@dataclass(frozen=True)
class Called:
    """One call of a tool."""

    tool: str
    arguments: str
    """As the model wrote them."""
    observation: str
    """What the model got back."""
    failed: bool
    """Whether that is an error."""


@dataclass(frozen=True)
class Step:
    """One turn of the loop."""

    loop: int
    thought: str
    calls: tuple[Called, ...]
    tokens: tuple[int, int]
    """Of the prompt and of the reply."""


@dataclass(frozen=True)
class Answered:
    """What came of a question."""

    question: str
    answer: str
    citations: tuple[str, ...]
    """Ids that the answer cites and that were read."""
    unread: tuple[str, ...]
    """What it cites and never read, or what is no chunk at all."""
    read: tuple[str, ...]
    """Ids of the chunks read, in that order."""
    ended: Ended
    """``answered`` of its own will, or had to: at a limit, or since the server refused to go on."""
    trouble: str | None
    """What is wrong with the last reply, as that the chat is too long for the model."""
    loops: int
    tokens: tuple[int, int]
    """Of all prompts and replies."""
    steps: tuple[Step, ...]
    protocol: Spoken = "tools"
    """``text`` where the server takes no tools, so that calls are JSON in the replies."""

    @property
    def nothing(self) -> bool:
        """Whether no reply held anything, neither words nor the call of a tool."""
        return not self.answer and not any(step.thought or step.calls for step in self.steps)

    @property
    def unserved(self) -> bool:
        """Whether there is no answer since the server refused to go on, or since its replies held nothing."""
        return self.nothing or (not self.answer and self.ended == "refused")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them with ``--json``."""
        return asdict(self)


def ask(
    question: str,
    tools: Tools,
    client: Chat,
    *,
    max_loops: int = 10,
    max_tokens: int | None = None,
    protocol: Spoken = "tools",
    watch: Callable[[Step], None] = lambda step: None,
) -> Answered:
    """Let a model answer a question from the chunks that it finds and reads.

    Tools are called as the protocol has it; where the server takes none, by JSON in the replies. A call that the model
    writes into its text counts all the same; one that cannot be read is told, once.

    Parameters
    ----------
    question
        In any language.
    tools
        Of this question alone: what they have read is what may be cited.
    client
        The model.
    max_loops
        Turns with tools at most; then it must answer from what it has.
    max_tokens
        Of prompts and replies together, after which it must answer; one more turn is taken for that.
    protocol
        ``text`` where the server is known to take no tools.
    watch
        Gets each step when it is done: what it holds survives a server that is lost.

    Raises
    ------
    ServerLost, BudgetSpent, ConfigError
        As the client does.
    """
    return _Conversation(question, tools, client, protocol, watch).run(max_loops, max_tokens)


class _Conversation:
    """One question under way."""

    def __init__(
        self, question: str, tools: Tools, client: Chat, protocol: Spoken, watch: Callable[[Step], None]
    ) -> None:
        self.question, self.tools, self.client, self.watch = question, tools, client, watch
        self.schemas = functions_of(tools.functions)
        self.steps: list[Step] = []
        self.used = (0, 0)
        self.corrected = False
        self._begin(text=protocol == "text")

    def _begin(self, *, text: bool) -> None:
        self.text = text
        self.messages: list[Mapping[str, Any]] = [
            {"role": "system", "content": searching.system(self.schemas, text=text)},
            {"role": "user", "content": self.question},
        ]

    def run(self, max_loops: int, max_tokens: int | None) -> Answered:
        for loop in range(1, max_loops + 1):
            message = self._turn()
            if message.raw is None and not self.text and loop == 1:
                self._begin(text=True)
                message = self._turn()
            if message.raw is None:
                return self._forced("refused", loop)
            thought, calls, answer = self._meant(message)
            done = tuple(self._called(each) for each in calls)
            unread = bool(answer) and not self.corrected and written.attempted(answer, self.tools.functions)
            self._note(Step(loop, answer if unread else thought, done, message.tokens))
            if unread:
                self.corrected = True
            elif answer:
                return self._answered(answer, "answered", message, loop)
            self._append(message, calls, done, searching.UNREAD if unread else searching.EMPTY)
            if max_tokens is not None and sum(self.used) >= max_tokens:
                return self._forced("max_tokens", loop)
        return self._forced("max_loops", max_loops)

    def _turn(self, tool_choice: str | None = None) -> Message:
        tools = None if self.text else self.schemas
        message = self.client.chat(self.messages, tools, tool_choice=tool_choice)
        self.used = (self.used[0] + message.tokens[0], self.used[1] + message.tokens[1])
        return message

    def _meant(self, message: Message) -> tuple[str, Sequence[ToolCall], str]:
        """Take a message apart: thought, calls, answer."""
        said = message.text.rpartition("</think>")[2].strip()
        if message.calls and not self.text:
            return said, message.calls, ""
        found = value(said, searching.REPLY) if self.text or _is_object(said) else None
        if isinstance(found, dict) and (self.text or "answer" in found):
            thought = str(found.get("thought") or "")
            if found.get("tool"):
                arguments = json.dumps(found.get("arguments") or {}, ensure_ascii=False)
                return thought, (ToolCall("", str(found["tool"]), arguments),), ""
            if "answer" in found:
                return thought, (), str(found["answer"] or "")
        calls = written.calls(said, self.tools.functions)
        if calls:
            return said[: calls[0].start].strip(), [ToolCall("", one.name, one.arguments) for one in calls], ""
        return "", (), said

    def _called(self, asked: ToolCall) -> Called:
        try:
            found = call(self.tools.functions, asked.name, asked.arguments)
        except ToolError as error:
            return Called(asked.name, asked.arguments, json.dumps({"error": str(error)}, ensure_ascii=False), True)
        return Called(asked.name, asked.arguments, self._fitted(found), False)

    def _fitted(self, found: Sequence[dict[str, Any]]) -> str:
        """Write results as JSON of at most about `LONGEST` characters; what the model does not get does not count as read."""
        kept: list[dict[str, Any]] = []
        room = LONGEST
        for number, result in enumerate(found):
            size = len(json.dumps(result, ensure_ascii=False))
            if size > room and kept:
                for left in found[number:]:
                    self.tools.tracker.forget(left["chunk_id"] if "text" in left else "")
                kept.append(
                    {"notice": f"{len(found) - number} more left out, too long together: ask for fewer at a time"}
                )
                break
            kept.append(_cut(result) if size > room else result)
            room -= size
        return json.dumps(kept, ensure_ascii=False)

    def _append(self, message: Message, calls: Sequence[ToolCall], done: Sequence[Called], without: str) -> None:
        if message.raw is not None:
            self.messages.append(message.raw)
        if not calls:
            self.messages.append({"role": "user", "content": without})
        for asked, called in zip(calls, done, strict=True):
            if self.text or not message.calls:
                content = searching.observation(called.tool, called.observation)
                self.messages.append({"role": "user", "content": content})
            else:
                self.messages.append({"role": "tool", "tool_call_id": asked.id, "content": called.observation})

    def _forced(self, ended: Ended, loops: int) -> Answered:
        self.messages.append({"role": "user", "content": searching.FORCED})
        message = self._turn("none")
        thought, _, answer = self._meant(message)
        self._note(Step(loops + 1, thought, (), message.tokens))
        return self._answered(answer or thought, "refused" if message.raw is None else ended, message, loops)

    def _note(self, step: Step) -> None:
        self.steps.append(step)
        self.watch(step)

    def _answered(self, answer: str, ended: Ended, last: Message, loops: int) -> Answered:
        read = tuple(self.tools.tracker.read)
        cited, unread = citations(answer, read)
        return Answered(
            self.question,
            answer,
            cited,
            unread,
            read,
            ended,
            last.trouble,
            loops,
            self.used,
            tuple(self.steps),
            "text" if self.text else "tools",
        )


def _is_object(said: str) -> bool:
    """Whether a reply is one JSON object and nothing else, but for a fence round it."""
    bare = said.removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    return bare.startswith("{") and bare.endswith("}")


def _cut(result: Mapping[str, Any]) -> dict[str, Any]:
    """Cut the one long text of a result, and say so."""
    name = "text" if "text" in result else "snippet"
    whole = str(result.get(name, ""))
    if len(whole) <= LONGEST:
        return dict(result)
    notice = f"cut after {LONGEST:,} of {len(whole):,} characters"
    return {**result, name: whole[:LONGEST], "notice": notice}
