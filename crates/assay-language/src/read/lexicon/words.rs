//! Small closed groups of words.

use crate::{NumberIs, Ordinal};

pub(crate) const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "our", "his", "her", "any", "each",
    "every", "all", "another",
];

/// Said to be polite or for the rhythm; nothing changes without them.
pub(crate) const NOISE: &[&str] = &[
    "please",
    "now",
    "again",
    "also",
    "just",
    "first",
    "finally",
    "next",
    "simply",
    "kindly",
    "afterwards",
    "subsequently",
    "lastly",
    "once more",
    "then",
    "and",
    "so",
    "immediately",
    "carefully",
    "manually",
    "but",
];

/// Who acts and sees.
pub(crate) const PEOPLE: &[&str] = &[
    "i",
    "we",
    "you",
    "he",
    "she",
    "they",
    "user",
    "users",
    "tester",
    "customer",
    "visitor",
    "admin",
    "administrator",
    "guest",
    "member",
    "shopper",
    "buyer",
    "actor",
    "one",
];

pub(crate) const GHERKIN: &[&str] = &["given", "when", "then", "and", "but"];

/// Only in front of one of these is "the first …" a name rather than a place in a row.
pub(crate) const NAMES_AFTER_ORDINAL: &[&str] = &[
    "name", "names", "updated", "modified", "login", "seen", "visit", "week", "month", "year", "day",
    "changed", "edited", "class", "aid", "and", "chance", "payment",
];

/// Verbs that begin the name of a button: "Add item" is not an item.
pub(crate) const NAMING_VERBS: &[&str] = &[
    "add",
    "create",
    "delete",
    "save",
    "show",
    "view",
    "edit",
    "remove",
    "download",
    "upload",
    "print",
    "copy",
    "select",
    "choose",
    "open",
    "close",
    "send",
    "clear",
    "insert",
    "move",
    "hide",
    "export",
    "import",
    "report",
    "see",
    "browse",
    "change",
    "update",
    "duplicate",
    "share",
    "preview",
    "publish",
    "rename",
    "go",
    "reset",
];

/// What fields are usually called: such a word before a value names where it goes.
pub(crate) const FIELD_NAMES: &[&str] = &[
    "email",
    "e-mail",
    "mail",
    "username",
    "user",
    "login",
    "password",
    "name",
    "firstname",
    "lastname",
    "surname",
    "phone",
    "address",
    "street",
    "city",
    "town",
    "zip",
    "zipcode",
    "postcode",
    "country",
    "state",
    "title",
    "description",
    "comment",
    "message",
    "subject",
    "amount",
    "quantity",
    "price",
    "age",
    "date",
    "birthday",
    "company",
    "url",
    "website",
    "code",
    "pin",
    "otp",
    "id",
    "number",
    "cvv",
    "search",
    "note",
    "notes",
    "text",
    "value",
    "query",
    "keyword",
    "term",
    "region",
    "time",
    "language",
    "currency",
    "gender",
    "size",
    "colour",
    "color",
    "category",
    "type",
    "method",
    "plan",
    "role",
    "status",
    "priority",
    "month",
    "year",
    "day",
];

/// A value that the sentence does not give: "a valid email", "your name".
pub(crate) const UNGIVEN: &[&str] = &[
    "valid",
    "invalid",
    "correct",
    "incorrect",
    "wrong",
    "random",
    "some",
    "new",
    "different",
    "same",
    "existing",
    "unique",
    "any",
    "credentials",
    "details",
    "data",
    "information",
    "following",
    "everything",
    "something",
    "anything",
    "value",
    "values",
    "text",
];

/// Words that go before a value and say only that it is one.
pub(crate) const VALUE_NOUNS: &[&str] = &[
    "text", "value", "string", "number", "word", "phrase", "keyword", "query", "term", "values", "date",
    "words",
];

pub(crate) fn ordinal(word: &str) -> Option<Ordinal> {
    const NAMED: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    if matches!(word, "last" | "final" | "bottommost") {
        return Some(Ordinal::Last);
    }
    if word == "topmost" {
        return Some(Ordinal::Nth(1));
    }
    if let Some(index) = NAMED.iter().position(|name| *name == word) {
        return Some(Ordinal::Nth(index + 1));
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
    digits.parse().ok().filter(|number| *number > 0).map(Ordinal::Nth)
}

/// "two", "a dozen" is not one.
pub(crate) fn number_word(word: &str) -> Option<f64> {
    const NAMED: &[&str] = &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    NAMED.iter().position(|name| *name == word).map(|index| index as f64)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Exactly,
    AtLeast,
    AtMost,
    More,
    Less,
}

/// Said before a number.
const COMPARISONS: &[(&[&str], Compare)] = &[
    (&["greater", "than", "or", "equal", "to"], Compare::AtLeast),
    (&["more", "than", "or", "equal", "to"], Compare::AtLeast),
    (&["less", "than", "or", "equal", "to"], Compare::AtMost),
    (&["not", "less", "than"], Compare::AtLeast),
    (&["no", "less", "than"], Compare::AtLeast),
    (&["no", "fewer", "than"], Compare::AtLeast),
    (&["not", "more", "than"], Compare::AtMost),
    (&["no", "more", "than"], Compare::AtMost),
    (&["a", "minimum", "of"], Compare::AtLeast),
    (&["a", "maximum", "of"], Compare::AtMost),
    (&["a", "total", "of"], Compare::Exactly),
    (&["at", "least"], Compare::AtLeast),
    (&["at", "most"], Compare::AtMost),
    (&["up", "to"], Compare::AtMost),
    (&["more", "than"], Compare::More),
    (&["greater", "than"], Compare::More),
    (&["higher", "than"], Compare::More),
    (&["bigger", "than"], Compare::More),
    (&["larger", "than"], Compare::More),
    (&["less", "than"], Compare::Less),
    (&["fewer", "than"], Compare::Less),
    (&["lower", "than"], Compare::Less),
    (&["smaller", "than"], Compare::Less),
    (&["equal", "to"], Compare::Exactly),
    (&["over"], Compare::More),
    (&["above"], Compare::More),
    (&["under"], Compare::Less),
    (&["below"], Compare::Less),
    (&["exactly"], Compare::Exactly),
    (&["only"], Compare::Exactly),
    (&["minimum"], Compare::AtLeast),
    (&["maximum"], Compare::AtMost),
];

pub(crate) fn comparison(words: &[&str]) -> Option<(Compare, usize)> {
    COMPARISONS
        .iter()
        .find(|(phrase, _)| words.len() >= phrase.len() && words[..phrase.len()] == **phrase)
        .map(|(phrase, compare)| (*compare, phrase.len()))
}

impl Compare {
    pub(crate) fn to(self, number: f64) -> NumberIs {
        match self {
            Compare::Exactly => NumberIs::Exactly(number),
            Compare::AtLeast => NumberIs::AtLeast(number),
            Compare::AtMost => NumberIs::AtMost(number),
            Compare::More => NumberIs::MoreThan(number),
            Compare::Less => NumberIs::LessThan(number),
        }
    }
}

/// A judgement that no look at a page can make.
pub(crate) const OPINIONS: &[&str] = &[
    "nice",
    "good",
    "great",
    "fine",
    "ok",
    "okay",
    "correct",
    "correctly",
    "properly",
    "well",
    "fast",
    "slow",
    "quickly",
    "responsive",
    "expected",
    "intended",
    "usable",
    "beautiful",
    "pretty",
    "clean",
    "consistent",
    "appropriate",
    "appropriately",
    "right",
    "wrong",
    "working",
    "functional",
    "stable",
    "secure",
    "smooth",
    "smoothly",
    "acceptable",
    "accurate",
    "intuitive",
    "readable",
    "accordingly",
    "aligned",
    "perfect",
    "perfectly",
    "reasonable",
    "user-friendly",
    "normal",
    "normally",
    "complete",
    "valid",
    "proper",
    "nicely",
    "better",
];

/// Colours are not judged by their names.
pub(crate) const COLOURS: &[&str] = &[
    "red", "green", "blue", "yellow", "orange", "black", "white", "grey", "gray", "purple", "pink", "brown",
    "bold", "italic",
];

/// Pages that are called so without the word "page".
pub(crate) const PAGE_NAMES: &[&str] = &["dashboard", "homepage", "home"];
