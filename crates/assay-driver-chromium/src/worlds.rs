//! Whether it is known which worlds the documents of a tab have. Asked for them, an empty document makes them and runs
//! our scripts in them. Where it is there only to be replaced, nobody asks before it was.

/// Has the browser tell of the worlds of all documents, and makes them in the one that is there.
pub(crate) const TELL_WORLDS: &str = "Runtime.enable";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worlds {
    /// Nobody has asked: there is nothing yet that is worth it.
    Untold,
    /// Asked, and whether another document has come since.
    Asked {
        is_replaced: bool,
    },
    /// Asked in vain: the page crashed. The next document is asked again.
    Missed,
    Told,
}

impl Worlds {
    /// There is a new document. True when it is to be asked.
    pub fn document_came(&mut self) -> bool {
        let asks = matches!(self, Worlds::Untold | Worlds::Missed);
        *self = match self {
            Worlds::Untold | Worlds::Missed => Worlds::Asked { is_replaced: false },
            Worlds::Asked { .. } => Worlds::Asked { is_replaced: true },
            Worlds::Told => Worlds::Told,
        };
        asks
    }

    /// There is an answer. True when the document that came meanwhile is to be asked.
    pub fn answered(&mut self, is_heard: bool) -> bool {
        let asks = *self == Worlds::Asked { is_replaced: true } && !is_heard;
        *self = match (asks, is_heard) {
            (true, _) => Worlds::Asked { is_replaced: false },
            (false, true) => Worlds::Told,
            (false, false) => Worlds::Missed,
        };
        asks
    }

    /// Whether a world that is not known will be told of, so that nobody needs to make one.
    pub fn are_coming(self) -> bool {
        matches!(self, Worlds::Untold | Worlds::Asked { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_asked_once_and_again_only_after_a_crash() {
        let mut worlds = Worlds::Untold;
        assert!(worlds.are_coming());
        assert!(worlds.document_came());
        assert!(!worlds.document_came(), "it was asked already");
        assert!(!worlds.answered(true));
        assert!(!worlds.are_coming());
        assert!(!worlds.document_came(), "the browser tells of all that come later");

        let mut crashed = Worlds::Untold;
        assert!(crashed.document_came());
        assert!(!crashed.answered(false), "there is nobody to ask");
        assert!(!crashed.are_coming());
        assert!(crashed.document_came(), "it was loaded again");
        assert!(!crashed.document_came());
        assert!(crashed.answered(false), "another came before the answer of the first was read");
        assert!(!crashed.answered(true));
        assert_eq!(crashed, Worlds::Told);
    }
}
