//! What the tests share: a client on a stand-in, a clock that does not wait, an ear.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use assay_provider::answer::ModelAnswer;
use assay_provider::conversation::{FunctionTool, Message, Part, Picture, Question, Tool};
use assay_provider::formats::Delivery;
use assay_provider::key::Key;
use assay_provider::transport::{HttpTransport, Transport};
use assay_provider::{
    Budget, Clock, Event, Limits, ModelClient, ModelName, Provider, ProviderError, ReplyListener, Terms,
};
use assay_testkit::models::{Api, StandIn};
use serde_json::json;

pub const SECRET: &str = "sk-test-5f2e9c0d1b7a4638";

/// A picture of one pixel.
pub const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0xda, 0x63, 0x64,
    0xf8, 0xcf, 0x50, 0x0f, 0, 3, 0x86, 1, 0x80, 0x5a, 0x34, 0x7d, 0x6b, 0, 0, 0, 0, b'I', b'E', b'N', b'D',
    0xae, 0x42, 0x60, 0x82,
];

pub fn picture() -> Picture {
    Picture::png(PIXEL).unwrap()
}

/// The model that tests of an API ask for.
pub fn model_of(api: Api) -> ModelName {
    let name = match api {
        Api::Anthropic => "anthropic/claude-sonnet-5-5",
        Api::Responses => "openai/gpt-5.5",
        Api::Chat => "ollama/qwen3-vl:8b",
        Api::Gemini => "gemini/gemini-3.5-flash",
    };
    ModelName::read(name).unwrap()
}

/// A clock whose waits are over at once, and are remembered.
#[derive(Default)]
pub struct TestClock {
    slept: Mutex<Vec<Duration>>,
}

impl TestClock {
    pub fn slept(&self) -> Vec<Duration> {
        self.slept.lock().unwrap().clone()
    }

    fn ahead(&self) -> Duration {
        self.slept.lock().unwrap().iter().sum()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        Instant::now() + self.ahead()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now() + self.ahead()
    }

    fn sleep<'a>(&'a self, length: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.slept.lock().unwrap().push(length);
        Box::pin(std::future::ready(()))
    }
}

/// Hears everything.
#[derive(Default)]
pub struct Ear {
    pub heard: Vec<Event>,
}

impl ReplyListener for Ear {
    fn hear(&mut self, event: Event) {
        self.heard.push(event);
    }
}

impl Ear {
    pub fn lines(&self) -> Vec<String> {
        self.heard.iter().map(Event::to_string).collect()
    }

    pub fn has(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.heard.iter().any(wanted)
    }
}

/// A client, and all that a test wants to look at afterwards.
pub struct Bench {
    pub client: ModelClient,
    pub clock: Arc<TestClock>,
    pub budget: Budget,
    pub ear: Ear,
}

impl Bench {
    pub fn on(stand_in: &StandIn, api: Api, delivery: Delivery) -> Bench {
        Bench::with(&stand_in.base(), &model_of(api), delivery, http())
    }

    pub fn with(base: &str, model: &ModelName, delivery: Delivery, transport: Arc<dyn Transport>) -> Bench {
        let key = Key::new(SECRET, "a test").unwrap();
        let clock = Arc::new(TestClock::default());
        let client = ModelClient::new(model.parts(Some(base), Some(key), transport))
            .with_clock(Arc::clone(&clock) as Arc<dyn Clock>)
            .with_delivery(delivery);
        Bench { client, clock, budget: Budget::new(Limits::default()), ear: Ear::default() }
    }

    pub async fn ask(&mut self, question: &Question) -> Result<ModelAnswer, ProviderError> {
        self.ask_within(question, Duration::from_secs(60)).await
    }

    pub async fn ask_within(
        &mut self,
        question: &Question,
        limit: Duration,
    ) -> Result<ModelAnswer, ProviderError> {
        let terms = Terms { budget: &self.budget, deadline: self.clock.now() + limit };
        self.client.ask(question, terms, &mut self.ear).await
    }
}

/// One for each test, that is for each thread: making one reads the certificates of the machine.
pub fn http() -> Arc<dyn Transport> {
    thread_local! {
        static HTTP: Arc<HttpTransport> = Arc::new(HttpTransport::new());
    }
    HTTP.with(Arc::clone)
}

pub const DELIVERIES: [Delivery; 2] = [Delivery::Streamed, Delivery::Whole];

/// A question with a picture and two tools.
pub fn question() -> Question {
    let mut question = Question::new("You drive a browser for a test step.", 512);
    question.asked_for = Some("run-7f3a".to_string());
    question.tools = vec![
        Tool::Function(FunctionTool {
            name: "report".to_string(),
            description: "Reports the verdict.".to_string(),
            schema: json!({
                "type": "object",
                "properties": {"passed": {"type": "boolean"}},
                "required": ["passed"],
                "additionalProperties": false,
            }),
            strict: true,
        }),
        Tool::Function(FunctionTool {
            name: "click_ref".to_string(),
            description: "Clicks an element.".to_string(),
            schema: json!({"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]}),
            strict: false,
        }),
    ];
    question.messages.push(Message::User(vec![
        Part::Text("Click the log in button.".to_string()),
        Part::Picture(picture()),
    ]));
    question
}
