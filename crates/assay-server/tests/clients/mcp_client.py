"""The official client of the Model Context Protocol: `mcp_client.py MODE URL [TOKEN]`.

Lists the tools, calls one that reads and one that drives a browser, and prints what it saw as a line of JSON.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    mode, url, *token = sys.argv[1:]
    headers = {"Authorization": f"Bearer {token[0]}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = await client.list_tools()
            reads = await client.call_tool("load_testcase", {})
            drives = await client.call_tool("click", {})
    text = drives.content[0].text
    seen = {
        "tools": sorted(tool.name for tool in tools.tools),
        "reads": json.loads(reads.content[0].text),
        "refused" if drives.is_error else "drives": text if drives.is_error else json.loads(text),
    }
    print(json.dumps(seen))


asyncio.run(main())
