// Drives the fixtures with the official client of the 1.x line, given the same as python_client.py without a mode.
// Prints one line of JSON with what it saw.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args });
const client = new Client({ name: "sdk-1", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { name: "Ada" } }));
await client.connect(transport);

const call = (name) => client.callTool({ name, arguments: {} });
const progress = [];
const { tools } = await client.listTools();
const simple = await call("test_simple_text");
const structured = await call("test_structured_content");
const failed = await call("test_error_handling");
await client.callTool({ name: "test_tool_with_progress", arguments: {} }, undefined, {
  onprogress: (step) => progress.push([step.progress, step.total]),
});
const asked = await call("test_input_required_result_elicitation");
const caller = await call("test_caller");
const resource = await client.readResource({ uri: "test://static-text" });
const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "hello", arg2: "world" } });
console.log(JSON.stringify({
  tools: tools.length,
  simple: simple.content[0].text,
  structured: structured.structuredContent,
  failed: failed.isError,
  progress,
  asked: asked.content[0].text,
  caller: caller.structuredContent,
  resource: resource.contents[0].text,
  prompt: prompt.messages[0].content.text,
}));
await client.close();
