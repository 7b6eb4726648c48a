//! The entry of a server as its client wants it: which fields, with which values, and which of them matter.
//!
//! Does not know how it is written in a format.

use crate::catalogue::{Client, Shape};
use crate::merge;
use crate::tree::{Node, Value};

/// What a client should start, and under which name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The key of the entry: letters, digits, `-` and `_`.
    pub name: String,
    pub command: String,
    pub args: Vec<String>,
}

/// The file that a client has if this server is its only one, to be copied by hand.
pub fn manual(client: Client, server: &Server) -> String {
    merge::fresh(client.format(), &Wanted::new(client, server))
}

/// A value that is going to be written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Plain {
    Text(String),
    Texts(Vec<String>),
    Flag(bool),
    Number(u32),
    Map(Vec<(String, Plain)>),
}

/// What a field means for an entry that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// It has to be there, with this value.
    Must,
    /// The client knows it without being told, but no other value is right.
    IfThere,
    /// A beginning, which belongs to the user afterwards.
    Start,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub key: &'static str,
    pub value: Plain,
    pub weight: Weight,
}

/// An entry, and the key of the table that it belongs into.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub table: &'static str,
    pub name: String,
    pub fields: Vec<Field>,
}

/// Fields of servers that are reached by an address. An entry with one of them cannot be mended field by field.
const REMOTE: &[&str] = &["url", "serverUrl", "httpUrl", "uri"];

impl Wanted {
    pub fn new(client: Client, server: &Server) -> Wanted {
        let text = |text: &str| Plain::Text(text.to_string());
        let field = |key, value, weight| Field { key, value, weight };
        let command = || field("command", text(&server.command), Weight::Must);
        let args = || field("args", Plain::Texts(server.args.clone()), Weight::Must);
        let env = |key| field(key, Plain::Map(Vec::new()), Weight::Start);
        let fields = match client.shape() {
            Shape::Plain => vec![command(), args(), env("env")],
            Shape::Typed => {
                vec![field("type", text("stdio"), Weight::IfThere), command(), args(), env("env")]
            }
            Shape::Sourced => {
                vec![field("source", text("custom"), Weight::IfThere), command(), args(), env("env")]
            }
            Shape::Joined => {
                let words = std::iter::once(&server.command).chain(&server.args).cloned().collect();
                vec![
                    field("type", text("local"), Weight::Must),
                    field("command", Plain::Texts(words), Weight::Must),
                    env("environment"),
                    field("enabled", Plain::Flag(true), Weight::Start),
                ]
            }
            Shape::Extension => vec![
                field("name", text(&server.name), Weight::Start),
                field("type", text("stdio"), Weight::Must),
                field("cmd", text(&server.command), Weight::Must),
                args(),
                env("envs"),
                field("enabled", Plain::Flag(true), Weight::Start),
                field("timeout", Plain::Number(300), Weight::Start),
            ],
        };
        Wanted { table: client.table(), name: server.name.clone(), fields }
    }

    /// The whole entry.
    pub fn entry(&self) -> Plain {
        Plain::Map(self.fields.iter().map(|field| (field.key.to_string(), field.value.clone())).collect())
    }

    /// The table with nothing but the entry.
    pub fn table_of_one(&self) -> Plain {
        Plain::Map(vec![(self.name.clone(), self.entry())])
    }

    /// The first field that an entry lacks or has with another value. `look` gives the value of a key.
    pub fn first_wrong<'n>(&self, mut look: impl FnMut(&str) -> Option<&'n Node>) -> Wrong<'_, 'n> {
        if REMOTE.iter().any(|key| look(key).is_some()) {
            return Wrong::Remote;
        }
        for field in &self.fields {
            match (look(field.key), field.weight) {
                (_, Weight::Start) | (None, Weight::IfThere) => {}
                (None, Weight::Must) => return Wrong::Missing(field),
                (Some(node), _) if field.value.is(node) => {}
                (Some(node), _) => return Wrong::Other(field, node),
            }
        }
        Wrong::Nothing
    }
}

/// How an entry differs from the one that is wanted.
pub(crate) enum Wrong<'w, 'n> {
    Nothing,
    Missing(&'w Field),
    Other(&'w Field, &'n Node),
    /// It tells an address instead of a command.
    Remote,
}

impl Plain {
    /// Whether that is what stands in the file. Only texts and lists of texts are ever compared.
    fn is(&self, node: &Node) -> bool {
        match (self, &node.value) {
            (Plain::Text(text), Value::Text(found)) => text == found,
            (Plain::Texts(texts), Value::List(found)) => {
                texts.len() == found.len()
                    && texts
                        .iter()
                        .zip(found)
                        .all(|(text, node)| matches!(&node.value, Value::Text(found) if found == text))
            }
            _ => false,
        }
    }
}
