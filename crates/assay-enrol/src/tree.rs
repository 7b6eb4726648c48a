//! What a parser found: values with the places where they stand, alike for all formats.
//!
//! Does not know how anything is written; only the bytes of a span tell that.

use std::ops::Range;

use crate::error::{Mistake, Refusal};

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
    /// Anything that no entry is made of, as it is called in a message.
    Other(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub key: String,
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Node {
    /// The members, if that is an object; `key` is how it is called if it is not.
    pub fn members(&self, key: &str) -> Result<&[Member], Mistake> {
        let found = match &self.value {
            Value::Object(members) => return Ok(members),
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Other(other) => other,
        };
        Err(Mistake { at: self.span.start, refusal: Refusal::NotAnObject { key: key.to_string(), found } })
    }
}

/// The member of that key and its number. Twice the same key is refused: clients differ in which of them counts.
pub(crate) fn find<'n>(members: &'n [Member], key: &str) -> Result<Option<(usize, &'n Member)>, Mistake> {
    let mut found = members.iter().enumerate().filter(|(_, member)| member.key == key);
    let first = found.next();
    match found.next() {
        Some((_, second)) => {
            Err(Mistake { at: second.key_span.start, refusal: Refusal::Twice { key: key.to_string() } })
        }
        None => Ok(first),
    }
}

/// Whether both say the same, apart from one entry of one table.
pub(crate) fn same_but_entry(one: Option<&Node>, other: Option<&Node>, table: &str, name: &str) -> bool {
    let (one, other) = (members_of(one), members_of(other));
    same_but(one, other, table) && {
        let inner = |members: &'_ [Member]| -> Vec<Member> {
            let table = members.iter().find(|member| member.key == table);
            members_of(table.map(|member| &member.node)).to_vec()
        };
        same_but(&inner(one), &inner(other), name)
    }
}

fn members_of(node: Option<&Node>) -> &[Member] {
    match node.map(|node| &node.value) {
        Some(Value::Object(members)) => members,
        _ => &[],
    }
}

/// Whether two objects have the same members in the same order, one key left out.
fn same_but(one: &[Member], other: &[Member], key: &str) -> bool {
    let mut one = one.iter().filter(|member| member.key != key);
    let mut other = other.iter().filter(|member| member.key != key);
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one.key == other.key && same(&one.node, &other.node) => {}
            _ => return false,
        }
    }
}

fn same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Text(one), Value::Text(other)) => one == other,
        (Value::Other(one), Value::Other(other)) => one == other,
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let pairs = one.iter().zip(other);
            one.len() == other.len()
                && pairs.into_iter().all(|(one, other)| one.key == other.key && same(&one.node, &other.node))
        }
        _ => false,
    }
}
