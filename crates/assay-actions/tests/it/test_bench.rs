//! One browser with a session, and a server that writes down what reaches it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_actions::{Call, Fault, Observer, Policy, Session};
use assay_driver::{
    Browser, Capability, Deadline, Driver, EventSink, LaunchOptions, NetworkFault, NetworkFaultKind,
    UrlShape, Viewport,
};
use assay_driver_chromium::ChromiumDriver;
use assay_driver_firefox::FirefoxDriver;
use assay_driver_webkit::WebKitDriver;
use assay_protocol::{Action, Answer, ElementState, Failure, MouseButton, Selector};
use assay_testkit::{Request, Response, Server};

#[derive(Clone, Copy)]
pub enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

pub struct Bench {
    pub session: Session,
    browser: Arc<dyn Browser>,
    server: Server,
    reached: Arc<Mutex<Vec<String>>>,
    folder: PathBuf,
}

/// Long enough for a machine that is busy with other browsers; nobody waits for it where all is well.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn soon() -> Deadline {
    Deadline::after(PATIENCE)
}

impl Bench {
    pub async fn open(engine: Engine) -> Bench {
        static BENCHES: AtomicU32 = AtomicU32::new(0);
        let number = BENCHES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("assay-faults-{}-{number}", std::process::id()));
        let options = LaunchOptions {
            program: None,
            headless: true,
            profile: folder.join("profile"),
            downloads: folder.join("downloads"),
            first_tab: true,
            viewport: Viewport { width: 1000, height: 700, scale: 1.0 },
            gate: None,
            debugging_port: None,
        };
        std::fs::create_dir_all(&options.profile).unwrap();
        std::fs::create_dir_all(&options.downloads).unwrap();
        let driver: Box<dyn Driver> = match engine {
            Engine::Chromium => Box::new(ChromiumDriver),
            Engine::Firefox => Box::new(FirefoxDriver),
            Engine::WebKit => Box::new(WebKitDriver::default()),
        };
        let observer = Observer::new();
        let sink = Arc::clone(&observer) as Arc<dyn EventSink>;
        let browser = driver.launch(options, sink, soon()).await.unwrap();
        let session = Session::new(Arc::clone(&browser), observer, 1);
        let reached = Arc::new(Mutex::new(Vec::new()));
        let server = Server::start({
            let reached = Arc::clone(&reached);
            move |request: &Request| {
                reached.lock().unwrap().push(format!("{} {}", request.method, request.path));
                answer(request)
            }
        });
        Bench { session, browser, server, reached, folder }
    }

    pub async fn close(self) {
        self.browser.close(soon()).await.unwrap();
        drop(self.session);
        std::fs::remove_dir_all(&self.folder).unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The same server under a name that makes it another site.
    pub fn abroad(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.server.port())
    }

    /// How often a request, as `POST /order`, has reached the server.
    pub fn reached(&self, request: &str) -> usize {
        self.reached.lock().unwrap().iter().filter(|known| *known == request).count()
    }

    pub async fn perform(&mut self, action: Action) -> Result<Answer, Failure> {
        let call = Call { deadline: soon(), wait: true, policy: Policy::default() };
        self.session.perform(&action, &call).await
    }

    pub async fn go(&mut self, path: &str) {
        let url = self.url(path);
        self.perform(Action::Go { url }).await.unwrap();
    }

    pub async fn click(&mut self, target: &str) {
        let (target, button, modifiers) = (selector(target), MouseButton::Left, Vec::new());
        self.perform(Action::Click { target, button, modifiers }).await.unwrap();
    }

    pub async fn press(&mut self, key: &str, target: &str) {
        let (keys, target) = (vec![key.to_string()], Some(selector(target)));
        self.perform(Action::Press { keys, target }).await.unwrap();
    }

    pub async fn fill(&mut self, target: &str, text: &str) {
        let (target, text) = (selector(target), text.to_string());
        self.perform(Action::Fill { target, text }).await.unwrap();
    }

    pub async fn is(&mut self, state: ElementState, target: &str) -> bool {
        match self.perform(Action::Is { state, target: selector(target) }).await.unwrap() {
            Answer::Is { holds, .. } => holds,
            other => panic!("{other:?}"),
        }
    }

    pub async fn text(&mut self, target: &str) -> String {
        text_of(self.perform(Action::Text { target: Some(selector(target)) }).await.unwrap())
    }

    pub async fn value(&mut self, target: &str) -> String {
        text_of(self.perform(Action::Value { target: selector(target) }).await.unwrap())
    }

    pub async fn attribute(&mut self, target: &str, name: &str) -> String {
        let (target, name) = (selector(target), name.to_string());
        text_of(self.perform(Action::Attr { target, name }).await.unwrap())
    }

    pub async fn title(&mut self) -> String {
        text_of(self.perform(Action::Title).await.unwrap())
    }

    /// All that the page shows, as claims are judged by it.
    pub async fn scene(&mut self) -> String {
        format!("{:?}", self.perform(Action::Scene).await.unwrap())
    }

    pub async fn evaluate(&mut self, expression: &str) {
        self.perform(Action::Eval { expression: expression.to_string() }).await.unwrap();
    }

    /// What an expression comes to in the page.
    pub async fn said(&mut self, expression: &str) -> String {
        match self.perform(Action::Eval { expression: expression.to_string() }).await.unwrap() {
            Answer::Json { value } => value.as_str().map_or_else(|| value.to_string(), str::to_string),
            other => text_of(other),
        }
    }

    /// Waits until an expression comes to something else than `undefined`.
    pub async fn settled(&mut self, expression: &str) {
        let deadline = soon();
        while self.said(expression).await == "undefined" {
            assert!(!deadline.is_past(), "never: {expression}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub fn can(&self, capability: Capability) -> bool {
        self.browser.capabilities().contains(&capability)
    }

    /// Waits until the page says something else than nothing under `#out`, and takes it away.
    pub async fn outcome(&mut self) -> String {
        let deadline = soon();
        loop {
            let text = self.text("#out").await;
            if !text.is_empty() {
                self.evaluate("document.querySelector('#out').textContent = ''").await;
                return text;
            }
            assert!(!deadline.is_past(), "the page says nothing");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn until(&self, what: &str, holds: impl Fn(&Bench) -> bool) {
        let deadline = soon();
        while !holds(self) {
            assert!(!deadline.is_past(), "never: {what}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn inject(&mut self, fault: Fault) {
        self.session.inject(&fault, soon()).await.unwrap();
    }

    /// Lets requests fail from now on.
    pub async fn strike(&mut self, method: Option<&str>, url: &str, occurrence: u32, how: NetworkFaultKind) {
        let url = UrlShape::any_query(url).unwrap();
        let method = method.map(str::to_string);
        self.inject(Fault::Network(NetworkFault { method, url, occurrence, how })).await;
    }

    pub async fn lift(&mut self) {
        self.session.lift_faults(soon()).await.unwrap();
    }
}

pub fn selector(source: &str) -> Selector {
    Selector::parse(source).unwrap()
}

fn text_of(answer: Answer) -> String {
    match answer {
        Answer::Text { text } => text,
        Answer::Value { value } => value.unwrap_or_default(),
        other => panic!("{other:?}"),
    }
}

fn answer(request: &Request) -> Response {
    let abroad = format!("http://localhost:{}", port_of(request));
    let page = |html: &str| Response::html(html.replace("{{abroad}}", &abroad));
    match request.path.as_str() {
        "/shop" => page(include_str!("pages/shop.html")),
        "/world" => page(include_str!("pages/world.html")),
        "/small" => page(&format!(
            "<meta name=viewport content='width=device-width, initial-scale=1'>{}",
            include_str!("pages/world.html")
        )),
        "/inner" => page(include_str!("pages/inner.html")),
        "/controls" => page(include_str!("pages/controls.html")),
        "/busy" => page(include_str!("pages/busy.html")),
        "/busy/frame" => page(include_str!("pages/busy-frame.html")),
        "/words" => page(include_str!("pages/words.html")),
        "/order" => Response::html("<!doctype html><title>Done</title><h1>Thank you</h1>"),
        "/favicon.ico" => Response::status(404),
        _ => Response::text("taken")
            .header("Access-Control-Allow-Origin", "*")
            .header("Access-Control-Allow-Headers", "*")
            .header("Access-Control-Allow-Methods", "*"),
    }
}

fn port_of(request: &Request) -> &str {
    request.header("host").and_then(|host| host.rsplit_once(':')).map_or("80", |(_, port)| port)
}
