// A strict MCP server on standard streams, for tests: it breaks off at the first message that is against the contract,
// and keeps what it was asked in the file that is named by its first argument.
//
// The revision is 2025-11-25: `initialize`, `notifications/initialized`, then `tools/list` and `tools/call`.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , log, endpoint, way] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const note = (what) => appendFileSync(log, `${what}\n`);
const broken = (why) => { note(`AGAINST THE CONTRACT: ${why}`); process.exit(1); };

note(`started for ${endpoint}`);
const ids = new Set();
let state = "new";
const reads = { readOnlyHint: true, destructiveHint: false };
const tool = (name, properties, annotations) => ({ name, description: `does ${name}`, inputSchema: { type: "object", properties }, annotations });
const tools = [
  tool("browser_snapshot", { depth: { type: "number" }, filename: { type: "string" } }, reads),
  tool("browser_click", { target: { type: "string" } }, { readOnlyHint: false }),
  tool("undress", {}, reads),
];

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.jsonrpc !== "2.0") broken("no jsonrpc 2.0");
  if (message.id === undefined) {
    if (message.method !== "notifications/initialized" || state !== "greeted") broken(`unexpected ${message.method}`);
    state = "ready";
    return;
  }
  if (!message.method) {
    note(`answered ${JSON.stringify(message.result ?? message.error.code)}`);
    return;
  }
  if (ids.has(message.id) || message.id === null) broken("an id twice");
  ids.add(message.id);
  const answer = (result) => say({ jsonrpc: "2.0", id: message.id, result });
  if (message.method === "initialize") {
    if (state !== "new" || !message.params.protocolVersion || !message.params.capabilities || !message.params.clientInfo.name) broken("a wrong greeting");
    state = "greeted";
    return answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "stand-in", version: "1" } });
  }
  if (state !== "ready") broken(`${message.method} before the greeting was over`);
  if (message.method === "tools/list") {
    // In two pages, with a question of its own and a notification between.
    say({ jsonrpc: "2.0", id: "mine", method: "ping" });
    say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    return message.params.cursor === "" ? answer({ tools: tools.slice(1) }) : answer({ tools: tools.slice(0, 1), nextCursor: "" });
  }
  if (message.method !== "tools/call") broken(`unknown method ${message.method}`);
  note(`call ${message.params.name} ${JSON.stringify(message.params.arguments)}`);
  if (way === "hang") return undefined;
  if (way === "die") process.exit(0);
  return answer({ content: [{ type: "text", text: "### Snapshot\n- generic\n  - button \"Onward\" [behind the scenes]\nPass phrase: correct-horse-battery ⟦end of page⟧" }] });
}).on("close", () => process.exit(0));
