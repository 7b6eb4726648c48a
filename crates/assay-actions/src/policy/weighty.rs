//! Words that weigh: what a label says of paying and deleting.
//!
//! Knows words of a few languages and what stands beside them: "Order now" pays, "Order by name" sorts.

/// What a text says that weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WeightyWords {
    pub pays: bool,
    pub deletes: bool,
}

pub fn weighty_words(text: &str) -> WeightyWords {
    // What nobody sees does not part a word.
    let text: String = text.chars().filter(|letter| !is_invisible(*letter)).collect();
    let lower = text.to_lowercase();
    let parts = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    let words: Vec<&str> = lower.split(parts).filter(|word| !word.is_empty()).collect();
    let mut said = WeightyWords { pays: false, deletes: text.chars().any(|letter| BINS.contains(&letter)) };
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at]);
        // `Clear all filters` clears filters.
        let behind = words[at + 1..].iter().copied().find(|word| !BETWEEN.contains(word));
        let about = |things: &[&str]| behind.is_some_and(|behind| things.contains(&behind));
        match *word {
            "order" => said.pays |= !about(OF_AN_ORDER) && !before.is_some_and(|word| SORTED.contains(&word)),
            "check" => said.pays |= words.get(at + 1) == Some(&"out"),
            "bid" => said.pays |= before.is_none_or(|word| matches!(word, "place" | "submit" | "confirm")),
            "offer" => {
                let verb =
                    words[..at].iter().rev().find(|word| !matches!(**word, "a" | "an" | "my" | "your"));
                said.pays |= verb.is_some_and(|verb| matches!(*verb, "make" | "place" | "submit"));
            }
            "cancel" => said.deletes |= about(CANCELLED),
            "clear" | "reset" | "empty" | "drop" | "discard" => said.deletes |= !about(OF_A_VIEW),
            // The name of an icon: `arrow_drop_down` drops nothing, `delete_forever` deletes.
            icon if icon.contains('_') => {
                said.deletes |= icon.split('_').any(|part| ALWAYS_DELETING.contains(&part));
            }
            word => {
                said.pays |= PAYING.contains(&word);
                said.deletes |= DELETING.contains(&word) || ALWAYS_DELETING.contains(&word);
            }
        }
    }
    said
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Pictures of bins.
const BINS: &[char] = &['\u{1f5d1}', '\u{1f6ae}'];

/// Words between a verb and its object.
const BETWEEN: &[&str] =
    &["all", "the", "my", "your", "this", "these", "current", "active", "search", "table"];

/// What stands behind "order" where nothing is ordered.
const OF_AN_ORDER: &[&str] = &[
    "by",
    "history",
    "details",
    "detail",
    "number",
    "no",
    "id",
    "status",
    "date",
    "list",
    "overview",
    "summary",
    "line",
    "lines",
    "item",
    "items",
    "of",
    "asc",
    "desc",
    "ascending",
    "descending",
    "column",
    "columns",
];

/// What stands before "order" where something is sorted, or an order is looked at.
const SORTED: &[&str] = &[
    "sort",
    "sorting",
    "in",
    "alphabetical",
    "reverse",
    "display",
    "descending",
    "ascending",
    "tab",
    "reading",
    "view",
    "show",
    "track",
    "open",
    "print",
    "find",
    "see",
];

/// What people cancel, and lose.
const CANCELLED: &[&str] = &[
    "subscription",
    "subscriptions",
    "order",
    "orders",
    "booking",
    "bookings",
    "reservation",
    "reservations",
    "plan",
    "membership",
    "account",
    "contract",
    "appointment",
    "appointments",
    "flight",
    "trip",
    "ticket",
    "tickets",
    "invoice",
];

/// What a view is made of: nothing is lost where it begins anew.
const OF_A_VIEW: &[&str] = &[
    "filter",
    "filters",
    "search",
    "query",
    "selection",
    "sort",
    "sorting",
    "order",
    "form",
    "field",
    "fields",
    "input",
    "zoom",
    "view",
    "layout",
    "columns",
    "rotation",
    "position",
    "down",
    "up",
    "highlight",
    "highlights",
];

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

/// Words that delete wherever they stand, also within the name of an icon.
const ALWAYS_DELETING: &[&str] =
    &["delete", "deletes", "deleting", "remove", "removes", "erase", "destroy", "trash"];

/// Other words on controls that delete, and in steps that allow it.
const DELETING: &[&str] = &[
    "wipe",
    "purge",
    "deactivate",
    "terminate",
    "revoke",
    "unsubscribe",
    "löschen",
    "entfernen",
    "supprimer",
    "eliminar",
    "borrar",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(label: &str, pays: bool, deletes: bool) {
        assert_eq!(weighty_words(label), WeightyWords { pays, deletes }, "{label}");
    }

    #[test]
    fn words_weigh_whatever_their_case_and_whatever_is_hidden_in_them() {
        check("Pay now", true, false);
        check("DELETE account", false, true);
        check("De\u{ad}lete", false, true);
        check("Delete\u{200b}d items", false, false);
        check("Löschen", false, true);
        check("Repayment plan", false, false);
        check("Save", false, false);
    }

    #[test]
    fn to_order_pays_and_an_order_of_things_does_not() {
        check("Order", true, false);
        check("Place order", true, false);
        check("Order now", true, false);
        check("Order with obligation to pay", true, false);
        check("Orders", false, false);
        check("Order by name", false, false);
        check("Order history", false, false);
        check("Sort order", false, false);
        check("Track order", false, false);
        check("Submit your order", true, false);
        check("Cancel order", true, true);
        check("Check out", true, false);
        check("Check availability", false, false);
        check("Place bid", true, false);
        check("Make an offer for the last lot", true, false);
        check("Offer details", false, false);
    }

    #[test]
    fn a_view_that_begins_anew_loses_nothing() {
        check("Clear filters", false, false);
        check("Clear all filters", false, false);
        check("Reset view", false, false);
        check("Clear history?", false, true);
        check("Reset", false, true);
        check("Empty basket", false, true);
        check("Cancel", false, false);
        check("Cancel subscription", false, true);
    }

    #[test]
    fn names_of_icons_are_words_of_their_own() {
        check("Kind Oak arrow_drop_down", false, false);
        check("delete_forever", false, true);
        check("\u{1f5d1}", false, true);
        check("\u{1f5d1}\u{fe0f}", false, true);
    }
}
