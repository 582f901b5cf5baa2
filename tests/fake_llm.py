"""A server on 127.0.0.1 that speaks chat completions, answers as a test says, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

KEY = "sk-the-key-that-must-show-nowhere"
MODEL = "fake-model"


@dataclass(frozen=True)
class Request:
    """What was asked."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def system(self) -> str:
        return self._said("system")

    @property
    def user(self) -> str:
        return self._said("user")

    @property
    def schema_name(self) -> str:
        """Name of the schema; empty where none was sent."""
        return str(self.body.get("response_format", {}).get("json_schema", {}).get("name", ""))

    def _said(self, role: str) -> str:
        return "\n".join(m["content"] for m in self.body["messages"] if m["role"] == role and m.get("content"))


Answers = Callable[[Request], object]
"""Gives the JSON to answer with; a string goes out as it is."""
Act = Callable[["Handler", Request], None]
"""Sends a response, or does not."""


def status(code: int, message: str = "", **headers: str) -> Act:
    """Refuse: ``status(429, retry_after="1")``."""

    def act(handler: Handler, request: Request) -> None:
        body = {"error": {"message": message or f"status {code}", "type": "made", "code": None}}
        handler.reply(body, code, {name.replace("_", "-"): value for name, value in headers.items()})

    return act


def hang(seconds: float = 30) -> Act:
    """Do not answer until the server stops, or for some seconds."""

    def act(handler: Handler, request: Request) -> None:
        handler.fake.stopped.wait(seconds)

    return act


def drip(seconds: float = 30) -> Act:
    """Send a space now and then, and never an answer."""

    def act(handler: Handler, request: Request) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until and not handler.fake.stopped.wait(0.05):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return act


def closes_mid_body(handler: Handler, request: Request) -> None:
    """Promise more bytes than come."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"mess')
    handler.close_connection = True


def no_choices(handler: Handler, request: Request) -> None:
    handler.reply({"id": "x", "object": "chat.completion", "model": MODEL, "choices": []})


def refuses(handler: Handler, request: Request) -> None:
    """Refuse as a model does: in the message."""
    handler.complete(None, refusal="I cannot help with that.")


def says(text: str, finish: str = "stop", **message: Any) -> Act:
    """Answer with a text as it is."""

    def act(handler: Handler, request: Request) -> None:
        handler.complete(text, finish, **message)

    return act


def calls_tool(name: str, arguments: object, call: str = "call_1") -> Act:
    """Answer with the call of a tool."""

    def act(handler: Handler, request: Request) -> None:
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        made = [{"id": call, "type": "function", "function": {"name": name, "arguments": written}}]
        handler.complete(None, "tool_calls", tool_calls=made)

    return act


def white_space(handler: Handler, request: Request) -> None:
    """Fill the reply with line breaks up to its limit, as some do under a grammar."""
    handler.complete("\n" * int(request.body.get("max_tokens", 100)), "length")


def round_the_json(handler: Handler, request: Request) -> None:
    """Answer right, with words and a fence round it."""
    handler.complete(f"Sure! Here is it:\n```json\n{handler.fake.written(request)}\n```\nAnything {{else}}?")


def truncated(handler: Handler, request: Request) -> None:
    """Answer right, but for the end."""
    written = handler.fake.written(request)
    handler.complete(written[: len(written) * 2 // 3], "length")


def html(handler: Handler, request: Request) -> None:
    """Answer with a page, as a proxy does."""
    handler.send_bytes(b"<html>Welcome</html>", 200, {"Content-Type": "text/html"})


def right(handler: Handler, request: Request) -> None:
    """Answer as the test says."""
    handler.complete(handler.fake.written(request))


@dataclass
class Fake:
    """The server, as a test sees and sets it.

    ``acts`` are used up first, one a request; then ``always`` acts, else it answers right.
    """

    answers: Answers = lambda request: {}
    acts: list[Act] = field(default_factory=list)
    always: Act | None = None
    formats: tuple[str, ...] = ("json_schema", "json_object")
    """Kinds of ``response_format`` that it knows; others are refused."""
    refuses_parameters: tuple[str, ...] = ()
    latency: float = 0.0
    usage: bool = True
    """Whether it reports tokens."""
    keys: tuple[str, ...] = ()
    """Keys it takes; any where empty."""
    models: tuple[str, ...] = (MODEL,)
    requests: list[Request] = field(default_factory=list)
    base_url: str = ""
    most_at_once: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _now: int = 0

    @property
    def calls(self) -> int:
        return len(self.requests)

    def first(self, acts: Iterable[Act]) -> Fake:
        """Set what it does first."""
        self.acts = list(acts)
        return self

    def written(self, request: Request) -> str:
        answer = self.answers(request)
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)

    @contextmanager
    def serving(self, request: Request) -> Iterator[Act]:
        with self._lock:
            self.requests.append(request)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            act = self.acts.pop(0) if self.acts else self.always or right
        try:
            yield act
        finally:
            with self._lock:
                self._now -= 1

    def refusal(self, request: Request) -> Act | None:
        """What it refuses, whatever it is to do else."""
        kind = request.body.get("response_format", {}).get("type")
        if kind is not None and kind not in self.formats:
            return status(400, f"response_format type {kind!r} is not supported by this model")
        for name in self.refuses_parameters:
            if name in request.body:
                return status(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        if self.keys and request.headers.get("authorization", "").removeprefix("Bearer ") not in self.keys:
            return status(401, "Incorrect API key provided.")
        if request.body.get("model") not in self.models:
            return status(404, "The model does not exist.")
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body go in two packets; held back, the second would wait 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    fake: Fake

    def log_message(self, format: str, *arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.fake.keys and self.headers.get("Authorization", "").removeprefix("Bearer ") not in self.fake.keys:
            self.reply({"error": {"message": "Incorrect API key provided."}}, 401)
            return
        if self.path != "/v1/models":
            self.reply({"error": {"message": "Not Found"}}, 404)
            return
        self.reply({"object": "list", "data": [{"id": name, "object": "model"} for name in self.fake.models]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.fake.stopped.is_set():  # a connection that outlived its server
            self.close_connection = True
            return
        request = Request(body, {name.lower(): value for name, value in self.headers.items()})
        with self.fake.serving(request) as act:
            if self.fake.latency:
                time.sleep(self.fake.latency)
            try:
                (self.fake.refusal(request) or act)(self, request)
            except OSError:  # whoever asked has hung up
                self.close_connection = True

    def complete(self, text: str | None, finish: str = "stop", **message: Any) -> None:
        """Send a chat completion."""
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        body: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": MODEL, "choices": [choice]}
        if self.fake.usage:
            body["usage"] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        self.reply(body)

    def reply(self, body: object, code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        self.send_bytes(data, code, {"Content-Type": "application/json", **(headers or {})})

    def send_bytes(self, data: bytes, code: int, headers: Mapping[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serve(fake: Fake | None = None) -> Iterator[Fake]:
    """Run a server in threads of this process."""
    shown = fake if fake is not None else Fake()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Serving", (Handler,), {"fake": shown}))
    server.daemon_threads = True
    shown.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield shown
    finally:
        shown.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every setting of a server out of the environment."""
    from chunkeval.llm import endpoint

    for name in (*endpoint.KEYS, endpoint.KEY_FILE, *endpoint.URLS, endpoint.MODEL):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """Give a server that runs for one test; nothing in the environment names another."""
    alone(monkeypatch)
    with serve() as shown:
        yield shown
