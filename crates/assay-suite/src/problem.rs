//! A mistake in a file: its position, its message and its display.
//!
//! Plain text only. The printing code adds colour.

use std::fmt;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::source::{Position, Source, Span, Text};

/// One mistake, with its position if it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// As people see it: relative to where they are.
    pub file: PathBuf,
    /// None for a mistake of the whole file, such as its size.
    pub position: Option<Position>,
    pub mistake: Mistake,
    pub excerpt: Option<Excerpt>,
}

/// The mistakes in one file. Only the first hundred are reported; the author fixes those first. So no file can make the
/// list, or the time it takes, grow without limit.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

const MAX_TOLD: usize = 100;

impl Problems {
    pub fn push(&mut self, problem: Problem) {
        if self.0.len() < MAX_TOLD {
            self.0.push(problem);
        } else if self.0.len() == MAX_TOLD {
            self.0.push(Problem { mistake: Mistake::AndMore { told: MAX_TOLD }, excerpt: None, ..problem });
        }
    }

    /// Whether looking for more is of no use.
    pub fn is_full(&self) -> bool {
        self.0.len() > MAX_TOLD
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_vec(self) -> Vec<Problem> {
        self.0
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The line of a mistake, with the part that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub line: String,
    /// How many letters of `line` stand before the marked part.
    pub before: usize,
    /// How many letters are marked, at least 1.
    pub marked: usize,
}

/// Longer lines are cut around the marked part.
const WIDTH: usize = 100;

impl Problem {
    pub(crate) fn at(source: &Source, span: Span, mistake: Mistake) -> Self {
        let mut excerpt = Excerpt::of(source, span);
        if matches!(mistake, Mistake::SecretInFile { .. }) {
            excerpt.hide_marked();
        }
        Problem { file: source.shown.clone(), position: Some(span.position), mistake, excerpt: Some(excerpt) }
    }

    pub(crate) fn in_text(text: &Text, mistake: Mistake) -> Self {
        Problem::at(&text.source, text.span, mistake)
    }

    pub(crate) fn of_file(file: PathBuf, mistake: Mistake) -> Self {
        Problem { file, position: None, mistake, excerpt: None }
    }

    /// A hint, separate from the message.
    pub fn hint(&self) -> Option<String> {
        self.mistake.hint()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(position) = self.position {
            write!(f, "{position}:")?;
        }
        write!(f, " {}", self.mistake)?;
        let hint = self.hint().map(|hint| format!(" {hint}")).unwrap_or_default();
        let (Some(position), Some(excerpt)) = (self.position, &self.excerpt) else {
            return if hint.is_empty() { Ok(()) } else { write!(f, "\n  {}", hint.trim_start()) };
        };
        let number = position.line.to_string();
        let gutter = " ".repeat(number.len());
        let indent = " ".repeat(excerpt.before);
        let carets = "^".repeat(excerpt.marked.max(1));
        let line = format!("  {number} | {}", excerpt.line);
        write!(f, "\n{}\n  {gutter} | {indent}{carets}{hint}", line.trim_end())
    }
}

impl Excerpt {
    fn of(source: &Source, span: Span) -> Self {
        let line = source.line(span.position.line);
        // Control characters would move the carets, or worse, the terminal.
        let letters: Vec<char> =
            line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let start = (span.position.column - 1).min(letters.len());
        let first_line = source.slice(span).split('\n').next().unwrap_or("").trim_end();
        let marked = first_line.chars().count().clamp(1, letters.len().saturating_sub(start).max(1));
        let blank = letters.iter().take_while(|letter| letter.is_whitespace()).count().min(start);
        if letters.len() - blank <= WIDTH {
            let line = letters[blank..].iter().collect::<String>().trim_end().to_string();
            return Excerpt { line, before: start - blank, marked };
        }
        let from = start.saturating_sub(WIDTH / 3).max(blank);
        let to = (from + WIDTH).min(letters.len());
        let mut line = String::new();
        let mut before = start - from;
        if from > blank {
            line.push('…');
            before += 1;
        }
        line.extend(&letters[from..to]);
        if to < letters.len() {
            line.push('…');
        }
        Excerpt { line, before, marked: marked.min(to - start.min(to)).max(1) }
    }

    /// A secret that was written into the file must not be printed as well, nor what follows it.
    fn hide_marked(&mut self) {
        self.line = self.line.chars().take(self.before).chain("•••".chars()).collect();
        self.marked = 3;
    }
}
