//! What an application is asked to do in its own words: "Archive the channel".

use super::{Ordinal, Target};

/// A verb of the application, and what the sentence says with it. The page shows how it is done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Performance {
    /// The whole clause, for messages.
    pub said: String,
    /// In the base form.
    pub verb: String,
    /// Words for the thing, in lower case: "channel", "verse block".
    pub object: Vec<String>,
    /// What the thing is called.
    pub name: Option<String>,
    pub ordinal: Option<Ordinal>,
    /// "it", "this channel": a thing that another sentence has named.
    pub refers: bool,
    /// `with title "A"`: names of fields and their values. A name may be empty.
    pub fields: Vec<(String, String)>,
    /// "in the sidebar", "to the page".
    pub place: Option<Target>,
    /// The word before the place: "in", "to", "from".
    pub preposition: String,
    /// Words that say how, how many or when: no rule knows what they ask of the page.
    pub manner: Vec<String>,
    /// How many controls were pressed on the way so far.
    pub tries: u8,
}

impl Performance {
    /// In words, for `assay run --dry-run`.
    pub fn meaning(&self) -> String {
        let mut words = vec![format!("{} in the application:", self.verb)];
        match self.ordinal {
            Some(Ordinal::Nth(number)) => words.push(format!("number {number} of")),
            Some(Ordinal::Last) => words.push("the last".to_string()),
            None => {}
        }
        if self.refers {
            words.push("that".to_string());
        }
        if !self.object.is_empty() {
            words.push(format!("({})", self.object.join(" ")));
        }
        words.extend(self.name.iter().map(|name| format!("\"{name}\"")));
        let fields = self.fields.iter().map(|(field, value)| format!("{field} = \"{value}\""));
        let fields: Vec<String> = fields.collect();
        if !fields.is_empty() {
            words.push(format!("with {}", fields.join(", ")));
        }
        words.extend(self.place.iter().map(|place| format!("{} {}", self.preposition, place.meaning())));
        words.extend(self.manner.iter().map(|manner| format!("[{manner}]")));
        words.join(" ")
    }
}
