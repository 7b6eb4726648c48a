//! The server itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::misbehaviour::{self, Kind, error_body};
use super::prompt_cache::{AutomaticCache, MarkedCache};
use super::{Act, Asked, Misbehaviour, Turn, anthropic, chat, contract, gemini, responses};
use crate::{Ending, Request, Response, Server};

/// Whose server a stand-in plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

impl Api {
    pub const ALL: [Api; 4] = [Api::Anthropic, Api::Responses, Api::Chat, Api::Gemini];
}

/// In which pieces bodies are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pieces {
    /// Each byte by itself: every border there can be.
    Bytes,
    /// So many bytes at a time.
    Of(usize),
}

/// A stand-in for the server of a model, on a port of its own. Dropping it fails the test when a
/// request broke the contract and nobody asked about it.
pub struct StandIn {
    server: Server,
    api: Api,
    shared: Arc<Mutex<State>>,
}

type Script = Arc<dyn Fn(&Asked) -> Act + Send + Sync>;

/// What a stand-in remembers.
pub(super) struct State {
    queue: VecDeque<Act>,
    script: Option<Script>,
    pieces: Pieces,
    asked: Vec<Asked>,
    pub violations: Vec<String>,
    /// What it answered, whole: later requests quote it.
    pub given: Vec<Value>,
    pub marked_cache: MarkedCache,
    pub automatic_cache: AutomaticCache,
}

impl StandIn {
    pub fn start(api: Api) -> StandIn {
        let shared = Arc::new(Mutex::new(State {
            queue: VecDeque::new(),
            script: None,
            pieces: Pieces::Bytes,
            asked: Vec::new(),
            violations: Vec::new(),
            given: Vec::new(),
            marked_cache: MarkedCache::default(),
            automatic_cache: AutomaticCache::default(),
        }));
        let server = Server::start({
            let shared = Arc::clone(&shared);
            move |request| answer(api, request, &shared)
        });
        StandIn { server, api, shared }
    }

    /// The address that a client is given: what stands before the paths of the API.
    pub fn base(&self) -> String {
        self.server.url(match self.api {
            Api::Anthropic | Api::Gemini => "",
            Api::Responses | Api::Chat => "/v1",
        })
    }

    /// What to do with the next request that has nothing planned for it yet.
    pub fn next(&self, act: impl Into<Act>) -> &Self {
        self.state().queue.push_back(act.into());
        self
    }

    /// What to do with every request for which nothing is planned.
    pub fn always(&self, script: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> &Self {
        self.state().script = Some(Arc::new(script));
        self
    }

    pub fn in_pieces(&self, pieces: Pieces) -> &Self {
        self.state().pieces = pieces;
        self
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// What broke the contract so far. Whoever asks has to look at it: it is told once.
    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.state().violations)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let violations = self.violations();
        if !violations.is_empty() && !std::thread::panicking() {
            panic!("requests broke the contract of {:?}:\n  {}", self.api, violations.join("\n  "));
        }
    }
}

fn lock(shared: &Mutex<State>) -> MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(api: Api, request: &Request, shared: &Mutex<State>) -> Response {
    let asked = Asked::read(request);
    let mut state = lock(shared);
    state.asked.push(asked.clone());
    let problems = match api {
        Api::Anthropic => anthropic::problems(&asked, &state),
        Api::Responses => responses::problems(&asked, &state),
        Api::Chat => chat::problems(&asked),
        Api::Gemini => gemini::problems(&asked),
    };
    if !problems.is_empty() {
        let body = error_body(api, Kind::BadRequest, 400, &problems.join("; "));
        state.violations.extend(problems);
        return Response::json(body.to_string()).with_status(400);
    }
    let act = match (state.queue.pop_front(), state.script.clone()) {
        (Some(act), _) => act,
        (None, Some(script)) => {
            // The script may take its time; others are served meanwhile.
            drop(state);
            let act = script(&asked);
            state = lock(shared);
            act
        }
        (None, None) => Act::Say(Turn::text("Done.")),
    };
    perform(api, &asked, act, &mut state).header("x-request-id", "req_stand_in")
}

fn perform(api: Api, asked: &Asked, act: Act, state: &mut State) -> Response {
    match act {
        Act::Say(turn) => {
            let whole = say(api, asked, &turn, state);
            give(api, asked, whole, Ending::Whole, usize::MAX, state)
        }
        Act::Body(whole) => give(api, asked, whole, Ending::Whole, usize::MAX, state),
        Act::Stream(text) => stream(text.as_bytes(), Ending::Whole, state.pieces),
        Act::Example(name) if name.ends_with(".sse") => {
            stream(contract::example(name).as_bytes(), Ending::Whole, state.pieces)
        }
        Act::Example(name) => {
            give(api, asked, contract::example_json(name), Ending::Whole, usize::MAX, state)
        }
        Act::Misbehave(misbehaviour) => misbehave(api, asked, &misbehaviour, state),
    }
}

fn misbehave(api: Api, asked: &Asked, misbehaviour: &Misbehaviour, state: &mut State) -> Response {
    let key = ["x-api-key", "authorization", "x-goog-api-key"].iter().find_map(|name| asked.header(name));
    let key = key.unwrap_or_default().trim_start_matches("Bearer ");
    if let Some((status, body)) = misbehaviour::refusal(api, misbehaviour, key) {
        let mut response = Response::json(body.to_string()).with_status(status);
        if let Misbehaviour::RateLimited { headers } = misbehaviour {
            for (name, value) in headers {
                response = response.header(name, value);
            }
        }
        return response;
    }
    let sound = |state: &mut State| say(api, asked, &Turn::text("An answer that is long enough."), state);
    match misbehaviour {
        Misbehaviour::Cut { after } => {
            let whole = sound(state);
            give(api, asked, whole, Ending::Cut, *after, state)
        }
        Misbehaviour::Hang { after } => {
            let whole = sound(state);
            give(api, asked, whole, Ending::Hang, *after, state)
        }
        Misbehaviour::NoAnswer => Response::never(),
        Misbehaviour::HangUp => Response::hang_up(),
        Misbehaviour::PlainError { status, text } => Response::text(*text).with_status(*status),
        Misbehaviour::InvalidEvent if asked.is_streamed => {
            stream(b"data: {\"half\": \n\n", Ending::Whole, state.pieces)
        }
        Misbehaviour::InvalidJson | Misbehaviour::InvalidEvent => Response::json("{\"half\": "),
        Misbehaviour::ErrorInStream => {
            let error = error_body(api, Kind::Overloaded, 503, "Overloaded");
            let text = match api {
                Api::Anthropic => contract::example("anthropic/12-error.stream.sse").to_string(),
                Api::Responses => {
                    let data = json!({"type": "error", "code": "server_error", "message": "Overloaded", "param": null, "sequence_number": 1});
                    format!("event: error\ndata: {data}\n\n")
                }
                Api::Chat | Api::Gemini => format!("data: {error}\n\n"),
            };
            stream(text.as_bytes(), Ending::Whole, state.pieces)
        }
        Misbehaviour::UnknownItems => {
            let item = match api {
                Api::Gemini => json!({"hologram": {"depth": 3}}),
                Api::Chat => json!({"id": "call_x", "type": "hologram", "hologram": {"depth": 3}}),
                Api::Anthropic | Api::Responses => json!({"type": "hologram", "id": "h_1", "depth": 3}),
            };
            let whole = say(api, asked, &Turn::text("Before.").and_native(item), state);
            state.given.push(whole.clone());
            if !asked.is_streamed {
                return Response::json(whole.to_string());
            }
            let unheard_of = "event: hologram.begun\ndata: {\"type\":\"hologram.begun\",\"object\":\"hologram.begun\"}\n\n";
            stream(format!("{unheard_of}{}", events(api, &whole)).as_bytes(), Ending::Whole, state.pieces)
        }
        _ => Response::status(500),
    }
}

fn say(api: Api, asked: &Asked, turn: &Turn, state: &mut State) -> Value {
    match api {
        Api::Anthropic => anthropic::whole(asked, turn, state),
        Api::Responses => responses::whole(asked, turn, state),
        Api::Chat => chat::whole(asked, turn, state),
        Api::Gemini => gemini::whole(asked, turn, state),
    }
}

fn events(api: Api, whole: &Value) -> String {
    match api {
        Api::Anthropic => anthropic::events(whole),
        Api::Responses => responses::events(whole),
        Api::Chat => chat::events(whole),
        Api::Gemini => gemini::events(whole),
    }
}

/// Sends a whole answer in the way it was asked for, or the beginning of it.
fn give(api: Api, asked: &Asked, whole: Value, ending: Ending, bytes: usize, state: &mut State) -> Response {
    state.given.push(whole.clone());
    let (kind, text) = match asked.is_streamed {
        true => ("text/event-stream", events(api, &whole)),
        false => ("application/json", whole.to_string()),
    };
    let sent = &text.as_bytes()[..text.len().min(bytes)];
    Response::pieces(kind, cut(sent, state.pieces), ending)
}

fn stream(bytes: &[u8], ending: Ending, pieces: Pieces) -> Response {
    Response::pieces("text/event-stream", cut(bytes, pieces), ending)
}

fn cut(bytes: &[u8], pieces: Pieces) -> Vec<Vec<u8>> {
    let length = match pieces {
        Pieces::Bytes => 1,
        Pieces::Of(length) => length.max(1),
    };
    bytes.chunks(length).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
#[path = "stand_in_tests.rs"]
mod tests;
