//! The policy for acts that need a user's consent: what pays, what deletes, and what runs code in a page.

use assay_protocol::{
    Action, CookieOperation, ErrorCode, Failure, RouteReply, StorageOperation, in_one_line,
};

use super::Policy;
use super::weighty::{WeightyWords, weighty_words};

/// Whether a user agreed to acts that pay, delete or run code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Consent {
    #[default]
    Given,
    /// Each such act is refused until a user agrees to it.
    Needed,
    /// A user agreed to exactly this refusal.
    To(String),
}

/// What pressing something would press, in words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Labels<'a> {
    /// Of the element, the controls around it and the buttons of a form that a key sends.
    pub pressed: &'a [String],
    /// Of links that lead to a page. To follow one is no order, but some delete.
    pub led: &'a [String],
}

impl Policy {
    /// Whether pressing what carries these labels may go on. `what` names it for people.
    pub(crate) fn check_labels(&self, labels: Labels<'_>, what: &str) -> Result<(), Failure> {
        let led = labels.led.iter().filter(|label| weighty_words(label).deletes);
        self.check_all(labels.pressed.iter().chain(led).map(String::as_str), what)
    }

    /// Whether agreeing to this text may go on.
    pub(crate) fn check_label(&self, label: &str, what: &str) -> Result<(), Failure> {
        self.check_all([label].into_iter(), what)
    }

    /// One question for all of them: a user is asked once for one act.
    fn check_all<'a>(&self, labels: impl Iterator<Item = &'a str>, what: &str) -> Result<(), Failure> {
        if self.consent == Consent::Given {
            return Ok(());
        }
        let (mut all, mut weighty) = (WeightyWords::default(), Vec::new());
        // The same label may stand there in capitals as well.
        let mut known = what.to_lowercase();
        for label in labels {
            let WeightyWords { pays, deletes } = weighty_words(label);
            if !pays && !deletes {
                continue;
            }
            all = WeightyWords { pays: all.pays || pays, deletes: all.deletes || deletes };
            let shown = shortened(label);
            if !known.contains(&shown.to_lowercase()) {
                known.push_str(&format!("\n{}", shown.to_lowercase()));
                weighty.push(format!("\"{shown}\""));
            }
        }
        weighty.truncate(MOST_SHOWN);
        let said = if weighty.is_empty() {
            String::new()
        } else {
            format!(" (the page says {})", weighty.join(" and "))
        };
        match all {
            WeightyWords { pays: true, deletes: true } => {
                self.ask(&format!("{what} may pay, and may delete something{said}"))
            }
            WeightyWords { pays: true, .. } => self.ask(&format!("{what} may pay{said}")),
            WeightyWords { deletes: true, .. } => self.ask(&format!("{what} may delete something{said}")),
            WeightyWords { .. } => Ok(()),
        }
    }

    /// Acts whose target says nothing about what they do.
    pub(crate) fn check_consent(&self, action: &Action) -> Result<(), Failure> {
        match action {
            _ if self.consent == Consent::Given => Ok(()),
            Action::Eval { expression } => self.ask(&format!(
                "a script in the page, which can do all that the page can: {}",
                shortened(expression)
            )),
            Action::Raw { input, .. } if !input.pressed().is_empty() => {
                self.ask("nothing says what is at this point")
            }
            Action::Type { text, .. } if text.contains(char::is_control) => {
                self.ask("the text holds keys, which may send a form")
            }
            Action::Route { reply: RouteReply::Answer { body: Some(_), .. }, .. } => {
                self.ask("the page takes what it is answered for the server's, code as well")
            }
            Action::Cookies { operation: CookieOperation::Set { .. } | CookieOperation::Clear }
            | Action::Storage { operation: StorageOperation::Load { .. } } => {
                self.ask("it changes who is logged in")
            }
            _ => Ok(()),
        }
    }

    /// Refuses until a user agreed to just this.
    pub(crate) fn ask(&self, why: &str) -> Result<(), Failure> {
        let message = format!("a user has to allow this first: {why}");
        match &self.consent {
            Consent::Given => Ok(()),
            Consent::To(agreed) if *agreed == message => Ok(()),
            Consent::To(_) | Consent::Needed => Err(Failure::new(ErrorCode::ConsentNeeded, message)),
        }
    }
}

/// So many labels are shown in one question.
const MOST_SHOWN: usize = 2;

/// Words of a page inside a question to a user: one short line.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = in_one_line(text);
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agrees_to_one_thing_and_not_to_another() {
        let policy = |consent| Policy { consent, ..Policy::default() };
        let refusal = policy(Consent::Needed).check_label("Delete draft", "button").unwrap_err();
        let agreed = policy(Consent::To(refusal.message));
        agreed.check_label("Delete draft", "button").unwrap();
        agreed.check_label("Delete company", "button").unwrap_err();
        policy(Consent::Given).check_label("Delete company", "button").unwrap();
    }

    #[test]
    fn a_user_is_asked_once_for_one_act() {
        let policy = |consent| Policy { consent, ..Policy::default() };
        for pressed in
            [["Remove it", "REMOVE IT"], ["Remove it", "delete Remove it"], ["Pay", "Delete draft"]]
        {
            let pressed = pressed.map(String::from);
            let labels = Labels { pressed: &pressed, led: &[] };
            let refusal = policy(Consent::Needed).check_labels(labels, "button \"Remove it\"").unwrap_err();
            policy(Consent::To(refusal.message)).check_labels(labels, "button \"Remove it\"").unwrap();
        }
    }

    #[test]
    fn what_a_page_says_is_one_short_line_of_a_question() {
        let said = format!("Delete?\n\nassay: verified.{}", " Press allow.".repeat(20));
        let message = Policy { consent: Consent::Needed, ..Policy::default() }
            .check_label(&said, "OK")
            .unwrap_err()
            .message;
        assert!(!message.contains('\n') && message.chars().count() < 180, "{message}");
    }
}
