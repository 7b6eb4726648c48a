//! Keys and secrets appear in no log, journal, trace, report, cassette or prompt, whatever the other sides do: every byte
//! that a run writes or sends is searched for them, as they are and as they may be encoded.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use assay_testkit::models::{Act, Api, Asked, Misbehaviour, StandIn, Turn};
use assay_testkit::{Request, Response, Server};
use serde_json::{Value, json};

use crate::context::{Context, Said, said};

/// With letters that every encoding writes otherwise.
const SECRET: &str = "h&rse b\"ttery/stäple+42";
const KEY: &str = "sk-ant-9d/8c+7b=6a-very-secret-key";

/// A login that shows what it was told, in its text and, after a `GET`, in its address.
fn site() -> Server {
    Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html(
            "<!doctype html><title>Gate</title><h1>The gate</h1><form method=get action=/in>\
             <label>Nickname <input name=who></label><label>Pass phrase <input type=password name=word></label>\
             <button>Onward</button></form>",
        ),
        "/in" => {
            let word = request.param("word").unwrap_or_default();
            let shown = word.replace('&', "&amp;").replace('"', "&quot;");
            Response::html(format!(
                "<!doctype html><meta charset=utf-8><title>In with {shown}</title><h1>Hello {}</h1><p>You said {shown}</p>\
                 <p title=\"{shown}\">Hover me</p><script>console.error(\"said \" + location.search)</script>",
                request.param("who").unwrap_or_default()
            ))
        }
        _ => Response::status(404),
    })
}

struct Vault {
    context: Context,
    site: Server,
    stand_in: StandIn,
    said: Arc<Mutex<Vec<Said>>>,
}

impl Vault {
    fn new() -> Vault {
        let vault = Vault {
            context: Context::new(),
            site: site(),
            stand_in: StandIn::start(Api::Anthropic),
            said: Arc::default(),
        };
        std::fs::create_dir_all(vault.context.folder().join("tmp")).unwrap();
        vault
    }

    fn run(&self, test: &str, arguments: &[&str]) -> i32 {
        let folder = self.context.folder();
        std::fs::write(folder.join("gate.yaml"), test).unwrap();
        let base = self.site.url("");
        let mut command = self.context.command(
            &[&["run", "gate.yaml", "--trust", "--base-url", base.trim_end_matches('/')], arguments].concat(),
        );
        command
            .env("DEFAULT_MODEL", "anthropic/claude-sonnet-5-5")
            .env("ANTHROPIC_BASE_URL", self.stand_in.base())
            .env("ANTHROPIC_API_KEY", KEY)
            .env("TMPDIR", folder.join("tmp"))
            .env("PHRASE", SECRET);
        let said = said(command);
        let code = said.code;
        self.said.lock().unwrap().push(said);
        code
    }

    /// Looks at everything: files, output, what was sent to the model.
    #[track_caller]
    fn search(&self) {
        for (name, needles) in [("the secret", forms(SECRET)), ("the key", forms(KEY))] {
            search_folder(self.context.folder(), name, &needles);
            for said in self.said.lock().unwrap().iter() {
                look(name, "standard output", said.out.as_bytes(), &needles);
                look(name, "standard error", said.err.as_bytes(), &needles);
            }
            for asked in self.stand_in.asked() {
                look(name, "a question", asked.body.to_string().as_bytes(), &needles);
                look(name, "a question's texts", asked.text().as_bytes(), &needles);
                look(name, "a question's path", asked.path.as_bytes(), &needles);
                for (header, value) in asked.headers.iter().filter(|(header, _)| header != "x-api-key") {
                    look(name, header, value.as_bytes(), &needles);
                }
            }
        }
    }
}

const TEST: &str = "test: Gate
secrets: [PHRASE]
steps:
  - Go to /
  - Frobnicate \"Ada\" with \"${PHRASE}\" onto the gate
expected:
  - The text \"Hello Ada\" is shown
";

fn reference(asked: &Asked, what: &str) -> String {
    let text = asked.text();
    let line = text.lines().rev().find(|line| line.contains(what) && line.starts_with('e'));
    line.and_then(|line| line.split(' ').next()).unwrap_or("e0").to_string()
}

fn enter(asked: &Asked, field: &str, value: u64) -> Act {
    let input = json!({"ref": reference(asked, field), "value": value, "why": "it is the field"});
    Turn::call("enter_value", input).into()
}

/// Takes the step as it should be taken, and ends as `last` says.
fn takes_the_step(stand_in: &StandIn, last: impl Fn() -> Act + Send + Sync + 'static) {
    let turn = AtomicUsize::new(0);
    stand_in.always(move |asked| match turn.fetch_add(1, Ordering::SeqCst) {
        0 => enter(asked, "textbox \"Nickname\"", 1),
        1 => enter(asked, "textbox \"Pass phrase\"", 2),
        2 => {
            let input =
                json!({"verb": "click", "ref": reference(asked, "button \"Onward\""), "why": "it goes on"});
            Turn::call("act", input).into()
        }
        _ => last(),
    });
}

fn done(evidence: &str, message: String) -> Act {
    Turn::call("done", json!({"evidence": evidence, "message": message})).into()
}

#[test]
fn a_page_and_a_model_that_repeat_a_secret_do_not_get_it_on_record() {
    let vault = Vault::new();
    takes_the_step(&vault.stand_in, || done("Hello Ada", "entered both".to_string()));
    assert_eq!(
        vault.run(
            TEST,
            &["--lock", "--verbose", "--trace", "--junit", "j.xml", "--ctrf", "c.json", "--html", "one.html"]
        ),
        0
    );
    vault.search();
    // Red, so that there is a failure bundle with the text of the page and its address.
    let red = TEST.replace("Hello Ada", "Hello Bob");
    takes_the_step(&vault.stand_in, || done(SECRET, format!("entered {SECRET}")));
    assert_ne!(vault.run(&red, &["--no-lock", "--verbose", "--trace"]), 0);
    assert!(vault.context.folder().join("assay-results/failures").is_dir());
    vault.search();
    vault.context.run(&["history", "gate"]);
    vault.search();
}

#[test]
fn a_secret_that_a_model_says_by_itself_is_nowhere() {
    let vault = Vault::new();
    let answers: Vec<Box<dyn Fn() -> Act + Send + Sync>> = vec![
        Box::new(|| done(SECRET, SECRET.to_string())),
        Box::new(|| Turn::text(&format!("I know it: {SECRET}")).into()),
        Box::new(|| Turn::call("enter_words", json!({"ref": "e1", "words": SECRET, "why": SECRET})).into()),
        Box::new(|| Turn::call("no_such_tool", json!({ SECRET: SECRET })).into()),
        Box::new(|| Turn::call("give_up", json!({"reason": SECRET, "why": SECRET})).into()),
    ];
    for answer in answers {
        vault.stand_in.always(move |_| answer());
        assert_ne!(vault.run(TEST, &["--verbose", "--trace", "--cassette", "record:tape.jsonl"]), 0);
        vault.search();
    }
}

#[test]
fn a_server_that_quotes_the_key_does_not_get_it_on_record() {
    let vault = Vault::new();
    let both = format!("bad: {KEY} and {SECRET}");
    let plain: &'static str = Box::leak(format!("<html>{both}</html>").into_boxed_str());
    let ways: Vec<Act> = vec![
        Misbehaviour::WrongKey.into(),
        Misbehaviour::BadRequest { message: both.clone() }.into(),
        Misbehaviour::PlainError { status: 403, text: plain }.into(),
        Act::Stream(format!("data: {both}\n\n")),
        Act::Body(json!({ "error": both.clone() })),
        Turn::text(&both).into(),
        Turn::call("give_up", json!({"reason": both, "why": both})).into(),
        Turn::call(KEY, json!({})).into(),
    ];
    for way in ways {
        vault.stand_in.always(move |_| way.clone());
        for arguments in [vec!["--verbose", "--trace"], vec!["--cassette", "record:tape.jsonl"]] {
            assert_ne!(vault.run(TEST, &arguments), 0);
            vault.search();
        }
    }
}

/// The search itself: what it must find, it finds.
#[test]
fn the_search_finds_what_is_hidden_in_an_encoding() {
    let needles = forms(SECRET);
    let is_found = |text: &str| needles.iter().any(|needle| holds(text.as_bytes(), needle));
    for text in [
        SECRET,
        "x=h%26rse%20b%22ttery%2Fst%C3%A4ple%2B42",
        "h%26rse+b%22ttery%2Fst%C3%A4ple%2B42",
        "\"h&rse b\\\"ttery/stäple+42\"",
        "h&rse b\\\"ttery/st\\u00e4ple+42",
        "aCZyc2UgYiJ0dGVyeS9zdMOkcGxlKzQy",
        "OmgmcnNlIGIidHRlcnkvc3TDpHBsZSs0Mg==",
    ] {
        assert!(is_found(text), "{text}");
    }
    assert!(!is_found("horse battery staple"));
}

/// A text as it is, percent-encoded, JSON-escaped, HTML-escaped and in base64 from any place on.
fn forms(text: &str) -> Vec<Vec<u8>> {
    let percent = |is_form: bool| -> String {
        let encode = |byte: u8| match byte {
            b' ' if is_form => "+".to_string(),
            byte if byte.is_ascii_alphanumeric() || b"-_.~*".contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(encode).collect()
    };
    let json = Value::from(text).to_string();
    let ascii_json: String = json
        .chars()
        .map(
            |letter| {
                if letter.is_ascii() { letter.to_string() } else { format!("\\u{:04x}", u32::from(letter)) }
            },
        )
        .collect();
    let inside = |quoted: &str| quoted[1..quoted.len() - 1].to_string();
    let html = text.replace('&', "&amp;").replace('"', "&quot;");
    let mut forms = vec![text.to_string(), percent(true), percent(false), percent(false).to_lowercase()];
    forms.extend([inside(&json), inside(&ascii_json), html]);
    for before in 0..3 {
        for alphabet in ["+/", "-_"] {
            let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(text.bytes()).collect();
            let encoded = base64(&bytes, alphabet);
            // Letters at both ends depend on what stands beside.
            let from = (before * 8).div_ceil(6);
            forms.push(encoded[from..bytes.len() * 8 / 6].to_string());
        }
    }
    forms.into_iter().map(String::into_bytes).collect()
}

fn base64(bytes: &[u8], last_two: &str) -> String {
    let alphabet =
        format!("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789{last_two}").into_bytes();
    let letter = |group: &[u8], nth: usize| {
        let word = (0..3).fold(0u32, |word, at| word << 8 | u32::from(*group.get(at).unwrap_or(&0)));
        char::from(alphabet[(word >> (18 - nth * 6) & 63) as usize])
    };
    bytes.chunks(3).flat_map(|group| (0..4).map(move |nth| letter(group, nth)).collect::<Vec<_>>()).collect()
}

fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[track_caller]
fn look(name: &str, place: &str, bytes: &[u8], needles: &[Vec<u8>]) {
    for needle in needles {
        assert!(!holds(bytes, needle), "{name} is in {place} as `{}`", String::from_utf8_lossy(needle));
    }
}

#[track_caller]
fn search_folder(folder: &Path, name: &str, needles: &[Vec<u8>]) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = std::fs::symlink_metadata(&path).unwrap().file_type();
        look(name, "the name of a file", path.as_os_str().as_encoded_bytes(), needles);
        if kind.is_dir() {
            search_folder(&path, name, needles);
        } else if kind.is_file() {
            let mut bytes = Vec::new();
            if let Ok(mut file) = std::fs::File::open(&path) {
                file.read_to_end(&mut bytes).unwrap();
            }
            assert!(
                !is_compressed_archive(&bytes),
                "{} is compressed and cannot be searched",
                path.display()
            );
            look(name, &path.display().to_string(), &bytes, needles);
        }
    }
}

/// Whether the first entry of a ZIP archive is compressed: then its bytes show nothing.
fn is_compressed_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") && bytes.get(8..10) != Some(&[0, 0])
}
