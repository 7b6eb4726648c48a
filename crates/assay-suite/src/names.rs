//! Replaces `${name}` in text, and keeps track of inserted secrets.
//!
//! The nearest meaning wins: the parameters of the current steps, then the row of data, the variables of the test,
//! those of the project, and the secrets of both. The environment is reached only through the last two: a secret names
//! its variable, and so does the text of a variable. Any other text that names one is a mistake.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use assay_protocol::Secrets;

use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::problem::{Problem, Problems};
use crate::quotes::Quotes;
use crate::reader::is_name;
use crate::settings::{SecretDraft, TestSettings};
use crate::source::Text;
use crate::surroundings::{Surroundings, is_worth_hiding};

/// Text with its names replaced, and the secrets that are in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Resolved {
    pub text: String,
    pub secrets: Secrets,
}

impl Resolved {
    fn secret(value: String) -> Resolved {
        Resolved { secrets: [value.as_str()].into_iter().collect(), text: value }
    }

    /// A value of the environment that was not declared a secret.
    fn from_environment(value: String) -> Resolved {
        if is_worth_hiding(&value) {
            return Resolved::secret(value);
        }
        Resolved { text: value, secrets: Secrets::default() }
    }
}

/// No text of a test needs more, and names that hold names could otherwise grow without end.
const LONGEST: usize = 64 * 1024;
/// How deep variables may be made of others.
const DEEPEST: usize = 16;

/// How a text is read once its names are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    AsIs,
    /// Quotation marks mean something in it.
    AsAStep,
}

/// The values of the names in one run of one test.
pub(crate) struct Names<'a> {
    row: BTreeMap<String, Resolved>,
    test: &'a TestSettings,
    project: &'a TestSettings,
    environment: &'a Surroundings<'a>,
    /// Variables that were replaced already: each is worked out once, however often it is used.
    known: RefCell<HashMap<String, Option<Resolved>>>,
}

/// The values of the steps at hand, and which of them were used.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pub values: BTreeMap<String, Resolved>,
    pub used: RefCell<std::collections::BTreeSet<String>>,
}

impl<'a> Names<'a> {
    pub fn new(test: &'a TestSettings, project: &'a TestSettings, environment: &'a Surroundings<'a>) -> Self {
        Names { row: BTreeMap::new(), test, project, environment, known: RefCell::default() }
    }

    /// The same names with a row of data before them.
    pub fn with_row(&self, row: BTreeMap<String, Resolved>) -> Names<'a> {
        Names { row, known: RefCell::default(), ..*self }
    }

    /// None when something is wrong; a problem says what.
    pub fn resolve(&self, text: &Text, parameters: &Parameters, problems: &mut Problems) -> Option<Resolved> {
        self.replace(text, parameters, &mut Vec::new(), problems, Reading::AsIs)
    }

    /// As `resolve`, for a text that is read as a sentence or a command: whatever a value holds, it stays one value.
    pub fn resolve_step(
        &self,
        text: &Text,
        parameters: &Parameters,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        self.replace(text, parameters, &mut Vec::new(), problems, Reading::AsAStep)
    }

    /// The value of a name, without the names that a text may hold. For commands, which get values by name.
    pub fn value(
        &self,
        name: &str,
        parameters: &Parameters,
        place: &Text,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        let span = place.place_of(&format!("${{{name}}}"), 0);
        let mut fail = |mistake| problems.push(Problem::at(&place.source, span, mistake));
        match self.lookup(name, parameters) {
            Meaning::Value(value) => Some(value),
            Meaning::Variable(text) => self.variable(name, text, &mut Vec::new(), problems),
            Meaning::Unknown => {
                fail(self.undeclared(name, parameters));
                None
            }
            Meaning::Wrong(mistake) => {
                fail(mistake);
                None
            }
        }
    }

    /// Whether a name has a value without the environment.
    pub fn is_own(&self, name: &str, parameters: &Parameters) -> bool {
        parameters.values.contains_key(name) || self.own_names().any(|own| own == name)
    }

    pub fn environment_has(&self, name: &str) -> bool {
        self.environment.has(name)
    }

    /// Whether the environment has just this value.
    pub fn environment_says(&self, name: &str, value: &str) -> bool {
        self.environment.is(name, value)
    }

    fn own_names(&self) -> impl Iterator<Item = &str> {
        let variables = [self.test, self.project].into_iter().flat_map(|settings| {
            let variables = settings.variables.iter().map(|(name, _)| name.value.as_str());
            variables.chain(settings.secrets.iter().map(|secret| secret.name.as_str()))
        });
        self.row.keys().map(String::as_str).chain(variables)
    }

    fn replace(
        &self,
        text: &Text,
        parameters: &Parameters,
        inside: &mut Vec<String>,
        problems: &mut Problems,
        reading: Reading,
    ) -> Option<Resolved> {
        let mut resolved = Resolved::default();
        let mut quotes = Quotes::default();
        let mut is_sound = true;
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for piece in pieces(&text.value) {
            if problems.is_full() {
                return None;
            }
            let (name, written) = match piece {
                TextPiece::Text(part) => {
                    quotes.pass(part);
                    resolved.text.push_str(part);
                    continue;
                }
                TextPiece::Name { name, written } => (name, written),
                TextPiece::Wrong(found) => {
                    let mistake = Mistake::NotAName { found: found.to_string() };
                    problems.push(Problem::at(&text.source, text.place_of(found, 0), mistake));
                    is_sound = false;
                    continue;
                }
            };
            let nth = seen.entry(written).and_modify(|count| *count += 1).or_insert(0);
            let value = match self.meaning(name, parameters, inside) {
                Meaning::Value(value) => Some(value),
                Meaning::Variable(value) => self.variable(name, value, inside, problems),
                Meaning::Unknown => {
                    let mistake = self.undeclared(name, parameters);
                    problems.push(Problem::at(&text.source, text.place_of(written, *nth), mistake));
                    None
                }
                Meaning::Wrong(mistake) => {
                    problems.push(Problem::at(&text.source, text.place_of(written, *nth), mistake));
                    None
                }
            };
            match value {
                Some(value) => {
                    let text = match reading {
                        Reading::AsIs => value.text.clone(),
                        Reading::AsAStep => quotes.hold(&value.text),
                    };
                    // Written otherwise, it is to be masked all the same.
                    if text != value.text && !value.secrets.is_empty() {
                        resolved.secrets.add(text.as_str());
                    }
                    resolved.text.push_str(&text);
                    resolved.secrets.merge(&value.secrets);
                }
                None => is_sound = false,
            }
            if resolved.text.len() > LONGEST {
                problems.push(Problem::in_text(text, Mistake::TextTooLong { limit: LONGEST }));
                return None;
            }
        }
        is_sound.then_some(resolved)
    }

    /// The meaning of a name, also in the text of the variables that are being worked out, the outermost first. What
    /// a variable names, and no other declaration does, is a variable of the environment; so is its own name.
    fn meaning(&self, name: &str, parameters: &Parameters, inside: &[String]) -> Meaning<'a> {
        let is_own_name = inside.last().is_some_and(|variable| variable == name);
        let meaning = if is_own_name { Meaning::Unknown } else { self.lookup(name, parameters) };
        match meaning {
            Meaning::Unknown if !inside.is_empty() => match self.environment.take(name) {
                Some(value) => Meaning::Value(Resolved::from_environment(value)),
                None => Meaning::Wrong(Mistake::NotInEnvironment {
                    name: name.to_string(),
                    nearest: nearest(name, self.own_names().filter(|own| *own != name)),
                }),
            },
            meaning => meaning,
        }
    }

    /// Why a name outside of declarations has no value.
    fn undeclared(&self, name: &str, parameters: &Parameters) -> Mistake {
        let name = name.to_string();
        if self.environment.has(&name) {
            return Mistake::UndeclaredName { name };
        }
        let own = parameters.values.keys().map(String::as_str).chain(self.own_names());
        Mistake::UnknownName { nearest: nearest(&name, own), name }
    }

    fn lookup(&self, name: &str, parameters: &Parameters) -> Meaning<'a> {
        if let Some(value) = parameters.values.get(name) {
            parameters.used.borrow_mut().insert(name.to_string());
            return Meaning::Value(value.clone());
        }
        if let Some(value) = self.row.get(name) {
            return Meaning::Value(value.clone());
        }
        for settings in [self.test, self.project] {
            if let Some((_, value)) = settings.variables.iter().find(|(variable, _)| variable.value == name) {
                return Meaning::Variable(value);
            }
        }
        for settings in [self.test, self.project] {
            if let Some(secret) = settings.secrets.iter().find(|secret| secret.name == name) {
                return match reveal(secret, self.environment) {
                    Ok(secret) => Meaning::Value(secret),
                    Err(mistake) => Meaning::Wrong(mistake),
                };
            }
        }
        Meaning::Unknown
    }

    /// A variable may be made of other names, but not of itself. It does not see the parameters of steps.
    fn variable(
        &self,
        name: &str,
        text: &Text,
        inside: &mut Vec<String>,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        if inside.iter().any(|outer| outer == name) || inside.len() >= DEEPEST {
            problems.push(Problem::in_text(text, Mistake::NameLoop { name: name.to_string() }));
            return None;
        }
        inside.push(name.to_string());
        let resolved = self.replace(text, &Parameters::default(), inside, problems, Reading::AsIs);
        inside.pop();
        self.known.borrow_mut().insert(name.to_string(), resolved.clone());
        resolved
    }
}

enum Meaning<'a> {
    Value(Resolved),
    Variable(&'a Text),
    /// No declaration has it.
    Unknown,
    Wrong(Mistake),
}

/// The value of a secret, from the environment.
pub(crate) fn reveal(secret: &SecretDraft, environment: &Surroundings<'_>) -> Result<Resolved, Mistake> {
    let (name, variable) = (secret.name.clone(), secret.variable.clone());
    match environment.take(&secret.variable) {
        None => Err(Mistake::SecretMissing { secret: name, variable }),
        // It could not be masked, and is a mistake of the surroundings more often than meant.
        Some(value) if value.is_empty() => Err(Mistake::SecretEmpty { secret: name, variable }),
        Some(value) => Ok(Resolved::secret(value)),
    }
}

/// A piece of a text with names.
#[derive(Debug, PartialEq)]
pub(crate) enum TextPiece<'t> {
    Text(&'t str),
    /// `written` is the name with its braces.
    Name {
        name: &'t str,
        written: &'t str,
    },
    /// `${` without a name behind it.
    Wrong(&'t str),
}

/// `$${` stands for `${` itself.
pub(crate) fn pieces(text: &str) -> Vec<TextPiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        if rest[..at].ends_with('$') {
            pieces.push(TextPiece::Text(&rest[..at]));
            pieces.push(TextPiece::Text("{"));
            rest = &rest[at + 2..];
            continue;
        }
        pieces.push(TextPiece::Text(&rest[..at]));
        let from = &rest[at..];
        let (piece, length) = match from.find('}') {
            Some(end) if is_name(&from[2..end]) => {
                (TextPiece::Name { name: &from[2..end], written: &from[..=end] }, end + 1)
            }
            Some(end) => (TextPiece::Wrong(&from[..=end]), end + 1),
            None => (TextPiece::Wrong(from), from.len()),
        };
        pieces.push(piece);
        rest = &from[length..];
    }
    pieces.push(TextPiece::Text(rest));
    pieces.retain(|piece| *piece != TextPiece::Text(""));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_text_names_and_what_is_wrong() {
        let name = |name, written| TextPiece::Name { name, written };
        assert_eq!(
            pieces("a ${b} $${c} $d"),
            [
                TextPiece::Text("a "),
                name("b", "${b}"),
                TextPiece::Text(" $"),
                TextPiece::Text("{"),
                TextPiece::Text("c} $d"),
            ]
        );
        assert_eq!(pieces("${a b}${"), [TextPiece::Wrong("${a b}"), TextPiece::Wrong("${")]);
        assert_eq!(pieces("${a}${a}"), [name("a", "${a}"), name("a", "${a}")]);
    }
}
