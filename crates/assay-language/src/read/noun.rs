//! Noun phrases: what part of the page is meant.
//!
//! "the second "Edit" button in the row of Ada" is a head (ordinal, name, kind) and relations to other noun phrases.
//! A relation takes all that follows it, so that in "the price in the row of Lamp in the cart" the cart is where the
//! row is.

use crate::{ElementKind, Hints, Matcher, Nearness, Relation, Target};

use super::acts::verbs;
use super::head;
use super::lexicon::nouns::{beside_name, is_control, noun};
use super::lexicon::relations;
use super::lexicon::words::{DETERMINERS, NAMES_AFTER_ORDINAL, NAMING_VERBS, ordinal};
use super::phrase::Phrase;
use super::token::{Token, TokenKind};

/// What noun phrases are read against.
#[derive(Debug, Clone)]
pub(crate) struct Nouns<'h> {
    pub hints: &'h Hints,
    /// What "it" is.
    pub antecedent: Option<Target>,
}

/// A name of more words without quotation marks is rather a sentence that was not understood.
const MOST_WORDS: usize = 9;

impl Nouns<'_> {
    /// The one thing that the whole phrase names.
    pub fn target(&self, phrase: Phrase<'_>) -> Option<Target> {
        let phrase = phrase.trimmed();
        if phrase.is_empty() {
            return None;
        }
        // "the menu that drops down": what an act has just brought.
        const BROUGHT: &[&str] = &["opens", "appears", "drops", "pops", "opened", "appeared", "shows"];
        if let Some(at) = phrase.find_last(&["that", "which"]).filter(|at| *at > 0)
            && BROUGHT.contains(&phrase.word(at + 1))
            && phrase
                .from(at + 2)
                .tokens
                .iter()
                .all(|token| token.is_any(&["down", "up", "then", "there", "below", "it"]))
        {
            return self.target(phrase.until(at));
        }
        // "The second button from the top" is the second; "from the bottom" would count the other way.
        let end = phrase.from(phrase.len().saturating_sub(3));
        if end.starts(&["from", "the"]) && phrase.len() > 3 && !end.has_quoted() {
            match end.word(2) {
                "top" | "left" => return self.target(phrase.until(phrase.len() - 3)),
                "bottom" | "right" => return None,
                _ => {}
            }
        }
        if let Some((what, text)) = with_text(phrase)
            && let Some(target) = self.with_relations(what).filter(|target| target.kind.is_some())
        {
            return Some(Target { said: phrase.text().to_string(), text: Some(text), ..target });
        }
        let target = match self.pronoun(phrase) {
            Some(meant) => meant?,
            None => self.with_relations(phrase)?,
        };
        let has_name = target.quoted.is_some() || !target.words.is_empty();
        let says_something =
            has_name || target.kind.is_some() || target.ordinal.is_some() || target.state.is_some();
        (says_something && target.words.len() <= MOST_WORDS).then_some(target)
    }

    /// "it" is what was named before; without that, nothing is meant.
    fn pronoun(&self, phrase: Phrase<'_>) -> Option<Option<Target>> {
        let is_pronoun = phrase.len() == 1 && phrase.starts_any(&["it", "them", "this", "that"]);
        if is_pronoun {
            return Some(self.antecedent.clone());
        }
        if let Some(mentioned) = self.mentioned(phrase) {
            return Some(Some(mentioned));
        }
        if !phrase.starts_any(&["its", "their", "his", "her"]) || phrase.len() < 2 {
            return None;
        }
        let owner = self.antecedent.clone().or_else(|| self.hints.mentioned.clone());
        let owned = owner.and_then(|owner| {
            let mut target = self.with_relations(phrase.from(1))?;
            // "Its last run" is called so.
            if target.ordinal.is_some() && target.kind.is_none() && !target.words.is_empty() {
                target.words.insert(0, phrase.word(1).to_string());
                target.ordinal = None;
            }
            target.relations.push(Relation { how: Nearness::For, to: owner });
            Some(target)
        });
        Some(owned)
    }

    /// "this row", "that entry", "the same row": what a sentence before has pointed at, if it was one of those.
    fn mentioned(&self, phrase: Phrase<'_>) -> Option<Target> {
        let noun_at = match (phrase.word(0), phrase.word(1)) {
            ("the", "same") => 2,
            ("this" | "that", _) => 1,
            _ => return None,
        };
        let known = self.antecedent.as_ref().or(self.hints.mentioned.as_ref())?;
        let called = phrase.from(noun_at);
        // `the task "Milk"`, and later "this task".
        let is_repeated = called.len() == 1
            && known.quoted.is_some()
            && known.relations.is_empty()
            && known.said.to_lowercase().split(' ').any(|word| word == called.word(0));
        if is_repeated {
            return Some(known.clone());
        }
        let named = noun(&[called.words().join(" ").as_str()])?;
        let repeats = |kind: Option<ElementKind>| kind.is_some_and(ElementKind::is_entry);
        let is_meant = known.kind == Some(named.kind) || repeats(known.kind) && repeats(Some(named.kind));
        (is_meant && !named.plural).then(|| known.clone())
    }

    fn with_relations(&self, phrase: Phrase<'_>) -> Option<Target> {
        let words = phrase.words();
        let mut at = 0;
        while at < phrase.len() {
            if let Some(length) = relations::whole_name(&words[at..]) {
                at += length;
                continue;
            }
            if at > 0
                && let Some(found) = self.named_by(phrase, at)
            {
                return found;
            }
            if let Some((how, length)) = relations::relation(&words[at..]) {
                let is_inner = at > 0 && at + length < phrase.len();
                if is_inner && is_inside_label(phrase, at, length) {
                    at += length;
                    continue;
                }
                if is_inner && !is_bare(phrase.until(at)) {
                    // "a button displayed next to the logo".
                    let front = phrase.until(at);
                    let front = match front.len() {
                        0..=2 => front,
                        _ => front.without_end(&["displayed", "shown", "located", "placed"]),
                    };
                    let mut target = self.head(front)?;
                    target.said = phrase.text().to_string();
                    let anchor = phrase.from(at + length);
                    if words[at] == "of" && self.is_named_by(&mut target, anchor) {
                        return Some(target);
                    }
                    self.relate(&mut target, how, anchor)?;
                    return Some(target);
                }
            }
            at += 1;
        }
        self.head(phrase)
    }

    /// "the list of users" is the users list.
    fn is_named_by(&self, target: &mut Target, anchor: Phrase<'_>) -> bool {
        let is_collection = matches!(target.kind, Some(ElementKind::List | ElementKind::Table));
        if !is_collection || target.quoted.is_some() || !target.words.is_empty() {
            return false;
        }
        let Some(named) =
            self.target(anchor).filter(|named| named.kind.is_none() && named.relations.is_empty())
        else {
            return false;
        };
        target.words = named.words;
        target.quoted = named.quoted;
        true
    }

    /// `labelled "X"`, `with the text "X"`, `that says "X"`: the name comes behind the noun.
    fn named_by(&self, phrase: Phrase<'_>, at: usize) -> Option<Option<Target>> {
        const ONE: &[&str] = &[
            "labelled",
            "labeled",
            "named",
            "called",
            "titled",
            "saying",
            "reading",
            "stating",
            "captioned",
        ];
        const AFTER_WITH: &[&str] =
            &["text", "label", "name", "title", "caption", "placeholder", "message", "heading", "tooltip"];
        let rest = phrase.from(at);
        let leads = phrase.part(at - 1, at).starts_any(&["link", "links"]) && rest.starts_any(&["to"]);
        let length = if rest.starts_any(ONE) || leads && rest.len() > 1 {
            1
        } else if rest.starts_any(&["that", "which"]) && matches!(rest.word(1), "says" | "reads" | "states") {
            2
        } else if rest.starts_any(&["with", "containing", "having"]) {
            let noun = 1 + rest.from(1).tokens.iter().take_while(|token| token.is_any(DETERMINERS)).count();
            let is_name = AFTER_WITH.contains(&rest.word(noun)) && rest.get(noun + 1).is_some();
            // "with the name field" is no name.
            let is_followed = rest.get(noun + 1).is_some_and(|next| next.is_quoted() || next.is_capital());
            if !is_name || !is_followed {
                return None;
            }
            noun + 1
        } else {
            return None;
        };
        let rest = rest.from(length);
        let rest = rest.from(rest.tokens.iter().take_while(|token| token.is_any(DETERMINERS)).count());
        let rest = if rest.starts_any(&["text", "message"]) && rest.len() > 1 { rest.from(1) } else { rest };
        Some(self.target_named(phrase, at, rest))
    }

    fn target_named(&self, phrase: Phrase<'_>, at: usize, name: Phrase<'_>) -> Option<Target> {
        let mut target = self.head(phrase.until(at))?;
        target.said = phrase.text().to_string();
        let named = self.target(name)?;
        // "A link to the first post": which one that is, its name does not say.
        if named.ordinal.is_some() || named.state.is_some() {
            return None;
        }
        if target.quoted.is_none() {
            target.quoted = named.quoted;
        }
        // "the folder or file named": whichever it is, the name decides.
        if let [one, or, other] = target.words.as_slice()
            && or == "or"
            && target.kind.is_none()
            && [one, other].iter().all(|word| beside_name(word).is_some())
        {
            target.words.clear();
        }
        target.words.extend(named.words);
        target.relations.extend(named.relations);
        Some(target)
    }

    /// Adds what stands behind a word of place.
    pub fn relate(&self, target: &mut Target, how: Nearness, anchor: Phrase<'_>) -> Option<()> {
        if how == Nearness::Between {
            let both = anchor.listed();
            if both.len() != 2 {
                return None;
            }
            for one in both {
                target.relations.push(Relation { how, to: self.target(one)? });
            }
            return Some(());
        }
        // "next to it": what the step before acted on.
        if anchor.is(&["it"]) && self.antecedent.is_none() {
            let to = Target { said: "it".to_string(), words: vec!["same".to_string()], ..Target::default() };
            target.relations.push(Relation { how, to });
            return Some(());
        }
        // "A badge with the number 3", `a row with the value "x"`: the noun says nothing that its value does not.
        let value = anchor.without_front(DETERMINERS);
        let anchor = match value.tokens {
            [noun, value_of]
                if how == Nearness::Containing
                    && value.len() < anchor.len()
                    && noun.is_any(&["number", "value", "text", "words"])
                    && value_of.is_value() =>
            {
                value.from(1)
            }
            _ => anchor,
        };
        let to = self.target(anchor)?;
        // "in the header and the footer" are two places.
        if has_article(&to) {
            return None;
        }
        // "on the page" says nothing.
        if how == Nearness::Inside && is_plain_page(&to) {
            return Some(());
        }
        target.relations.push(relation(how, to));
        Some(())
    }

    fn head(&self, phrase: Phrase<'_>) -> Option<Target> {
        head::head(phrase, self)
    }

    /// Several things: `"A", "B" and "C"`, "the A button and the B button", "the first and second rows".
    pub fn targets(&self, phrase: Phrase<'_>) -> Option<Vec<Target>> {
        let phrase = phrase.trimmed();
        let parts = phrase.listed();
        if parts.len() < 2 || !is_enumeration(&parts) {
            return Some(vec![self.target(phrase)?]);
        }
        let named = parts.iter().map(|part| self.target(part.without_front(&["also"])));
        let mut targets = named.collect::<Option<Vec<_>>>()?;
        let (first, last) = (targets.first().cloned()?, targets.last().cloned()?);
        for target in &mut targets {
            if target.kind.is_none() {
                target.kind = last.kind.or(first.kind).map(of_any_name);
            }
            if target.relations.is_empty() {
                target.relations = last.relations.clone();
            }
        }
        Some(targets)
    }
}

/// "the Import from Files button": a label that begins with a verb and ends with the noun of its control.
fn is_inside_label(phrase: Phrase<'_>, at: usize, length: usize) -> bool {
    let label = phrase.without_front(&["the", "a", "an"]);
    let skipped = phrase.len() - label.len();
    let is_verb = label.first().is_some_and(|first| {
        first.is_capital() && (verbs::verb(&[first.low.as_str()]).is_some() || first.is_any(NAMING_VERBS))
    });
    let behind = phrase.from(at + length);
    let ends = behind.len() > 1
        && behind.last().is_some_and(|last| {
            let is_part = |kind: ElementKind| is_control(kind) || kind == ElementKind::Option;
            !last.is_capital() && noun(&[last.low.as_str()]).is_some_and(|noun| is_part(noun.kind))
        });
    let is_short = length == 1 && at - skipped <= 3 && behind.len() <= 5;
    let is_plain = !behind.has_quoted() && !behind.has_any(DETERMINERS) && !phrase.until(at).has_quoted();
    // "the Inherit Query from template option".
    let front = phrase.part(skipped, at);
    let is_title = front.len() > 1 && front.tokens.iter().all(Token::is_capital);
    skipped > 0 && (is_verb || is_title) && ends && is_short && is_plain && !kind_before(phrase.until(at))
}

fn kind_before(front: Phrase<'_>) -> bool {
    front.last().is_some_and(|last| noun(&[last.low.as_str()]).is_some_and(|noun| is_control(noun.kind)))
}

/// A name in small letters with an article in it is rather a sentence that was not understood.
pub(crate) fn has_article(target: &Target) -> bool {
    let is_article = |word: &str| matches!(word, "the" | "a" | "an");
    // "box A" has none.
    let capital = target.said.split_whitespace().any(|word| word == "A");
    target.words.iter().any(|word| is_article(word)) && !capital
}

/// "the email and password fields" are two fields, of which one is for a password.
fn of_any_name(kind: ElementKind) -> ElementKind {
    match kind {
        ElementKind::PasswordField | ElementKind::DateField => ElementKind::Field,
        kind => kind,
    }
}

/// Whether these parts are things of their own, and not pieces of one name ("Terms and Conditions").
pub(crate) fn is_enumeration(parts: &[Phrase<'_>]) -> bool {
    let is_file = |part: &Phrase<'_>| matches!(part.tokens, [only] if only.kind == TokenKind::File);
    let stands_alone = |part: &Phrase<'_>| {
        part.has_quoted()
            || is_file(part)
            || part.starts_any(DETERMINERS)
            || part.first().is_some_and(|token| ordinal(&token.low).is_some())
    };
    // "the error message and the Submit button".
    let ends_with_kind = |part: &Phrase<'_>| {
        part.len() > 1 && part.last().is_some_and(|last| noun(&[last.low.as_str()]).is_some())
    };
    if share_a_noun(parts) || parts.len() > 1 && parts.iter().all(ends_with_kind) {
        return true;
    }
    // "the first and last name" are two names that share a word, which no rule can separate.
    let is_ordinal = |part: &Phrase<'_>| part.last().is_some_and(|token| ordinal(&token.low).is_some());
    let shares_a_name = parts.last().is_some_and(|last| NAMES_AFTER_ORDINAL.contains(&last.word(1)));
    if shares_a_name && parts.iter().any(is_ordinal) {
        return false;
    }
    let later_alone = parts[1..].iter().all(stands_alone);
    later_alone && (stands_alone(&parts[0]) || parts[1..].iter().all(|part| part.starts_any(DETERMINERS)))
}

/// "the Save and Cancel buttons": several, as their noun is in the plural. "The first and last name fields" would have
/// to be taken apart.
fn share_a_noun(parts: &[Phrase<'_>]) -> bool {
    let is_noun = |token: &Token| noun(&[token.low.as_str()]).is_some();
    let (Some(last), Some(end)) = (parts.last(), parts.last().and_then(|last| last.last())) else {
        return false;
    };
    let is_plural = noun(&[end.low.as_str()]).is_some_and(|noun| noun.plural);
    let front = &parts[..parts.len() - 1];
    let are_names = front.iter().all(|part| {
        let plain = part.without_front(DETERMINERS);
        !plain.is_empty()
            && !plain.tokens.iter().any(is_noun)
            && plain.first().is_some_and(|one| ordinal(&one.low).is_none())
    });
    is_plural && are_names && last.len() > 1 && parts.len() > 1
}

/// Nothing but an article: "the" of "the in box".
fn is_bare(phrase: Phrase<'_>) -> bool {
    phrase.tokens.iter().all(|token| {
        token.is_any(DETERMINERS) && !token.is_any(&["this", "that", "all"]) && !token.is_capital()
    })
}

/// The page at hand, under any of the names that say nothing more.
pub(crate) fn is_plain_page(target: &Target) -> bool {
    const WHOLE: &[&str] = &["system", "application", "app", "browser", "ui", "interface"];
    let is_whole = matches!(target.words.as_slice(), [only] if WHOLE.contains(&only.as_str()));
    if target.kind.is_none() && is_whole && target.quoted.is_none() {
        return target.relations.is_empty() && target.ordinal.is_none();
    }
    target.kind == Some(ElementKind::Page)
        && target.quoted.is_none()
        && target.ordinal.is_none()
        && target.relations.is_empty()
        && target.words.iter().all(|word| matches!(word.as_str(), "current" | "web" | "same" | "whole"))
}

/// A row, card or entry that is known by something in it stands for that thing: both are in the same row.
pub(crate) fn relation(how: Nearness, mut to: Target) -> Relation {
    let repeats = to.kind.is_some_and(ElementKind::is_entry) && to.ordinal.is_none();
    if how != Nearness::Inside || !repeats || to.state.is_some() {
        return Relation { how, to };
    }
    let is_named = to.quoted.is_some() || !to.words.is_empty();
    if is_named {
        to.kind = None;
        return Relation { how: Nearness::SameRow, to };
    }
    let says_content = |relation: &Relation| {
        matches!(relation.how, Nearness::For | Nearness::Containing)
            || relation.how == Nearness::Inside && !is_around(relation.to.kind)
            || relation.how == Nearness::SameRow
    };
    if to.relations.len() == 1 && says_content(&to.relations[0]) {
        return Relation { how: Nearness::SameRow, to: to.relations.remove(0).to };
    }
    Relation { how, to }
}

/// Kinds that have rows and cards in them.
fn is_around(kind: Option<ElementKind>) -> bool {
    matches!(
        kind,
        Some(
            ElementKind::Table
                | ElementKind::List
                | ElementKind::Section
                | ElementKind::Dialog
                | ElementKind::Page
                | ElementKind::Form
                | ElementKind::Sidebar
        )
    )
}

/// Whether a token can be part of a name at all.
pub(crate) fn can_name(kind: TokenKind) -> bool {
    !matches!(kind, TokenKind::Mark(mark) if !matches!(mark, '-' | '/' | '|' | '!' | '?'))
}

/// "the suggestion that ends with "ino"": what is meant, and how its text must be.
pub(crate) fn with_text(phrase: Phrase<'_>) -> Option<(Phrase<'_>, Matcher)> {
    let (text, front) = phrase.tokens.split_last().filter(|(last, _)| last.is_quoted())?;
    let front = Phrase { tokens: front, ..phrase };
    let said = front.without_end(&["with"]);
    let how = said.last().filter(|_| said.len() < front.len())?;
    let what = said.until(said.len() - 1).without_end(&["that", "which"]);
    let text = text.text.clone();
    let matcher = match how.low.as_str() {
        "ends" | "ending" | "end" => Matcher::EndsWith(text),
        "starts" | "starting" | "start" | "begins" | "beginning" => Matcher::StartsWith(text),
        _ => return None,
    };
    (!what.is_empty()).then_some((what, matcher))
}
