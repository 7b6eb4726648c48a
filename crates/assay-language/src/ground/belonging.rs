//! Whether a row belongs to a name or only mentions it: Ada's row, or that of a person whose boss is called Ada.
//! Checked before deleting or paying, because both rows contain the name.

use crate::{Decision, Nearness, Target};

use super::Grounding;
use super::view::View;
use super::words::{fold, same_word, words_of};

/// Heads of columns that tell which one a row is.
const NAMING: &[&str] = &[
    "name",
    "title",
    "id",
    "no",
    "nr",
    "number",
    "email",
    "mail",
    "user",
    "username",
    "login",
    "customer",
    "product",
    "item",
    "order",
    "subject",
    "file",
    "filename",
    "code",
    "sku",
    "reference",
    "key",
    "description",
];

impl Grounding<'_> {
    /// A committing act needs an entry with that name, not one that only mentions it.
    pub(super) fn belongs(&self, target: &Target, at: usize) -> Result<(), Decision> {
        let view = self.view;
        if !self.is_committing(at) {
            return Ok(());
        }
        let Some(entry) = view.entry_of(at).filter(|entry| *entry != at) else { return Ok(()) };
        for relation in &target.relations {
            let Some(quoted) = &relation.to.quoted else { continue };
            if !matches!(relation.how, Nearness::SameRow | Nearness::For | Nearness::Inside) {
                continue;
            }
            let mentions: Vec<usize> = view
                .inside(entry)
                .filter(|inner| view.node(*inner).role == "text" && fold(view.text(*inner)) == fold(quoted))
                .collect();
            if !mentions.is_empty()
                && !mentions.iter().any(|place| tells_which(view, entry, *place, &relation.to.words))
            {
                return Err(Decision::Unclear {
                    why: format!("\"{quoted}\" is in the row, but nothing shows that the row belongs to it"),
                    candidates: view.lines([at]),
                    clearer: "name the row by its first column".to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Whether a text of an entry is what the entry is called: its first text, a heading or link, a column of names.
fn tells_which(view: &View, entry: usize, place: usize, said: &[String]) -> bool {
    let first = view
        .inside(entry)
        .find(|inner| view.node(*inner).role == "text" && !view.text(*inner).trim().is_empty())
        .is_some_and(|first| first == place);
    if first || view.text(place).contains('@') {
        return true;
    }
    std::iter::once(place).chain(view.scene.ancestors(place)).take_while(|around| *around != entry).any(
        |around| {
            let node = view.node(around);
            matches!(node.role.as_str(), "heading" | "link" | "rowheader" | "term")
                || node.attribute("column").is_some_and(|head| {
                    let is_name = |word: &String| {
                        NAMING.contains(&word.as_str()) || said.iter().any(|other| same_word(word, other))
                    };
                    words_of(head).iter().any(is_name)
                })
        },
    )
}
