//! What the server of a case answers, beside its pages, and what it keeps of a request.
//!
//! ```text
//! POST /login when email=ada@example.com & password=tide -> set user=[[email]]; redirect /account
//! POST /login -> 401 page /login/refused
//! POST /api/orders/:id/cancel -> remove order=[[id]]; json {"left": [[count order]]}
//! GET /api/notes -> json [[json note]]
//! ```
//!
//! The first rule that fits is taken. A condition is `name=value`, `name` (there and not empty) or `!name`;
//! it looks at what was sent, then at what is kept. A segment like `:id` fits anything and is sent under `id`.
//! Replies are `redirect PATH`, `page PATH`, `html`, `text` and `json` with the text, and `empty`; a status
//! may stand before each.

use super::memory::Memory;
use super::mistake::{Complaint, CorpusMistake};
use super::sections::RawSection;
use super::template::{Escape, Source, Template};
use crate::{Params, Request, Response};

/// One rule of the server.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    method: String,
    path: String,
    conditions: Vec<Condition>,
    effects: Vec<Effect>,
    status: u16,
    reply: Reply,
}

#[derive(Debug, Clone)]
enum Condition {
    Equals(String, String),
    Present(String),
    Absent(String),
}

#[derive(Debug, Clone)]
struct Effect {
    kind: EffectKind,
    name: String,
    value: Template,
}

#[derive(Debug, Clone, Copy)]
enum EffectKind {
    Set,
    Add,
    Remove,
}

#[derive(Debug, Clone)]
enum Reply {
    Redirect(Template),
    Page(String),
    Html(Template),
    Text(Template),
    Json(Template),
    Empty,
}

/// What a rule says: an answer, or a page that is to be shown with this status.
pub(super) enum Said {
    Answer(Response),
    Page { path: String, status: u16 },
}

/// Reads an `--- answers` section, a rule a line.
pub(super) fn parse(file: &str, section: &RawSection) -> Result<Vec<Rule>, CorpusMistake> {
    let rules =
        section.numbered().map(|(number, line)| rule(line).map_err(|complaint| complaint.at(file, number)));
    rules.collect()
}

impl Rule {
    /// The page that this rule shows, so that its absence is told when the corpus is loaded.
    pub fn page(&self) -> Option<&str> {
        match &self.reply {
            Reply::Page(path) => Some(path),
            _ => None,
        }
    }

    /// What the path of the request says, when method and path fit.
    pub fn captures(&self, request: &Request) -> Option<Params> {
        if self.method != request.method {
            return None;
        }
        let (wanted, found) = (self.path.split('/'), request.path.split('/'));
        if wanted.clone().count() != found.clone().count() {
            return None;
        }
        let mut captures = Params::default();
        for (wanted, found) in wanted.zip(found) {
            match wanted.strip_prefix(':') {
                Some(name) => captures.push(name.to_owned(), found.to_owned()),
                None if wanted == found => {}
                None => return None,
            }
        }
        Some(captures)
    }

    pub fn fits(&self, source: &Source<'_>) -> bool {
        let present = |name: &str| source.value(name).is_some_and(|value| !value.is_empty());
        self.conditions.iter().all(|condition| match condition {
            Condition::Equals(name, value) => source.value(name) == Some(value),
            Condition::Present(name) => present(name),
            Condition::Absent(name) => !present(name),
        })
    }

    /// Keeps what the rule says, and gives its answer, which sees what was kept.
    pub fn carry_out(&self, sent: &Params, kept: &mut Memory) -> Said {
        for effect in &self.effects {
            let value = effect.value.fill(&Source { sent, kept }, Escape::Plain);
            match effect.kind {
                EffectKind::Set => kept.set(&effect.name, &value),
                EffectKind::Add => kept.add(&effect.name, &value),
                EffectKind::Remove => kept.remove(&effect.name, &value),
            }
        }
        let source = Source { sent, kept };
        let response = match &self.reply {
            Reply::Page(path) => return Said::Page { path: path.clone(), status: self.status },
            Reply::Redirect(to) => Response::redirect(&to.fill(&source, Escape::Plain)),
            Reply::Html(text) => Response::html(text.fill(&source, Escape::Html)),
            Reply::Text(text) => Response::text(text.fill(&source, Escape::Plain)),
            Reply::Json(text) => Response::json(text.fill(&source, Escape::Json)),
            Reply::Empty => Response::status(self.status),
        };
        Said::Answer(response.with_status(self.status))
    }
}

fn rule(line: &str) -> Result<Rule, Complaint> {
    let no_rule = || Complaint::NoRule { found: line.to_owned() };
    let (asked, said) = line.split_once(" -> ").ok_or_else(no_rule)?;
    let (target, conditions) = asked.split_once(" when ").unwrap_or((asked, ""));
    let (method, path) = target.trim().split_once(' ').ok_or_else(no_rule)?;
    if !method.bytes().all(|byte| byte.is_ascii_uppercase()) || !path.starts_with('/') {
        return Err(no_rule());
    }
    let conditions = conditions.split(" & ").map(str::trim).filter(|text| !text.is_empty()).map(condition);
    let mut rest = said.trim();
    let mut effects = Vec::new();
    while rest.starts_with("set ") || rest.starts_with("add ") || rest.starts_with("remove ") {
        let (first, others) = rest.split_once("; ").ok_or_else(no_rule)?;
        effects.push(effect(first)?);
        rest = others.trim();
    }
    let (status, reply) = reply(rest)?;
    Ok(Rule {
        method: method.to_owned(),
        path: path.to_owned(),
        conditions: conditions.collect(),
        effects,
        status,
        reply,
    })
}

fn condition(text: &str) -> Condition {
    match (text.split_once('='), text.strip_prefix('!')) {
        (Some((name, value)), _) => Condition::Equals(name.to_owned(), value.to_owned()),
        (None, Some(name)) => Condition::Absent(name.to_owned()),
        (None, None) => Condition::Present(text.to_owned()),
    }
}

fn effect(text: &str) -> Result<Effect, Complaint> {
    let no_effect = || Complaint::NoEffect { found: text.to_owned() };
    let (word, pair) = text.split_once(' ').ok_or_else(no_effect)?;
    let (name, value) = pair.split_once('=').ok_or_else(no_effect)?;
    let kind = match word {
        "set" => EffectKind::Set,
        "add" => EffectKind::Add,
        "remove" => EffectKind::Remove,
        _ => return Err(no_effect()),
    };
    Ok(Effect { kind, name: name.trim().to_owned(), value: Template::parse(value)? })
}

fn reply(text: &str) -> Result<(u16, Reply), Complaint> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let numeric = first.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    let (status, text) = if numeric { (Some(first), rest.trim()) } else { (None, text) };
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let reply = match word {
        "redirect" => Reply::Redirect(Template::parse(rest)?),
        "page" => Reply::Page(rest.to_owned()),
        "html" => Reply::Html(Template::parse(rest)?),
        "text" => Reply::Text(Template::parse(rest)?),
        "json" => Reply::Json(Template::parse(rest)?),
        "empty" => Reply::Empty,
        _ => return Err(Complaint::UnknownReply { found: text.to_owned() }),
    };
    let usual = match reply {
        Reply::Redirect(_) => 303,
        Reply::Empty => 204,
        _ => 200,
    };
    let status = match status {
        None => usual,
        Some(text) => match text.parse() {
            Ok(status @ 200..=599) => status,
            _ => return Err(Complaint::OddStatus { status: text.to_owned() }),
        },
    };
    Ok((status, reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the rule answers to a request with these fields, with `user=ada` kept.
    #[track_caller]
    fn check(line: &str, target: &str, sent: &str, expected: &str) {
        let (method, path) = target.split_once(' ').unwrap();
        let request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
        let mut kept = Memory::default();
        kept.add("user", "ada");
        let actual = match rule(line) {
            Err(complaint) => complaint.to_string(),
            Ok(rule) => match rule.captures(&request) {
                None => "another path".to_owned(),
                Some(mut fields) => {
                    for (name, value) in Params::parse(sent).iter() {
                        fields.push(name.to_owned(), value.to_owned());
                    }
                    if rule.fits(&Source { sent: &fields, kept: &kept }) {
                        shown(&rule.carry_out(&fields, &mut kept))
                    } else {
                        "does not fit".to_owned()
                    }
                }
            },
        };
        assert_eq!(actual, expected);
    }

    fn shown(said: &Said) -> String {
        match said {
            Said::Page { path, status } => format!("{status} page {path}"),
            Said::Answer(response) => {
                let to =
                    response.headers().find(|(name, _)| *name == "Location").map_or("", |(_, value)| value);
                let text = String::from_utf8_lossy(response.body()).into_owned();
                format!("{} {to}{text}", response.status_code())
            }
        }
    }

    #[test]
    fn a_rule_answers_what_it_says() {
        check("POST /a -> redirect /b?n=[[n]]", "POST /a", "n=1", "303 /b?n=1");
        check("POST /a -> 401 page /refused", "POST /a", "", "401 page /refused");
        check("POST /a -> 422 json {\"n\": \"[[n]]\"}", "POST /a", "n=\"", "422 {\"n\": \"\\\"\"}");
        check("DELETE /a -> empty", "DELETE /a", "", "204 ");
    }

    #[test]
    fn conditions_look_at_what_was_sent_and_kept() {
        check("POST /a when n=1 & user=ada & !x -> text ok", "POST /a", "n=1", "200 ok");
        check("POST /a when n=1 -> text ok", "POST /a", "n=2", "does not fit");
        check("POST /a when n -> text ok", "POST /a", "n=", "does not fit");
    }

    #[test]
    fn a_part_of_the_path_is_sent_under_its_name() {
        check("POST /orders/:id/cancel -> text [[id]]", "POST /orders/7/cancel", "", "200 7");
        check("POST /orders/:id -> text [[id]]", "POST /orders/7/cancel", "", "another path");
        check("POST /a -> text x", "PUT /a", "", "another path");
    }

    #[test]
    fn effects_come_before_the_answer() {
        check("POST /a -> add n=[[n]]; add n=2; text [[count n]]", "POST /a", "n=1", "200 2");
        check(
            "POST /a -> set user=[[n]]; remove user=grace; text [[count user]]",
            "POST /a",
            "n=grace",
            "200 0",
        );
    }

    #[test]
    fn a_broken_rule_is_told() {
        let form = "expected `METHOD /path [when a=b & c] -> [effect; …] reply`";
        check("POST /a", "POST /a", "", &format!("{form}, found `POST /a`"));
        check("post /a -> empty", "POST /a", "", &format!("{form}, found `post /a -> empty`"));
        let kinds = "a reply is redirect, page, html, text, json or empty";
        check("POST /a -> shrug", "POST /a", "", &format!("{kinds}, found `shrug`"));
        check("POST /a -> 99 empty", "POST /a", "", "`99` is not a status of HTTP");
        let effects = "an effect is `set`, `add` or `remove` with `name=value`";
        check("POST /a -> set x; empty", "POST /a", "", &format!("{effects}, found `set x`"));
    }
}
