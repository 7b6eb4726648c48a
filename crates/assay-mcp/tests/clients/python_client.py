"""Drives the fixtures with the official client: `python_client.py MODE URL`, or `python_client.py MODE COMMAND ARGUMENT…`.

Prints one line of JSON with what it saw.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult


async def fill_in(context, params):
    """Answers every form of the fixtures."""
    return ElicitResult(action="accept", content={"name": "Ada", "username": "ada", "email": "ada@example.com"})


async def main():
    mode, *target = sys.argv[1:]
    is_http = target[0].startswith("http")
    server = target[0] if is_http else StdioServerParameters(command=target[0], args=target[1:])
    heard = []

    async def progress(done, total, message):
        heard.append([done, total])

    async with Client(server, mode=mode, elicitation_callback=fill_in) as client:
        tools = await client.list_tools()
        simple = await client.call_tool("test_simple_text", {})
        structured = await client.call_tool("test_structured_content", {})
        failed = await client.call_tool("test_error_handling", {})
        await client.call_tool("test_tool_with_progress", {}, progress_callback=progress)
        asked = await client.call_tool("test_input_required_result_elicitation", {})
        caller = await client.call_tool("test_caller", {})
        text = await client.read_resource("test://static-text")
        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "hello", "arg2": "world"})
        seen = {
            "tools": len(tools.tools),
            "simple": simple.content[0].text,
            "structured": structured.structured_content,
            "failed": failed.is_error,
            "progress": heard,
            "asked": asked.content[0].text,
            "caller": caller.structured_content,
            "resource": text.contents[0].text,
            "prompt": prompt.messages[0].content.text,
        }
    print(json.dumps(seen))


asyncio.run(main())
