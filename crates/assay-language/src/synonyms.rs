//! Words that mean the same on pages. Data only: each line is one meaning.
//!
//! An exact name always beats a synonym, and quoted text is never replaced.

use crate::ground::words::same_word;

/// Names of the same thing.
const SAME: &[&[&str]] = &[
    &["log in", "sign in", "login", "signin", "log on", "logon"],
    &["log out", "sign out", "logout", "signout", "log off", "logoff"],
    &["sign up", "register", "create account", "signup", "create an account", "registration", "join"],
    &["cart", "basket", "bag", "shopping cart", "shopping basket", "shopping bag"],
    &["delete", "remove", "bin", "trash", "discard", "destroy"],
    &["search", "find", "look up"],
    &["settings", "preferences", "options", "configuration"],
    &["profile", "account", "my account", "user profile"],
    &["email", "e mail", "email address", "mail address"],
    &[
        "phone",
        "telephone",
        "mobile",
        "phone number",
        "telephone number",
        "mobile number",
        "tel",
        "cell phone",
    ],
    &["next", "continue", "proceed"],
    &["previous", "back", "prev"],
    &["close", "dismiss", "×", "x", "✕"],
    &["username", "user name", "login name", "user id", "userid", "login id"],
    &["password", "passwd", "pass word", "passcode"],
    &["first name", "given name", "forename", "firstname", "fname"],
    &["last name", "surname", "family name", "lastname", "lname"],
    &["zip", "zip code", "postal code", "postcode", "post code", "zipcode"],
    &["address", "street", "street address", "address line 1"],
    &["city", "town"],
    &["date of birth", "birthday", "birth date", "dob", "bday"],
    &["menu", "hamburger", "navigation menu", "main menu"],
    &["edit", "modify", "change", "pencil"],
    &["add", "create", "new", "plus"],
    &["quantity", "qty"],
    &["home", "homepage", "home page", "start page", "main page"],
    &["notifications", "alerts", "bell"],
    &["favorite", "favourite", "like", "heart", "wishlist", "wish list"],
    &["checkout", "check out"],
    &["place order", "order now", "buy now", "complete order", "complete purchase"],
    &["pay", "pay now", "make payment"],
    &["comment", "remark", "note"],
    &["message", "msg"],
    &["photo", "picture", "image", "avatar"],
    &["download", "export"],
    &["upload", "import"],
    &["refresh", "reload"],
    &["play", "start playback"],
    &["full screen", "fullscreen", "maximize"],
    &["mute", "sound off", "volume off"],
    &["help", "support", "faq"],
    &["contact", "contact us", "get in touch"],
    &["terms", "terms and conditions", "terms of service", "terms of use"],
    &["remember me", "keep me logged in", "keep me signed in", "stay signed in", "stay logged in"],
    &["forgot password", "reset password", "forgotten password", "forgot your password", "lost password"],
    &["sort", "sort by", "order by"],
    &["card number", "credit card number", "credit card", "cc number", "cardnumber"],
    &["cvc", "cvv", "security code", "card code", "csc"],
    &["expiry", "expiry date", "expiration", "expiration date", "exp date", "valid until"],
    &["reply", "respond"],
    &["dashboard", "overview"],
    &["show", "view", "display"],
    &["more", "show more", "load more", "see more", "view more"],
    &["dark mode", "dark theme", "night mode"],
    &["language", "locale"],
    &["country", "nation"],
    &["title", "subject", "headline"],
    &["company", "organization", "organisation"],
    &["task", "todo", "to do"],
    &["yes", "ok", "okay", "confirm", "agree", "accept"],
];

/// Names that replace each other only if there is no better match.
const NEAR: &[&[&str]] = &[
    &["submit", "send", "save", "ok"],
    &["username", "email", "login"],
    &["cancel", "close", "dismiss", "no thanks"],
    &["name", "full name", "your name"],
    &["search", "go", "query", "keyword", "q"],
    &["product", "item", "article"],
    &["message", "text", "comment"],
];

/// A way to say the same, and how good it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variant {
    pub(crate) words: Vec<String>,
    pub(crate) worth: f64,
}

pub(crate) const SYNONYM: f64 = 0.85;
pub(crate) const NEAR_SYNONYM: f64 = 0.66;

/// The words themselves first, then each way to say them with one phrase replaced.
pub(crate) fn variants(words: &[String]) -> Vec<Variant> {
    let mut ways = vec![Variant { words: words.to_vec(), worth: 1.0 }];
    for (table, worth) in [(SAME, SYNONYM), (NEAR, NEAR_SYNONYM)] {
        for group in table {
            for phrase in *group {
                let from: Vec<&str> = phrase.split(' ').collect();
                for start in 0..words.len() {
                    let fits = words.len() - start >= from.len()
                        && from.iter().zip(&words[start..]).all(|(one, other)| same_word(one, other));
                    if !fits {
                        continue;
                    }
                    for other in group.iter().filter(|other| *other != phrase) {
                        let mut replaced = words[..start].to_vec();
                        replaced.extend(other.split(' ').map(str::to_string));
                        replaced.extend_from_slice(&words[start + from.len()..]);
                        if !ways.iter().any(|way| way.words == replaced) {
                            ways.push(Variant { words: replaced, worth });
                        }
                    }
                }
            }
        }
    }
    ways
}

/// Words that commit something when they are pressed.
const COMMITTING: &[&str] = &[
    "submit",
    "pay",
    "buy",
    "order",
    "delete",
    "remove",
    "send",
    "save",
    "confirm",
    "checkout",
    "register",
    "apply",
    "publish",
    "post",
    "book",
    "transfer",
    "purchase",
    "subscribe",
    "unsubscribe",
    "discard",
    "trash",
    "donate",
    "reserve",
    "finish",
    "complete",
    "login",
    "logout",
    "signup",
    "signin",
    "signout",
    "approve",
    "reject",
    "archive",
];
const COMMITTING_PAIRS: &[(&str, &str)] =
    &[("log", "in"), ("sign", "in"), ("sign", "up"), ("log", "out"), ("sign", "out"), ("check", "out")];

/// Whether pressing what has this name commits something.
pub fn name_commits(name: &str) -> bool {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    commits(&words)
}

/// Whether pressing a control with this name commits something: it must not be pressed twice.
pub(crate) fn commits(words: &[String]) -> bool {
    words.iter().any(|word| COMMITTING.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| COMMITTING_PAIRS.iter().any(|(one, two)| pair[0] == *one && pair[1] == *two))
        || words.windows(2).any(|pair| pair[0] == "create" && pair[1] == "account")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_replaced_inside_other_words() {
        let said = ["shopping", "cart", "icon"].map(str::to_string);
        let ways = variants(&said);
        assert_eq!(ways[0].words, said);
        assert!(ways.iter().any(|way| way.words == ["basket", "icon"] && way.worth == SYNONYM));
    }

    #[test]
    fn some_names_commit() {
        let words = |text: &str| crate::ground::words::words_of(text);
        assert!(commits(&words("Place order")) && commits(&words("Log in")) && commits(&words("Delete")));
        assert!(!commits(&words("Show details")) && !commits(&words("Next")));
    }
}
