//! Reads a YAML file of one document into a tree with places.
//!
//! Only this module knows the parser. Places are exact for keys, for scalars and for what is in braces; a block ends
//! where its last scalar does.

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use crate::error::Mistake;
use crate::tree::{Member, Node, Value};

/// Deeper files are refused, so that none can exhaust the stack.
const MAX_DEPTH: usize = 200;

/// The value of the file; none if there are only blanks, comments and marks.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, Mistake> {
    // YAML takes a lone carriage return for a line break, and nothing else here does.
    if let Some((at, _)) = text.match_indices('\r').find(|(at, _)| !text[at + 1..].starts_with('\n')) {
        return Err(Mistake::unusual(at, "a carriage return without a line feed"));
    }
    let mut reader = Reader { text, parser: Parser::new_from_str(text) };
    let mut root = None;
    let mut documents = 0;
    loop {
        let Some((event, span)) = reader.next()? else { return Ok(root) };
        match event {
            Event::StreamEnd => return Ok(root),
            Event::DocumentStart(..) => {
                documents += 1;
                if documents > 1 {
                    return Err(Mistake::unusual(start(&span), "a file with several documents"));
                }
                let (event, span) = reader.need()?;
                let node = reader.node(event, &span, 1)?;
                root = (!is_bare(&node)).then_some(node);
            }
            Event::DocumentEnd if !span.is_empty() && text[start(&span)..].starts_with("...") => {
                return Err(Mistake::unusual(start(&span), "a file that ends with `...`"));
            }
            _ => {}
        }
    }
}

/// Whether nothing is written where a value could be.
pub(crate) fn is_bare(node: &Node) -> bool {
    node.span.is_empty() && matches!(node.value, Value::Other("null"))
}

struct Reader<'a> {
    text: &'a str,
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>, Mistake> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(next)) => Ok(Some(next)),
            Some(Err(err)) => Err(Mistake::syntax(err.marker().byte_offset().unwrap_or(0), err.info())),
        }
    }

    fn need(&mut self) -> Result<(Event<'a>, Span), Mistake> {
        self.next()?
            .ok_or_else(|| Mistake::syntax(self.text.len(), "expected more, found the end of the file"))
    }

    fn node(&mut self, event: Event<'a>, span: &Span, depth: usize) -> Result<Node, Mistake> {
        let begin = start(span);
        if depth > MAX_DEPTH {
            return Err(Mistake::syntax(begin, format!("expected at most {MAX_DEPTH} levels, found more")));
        }
        match event {
            Event::Scalar(text, style, ..) => {
                let end = self.scalar_end(&text, style, span);
                let value = match style {
                    ScalarStyle::Plain => plain(&text),
                    _ => Value::Text(text.into_owned()),
                };
                Ok(Node { span: begin..end, value })
            }
            Event::SequenceStart(..) => {
                let mut items: Vec<Node> = Vec::new();
                loop {
                    match self.need()? {
                        (Event::SequenceEnd, end) => {
                            let end = self.end(begin, &end, items.last().map(|item| item.span.end));
                            return Ok(Node { span: begin..end, value: Value::List(items) });
                        }
                        (event, span) => items.push(self.node(event, &span, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut members: Vec<Member> = Vec::new();
                loop {
                    match self.need()? {
                        (Event::MappingEnd, end) => {
                            let last = members.last();
                            let last = last.map(|member| member.node.span.end.max(member.key_span.end));
                            let end = self.end(begin, &end, last);
                            return Ok(Node { span: begin..end, value: Value::Object(members) });
                        }
                        (event, span) => {
                            let key = self.node(event, &span, depth + 1)?;
                            let (event, span) = self.need()?;
                            let node = self.node(event, &span, depth + 1)?;
                            let name = match key.value {
                                Value::Text(text) => text,
                                _ => self.text[key.span.clone()].to_string(),
                            };
                            members.push(Member { key: name, key_span: key.span, node });
                        }
                    }
                }
            }
            Event::Alias(_) => Ok(Node { span: begin..end_of(span), value: Value::Other("an alias") }),
            _ => Err(Mistake::syntax(begin, "expected a value, found something else")),
        }
    }

    /// Where a collection ends: at its bracket, or where its last part does.
    fn end(&self, begin: usize, end: &Span, last: Option<usize>) -> usize {
        match self.text[begin..].starts_with(['{', '[']) && !end.is_empty() {
            true => end_of(end),
            false => last.unwrap_or(begin),
        }
    }

    /// The parser ends a block of text where the next thing begins. Line breaks that do not count are left out.
    fn scalar_end(&self, text: &str, style: ScalarStyle, span: &Span) -> usize {
        let end = end_of(span);
        if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return end;
        }
        let written = &self.text[start(span)..end];
        let keeps_breaks = text.ends_with("\n\n") || text == "\n";
        start(span)
            + if keeps_breaks {
                written.trim_end_matches([' ', '\t']).len()
            } else {
                written.trim_end().len()
            }
    }
}

/// What an unquoted scalar is, as far as entries need to know.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Other("null"),
        "true" | "True" | "TRUE" => Value::Other("true"),
        "false" | "False" | "FALSE" => Value::Other("false"),
        _ => Value::Text(text.to_string()),
    }
}

fn start(span: &Span) -> usize {
    span.byte_range().map_or(0, |range| range.start)
}

fn end_of(span: &Span) -> usize {
    span.byte_range().map_or(0, |range| range.end)
}
