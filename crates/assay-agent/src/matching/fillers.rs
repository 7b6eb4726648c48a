//! Words that no name has to contain: manners, grammar, time, and the story around a request.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::tokens::stem;

/// Words that carry nothing but manners and grammar.
const FILLERS: &str = "\
    please kindly just also only now then and to you can could would will mind me i we want need like love \
    let lets us ahead help must should hi hello hey atlas guardian sherlock ok okay so well but that for \
    the a an of our my your this these those some with is are am be it its do does there here in on at by \
    from as or if im maybe perhaps actually possible able any all every each ever yet still them their they \
    using via through thanks thank thx cheers got has how no not too into against under both was were been \
    than about out off gonna going time one have whole existing project team right yes next give good \
    morning afternoon evening folks everyone mate dear sir buddy bot assistant assay somebody everybody \
    nobody people he she him her his whose themself themselves himself myself being instead whether because \
    since after before while during glad kind nice happy many few says said mean i'd down within";

/// Words that say when, how fast or how often.
const NOISE: &str = "\
    again once more real really quick quickly fast asap today tomorrow tonight moment minute second later \
    soon first last latest current currently another other same properly correctly simply directly \
    immediately away quite very much sure certain bit little lot thing stuff sort way different names \
    everything anything nothing something hurry headless mode shot whirl go called named id label tag \
    tagged tags labels labelled labeled locally mine ours own single entire complete full known registered defined exist declared long \
    usual normal regular detail details info information progress question request task job suite daily \
    weekly glance eye eyes whatever automatically eventually finally already anymore ready-made newest \
    recent recently previous daytime night lunch week month monday tuesday wednesday thursday friday \
    saturday sunday january february march april june july august september october november december noon o'clock anyway otherwise especially exactly probably supposed meant concerning \
    regarding";

/// Words of the story that people tell around what they want.
const STORY: &str = "\
    people person user customer client boss manager chief colleague marketing support management team \
    company friend guy folk complaint complain call problem trouble issue ticket worry fear afraid hope \
    hear heard suspect feel think believe guess wonder embarrass update upgrade release version build \
    deploy deployment migration code logic change changed touch touched broken break work fine okay \
    properly still yesterday today tomorrow morning evening week weekend month year hour minute day ago \
    lately production staging demo meeting presentation sprint possible impossible able allow ability \
    chance want wish like please thank sorry kindly glad nice great happen look see view watch tell show \
    know need try use give take get bring put let leave keep go come document documentation wiki purpose \
    reason sake case moment point part side place thing stuff way kind sort bit lot really truly actually \
    possibly somehow somewhere sometimes usually normally basically simply quickly slowly own personally \
    myself hand click wait stand sit ask answer say talk speak mention mean describe write wrote note name \
    title word number where various certain alright flow feature function functionality regression sanity sure certainty doubt \
    proof evidence redeem apply";

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_whitespace()
}

pub(super) fn is_filler(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(FILLERS).collect());
    WORDS.contains(word)
}

pub(super) fn is_noise(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(NOISE).collect());
    WORDS.contains(word) || is_filler(word)
}

/// Whether a word, by its stem, only tells the story.
pub(super) fn is_story(of_word: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| words(STORY).map(stem).collect());
    STEMS.contains(of_word)
}

/// All of these words.
pub(super) fn small_words() -> impl Iterator<Item = &'static str> {
    words(FILLERS).chain(words(NOISE)).chain(words(STORY))
}
