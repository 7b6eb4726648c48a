//! The policy for acts that need a user's consent: what pays, what deletes, and what runs code in a page.

use assay_protocol::{Action, ErrorCode, Failure};

use super::Policy;

/// Whether a user agreed beforehand to acts that pay, delete or run code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Consent {
    #[default]
    Given,
    /// Each such act is refused until a user agrees to it.
    Needed,
}

/// What a text says that weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WeightyWords {
    pub pays: bool,
    pub deletes: bool,
}

pub fn weighty_words(text: &str) -> WeightyWords {
    let mut said = WeightyWords::default();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        said.pays |= PAYING.contains(&word.as_str());
        said.deletes |= DELETING.contains(&word.as_str());
    }
    said
}

/// A longer text covers many things and does not say what pressing does.
const LONGEST_LABEL: usize = 80;

impl Policy {
    /// Whether pressing what carries these labels may go on. `what` names it for people.
    pub(crate) fn check_labels(&self, labels: &[String], what: &str) -> Result<(), Failure> {
        let mut labels = labels.iter().filter(|label| label.chars().count() <= LONGEST_LABEL);
        labels.try_for_each(|label| self.check_label(label, what))
    }

    /// Whether agreeing to this text may go on.
    pub(crate) fn check_label(&self, label: &str, what: &str) -> Result<(), Failure> {
        let said = if what.contains(label) { String::new() } else { format!(": it says \"{label}\"") };
        match weighty_words(label) {
            _ if self.consent == Consent::Given => Ok(()),
            WeightyWords { pays: true, .. } => Err(consent_needed(&format!("{what} may pay{said}"))),
            WeightyWords { deletes: true, .. } => {
                Err(consent_needed(&format!("{what} may delete something{said}")))
            }
            WeightyWords { .. } => Ok(()),
        }
    }

    /// Acts whose target says nothing about what they do.
    pub(crate) fn check_consent(&self, action: &Action) -> Result<(), Failure> {
        if self.consent == Consent::Given {
            return Ok(());
        }
        match action {
            Action::Eval { .. } => Err(consent_needed("the script can do whatever the page can")),
            Action::Raw { input, .. } if !input.pressed().is_empty() => {
                Err(consent_needed("nothing says what is at this point"))
            }
            Action::Type { text, .. } if text.contains(char::is_control) => {
                Err(consent_needed("the text holds keys, which may send a form"))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn consent_needed(why: &str) -> Failure {
    Failure::new(ErrorCode::ConsentNeeded, format!("a user has to allow this: {why}"))
}

/// Words on controls that pay, and in steps that allow it.
const PAYING: &[&str] = &[
    "pay",
    "pays",
    "paying",
    "payment",
    "buy",
    "buys",
    "purchase",
    "purchases",
    "order",
    "orders",
    "subscribe",
    "donate",
    "transfer",
    "withdraw",
    "tip",
    "checkout",
    "kaufen",
    "bezahlen",
    "zahlen",
    "bestellen",
    "acheter",
    "payer",
    "comprar",
    "pagar",
];

/// Words on controls that delete, and in steps that allow it.
const DELETING: &[&str] = &[
    "delete",
    "deletes",
    "deleting",
    "remove",
    "removes",
    "erase",
    "destroy",
    "wipe",
    "discard",
    "purge",
    "drop",
    "trash",
    "empty",
    "reset",
    "deactivate",
    "terminate",
    "revoke",
    "unsubscribe",
    "clear",
    "löschen",
    "entfernen",
    "supprimer",
    "eliminar",
    "borrar",
];
