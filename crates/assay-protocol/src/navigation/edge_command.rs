//! The commands of an edge, as they are written in a tree.

use super::{AddressPattern, LINK_TO, NoAddressPattern};
use crate::actions::split_line;
use crate::{Action, UsageError};

#[derive(Debug, Clone, PartialEq)]
pub enum EdgeCommand {
    Act(Action),
    /// Follows the first link of the page whose address fits.
    LinkTo(AddressPattern),
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoEdgeCommand {
    #[error(transparent)]
    Address(#[from] NoAddressPattern),
    #[error(transparent)]
    Command(#[from] UsageError),
}

impl EdgeCommand {
    /// A command as it is typed. A target may stand without the quotes of a shell: `click link "Orders"`.
    pub fn parse(text: &str) -> Result<EdgeCommand, NoEdgeCommand> {
        let text = text.trim();
        if let Some(pattern) = text.strip_prefix(LINK_TO).map(str::trim).filter(|rest| rest.starts_with('/'))
        {
            return Ok(EdgeCommand::LinkTo(AddressPattern::parse(pattern)?));
        }
        let words = split_line(text)?;
        let typed = Action::from_words(&words);
        let bare = text.split_once(' ').filter(|_| words.len() > 2);
        match (typed, bare) {
            (Err(mistake), Some((verb, target))) => {
                let words = [verb.to_string(), target.trim().to_string()];
                Ok(EdgeCommand::Act(Action::from_words(&words).map_err(|_| mistake)?))
            }
            (typed, _) => Ok(EdgeCommand::Act(typed?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_needs_no_quotes_of_a_shell() {
        let quoted = EdgeCommand::parse("click 'link \"Orders\"'").expect("a command");
        assert_eq!(EdgeCommand::parse("click link \"Orders\"").expect("a command"), quoted);
        assert!(matches!(EdgeCommand::parse("press Escape"), Ok(EdgeCommand::Act(Action::Press { .. }))));
        assert!(matches!(EdgeCommand::parse("click link to /orders/{id}"), Ok(EdgeCommand::LinkTo(_))));
        for wrong in ["", "clik e1", "click", "click link to /orders/{}"] {
            assert!(EdgeCommand::parse(wrong).is_err(), "{wrong}");
        }
    }
}
