//! Words that say where something is, by something else.

use crate::Nearness;

/// The longest come first.
const RELATIONS: &[(&[&str], Nearness)] = &[
    (&["on", "the", "left", "hand", "side", "of"], Nearness::LeftOf),
    (&["on", "the", "right", "hand", "side", "of"], Nearness::RightOf),
    (&["on", "the", "left", "side", "of"], Nearness::LeftOf),
    (&["on", "the", "right", "side", "of"], Nearness::RightOf),
    (&["in", "the", "same", "row", "as"], Nearness::SameRow),
    (&["in", "the", "same", "line", "as"], Nearness::SameRow),
    (&["on", "the", "same", "row", "as"], Nearness::SameRow),
    (&["on", "the", "same", "line", "as"], Nearness::SameRow),
    (&["on", "the", "left", "of"], Nearness::LeftOf),
    (&["on", "the", "right", "of"], Nearness::RightOf),
    (&["to", "the", "left", "of"], Nearness::LeftOf),
    (&["to", "the", "right", "of"], Nearness::RightOf),
    (&["that", "belongs", "to"], Nearness::For),
    (&["left", "of"], Nearness::LeftOf),
    (&["right", "of"], Nearness::RightOf),
    (&["next", "to"], Nearness::NextTo),
    (&["in", "front", "of"], Nearness::LeftOf),
    (&["adjacent", "to"], Nearness::NextTo),
    (&["close", "to"], Nearness::NextTo),
    (&["right", "next", "to"], Nearness::NextTo),
    (&["directly", "below"], Nearness::Under),
    (&["directly", "above"], Nearness::Above),
    (&["inside", "of"], Nearness::Inside),
    (&["belonging", "to"], Nearness::For),
    (&["corresponding", "to"], Nearness::For),
    (&["associated", "with"], Nearness::For),
    (&["related", "to"], Nearness::For),
    (&["that", "contains"], Nearness::Containing),
    (&["which", "contains"], Nearness::Containing),
    (&["that", "has"], Nearness::Containing),
    (&["which", "has"], Nearness::Containing),
    (&["beside"], Nearness::NextTo),
    (&["near"], Nearness::NextTo),
    (&["alongside"], Nearness::NextTo),
    (&["under"], Nearness::Under),
    (&["underneath"], Nearness::Under),
    (&["beneath"], Nearness::Under),
    (&["below"], Nearness::Under),
    (&["above"], Nearness::Above),
    (&["inside"], Nearness::Inside),
    (&["within"], Nearness::Inside),
    (&["in"], Nearness::Inside),
    (&["on"], Nearness::Inside),
    (&["of"], Nearness::Inside),
    (&["at"], Nearness::Inside),
    (&["from"], Nearness::Inside),
    (&["for"], Nearness::For),
    (&["about"], Nearness::For),
    (&["regarding"], Nearness::For),
    (&["concerning"], Nearness::For),
    (&["with"], Nearness::Containing),
    (&["containing"], Nearness::Containing),
    (&["having"], Nearness::Containing),
    (&["between"], Nearness::Between),
    (&["after"], Nearness::After),
    (&["following"], Nearness::After),
    (&["before"], Nearness::Before),
    (&["preceding"], Nearness::Before),
];

/// The relation that begins these words, and how many words it takes.
pub(crate) fn relation(words: &[&str]) -> Option<(Nearness, usize)> {
    RELATIONS
        .iter()
        .find(|(phrase, _)| words.len() >= phrase.len() && words[..phrase.len()] == **phrase)
        .map(|(phrase, how)| (*how, phrase.len()))
}

/// Names with a word in them that otherwise says where something is. Matched anywhere in a noun phrase.
const WHOLE_NAMES: &[&[&str]] = &[
    &["sign", "in", "with"],
    &["sign", "up", "with"],
    &["log", "in", "with"],
    &["login", "with"],
    &["continue", "with"],
    &["pay", "with"],
    &["sign", "in"],
    &["log", "in"],
    &["log", "on"],
    &["opt", "in"],
    &["check", "in"],
    &["zoom", "in"],
    &["clock", "in"],
    &["drop", "in"],
    &["fill", "in"],
    &["turn", "on"],
    &["carry", "on"],
    &["add", "on"],
    &["sign", "on"],
    &["search", "for"],
    &["date", "of", "birth"],
    &["place", "of", "birth"],
    &["terms", "of", "service"],
    &["terms", "of", "use"],
    &["table", "of", "contents"],
    &["out", "of", "stock"],
    &["country", "of", "residence"],
    &["proof", "of", "address"],
    &["proof", "of", "identity"],
    &["point", "of", "contact"],
    &["bill", "of", "materials"],
    &["power", "of", "attorney"],
    &["frequently", "asked"],
    &["made", "in"],
    &["best", "before"],
    &["cash", "on", "delivery"],
    &["terms", "for"],
    &["built", "in"],
    &["all", "in", "one"],
    &["what's", "in"],
    &["read", "more", "about"],
    &["about", "us"],
    &["in", "stock"],
    &["on", "sale"],
    &["on", "hold"],
    &["in", "progress"],
];

/// How many words from here on belong to a name as they stand.
pub(crate) fn whole_name(words: &[&str]) -> Option<usize> {
    WHOLE_NAMES
        .iter()
        .find(|name| words.len() >= name.len() && words[..name.len()] == ***name)
        .map(|name| name.len())
}
