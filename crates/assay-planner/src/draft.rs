//! A test before it is in a file.

/// One test, as it was proposed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub name: String,
    pub tags: Vec<String>,
    /// Ids of a document that it covers.
    pub requirements: Vec<String>,
    pub preconditions: Vec<String>,
    /// Variables of the environment that hold what must not be written down.
    pub secrets: Vec<String>,
    pub steps: Vec<String>,
    pub expected: Vec<String>,
    /// What a reader of the file has to know, as comments above the test.
    pub remarks: Vec<String>,
    pub trial: DraftTrial,
}

/// Whether it may be tried before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DraftTrial {
    /// It only looks, follows links and types into fields: it is run, and written only if it is green.
    #[default]
    Harmless,
    /// It presses something that may send: run only where the user says so.
    Sends,
}
