//! Runs cases through hands, and tells for each what came of it.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::case::Line;
use super::{Case, Check, Hands, Reply, Step, words};
use crate::Server;

/// Files that cases upload; written into the folder of the hands before the first case.
const FILES: &[(&str, &[u8])] =
    &[("a.txt", b"hello"), ("b.txt", b"hi"), ("Überfahrt 船.txt", b"unusual\n"), ("empty.bin", b"")];

/// What came of one case.
#[derive(Debug)]
pub struct Outcome {
    pub case: &'static str,
    pub took: Duration,
    /// What went wrong; none when the case passed.
    pub problem: Option<Problem>,
}

/// The step that did not do what it must.
#[derive(Debug)]
pub struct Problem {
    /// From 1; 0 is the opening of the page.
    pub step: usize,
    pub command: String,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "step {}: assay {}", self.step, self.command)?;
        writeln!(formatter, "  expected {}", self.expected)?;
        write!(formatter, "  found {}", self.found.replace('\n', "\n    "))
    }
}

/// Runs cases one after the other in one session.
pub fn run<'c>(
    cases: impl IntoIterator<Item = &'c Case>,
    hands: &mut dyn Hands,
    site: &Server,
) -> Vec<Outcome> {
    for (name, content) in FILES {
        let path = hands.folder().join(name);
        std::fs::write(&path, content).unwrap_or_else(|err| panic!("could not write {path:?}: {err}"));
    }
    let mut outcomes = Vec::new();
    for case in cases {
        let started = Instant::now();
        let problem = Walk::new(site).through(case, hands).err();
        // Nobody knows what a case that broke off has left behind.
        if problem.is_some() || case.untidy {
            hands.renew();
        }
        outcomes.push(Outcome { case: case.name, took: started.elapsed(), problem });
    }
    outcomes
}

/// One way through one case: the names that stand for something in its lines.
struct Walk {
    names: Vec<(&'static str, String)>,
}

impl Walk {
    fn new(site: &Server) -> Walk {
        let other = format!("http://localhost:{}", site.port());
        Walk { names: vec![("site", site.url("")), ("other", other)] }
    }

    fn through(&mut self, case: &Case, hands: &mut dyn Hands) -> Result<(), Problem> {
        let address = self.filled(&format!("{{site}}{}", case.page));
        let reply = hands.act(&["go", &address]);
        // A page may greet with a dialog, which its first step then answers.
        if reply.exit != 0 {
            return Err(problem(0, &["go", &address], "exit code 0".to_string(), &reply));
        }
        case.steps.iter().enumerate().try_for_each(|(at, step)| self.take(at + 1, step, hands))
    }

    fn take(&mut self, number: usize, step: &Step, hands: &mut dyn Hands) -> Result<(), Problem> {
        let words: Vec<String> = match step.line {
            Line::Typed(line) => words::split(line).iter().map(|word| self.filled(word)).collect(),
            Line::Eval(expression) => vec!["eval".to_string(), self.filled(expression)],
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let reply = hands.act(&words);
        if reply.exit != step.exit {
            return Err(problem(number, &words, format!("exit code {}", step.exit), &reply));
        }
        for check in step.checks.iter().flatten() {
            self.verify(check, &reply, hands.folder()).map_err(|unmet| {
                let Unmet { expected, found } = unmet;
                match found {
                    Some(found) => Problem { step: number, command: words.join(" "), expected, found },
                    None => problem(number, &words, expected, &reply),
                }
            })?;
        }
        Ok(())
    }

    /// A text with its names filled in.
    fn filled(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (name, value) in &self.names {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    fn verify(&mut self, check: &Check, reply: &Reply, folder: &Path) -> Result<(), Unmet> {
        let said = reply.stdout.as_str();
        match *check {
            Check::Is(text) => {
                let text = self.filled(text);
                expect(said == text, || format!("`{text}`"))
            }
            Check::Has(text) => {
                let text = self.filled(text);
                expect(said.contains(&text), || format!("`{text}` in the reply"))
            }
            Check::Lacks(text) => expect(!said.contains(text), || format!("no `{text}` in the reply")),
            Check::Complains(text) => {
                expect(reply.stderr.contains(text), || format!("a complaint with `{text}` in it"))
            }
            Check::Field(pointer, json) => {
                let wanted: Option<serde_json::Value> = serde_json::from_str(json).ok();
                let reply: Option<serde_json::Value> = serde_json::from_str(said).ok();
                let found = reply.as_ref().and_then(|reply| reply.pointer(pointer));
                expect(wanted.is_some() && found == wanted.as_ref(), || format!("`{json}` at {pointer}"))
            }
            Check::Heard(line) => {
                let log = log_of(said)?;
                expect(log.iter().any(|heard| heard == line), || format!("`{line}` in the page's log"))?;
                let forged = log.iter().any(|heard| heard.starts_with("untrusted"));
                expect(!forged, || "only input that the page can trust".to_string())
            }
            Check::Unheard(line) => {
                let log = log_of(said)?;
                expect(!log.iter().any(|heard| heard == line), || format!("no `{line}` in the page's log"))
            }
            Check::HeardLast(line) => {
                let log = log_of(said)?;
                expect(log.last().is_some_and(|last| last == line), || {
                    format!("`{line}` as the last of the page's log")
                })
            }
            Check::Keep(name, after) => {
                let word = said.split_once(after).and_then(|(_, rest)| rest.split_whitespace().next());
                let Some(word) = word else {
                    return expect(false, || format!("a word after `{after}`"));
                };
                self.names.push((name, word.to_string()));
                Ok(())
            }
            Check::Png(name, width, height) => {
                let size = png_size(&read(&folder.join(name))?);
                match size == Some((width, height)) {
                    true => Ok(()),
                    false => Err(Unmet {
                        expected: format!("a PNG of {width} x {height} in {name}"),
                        found: Some(size.map_or("no PNG".to_string(), |(x, y)| format!("{x} x {y}"))),
                    }),
                }
            }
            Check::FileBegins(name, bytes) => {
                let content = read(&folder.join(name))?;
                expect(content.starts_with(bytes), || {
                    format!("{name} to begin with `{}`", bytes.escape_ascii())
                })
            }
            Check::Downloaded(name, content) => {
                let path = said.lines().filter_map(|line| line.strip_prefix("downloaded ")).next();
                let Some(path) = path.filter(|path| path.ends_with(name)) else {
                    return expect(false, || format!("a line `downloaded …{name}`"));
                };
                let found = read(&folder.join(path))?;
                match found == content.as_bytes() {
                    true => Ok(()),
                    false => Err(Unmet {
                        expected: format!("`{content}` in {path}"),
                        found: Some(String::from_utf8_lossy(&found).to_string()),
                    }),
                }
            }
        }
    }
}

/// What a check wanted, and what there was when that is not the reply itself.
struct Unmet {
    expected: String,
    found: Option<String>,
}

fn expect(met: bool, expected: impl FnOnce() -> String) -> Result<(), Unmet> {
    if met { Ok(()) } else { Err(Unmet { expected: expected(), found: None }) }
}

fn problem(step: usize, words: &[&str], expected: String, reply: &Reply) -> Problem {
    let mut found = format!("exit code {}", reply.exit);
    for (name, text) in [("standard output", &reply.stdout), ("standard error", &reply.stderr)] {
        if !text.is_empty() {
            found += &format!("\n{name}: {text}");
        }
    }
    Problem { step, command: words.join(" "), expected, found }
}

fn log_of(said: &str) -> Result<Vec<String>, Unmet> {
    serde_json::from_str(said).map_err(|_| Unmet { expected: "the log of the page".to_string(), found: None })
}

fn read(path: &Path) -> Result<Vec<u8>, Unmet> {
    std::fs::read(path)
        .map_err(|err| Unmet { expected: format!("a file {}", path.display()), found: Some(err.to_string()) })
}

/// Width and height as the header of a PNG tells them.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    bytes.starts_with(b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some((number(16)?, number(20)?))
}
