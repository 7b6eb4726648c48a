//! Why a guest may not do something.

/// Each is told to the guest as text, so that it can look for another way, unless it stops the step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the test does not name the text `{text}`; only its values and words of the step may be typed")]
    UnnamedValue { text: String },
    #[error("the keys `{keys}` would type text that the test does not name")]
    UnnamedKeys { keys: String },
    #[error("the text holds line ends, tabs or other keys; press them by themselves")]
    KeysInText,
    #[error("what has the focus then is not known: move it, look, and press after that, or name the element")]
    UnseenFocus,
    #[error("expected a path or a whole http address, found `{said}`")]
    NotAnAddress { said: String },
    #[error("the list `{list}` has no option `{option}`")]
    UnknownOption { list: String, option: String },
    #[error("there is no element {reference} on the page now")]
    UnknownRef { reference: String },
    #[error("an element is named by its ref, not by `{selector}`")]
    NotARef { selector: String },
    #[error("`{verb}` is not for guests")]
    NotForGuests { verb: &'static str },
    #[error("the time for this step is over")]
    OutOfTime,
    #[error("it wants to enter something into {field} that the test does not name")]
    UnnamedCredential { field: String },
    #[error("it wants to enter a secret of another step into {field}, which is no field for secrets")]
    MisplacedSecret { field: String },
    #[error("it wants to type a secret where no field is known, so that pictures could show it")]
    UnmaskableSecret,
    #[error("it wants to press {name}, which pays for something, and the step does not say so")]
    Paying { name: String },
    #[error("it wants to press {name}, which deletes something, and the step does not say so")]
    Deleting { name: String },
    #[error("it wants to leave for `{host}`, and the step does not say so")]
    LeavesSite { host: String },
    #[error("what it did led to `{host}`, and the step does not say so")]
    LeftSite { host: String },
    #[error("whether `{command}` was carried out is not known")]
    OutcomeUnknown { command: String },
}

impl Refusal {
    /// In reports, as the code of a safety event.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::UnnamedValue { .. } => "unnamed-value",
            Refusal::UnnamedKeys { .. } => "unnamed-keys",
            Refusal::KeysInText => "keys-in-text",
            Refusal::UnseenFocus => "unseen-focus",
            Refusal::NotAnAddress { .. } => "not-an-address",
            Refusal::UnknownOption { .. } => "unknown-option",
            Refusal::UnknownRef { .. } => "unknown-ref",
            Refusal::NotARef { .. } => "not-a-ref",
            Refusal::NotForGuests { .. } => "not-for-guests",
            Refusal::OutOfTime => "out-of-time",
            Refusal::UnnamedCredential { .. } => "unnamed-credential",
            Refusal::MisplacedSecret { .. } => "misplaced-secret",
            Refusal::UnmaskableSecret => "unmaskable-secret",
            Refusal::Paying { .. } => "paying",
            Refusal::Deleting { .. } => "deleting",
            Refusal::LeavesSite { .. } => "leaves-site",
            Refusal::LeftSite { .. } => "left-site",
            Refusal::OutcomeUnknown { .. } => "outcome-unknown",
        }
    }

    /// Whether the step ends by it. A guest that once wanted such a thing is not asked what else it wants.
    pub fn stops_the_step(&self) -> bool {
        match self {
            Refusal::UnnamedValue { .. }
            | Refusal::UnnamedKeys { .. }
            | Refusal::KeysInText
            | Refusal::UnseenFocus
            | Refusal::NotAnAddress { .. }
            | Refusal::UnknownOption { .. }
            | Refusal::UnknownRef { .. }
            | Refusal::NotARef { .. }
            | Refusal::NotForGuests { .. } => false,
            Refusal::OutOfTime
            | Refusal::UnnamedCredential { .. }
            | Refusal::MisplacedSecret { .. }
            | Refusal::UnmaskableSecret
            | Refusal::Paying { .. }
            | Refusal::Deleting { .. }
            | Refusal::LeavesSite { .. }
            | Refusal::LeftSite { .. }
            | Refusal::OutcomeUnknown { .. } => true,
        }
    }

    /// Without what `mask` hides: it is told to the guest.
    #[must_use]
    pub fn masked(mut self, mask: impl Fn(&str) -> String) -> Refusal {
        match &mut self {
            Refusal::UnnamedValue { text: one }
            | Refusal::UnnamedKeys { keys: one }
            | Refusal::NotAnAddress { said: one }
            | Refusal::UnknownRef { reference: one }
            | Refusal::NotARef { selector: one }
            | Refusal::UnnamedCredential { field: one }
            | Refusal::MisplacedSecret { field: one }
            | Refusal::Paying { name: one }
            | Refusal::Deleting { name: one }
            | Refusal::LeavesSite { host: one }
            | Refusal::LeftSite { host: one }
            | Refusal::OutcomeUnknown { command: one } => *one = mask(one),
            Refusal::UnknownOption { list, option } => {
                *list = mask(list);
                *option = mask(option);
            }
            Refusal::KeysInText
            | Refusal::UnseenFocus
            | Refusal::NotForGuests { .. }
            | Refusal::OutOfTime
            | Refusal::UnmaskableSecret => {}
        }
        self
    }

    /// Whether it says something about safety, or only about a guest that is mistaken.
    pub fn is_about_safety(&self) -> bool {
        !matches!(
            self,
            Refusal::UnknownOption { .. }
                | Refusal::UnknownRef { .. }
                | Refusal::NotARef { .. }
                | Refusal::OutOfTime
        )
    }
}
