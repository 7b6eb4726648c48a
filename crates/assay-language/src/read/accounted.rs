//! Whether the reading of a sentence covers everything that it names. Half a sentence is worse than none: an unused
//! name would silently widen a step or weaken a claim.

use crate::{
    About, Act, ChangeIs, Claim, ElementKind, Intent, Matcher, Nearness, NumberIs, Piece, Relation, Target,
    TextRole, Toggle, WaitGoal,
};

use super::acts::verbs::{self, Verb};
use super::lexicon::application_verbs::application_verb;
use super::lexicon::claim_verbs::{claim_verb, helper};
use super::lexicon::words::{DETERMINERS, GHERKIN, NOISE, PAGE_NAMES, PEOPLE, number_word, ordinal};
use super::lexicon::{keys, nouns, relations, states};
use super::phrase::Phrase;
use super::token::{Token, TokenKind};

/// The first name, number or word of a place in the sentence that nothing was made of.
pub(crate) fn dropped(sentence: Phrase<'_>, intents: &[Intent]) -> Option<String> {
    let mut kept = Kept::default();
    intents.iter().for_each(|intent| kept.intent(intent));
    let acts = intents.iter().any(|intent| matches!(intent, Intent::Act(_)));
    // "Both the name and the email field are empty": each of the two is claimed.
    let claims = intents.iter().filter(|intent| matches!(intent, Intent::Claim(_))).count();
    if claims == 2 && !acts && sentence.find(&["both"]) < sentence.find(&["and"]) {
        kept.quantity(&["both"]);
    }
    if acts && let Some(word) = kept.superlative.take() {
        return Some(word);
    }
    let named = sentence
        .tokens
        .iter()
        .find(|token| match token.kind {
            // A key has many names: "Ctrl+S" is Control and s.
            TokenKind::Quoted => !(kept.has_text(&token.text) || kept.presses && is_key(&token.text)),
            TokenKind::Path if token.text == "/" => false,
            TokenKind::Word if is_quantity(token, acts) && !is_purpose(sentence, token) => {
                !kept.quantities.contains(&token.low) && !kept.has_word(&token.low)
            }
            TokenKind::Word => {
                is_name(token)
                    && !kept.has_word(&token.low)
                    && !is_sort_of_page(sentence, token)
                    && (!acts || !is_purpose(sentence, token) || sentence.has(":"))
            }
            TokenKind::Amount | TokenKind::Url | TokenKind::Path => !kept.has_text(&token.text),
            _ => false,
        })
        .map(|token| token.text.clone());
    named.or_else(|| unused(sentence, intents, &kept))
}

/// Words behind a preposition that name no place, or are part of the word for one.
const SMALL: &[&str] = &[
    "alphabetical",
    "ascending",
    "descending",
    "low",
    "high",
    "least",
    "most",
    "be",
    "to",
    "not",
    "no",
    "that",
    "still",
    "new",
    "named",
    "main",
    "bar",
    "side",
    "top",
    "bottom",
    "app",
    "application",
    "anymore",
    "any",
    "anything",
    "filling",
    "using",
    "browser",
];

/// Everything that decides an act or a claim; not the words that are only for messages.
#[derive(Debug, Default)]
struct Kept {
    texts: Vec<String>,
    numbers: Vec<f64>,
    /// Keys are pressed.
    presses: bool,
    /// Something is meant that has no name.
    is_nameless: bool,
    /// "The cheapest product": which one that is has to be found out first.
    superlative: Option<String>,
    /// Words for how many, which, and in what order, that the reading stands for.
    quantities: Vec<String>,
}

/// Words that change what is meant by how many or which of several things. A reading without them is another one.
fn is_quantity(token: &Token, acts: bool) -> bool {
    const OF_ACTS: &[&str] = &["all", "every", "each", "both", "only", "except"];
    const OF_CLAIMS: &[&str] = &[
        "once",
        "twice",
        "thrice",
        "times",
        "instead",
        "initially",
        "respectively",
        "together",
        "alone",
        "exclusively",
        "same",
        "half",
    ];
    let is_ordinal = || ordinal(&token.low).is_some() && !token.is("final");
    // "First, click …" and "Once the page has loaded" begin a sentence. An act is read with its ordinals.
    token.from > 0 && (token.is_any(OF_ACTS) || !acts && (token.is_any(OF_CLAIMS) || is_ordinal()))
}

/// "Click the arrow to mark all as done": what an act is for is not what it is on.
fn is_purpose(sentence: Phrase<'_>, token: &Token) -> bool {
    let words = sentence.words();
    (1..sentence.len()).any(|at| {
        words[at] == "to"
            && sentence.tokens[at].from < token.from
            && sentence.get(at + 1).is_some_and(|next| !next.is_capital() && next.from < token.from)
            && (verbs::verb(&words[at + 1..]).is_some() || application_verb(words[at + 1]).is_some())
            && verbs::verb(&words).is_some_and(|found| found.verb == Verb::Click)
    })
}

/// Behind "to", where the sentence presses something.
fn is_behind_to(sentence: Phrase<'_>, at: usize) -> bool {
    let words = sentence.words();
    let start = words.iter().take_while(|word| PEOPLE.contains(word) || DETERMINERS.contains(word)).count();
    let presses =
        verbs::verb(&words[start..]).is_some_and(|found| matches!(found.verb, Verb::Click | Verb::Press));
    presses && sentence.find(&["to"]).is_some_and(|to| to > 1 && to < at)
}

/// `the "Budget" Activity page`: what sort of page it is; its name is quoted.
fn is_sort_of_page(sentence: Phrase<'_>, token: &Token) -> bool {
    sentence
        .tokens
        .windows(3)
        .any(|three| three[0].is_quoted() && three[1].from == token.from && three[2].is("page"))
}

/// "Ctrl+S", "Page Down".
fn is_key(text: &str) -> bool {
    text.chars().count() == 1 || keys::key(text).is_some() || keys::chord(text).is_some()
}

/// A word in capitals inside a sentence that is no word of grammar: the name of something.
fn is_name(token: &Token) -> bool {
    const NO_NAMES: &[&str] = &[
        "url", "ok", "okay", "yes", "no", "cancel", "a", "z", "title", "ui", "html", "id", "i", "not",
        "context",
    ];
    let word = token.low.as_str();
    let is_grammar = NO_NAMES.contains(&word) || is_grammar(word);
    token.is_capital() && token.from > 0 && !is_grammar
}

/// Words of the language itself, and of the interpreter.
fn is_grammar(word: &str) -> bool {
    let one = [word];
    DETERMINERS.contains(&word)
        || NOISE.contains(&word)
        || PEOPLE.contains(&word)
        || GHERKIN.contains(&word)
        || ordinal(word).is_some()
        || number_word(word).is_some()
        || verbs::verb(&one).is_some()
        || claim_verb(word).is_some()
        || helper(word).is_some()
        || nouns::noun(&one).is_some()
        || states::state(&one).is_some()
        || relations::relation(&one).is_some()
}

/// The first word in small letters that nothing was made of, in a place or in what a nameless thing is for: "in site
/// administration", "the toggle to disable the menu". A reading without it would be about any such thing.
fn unused(sentence: Phrase<'_>, intents: &[Intent], kept: &Kept) -> Option<String> {
    // "Log out of my account": nothing else could be meant.
    if intents.iter().any(|intent| matches!(intent, Intent::Act(Act::LogOut | Act::TakeScreenshot))) {
        return None;
    }
    let is_free = |at: usize| {
        let token = &sentence.tokens[at];
        let word = token.low.as_str();
        token.kind != TokenKind::Word
            || token.is_capital()
            || !word.chars().all(|letter| letter.is_alphabetic() || letter == '-')
            || is_grammar(word)
            || PAGE_NAMES.contains(&word)
            || SMALL.contains(&word)
            || word == "more" && at > 0 && sentence.tokens[at - 1].is("any")
            || application_verb(word).is_some()
            || kept.has_word(word)
            || is_sort_of_named(sentence, at)
            || is_part_of_noun(sentence, at)
            || !(is_in_place(sentence, at) || kept.is_nameless && is_behind_to(sentence, at))
    };
    (0..sentence.len()).find(|at| !is_free(*at)).map(|at| sentence.tokens[at].text.clone())
}

/// "The date picker" is a kind of field.
fn is_part_of_noun(sentence: Phrase<'_>, at: usize) -> bool {
    let words = sentence.words();
    (at.saturating_sub(1)..=at)
        .any(|from| words.get(from..from + 2).is_some_and(|two| nouns::noun(two).is_some()))
}

/// Behind a preposition, in the same phrase.
fn is_in_place(sentence: Phrase<'_>, at: usize) -> bool {
    const BEFORE_PLACES: &[&str] = &["in", "on", "at", "from", "within", "inside", "under", "of", "for"];
    let is_word = |at: &usize| sentence.get(*at).is_some_and(|token| token.kind == TokenKind::Word);
    let mut before = (at.saturating_sub(4)..at).rev().take_while(is_word);
    before.any(|at| at > 1 && sentence.tokens[at].is_any(BEFORE_PLACES))
}

/// `the "Offline" payment method`, `the organisation named "Friendly"`: what the named thing is.
fn is_sort_of_named(sentence: Phrase<'_>, at: usize) -> bool {
    const NAMED: &[&str] = &["named", "called", "titled", "with", "of", "a", "the"];
    let is_quoted = |at: usize| sentence.get(at).is_some_and(Token::is_quoted);
    let is_name = |at: usize| {
        is_quoted(at) || sentence.get(at).is_some_and(|token| token.is_any(NAMED)) && is_quoted(at + 1)
    };
    let after = (1..3).any(|back| at.checked_sub(back).is_some_and(is_quoted));
    let is_joined = || {
        let joins = sentence.get(at + 1).is_some_and(|next| next.is_any(&["or", "and"]));
        joins && is_sort_of_named(sentence, at + 2)
    };
    after
        || is_joined()
        || is_name(at + 1)
        || sentence.get(at + 1).is_some_and(|next| next.kind == TokenKind::Word) && is_name(at + 2)
}

impl Kept {
    fn has_text(&self, text: &str) -> bool {
        let plain = text.trim().to_lowercase();
        let digits: String = plain.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        let number = digits.parse::<f64>().ok();
        plain.is_empty()
            || self.texts.iter().any(|known| known.contains(&plain))
            || number.is_some_and(|number| self.numbers.contains(&number))
    }

    /// In any form: "Ada's" is Ada.
    fn has_word(&self, word: &str) -> bool {
        let stem = word.trim_end_matches("'s").trim_end_matches('s');
        self.texts.iter().any(|known| known.contains(stem)) || self.presses
    }

    fn text(&mut self, text: &str) {
        self.texts.push(text.to_lowercase());
    }

    fn intent(&mut self, intent: &Intent) {
        match intent {
            Intent::Act(act) => {
                if let Act::Check { to: Toggle::On | Toggle::Off, .. } = act {
                    self.texts.extend(["on".to_string(), "off".to_string()]);
                }
                if let Act::Wait { until: WaitGoal::Seconds(seconds) } = act {
                    self.numbers.extend([*seconds, seconds / 60.0, seconds * 1000.0]);
                }
                act.visit(&mut |piece| self.piece(piece));
            }
            Intent::Claim(claim) => self.claim(claim),
        }
    }

    fn quantity(&mut self, words: &[&str]) {
        self.quantities.extend(words.iter().map(|word| word.to_string()));
    }

    fn quantities_of(&mut self, about: &About) {
        match about {
            About::Each { .. } => self.quantity(&["all", "every", "each", "both"]),
            // "All checkboxes are checked" as none that is not, and "only 3 rows" as exactly so many.
            About::Count { .. } => self.quantity(&["all", "every", "each", "only"]),
            About::Value { text: Matcher::Equals(_), target } if target.kind == Some(ElementKind::Column) => {
                self.quantity(&["all", "every", "each"]);
            }
            About::Changed { how: ChangeIs::By(number), .. } => self.numbers.push(number.abs()),
            About::Only { .. } => self.quantity(&["only"]),
            About::InOrder { .. } => self.quantity(&["order"]),
            About::Sorted { .. } => self.quantity(&["order", "first", "last"]),
            About::Times { .. } => self.quantity(&["once", "twice", "thrice", "times", "only"]),
            _ => {}
        }
    }

    fn claim(&mut self, claim: &Claim) {
        // A claim that is not fully understood is not judged either.
        if matches!(claim.about, About::Unknown { .. }) {
            self.text(&claim.said);
        }
        self.quantities_of(&claim.about);
        claim.about.visit(&mut |piece| self.piece(piece));
    }

    fn piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Target(target, _) => self.target(target),
            Piece::MaybeTarget(target, _) => target.iter().for_each(|target| self.target(target)),
            Piece::Text(text, role) => {
                self.presses |= role == TextRole::Key;
                self.text(text);
            }
            Piece::Words(words) => self.text(&words.join(" ")),
            Piece::Matcher(text, _) => self.matcher(text),
            Piece::Number(number) => self.number(*number),
            Piece::Claim(claim) => self.claim(claim),
            Piece::Act(act) => act.visit(&mut |piece| self.piece(piece)),
        }
    }

    fn target(&mut self, target: &Target) {
        target.quoted.iter().for_each(|quoted| self.text(quoted));
        self.is_nameless |= target.is_nameless() && target.relations.is_empty() && target.ordinal.is_none();
        self.text(&target.words.join(" "));
        const MOST: &[&str] = &[
            "cheapest", "newest", "oldest", "latest", "largest", "smallest", "highest", "lowest", "longest",
            "shortest", "biggest", "earliest", "best", "worst",
        ];
        let is_thing = target.kind.is_some_and(ElementKind::is_entry);
        if is_thing && target.quoted.is_none() {
            let most = target.words.iter().find(|word| MOST.contains(&word.as_str()));
            self.superlative = most.cloned().or(self.superlative.take());
        }
        if target.ordinal.is_some() {
            // Which number it is was read from the very word.
            self.text(&target.said);
        }
        if target.among.is_some() {
            self.quantity(&["both"]);
        }
        if target.relations.iter().any(|relation| relation.how == Nearness::SameRow) {
            self.quantity(&["same"]);
        }
        target.text.iter().for_each(|text| self.matcher(text));
        target.relations.iter().for_each(|Relation { to, .. }| self.target(to));
    }

    fn matcher(&mut self, matcher: &Matcher) {
        match matcher {
            Matcher::Contains(text)
            | Matcher::Equals(text)
            | Matcher::Said(text)
            | Matcher::Address(text)
            | Matcher::StartsWith(text)
            | Matcher::EndsWith(text)
            | Matcher::Sentence(text)
            | Matcher::Pattern(text) => self.text(text),
            Matcher::Words(words) => self.text(&words.join(" ")),
            Matcher::Number(number) => self.number(*number),
            Matcher::Amount(number, _) => self.number(*number),
            Matcher::Empty => {}
        }
    }

    fn number(&mut self, number: NumberIs) {
        match number {
            NumberIs::Exactly(one)
            | NumberIs::AtLeast(one)
            | NumberIs::AtMost(one)
            | NumberIs::MoreThan(one)
            | NumberIs::LessThan(one) => self.numbers.push(one),
            NumberIs::Between(low, high) => self.numbers.extend([low, high]),
            NumberIs::AtLeastOne => {}
        }
    }
}
