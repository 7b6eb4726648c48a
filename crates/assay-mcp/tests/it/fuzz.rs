//! Streams that make no sense: the server neither ends nor hangs, and answers the next good request.
//!
//! The noise is the same in every run.

use std::io::Write;

use serde_json::{Value, json};

use crate::context::{Streams, meta, modern_call};
use crate::http_door;

/// Numbers without a pattern (xorshift), from a fixed start.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.next() as u8).collect()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A value of any shape.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.next().is_multiple_of(2)),
            2 => json!(self.next() as i64),
            3 => json!(self.next() as f64 / 7.0),
            4 => json!(""),
            5 => json!(String::from_utf8_lossy(&self.bytes(20))),
            6 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let fields = (0..self.below(4)).map(|_| {
                    let name = *self.pick(&[
                        "name",
                        "arguments",
                        "_meta",
                        "cursor",
                        "uri",
                        "requestId",
                        "x",
                        "inputResponses",
                    ]);
                    (name.to_string(), self.value(depth - 1))
                });
                Value::Object(fields.collect())
            }
        }
    }

    /// A message that is nearly right.
    fn message(&mut self) -> Value {
        let methods = [
            "initialize",
            "ping",
            "tools/list",
            "tools/call",
            "resources/read",
            "resources/subscribe",
            "prompts/get",
            "completion/complete",
            "logging/setLevel",
            "server/discover",
            "subscriptions/listen",
            "tasks/get",
            "notifications/initialized",
            "notifications/cancelled",
            "notifications/progress",
            "no/such",
            "",
        ];
        let mut message = json!({"jsonrpc": "2.0", "method": self.pick(&methods)});
        if self.below(4) > 0 {
            message["id"] = self
                .pick(&[json!(1), json!("1"), json!(null), json!(1.5), json!(-1), json!([]), json!("é")])
                .clone();
        }
        if self.below(4) > 0 {
            message["params"] = match self.below(4) {
                0 => json!({"_meta": meta(json!({}))}),
                1 => modern_call("test_simple_text", self.value(2), json!({"elicitation": {}})),
                2 => json!({"requestId": self.value(0)}),
                _ => self.value(3),
            };
        }
        if self.below(12) == 0 {
            message["result"] = self.value(2);
        }
        if self.below(12) == 0 {
            message["error"] = self.value(2);
        }
        if self.below(12) == 0 {
            message["jsonrpc"] = self.value(0);
        }
        message
    }

    fn line(&mut self) -> Vec<u8> {
        let mut line = match self.below(8) {
            0 => self.bytes(300),
            1 => {
                let mut text = self.message().to_string().into_bytes();
                text.truncate(self.below(text.len() + 1));
                text
            }
            2 => {
                let depth = self.below(3000);
                format!("{}1{}", r#"{"a":["#.repeat(depth), "]}".repeat(depth)).into_bytes()
            }
            3 => {
                let mut text = self.message().to_string().into_bytes();
                let at = self.below(text.len());
                text[at] = self.next() as u8;
                text
            }
            _ => self.message().to_string().into_bytes(),
        };
        line.push(b'\n');
        line
    }
}

/// Reads everything in a thread of its own, so that neither side ever waits for the other to read.
fn survives(mut streams: Streams, noise: impl FnOnce(&mut dyn FnMut(&[u8]))) {
    let (mut input, reading) = streams.split();
    noise(&mut |bytes| input.write_all(bytes).unwrap());
    let last = json!({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": modern_call("test_simple_text", json!({}), json!({}))});
    input.write_all(format!("\n{last}\n").as_bytes()).unwrap();
    let answer = reading.join().unwrap();
    assert_eq!(
        answer["result"]["content"][0]["text"], "This is a simple text response for testing.",
        "{answer}"
    );
    drop(input);
    assert!(streams.end().0);
}

#[test]
fn noise_before_any_greeting() {
    survives(Streams::start(), |send| {
        let mut noise = Noise(0x5eed_0001);
        (0..3000).for_each(|_| send(&noise.line()));
    });
}

#[test]
fn noise_after_the_greeting() {
    survives(Streams::greeted(json!({"elicitation": {}, "sampling": {}})), |send| {
        let mut noise = Noise(0x5eed_0002);
        (0..3000).for_each(|_| send(&noise.line()));
    });
}

#[test]
fn lines_without_end_and_beyond_all_length() {
    survives(Streams::start(), |send| {
        let part = vec![b'a'; 1 << 20];
        (0..40).for_each(|_| send(&part));
        send(b"\n");
        send(&vec![b'['; 1 << 20]);
        send(b"\n\r\n \n\0\n");
        send(&[0xff, 0xfe, b'\n']);
        send("\u{feff}{}\n".as_bytes());
    });
}

#[test]
fn ids_that_are_taken_and_cancelled_twice() {
    survives(Streams::greeted(json!({})), |send| {
        let wait = json!({"name": "test_wait", "arguments": {"name": "w"}, "_meta": {"progressToken": 1}});
        let wait =
            format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wait}));
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        let cancel = format!("{cancel}\n");
        for _ in 0..50 {
            send(wait.as_bytes());
            send(wait.as_bytes());
            send(cancel.as_bytes());
            send(cancel.as_bytes());
            send(cancel.as_bytes());
        }
    });
}

#[test]
fn answers_to_questions_that_nobody_asked() {
    survives(Streams::greeted(json!({"elicitation": {}})), |send| {
        let mut noise = Noise(0x5eed_0003);
        for id in 0..500 {
            let mut answer = json!({"jsonrpc": "2.0", "id": id});
            answer[if id % 2 == 0 { "result" } else { "error" }] = noise.value(3);
            send(format!("{answer}\n").as_bytes());
        }
    });
}

#[test]
fn noise_over_http() {
    let server = crate::context::HttpFixtures::start();
    let mut noise = Noise(0x5eed_0004);
    for _ in 0..300 {
        let body = noise.line();
        let headers: &[(&str, &str)] = match noise.below(3) {
            0 => &[],
            1 => &[("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call")],
            _ => &[("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Session-Id", "made-up")],
        };
        let method = *noise.pick(&["POST", "POST", "POST", "GET", "DELETE", "PATCH"]);
        let status = http_door::open(&server, method, headers, &body).status;
        assert!(status < 500, "{method} {headers:?} {}: {status}", String::from_utf8_lossy(&body));
    }
    let session = http_door::legacy_session(&server);
    let listed = session.send(&server, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert!(listed.message()["result"]["tools"].is_array());
}
