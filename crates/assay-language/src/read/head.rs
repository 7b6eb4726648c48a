//! The head of a noun phrase: article, ordinal, state, name and the word for its kind.

use crate::{ElementKind, Nearness, Ordinal, Relation, Target};

use super::lexicon::nouns::{self, Keeps, Noun};
use super::lexicon::states;
use super::lexicon::words::{DETERMINERS, NAMES_AFTER_ORDINAL, NAMING_VERBS, ordinal};
use super::noun::{Nouns, can_name};
use super::phrase::Phrase;
use super::token::{Token, TokenKind};

pub(crate) fn head(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Target> {
    let phrase = phrase.trimmed();
    let said = phrase.text().to_string();
    // `Error: "Invalid login"`: a colon may stand before the quoted name.
    let is_name = |at: usize, token: &Token| {
        can_name(token.kind)
            || token.is_mark(':')
                && (1..=2).contains(&at)
                && nouns::noun(&[phrase.word(at - 1)]).is_some()
                && phrase.get(at + 1).is_some_and(Token::is_quoted)
    };
    if phrase.is_empty() || !phrase.tokens.iter().enumerate().all(|(at, token)| is_name(at, token)) {
        return None;
    }
    if let Some(at) = phrase.tokens.iter().position(|token| token.is_mark(':')) {
        return head(Phrase { tokens: &phrase.tokens_without(at), ..phrase }, nouns);
    }
    if let Some(owned) = possessive(phrase, nouns) {
        return Some(Target { said, ..owned });
    }
    let rest = without_article(phrase);
    // Words that begin a clause of their own: then this is no name.
    if rest.has_any(&[
        "which", "whose", "should", "if", "because", "until", "while", "that", "is", "are", "than", "but",
    ]) {
        return None;
    }
    let mut target = Target { said, ..Target::default() };
    // "below the table it": the beginning of a clause.
    let goes_on = rest.len() > 1 && rest.last().is_some_and(|last| last.is("it") && !last.is_capital());
    // "the no results message" is called so.
    let is_called_so = rest.starts_any(&["no"]) && phrase.starts_any(&["the"]) && rest.len() > 2;
    if rest.is_empty()
        || denies(rest) && !is_called_so
        || goes_on && !rest.has_quoted() && !rest.tokens[0].is_capital()
    {
        return None;
    }
    if let Some(words) = known_key(rest, nouns) {
        target.kind =
            kind_at_end(rest.tokens).map(|(noun, _)| noun.kind).or_else(|| joined_kind(rest.last()));
        target.words = words;
        return Some(target);
    }
    let rest = leading_ordinal(rest, &mut target);
    let rest = leading_state(rest, &mut target);
    name_and_kind(rest, &mut target)?;
    if target.ordinal.is_some() && target.kind == Some(ElementKind::Any) && target.words.is_empty() {
        target.kind = None;
    }
    Some(target)
}

/// "no rows", "none", "the first 3 rows": not one thing.
fn denies(rest: Phrase<'_>) -> bool {
    let Some(first) = rest.first() else { return true };
    let is_small = !first.is_capital() || first.from == 0;
    let is_number = |at: usize| matches!(rest.get(at).map(|token| token.kind), Some(TokenKind::Number(_)));
    let counts =
        is_number(1) && rest.len() > 2 && (ordinal(&first.low).is_some() || first.is_any(&["top", "last"]));
    is_small && rest.len() > 1 && first.is_any(&["no", "not", "none", "neither", "only"]) || counts
}

/// "My account" and "All products" in capitals, inside a sentence, are names with their first word.
fn without_article(phrase: Phrase<'_>) -> Phrase<'_> {
    let is_article = |token: &Token| {
        let names = token.is_capital() && token.from > 0 && !token.is_any(&["the", "a", "an"]);
        token.is_any(DETERMINERS) && !names
    };
    phrase.from(phrase.tokens.iter().take_while(|token| is_article(token)).count())
}

fn leading_ordinal<'a>(rest: Phrase<'a>, target: &mut Target) -> Phrase<'a> {
    let found = rest.first().and_then(|token| ordinal(&token.low));
    if found.is_none() || NAMES_AFTER_ORDINAL.contains(&rest.word(1)) {
        return rest;
    }
    target.ordinal = found;
    rest.from(1)
}

fn leading_state<'a>(rest: Phrase<'a>, target: &mut Target) -> Phrase<'a> {
    let found = rest.first().and_then(|token| states::before_noun(&token.low));
    // "Required" alone, or "Selected products" in capitals, is a name.
    let is_numbered = rest.len() == 2 && matches!(rest.tokens[1].kind, TokenKind::Number(_));
    if found.is_none() || rest.len() < 2 || is_numbered {
        return rest;
    }
    target.state = found;
    rest.from(1)
}

fn name_and_kind(rest: Phrase<'_>, target: &mut Target) -> Option<()> {
    let mut quoted = rest.tokens.iter().filter(|token| token.is_quoted());
    target.quoted = quoted.next().map(|token| token.text.clone());
    if quoted.next().is_some() {
        return None;
    }
    let mut plain: Vec<&Token> = rest.tokens.iter().filter(|token| !token.is_quoted()).collect();
    let quote_at = rest.tokens.iter().position(Token::is_quoted);
    let owned: Vec<Token> = plain.iter().map(|token| (*token).clone()).collect();
    number_behind(&mut plain, target);
    if target.quoted.is_none() && is_name_with_verb(rest) {
        target.words = words(&plain);
        return Some(());
    }
    if target.kind.is_some() {
        target.words.extend(words(&plain));
        return Some(());
    }
    // `button "Save"`, `the "Save" button`: the noun is beside the quotation marks.
    let before_quote =
        quote_at.and_then(|at| kind_at_end(&owned[..at]).map(|(noun, length)| (noun, at - length, length)));
    let at_end = kind_at_end(&owned).map(|(noun, length)| (noun, owned.len() - length, length));
    let found = at_end.or(before_quote).or_else(|| kind_at_front(&owned));
    if let Some((noun, start, length)) = found {
        let kept = noun.keeps == Keeps::Word;
        target.kind = Some(noun.kind);
        if !kept {
            plain.drain(start..start + length);
        }
    } else if let Some(kind) = plain.last().and_then(|last| joined_kind(Some(last))) {
        target.kind = Some(kind);
        let last = plain.pop()?;
        target.words = words(&plain);
        let mut parts = split_joined(&last.text);
        parts.pop();
        target.words.extend(parts);
        refine_kind(target);
        return Some(());
    }
    if let ([only], Some(_), None) = (plain.as_slice(), &target.quoted, target.kind)
        && let Some(kind) = nouns::beside_name(&only.low)
    {
        target.kind = Some(kind);
        plain.clear();
    }
    // `The question "Really?"`: a text, and not an entry of a list.
    if target.kind == Some(ElementKind::Item)
        && target.quoted.as_ref().is_some_and(|quoted| quoted.ends_with('?'))
        && owned.iter().any(|token| token.is("question"))
    {
        target.kind = None;
    }
    // "The group is private": one of the application, and no part of the page.
    if target.kind == Some(ElementKind::Section)
        && target.quoted.is_none()
        && owned.last().is_some_and(|last| last.is("groups") || last.is("group") && plain.is_empty())
    {
        target.kind = None;
        target.words = owned.iter().map(|token| token.low.clone()).collect();
        return Some(());
    }
    // "Memory Profiler Results": in capitals, the noun belongs to the name.
    if let [.., before, last] = owned.as_slice()
        && target.kind.is_some_and(ElementKind::is_entry)
        && target.quoted.is_none()
        && before.is_capital()
        && last.is_capital()
        && before.from > 0
        && plain.len() + 1 == owned.len()
    {
        target.kind = None;
        target.words = owned.iter().map(|token| token.low.clone()).collect();
        return Some(());
    }
    // A file is called by its name, with or without quotation marks.
    if let (Some(last), None) = (plain.last().filter(|last| last.kind == TokenKind::File), &target.quoted)
        && plain[..plain.len() - 1].iter().all(|word| word.is_any(&["file", "document", "image", "photo"]))
        && matches!(target.kind, None | Some(ElementKind::Item | ElementKind::Tab))
    {
        target.quoted = Some(last.text.clone());
        plain.clear();
    }
    target.words = words(&plain);
    refine_kind(target);
    Some(())
}

/// "row 3", "item number 2", "button #2".
fn number_behind(plain: &mut Vec<&Token>, target: &mut Target) {
    let Some((last, front)) = plain.split_last() else { return };
    let digits = last.text.strip_prefix('#').unwrap_or(&last.text);
    let Some(number) = digits.parse::<usize>().ok().filter(|number| *number > 0) else { return };
    let mut length = 1;
    let mut is_counted = last.text.starts_with('#');
    if front.last().is_some_and(|token| token.is_any(&["number", "no", "nr"])) {
        is_counted = true;
        length = 2;
    }
    let before: Vec<Token> = plain[..plain.len() - length].iter().map(|token| (*token).clone()).collect();
    let Some((noun, noun_length)) = kind_at_end(&before) else { return };
    let is_lower = before.last().is_some_and(|token| !token.is_capital() || token.from == 0);
    let is_numbered = matches!(
        noun.kind,
        ElementKind::Row | ElementKind::Column | ElementKind::ListItem | ElementKind::Item
    );
    // "product 17727158" is called by its number.
    let is_place = is_counted || is_numbered && is_lower && !noun.plural && number < 1000;
    if target.ordinal.is_none() && noun_length == before.len() && is_place {
        target.ordinal = Some(Ordinal::Nth(number));
        target.kind = Some(noun.kind);
        plain.clear();
    }
}

/// "Add item": a verb in front makes it the name of a button, unless a control is named behind it.
fn is_name_with_verb(rest: Phrase<'_>) -> bool {
    rest.len() > 1
        && rest.starts_any(NAMING_VERBS)
        && kind_at_end(rest.tokens).is_some_and(|(noun, _)| !nouns::is_control(noun.kind))
}

fn kind_at_end(tokens: &[Token]) -> Option<(Noun, usize)> {
    let last_two: Vec<&str> = tokens.iter().rev().take(2).rev().map(|token| token.low.as_str()).collect();
    if nouns::is_name(&last_two) {
        return None;
    }
    (1..=nouns::LONGEST.min(tokens.len())).rev().find_map(|length| {
        let end = &tokens[tokens.len() - length..];
        let words: Vec<&str> = end.iter().map(|token| token.low.as_str()).collect();
        // "The Search Toggle button": a word in capitals belongs to the name.
        let before = tokens.len().checked_sub(length + 1).map(|at| &tokens[at]);
        let is_named = length > 1
            && end[0].is_capital()
            && !end[length - 1].is_capital()
            && before.is_some_and(|before| before.is_capital() && before.from > 0);
        nouns::noun(&words).filter(|_| !is_named).map(|noun| (noun, length))
    })
}

/// "link Terms", "product Lamp", but not "card number".
fn kind_at_front(tokens: &[Token]) -> Option<(Noun, usize, usize)> {
    (1..=nouns::LONGEST.min(tokens.len().saturating_sub(1))).rev().find_map(|length| {
        let front: Vec<&str> = tokens[..length].iter().map(|token| token.low.as_str()).collect();
        let noun = nouns::noun(&front)?;
        let is_lower = tokens[..length].iter().all(|token| !token.is_capital() || token.from == 0);
        let next = tokens.get(length)?;
        let names = next.is_capital() || !matches!(next.kind, TokenKind::Word) || nouns::leads(noun.kind);
        (is_lower && names).then_some((noun, 0, length))
    })
}

/// `loginButton`, `submit_button`: the kind is the last part of the word.
fn joined_kind(token: Option<&Token>) -> Option<ElementKind> {
    let token = token.filter(|token| token.kind == TokenKind::Word)?;
    let parts = split_joined(&token.text);
    if parts.len() < 2 {
        return None;
    }
    nouns::noun(&[parts.last()?.as_str()]).map(|noun| noun.kind)
}

fn split_joined(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let starts_small = text.chars().next().is_some_and(char::is_lowercase);
    for c in text.chars() {
        let hump = starts_small && c.is_uppercase();
        if c == '_' || hump {
            parts.push(String::new());
        }
        if c != '_'
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Words that say together what neither says alone.
fn refine_kind(target: &mut Target) {
    let has = |word: &str| target.words.iter().any(|own| own == word);
    match target.kind {
        Some(ElementKind::Field) if has("password") => target.kind = Some(ElementKind::PasswordField),
        Some(ElementKind::Field) if has("date") => target.kind = Some(ElementKind::DateField),
        Some(ElementKind::Message) if target.words.iter().any(|word| word == "success") => {
            target.kind = Some(ElementKind::SuccessMessage);
            target.words.retain(|word| word != "success");
        }
        Some(ElementKind::Message) if target.words.iter().any(|word| word == "warning") => {
            target.kind = Some(ElementKind::WarningMessage);
            target.words.retain(|word| word != "warning");
        }
        Some(ElementKind::Message) if target.words.iter().any(|word| word == "error") => {
            target.kind = Some(ElementKind::ErrorMessage);
            target.words.retain(|word| word != "error");
        }
        _ => {}
    }
}

fn words(tokens: &[&Token]) -> Vec<String> {
    tokens
        .iter()
        .filter(|token| !token.low.is_empty() && !matches!(token.kind, TokenKind::Mark(_)))
        .map(|token| token.low.clone())
        .collect()
}

/// A key of `selectors`, said as one word or as several, stays whole.
fn known_key(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<String>> {
    if rest.has_quoted() {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let said = rest.words().join("_").replace('-', "_");
    let is_known = nouns.hints.elements.keys().any(|key| plain(key) == said);
    is_known.then(|| rest.tokens.iter().map(|token| token.low.clone()).collect())
}

/// "Ada's row", "the user's name". Somebody with a name owns what follows; "the user" is only part of what it is
/// called.
fn possessive(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Target> {
    let at = phrase.tokens.iter().position(|token| token.low.len() >= 2 && token.low.ends_with("'s"))?;
    let token = phrase.get(at)?;
    if at + 1 >= phrase.len()
        || matches!(token.low.as_str(), "what's" | "let's" | "it's" | "who's" | "here's")
    {
        return None;
    }
    let owner_text = token.low.trim_end_matches("'s").to_string();
    let mut owned = head(phrase.from(at + 1), nouns)?;
    let mut owner = Target::default();
    if owner_text.is_empty() {
        owner.quoted = Some(phrase.get(at.checked_sub(1)?)?.text.clone());
        owner.said = phrase.until(at + 1).text().to_string();
    } else {
        let before = phrase.until(at).without_front(DETERMINERS);
        owner.words = before.tokens.iter().map(|token| token.low.clone()).collect();
        owner.words.push(owner_text);
        owner.said = phrase.until(at + 1).text().to_string();
    }
    // "The third row's price": the row is what it belongs to.
    let front = phrase.until(at);
    let row = nouns::noun(&[owner_text_of(token).as_str()]).filter(|noun| noun.kind.is_entry());
    if let Some(noun) = row
        && let Some(place) = front.last().and_then(|last| ordinal(&last.low))
    {
        let to = Target { kind: Some(noun.kind), ordinal: Some(place), words: Vec::new(), ..owner };
        owned.relations.push(Relation { how: Nearness::Inside, to });
        return Some(owned);
    }
    if !owner_text_is_name(token, &owner) {
        owner.words.append(&mut owned.words);
        owned.words = owner.words;
        return Some(owned);
    }
    if matches!(owned.kind, Some(ElementKind::Row | ElementKind::Item)) && owned.words.is_empty() {
        owner.kind = owned.kind;
        return Some(owner);
    }
    owned.relations.push(Relation { how: Nearness::For, to: owner });
    Some(owned)
}

fn owner_text_of(token: &Token) -> String {
    token.low.trim_end_matches("'s").to_string()
}

fn owner_text_is_name(token: &Token, owner: &Target) -> bool {
    owner.quoted.is_some() || token.is_capital() && !matches!(token.low.as_str(), "user's" | "browser's")
}
