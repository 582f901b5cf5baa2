"""The server driven by the protocol's official client, over the pipes of a process."""

import json
import os
import signal
import subprocess
import sys

import anyio
import pytest

mcp = pytest.importorskip("mcp")


def process(folder):
    from mcp.client.stdio import StdioServerParameters

    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "chunkeval", "mcp", str(folder), "--no-progress"],
        env={**os.environ, "PYTHONUTF8": "1"},
    )


def test_an_agent_finds_its_tools_calls_them_and_leaves(folder, tmp_path):
    from mcp.client.session import ClientSession
    from mcp.client.stdio import stdio_client

    said = tmp_path / "said.txt"

    async def talk():
        with said.open("w") as errors:
            async with (
                stdio_client(process(folder), errlog=errors) as (reads, writes),
                ClientSession(reads, writes) as agent,
            ):
                hello = await agent.initialize()
                tools = (await agent.list_tools()).tools
                found = await agent.call_tool("keyword_search", {"keywords": ["상대성이론", "1905"]})
                near = await agent.call_tool("semantic_search", {"query": "발효 음식", "top_k": 2})
                both = await agent.call_tool("hybrid_search", {"query": "김치", "top_k": 1})
                read = await agent.call_tool("chunk_read", {"chunk_ids": ["c_3"]})
                again = await agent.call_tool("chunk_read", {"chunk_ids": ["c_3"]})
                wrong = await agent.call_tool("keyword_search", {"keywords": [""], "top_k": -1})
                unknown = await agent.call_tool("chunk_read", {"chunk_ids": ["없음"]})
                return hello, tools, found, near, both, read, again, wrong, unknown

    with anyio.from_thread.start_blocking_portal() as portal:
        hello, tools, found, near, both, read, again, wrong, unknown = portal.call(talk)
    assert hello.server_info.name == "chunkeval" and "data" in hello.instructions
    assert [tool.name for tool in tools] == ["keyword_search", "semantic_search", "hybrid_search", "chunk_read"]
    assert tools[0].input_schema["required"] == ["keywords"]

    def told(result):
        return json.loads(result.content[0].text)

    assert not found.is_error and told(found)[0]["chunk_id"] == "c_3" and told(found)[0]["score"] == 14
    assert len(told(near)) == 2 and len(told(both)) == 1
    assert told(read)[0]["text"].startswith("20세기") and "text" not in told(again)[0]
    assert wrong.is_error and wrong.content[0].text.startswith("a keyword is empty")
    assert unknown.is_error and "there is no chunk '없음'" in unknown.content[0].text
    assert said.read_text() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to another process")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_the_agent_holds_its_line(folder, how):
    asked = process(folder)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with subprocess.Popen(
        [asked.command, *asked.args],
        env={**asked.env, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        try:
            assert "chunkeval" in server.stdout.readline()
            server.send_signal(how)
            assert server.wait(20) == -how
        finally:
            server.kill()
