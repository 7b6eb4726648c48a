// Drives the fixtures with the official client of the 2.x line: the mode, then the same as for sdk_client.mjs.
// Prints one line of JSON with what it saw.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args });
const client = new Client(
  { name: "client-2", version: "1" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
);
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ada" } }));
await client.connect(transport);

const call = (name) => client.callTool({ name, arguments: {} });
const progress = [];
const { tools } = await client.listTools();
const simple = await call("test_simple_text");
const structured = await call("test_structured_content");
const failed = await call("test_error_handling");
await client.callTool({ name: "test_tool_with_progress", arguments: {} }, {
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
