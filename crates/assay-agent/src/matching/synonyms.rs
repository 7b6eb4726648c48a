//! Words of the trade that say the same, so that a test is found by what it is about.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tokens::stem;

/// Groups of words and phrases with one meaning; endings do not matter.
const GROUPS: &[&[&str]] = &[
    &["login", "log in", "logon", "log on", "sign in", "signin", "authenticate", "authentication"],
    &["logout", "log out", "log off", "sign out", "signout", "sign off"],
    &["register", "registration", "sign up", "signup", "enrol", "enroll", "create account"],
    &["password", "pw", "pwd", "passwd", "passphrase", "passcode"],
    &["credential", "user name"],
    &["pin", "pin code"],
    &["wrong", "incorrect", "false", "bad", "mistyped", "invalid"],
    &["valid", "correct", "proper", "right one"],
    &["lock", "block", "ban", "suspend", "lock out", "blocked"],
    &["reset", "forgot", "forget", "forgotten", "recover", "recovery", "restore"],
    &["mail", "email", "e mail"],
    &["phone", "telephone", "mobile number"],
    &["cart", "basket", "trolley", "shopping bag"],
    &["checkout", "check out", "buy", "purchase", "bought", "place order"],
    &["pay", "paid", "payment"],
    &["unpaid", "nobody pay", "nobody paid", "not pay", "not paid", "never paid", "overdue", "outstanding"],
    &["refund", "money back", "reimburse", "reimbursement", "pay back"],
    &["order", "purchase order"],
    &["card", "credit card", "visa", "mastercard"],
    &["voucher", "coupon", "discount code", "promo code", "promotion code", "gift code"],
    &["guest", "without account", "without an account", "no account", "unregistered"],
    &["customer", "client", "buyer", "shopper"],
    &["ticket", "place"],
    &["seat map", "seat plan", "seating plan", "seating map", "seating chart", "seat chart", "floor plan"],
    &["sold", "taken", "sold out", "unavailable"],
    &["search", "find", "found", "look up", "look for", "searched"],
    &[
        "without result",
        "no result",
        "no hit",
        "no match",
        "nothing found",
        "find nothing",
        "zero result",
        "without hit",
        "empty result",
        "without match",
    ],
    &["city", "town", "place name"],
    &["nearby", "near me", "close by", "near", "neighbourhood", "neighborhood", "around me", "vicinity"],
    &["concert", "show", "gig"],
    &["event", "happening"],
    &["create", "new", "make", "set up", "add"],
    &["delete", "remove", "get rid", "throw away", "throw out", "erase", "discard"],
    &["sort", "alphabetical", "alphabetic", "alphabetically", "in order"],
    &["import", "load", "read in", "ingest", "bring in"],
    &["export", "dump"],
    &["abandon", "left behind", "forgotten", "orphaned", "stale", "lying around"],
    &["empty", "clear", "clean", "clean up", "flush", "purge"],
    &["open", "opening", "go to", "goto", "navigate", "visit", "bring me", "take me", "get me"],
    &["screen", "page", "view"],
    &["staff", "employee", "organiser", "organizer", "clerk", "colleague"],
    &["backoffice", "back office", "admin"],
    &["holiday", "vacation", "leave", "day off"],
    &["doctor", "physician", "dr", "medic"],
    &["nurse"],
    &["patient"],
    &["minor", "child", "kid", "underage", "under age", "small child", "small children", "children"],
    &["refuse", "reject", "deny", "turn down", "turn away", "decline"],
    &["appointment", "visit slot"],
    &["cancel", "call off"],
    &["move", "reschedule", "postpone", "shift", "put off"],
    &["book", "reserve"],
    &["duplicate", "twice", "double", "doubled"],
    &["merge", "combine", "unify"],
    &["invoice", "bill"],
    &["reminder", "remind", "dunning"],
    &["print", "printer", "printout"],
    &["message", "notification", "notify", "notice"],
    &["send", "dispatch"],
    &["letter", "post", "by post"],
    &["sms", "text message"],
    &["seed", "invent", "generate", "made up", "fake", "dummy", "fabricate"],
    &["anonymous", "anonymise", "anonymize", "pseudonymise"],
    &["close", "shut"],
    &["calendar", "agenda", "schedule"],
    &["device", "gadget"],
    &["scanner", "scan gate"],
    &["list", "listing"],
    &["three", "3"],
    &["two", "2"],
    &["four", "4"],
    &["five", "5"],
    &["discover", "explore"],
    &["profile", "account", "user account"],
    &["price", "cost", "total"],
    &["setting", "preference", "option"],
    &["upload", "attach"],
    &["picture", "photo", "image"],
    &["error", "mistake"],
];

/// All words of all groups.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|group| group.iter().flat_map(|phrase| phrase.split(' ')))
}

/// The group of a phrase of stems, as one word.
fn group_of(phrase: &str) -> Option<&'static str> {
    static PHRASES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
        let mut phrases = HashMap::new();
        for group in GROUPS {
            for words in *group {
                let stems: Vec<String> = words.split(' ').map(stem).collect();
                phrases.entry(stems.join(" ")).or_insert(group[0]);
            }
        }
        phrases
    });
    PHRASES.get(phrase).copied()
}

/// A word or phrase by its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    /// What all words of a group have in common, or the stem of the word.
    pub key: String,
    /// The first word.
    pub from: usize,
    /// After the last word.
    pub to: usize,
}

/// The meanings of a row of stems; where phrases overlap, the longer one that comes first.
pub(super) fn terms(stems: &[String]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < stems.len() {
        let phrase = (2..=3.min(stems.len() - from))
            .rev()
            .find_map(|length| group_of(&stems[from..from + length].join(" ")).map(|group| (group, length)));
        let (key, length) = match phrase {
            Some((group, length)) => (group.to_string(), length),
            None => (group_of(&stems[from]).map_or_else(|| stems[from].clone(), str::to_string), 1),
        };
        found.push(Term { key, from, to: from + length });
        from += length;
    }
    found
}

const DERIVED: &[&str] = &[
    "isation", "ization", "ation", "ition", "ment", "ness", "tion", "sion", "ance", "ence", "able", "ible",
    "ist", "ity", "is", "iz", "er", "or", "al", "ly", "ful", "ty", "ion", "y",
];

/// What a word has in common with the words that are made from it.
fn root(word: &str) -> &str {
    let shorter = |ending: &&&str| word.len() >= ending.len() + 4 && word.ends_with(**ending);
    DERIVED.iter().find(shorter).map_or(word, |ending| &word[..word.len() - ending.len()])
}

/// Whether two words are one in another form: `special-ty` and `special-ised`, but not `price` and `print`.
pub(super) fn is_same_word(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (root(one), root(other));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    one == other && one.len() >= 4
        || short.len() >= 5 && long.len() - short.len() <= 2 && long.starts_with(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> String {
        let stems: Vec<String> = text.split(' ').map(stem).collect();
        terms(&stems).into_iter().map(|term| term.key).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_of_one_meaning_have_one_key() {
        for (one, other) in [
            ("sign in", "login"),
            ("logged in", "login"),
            ("purchasing", "checkout"),
            ("no hits", "without results"),
            ("coupons", "voucher"),
            ("money back", "refund"),
        ] {
            assert_eq!(keys(one), keys(other), "{one}");
        }
        assert_ne!(keys("card"), keys("cart"));
    }

    #[test]
    fn forms_of_a_word_are_one_word() {
        for (one, other, is_one) in [
            ("specialise", "specialty", true),
            ("consultation", "consult", true),
            ("registered", "registration", true),
            ("price", "print", false),
            ("search", "season", false),
            ("seat", "seed", false),
        ] {
            let (one, other) = (keys(one), keys(other));
            assert_eq!(is_same_word(&one, &other), is_one, "{one} {other}");
        }
    }
}
