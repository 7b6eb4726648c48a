//! Why a pilot may not do something.

/// The pilot gets each refusal as text and can try another way, unless the refusal stops the step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionRefusal {
    #[error("the test does not name the text `{text}`; only its values and words of the step may be typed")]
    UnnamedValue { text: String },
    #[error("the keys `{keys}` would type text that the test does not name")]
    UnnamedKeys { keys: String },
    #[error("the text holds line ends, tabs or other keys; press them by themselves")]
    KeysInText,
    #[error("what has the focus then is not known: move it, look, and press after that, or name the element")]
    UnseenFocus,
    #[error("expected a path or a whole http address, found `{text}`")]
    NotAnAddress { text: String },
    #[error("the test does not name the address `{address}`; reach it by the page")]
    UnnamedAddress { address: String },
    #[error("the list `{list}` has no option `{option}`")]
    UnknownOption { list: String, option: String },
    #[error("there is no element {reference} on the page now")]
    UnknownRef { reference: String },
    #[error("an element is named by its ref, not by `{selector}`")]
    NotARef { selector: String },
    #[error("`{verb}` is not for guests")]
    NotForPilots { verb: &'static str },
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

impl ActionRefusal {
    /// In reports, as the code of a safety event.
    pub fn code(&self) -> &'static str {
        match self {
            ActionRefusal::UnnamedValue { .. } => "unnamed-value",
            ActionRefusal::UnnamedKeys { .. } => "unnamed-keys",
            ActionRefusal::KeysInText => "keys-in-text",
            ActionRefusal::UnseenFocus => "unseen-focus",
            ActionRefusal::NotAnAddress { .. } => "not-an-address",
            ActionRefusal::UnnamedAddress { .. } => "unnamed-address",
            ActionRefusal::UnknownOption { .. } => "unknown-option",
            ActionRefusal::UnknownRef { .. } => "unknown-ref",
            ActionRefusal::NotARef { .. } => "not-a-ref",
            ActionRefusal::NotForPilots { .. } => "not-for-guests",
            ActionRefusal::OutOfTime => "out-of-time",
            ActionRefusal::UnnamedCredential { .. } => "unnamed-credential",
            ActionRefusal::MisplacedSecret { .. } => "misplaced-secret",
            ActionRefusal::UnmaskableSecret => "unmaskable-secret",
            ActionRefusal::Paying { .. } => "paying",
            ActionRefusal::Deleting { .. } => "deleting",
            ActionRefusal::LeavesSite { .. } => "leaves-site",
            ActionRefusal::LeftSite { .. } => "left-site",
            ActionRefusal::OutcomeUnknown { .. } => "outcome-unknown",
        }
    }

    /// Whether it ends the step. After such a request, the pilot gets no second chance.
    pub fn stops_the_step(&self) -> bool {
        match self {
            ActionRefusal::UnnamedValue { .. }
            | ActionRefusal::UnnamedKeys { .. }
            | ActionRefusal::KeysInText
            | ActionRefusal::UnseenFocus
            | ActionRefusal::NotAnAddress { .. }
            | ActionRefusal::UnnamedAddress { .. }
            | ActionRefusal::UnknownOption { .. }
            | ActionRefusal::UnknownRef { .. }
            | ActionRefusal::NotARef { .. }
            | ActionRefusal::NotForPilots { .. } => false,
            ActionRefusal::OutOfTime
            | ActionRefusal::UnnamedCredential { .. }
            | ActionRefusal::MisplacedSecret { .. }
            | ActionRefusal::UnmaskableSecret
            | ActionRefusal::Paying { .. }
            | ActionRefusal::Deleting { .. }
            | ActionRefusal::LeavesSite { .. }
            | ActionRefusal::LeftSite { .. }
            | ActionRefusal::OutcomeUnknown { .. } => true,
        }
    }

    /// Masked with `mask`, because the pilot reads it.
    #[must_use]
    pub fn masked(mut self, mask: impl Fn(&str) -> String) -> ActionRefusal {
        match &mut self {
            ActionRefusal::UnnamedValue { text: one }
            | ActionRefusal::UnnamedKeys { keys: one }
            | ActionRefusal::NotAnAddress { text: one }
            | ActionRefusal::UnnamedAddress { address: one }
            | ActionRefusal::UnknownRef { reference: one }
            | ActionRefusal::NotARef { selector: one }
            | ActionRefusal::UnnamedCredential { field: one }
            | ActionRefusal::MisplacedSecret { field: one }
            | ActionRefusal::Paying { name: one }
            | ActionRefusal::Deleting { name: one }
            | ActionRefusal::LeavesSite { host: one }
            | ActionRefusal::LeftSite { host: one }
            | ActionRefusal::OutcomeUnknown { command: one } => *one = mask(one),
            ActionRefusal::UnknownOption { list, option } => {
                *list = mask(list);
                *option = mask(option);
            }
            ActionRefusal::KeysInText
            | ActionRefusal::UnseenFocus
            | ActionRefusal::NotForPilots { .. }
            | ActionRefusal::OutOfTime
            | ActionRefusal::UnmaskableSecret => {}
        }
        self
    }

    /// Whether it is a safety event, or only a mistake of the pilot.
    pub fn is_about_safety(&self) -> bool {
        !matches!(
            self,
            ActionRefusal::UnknownOption { .. }
                | ActionRefusal::UnknownRef { .. }
                | ActionRefusal::NotARef { .. }
                | ActionRefusal::OutOfTime
        )
    }
}
