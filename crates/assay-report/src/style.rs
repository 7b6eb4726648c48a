//! The style of the console: with or without colour, with or without a progress line.

use assay_protocol::Verdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
    /// The columns of the terminal, when a progress line may be drawn.
    pub progress: Option<usize>,
}

impl Style {
    /// Lines only: for CI, pipes and files.
    pub const PLAIN: Style = Style { colour: false, progress: None };

    /// The style for where it is printed. `no_color` is what the variable of
    /// that name holds: any text but the empty one turns colour off.
    pub fn for_output(terminal_columns: Option<usize>, no_color: Option<&str>, in_ci: bool) -> Self {
        let Some(columns) = terminal_columns.filter(|_| !in_ci) else { return Style::PLAIN };
        Style { colour: no_color.unwrap_or_default().is_empty(), progress: Some(columns) }
    }

    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        match self.colour {
            true => format!("\u{1b}[{}m{text}\u{1b}[0m", ink.code()),
            false => text.to_owned(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Ink {
    Good,
    Bad,
    Doubtful,
    Quiet,
}

impl Ink {
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Passed => Ink::Good,
            Verdict::Inconclusive => Ink::Doubtful,
            Verdict::Failed | Verdict::Error => Ink::Bad,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Ink::Good => "32",
            Ink::Bad => "31",
            Ink::Doubtful => "33",
            Ink::Quiet => "2",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_for_terminals_of_people_who_want_it() {
        assert_eq!(Style::for_output(Some(80), None, false), Style { colour: true, progress: Some(80) });
        assert!(Style::for_output(Some(80), Some(""), false).colour);
        assert_eq!(
            Style::for_output(Some(80), Some("1"), false),
            Style { colour: false, progress: Some(80) }
        );
        assert_eq!(Style::for_output(Some(80), None, true), Style::PLAIN);
        assert_eq!(Style::for_output(None, None, false), Style::PLAIN);
    }
}
