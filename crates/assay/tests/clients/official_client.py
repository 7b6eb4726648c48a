"""Drives assay with the official client, which checks each structured answer against the schema of its tool.

`official_client.py MODE ADDRESS URL`, or `official_client.py MODE ADDRESS COMMAND ARGUMENT…`: ADDRESS is a page to open.
Prints one line of JSON with what it saw.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

READING = [
    ("list_testcases", {}),
    ("check_testcases", {}),
    ("execute_testcase", {}),
    ("list_runs", {}),
    ("get_execution_status", {}),
    ("list_heals", {}),
    ("get_statistics", {}),
    ("list_flaky_testcases", {}),
    ("list_requirements", {}),
    ("get_coverage_summary", {}),
    ("get_uncovered_requirements", {}),
    ("list_scripts", {}),
    ("list_trees", {}),
    ("list_hosts", {}),
    ("get_compatible_hosts", {}),
    ("list_userinterfaces", {}),
    ("get_device_info", {"device": "chromium"}),
    ("load_testcase", {"path": "tests/login.yaml"}),
]


async def allow(context, params):
    return ElicitResult(action="accept", content={"allow": True})


async def main():
    mode, address, *target = sys.argv[1:]
    is_http = target[0].startswith("http")
    server = target[0] if is_http else StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
    seen = {}
    async with Client(server, mode=mode, elicitation_callback=allow) as client:
        # Over HTTP nothing tells stateless clients apart: the server gives a name that keeps the browser.
        named = {}

        async def call(tool, arguments):
            answer = await client.call_tool(tool, arguments)
            if answer.is_error:
                raise SystemExit(f"{tool}: {answer.content[0].text}")
            first = answer.content[0]
            if first.type == "text" and first.text.startswith("session "):
                named["session"] = first.text.removeprefix("session ").split(":")[0]
                answer.content.pop(0)
            return answer

        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        seen["tools"] = len(tools)
        # A client sees the name of a session only where the server cannot know it otherwise.
        is_alone = is_http and mode == "auto"
        if ("session" in tools["click"].input_schema["properties"]) != is_alone:
            raise SystemExit(f"session among the arguments: {tools['click'].input_schema}")
        for tool in tools.values():
            if not tool.title or tool.title == tool.name:
                raise SystemExit(f"{tool.name} has no title")
        # Before the first run, lists are empty and everything else says that there is none.
        for name in ("list_runs", "list_flaky_testcases", "get_statistics", "list_trees", "list_userinterfaces"):
            await client.call_tool(name, {})
        await call("go", {"url": address, **named})
        if is_http and mode == "auto":
            unknown = await client.call_tool("title", {"session": "mine"})
            if not unknown.is_error or "no such session" not in unknown.content[0].text:
                raise SystemExit(f"a guessed session: {unknown}")
        seen["title"] = (await call("title", named)).content[0].text
        seen["eval"] = (await call("eval", {"expression": "6 * 7", **named})).content[0].text
        for tool, arguments in READING:
            answer = await call(tool, arguments)
            if (answer.structured_content is None) != (tools[tool].output_schema is None):
                raise SystemExit(f"{tool}: schema and answer do not belong together")
            if tool == "get_execution_status":
                analyses = [test["analysis"] for test in answer.structured_content["tests"]]
                seen["undecided"] = sum("class" not in analysis for analysis in analyses)
        history = await call("get_testcase_history", {"testcase": answer_id(await call("list_testcases", {}))})
        seen["history"] = len(history.structured_content["results"])
        seen["resources"] = sorted(known.uri.split("/")[2] for known in (await client.list_resources()).resources)
        seen["prompts"] = len((await client.list_prompts()).prompts)
    print(json.dumps(seen))


def answer_id(listed):
    return listed.structured_content["tests"][0]["id"]


asyncio.run(main())
