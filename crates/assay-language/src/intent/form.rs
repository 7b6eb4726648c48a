//! A form of sentence: what testers use it for, sentences of this form, and the properties that hold for all of them.

/// One form of sentence. A row of the reference for testers.
#[derive(Debug, PartialEq, Eq)]
pub struct SentenceForm {
    pub name: &'static str,
    /// Completes "to …" for an act and "to check that …" for a claim.
    pub purpose: &'static str,
    /// Up to three sentences. A test reads each and expects this form.
    pub examples: &'static [&'static str],
    pub properties: &'static [FormProperty],
}

impl SentenceForm {
    pub fn has(&self, property: FormProperty) -> bool {
        self.properties.contains(&property)
    }
}

/// Something that holds for every sentence of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormProperty {
    /// "It" in the next clause is the element of this one.
    Antecedent,
    /// The act leads nowhere: a place in front of it holds for the next clause too.
    KeepsPlace,
    /// The act makes sense while a dialog of the browser is open.
    SuitsOpenDialog,
    /// The act is the same command on every page: nothing has to be found.
    NeedsNoPage,
    /// The act uses what is on the clipboard.
    Pastes,
    /// The claim is about the page as a whole, whatever place stands in front of it.
    AboutWholePage,
    /// The claim is judged without reading the page.
    BesidePage,
    /// The reference for testers leaves the form out.
    Unlisted,
}

/// A table of forms: a constant with all of them, and the function that finds the form of a value. The rows are the arms
/// of one match, so the compiler asks for the row of a new variant.
macro_rules! sentence_forms {
    ($forms:ident, $kind:ident:
     $($pattern:pat => $name:literal, $purpose:literal, $examples:expr, $properties:expr;)*) => {
        pub(super) const $forms: &[SentenceForm] = &[
            $(SentenceForm {
                name: $name,
                purpose: $purpose,
                examples: &$examples,
                properties: &$properties,
            }),*
        ];

        impl $kind {
            /// The form of sentence that says it.
            pub fn form(&self) -> &'static SentenceForm {
                match self {
                    $($pattern => const {
                        &SentenceForm {
                            name: $name,
                            purpose: $purpose,
                            examples: &$examples,
                            properties: &$properties,
                        }
                    }),*
                }
            }
        }
    };
}

pub(super) use sentence_forms;
