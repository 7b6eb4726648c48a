//! Verbs that ask for something to be done or looked at: their words, the reader of what follows them, and sentences to
//! offer when that is not understood.

use crate::{Act, ClickKind, Toggle};

use super::super::lexicon::inflection::{Inflection, form_of};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::{
    Acts, Misread, check, choose, click, dialog, enter, fill, keyboard, navigate, needed, pointer, session,
    tabs, wait, world,
};

/// What a verb asks for. Which act that is depends on what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Go,
    Open,
    Back,
    Forward,
    Reload,
    Click,
    DoubleClick,
    RightClick,
    MiddleClick,
    Press,
    Enter,
    Fill,
    Set,
    Append,
    Clear,
    Delete,
    Choose,
    Unchoose,
    Check,
    Uncheck,
    Toggle,
    Turn,
    Mark,
    Hover,
    Focus,
    Drag,
    Move,
    Scroll,
    Copy,
    CopyAndPaste,
    Paste,
    Upload,
    Switch,
    Close,
    Accept,
    Dismiss,
    Confirm,
    Wait,
    LogIn,
    LogOut,
    Screenshot,
    Submit,
    Search,
    Expand,
    Collapse,
    /// "Sort by price".
    Sort,
    /// "Filter by status "Open"".
    Filter,
    /// "Emulate a Pixel 9", and all that is said of the world around the page.
    Emulate,
    /// "Leave the field empty", "leave the frame".
    Leave,
    /// "Verify that …".
    Verify,
    /// "Check": to look whether something is so, or to tick a box.
    CheckOrVerify,
    /// "I should see …".
    See,
    /// "Find the row of "Ada"": a look, which says what the next sentences are about.
    Find,
    /// `Follow the link "Terms"`.
    Follow,
    /// The verb is the name of a button: "Save", "Remove the first item".
    Named,
}

/// The first word in its base form; longer phrases come before shorter ones that begin them.
const VERBS: &[(&[&str], Verb)] = &[
    (&["drag", "and", "drop"], Verb::Drag),
    (&["drag", "&", "drop"], Verb::Drag),
    (&["drag-and-drop"], Verb::Drag),
    (&["copy", "and", "paste"], Verb::CopyAndPaste),
    (&["find", "and", "click"], Verb::Click),
    (&["locate", "and", "click"], Verb::Click),
    (&["find", "and", "select"], Verb::Choose),
    (&["find", "and", "open"], Verb::Open),
    (&["go", "back"], Verb::Back),
    (&["navigate", "back"], Verb::Back),
    (&["go", "forward"], Verb::Forward),
    (&["navigate", "forward"], Verb::Forward),
    (&["double", "click"], Verb::DoubleClick),
    (&["double-click"], Verb::DoubleClick),
    (&["double", "tap"], Verb::DoubleClick),
    (&["double-tap"], Verb::DoubleClick),
    (&["doubleclick"], Verb::DoubleClick),
    (&["dblclick"], Verb::DoubleClick),
    (&["right", "click"], Verb::RightClick),
    (&["right-click"], Verb::RightClick),
    (&["rightclick"], Verb::RightClick),
    (&["context-click"], Verb::RightClick),
    (&["middle", "click"], Verb::MiddleClick),
    (&["middle-click"], Verb::MiddleClick),
    (&["left", "click"], Verb::Click),
    (&["left-click"], Verb::Click),
    (&["turn"], Verb::Turn),
    (&["sort", "by"], Verb::Sort),
    (&["sort"], Verb::Sort),
    (&["filter", "by"], Verb::Filter),
    (&["switch", "on"], Verb::Check),
    (&["switch", "off"], Verb::Uncheck),
    (&["enable"], Verb::Check),
    (&["activate"], Verb::Check),
    (&["disable"], Verb::Uncheck),
    (&["deactivate"], Verb::Uncheck),
    (&["log", "in"], Verb::LogIn),
    (&["log", "on"], Verb::LogIn),
    (&["login"], Verb::LogIn),
    (&["sign", "in"], Verb::LogIn),
    (&["signin"], Verb::LogIn),
    (&["log", "out"], Verb::LogOut),
    (&["log", "off"], Verb::LogOut),
    (&["logout"], Verb::LogOut),
    (&["sign", "out"], Verb::LogOut),
    (&["make", "sure"], Verb::Verify),
    (&["make", "certain"], Verb::Verify),
    (&["find"], Verb::Find),
    (&["locate"], Verb::Find),
    (&["look", "for"], Verb::Verify),
    (&["look", "at"], Verb::Verify),
    (&["verify"], Verb::Verify),
    (&["ensure"], Verb::Verify),
    (&["assert"], Verb::Verify),
    (&["validate"], Verb::Verify),
    (&["expect"], Verb::Verify),
    (&["observe"], Verb::Verify),
    (&["confirm"], Verb::Confirm),
    (&["check"], Verb::CheckOrVerify),
    (&["see"], Verb::See),
    (&["view"], Verb::See),
    (&["notice"], Verb::See),
    (&["go"], Verb::Go),
    (&["navigate"], Verb::Go),
    (&["visit"], Verb::Go),
    (&["browse"], Verb::Go),
    (&["return"], Verb::Go),
    (&["proceed"], Verb::Go),
    (&["head"], Verb::Go),
    (&["load"], Verb::Go),
    (&["launch"], Verb::Open),
    (&["open"], Verb::Open),
    (&["access"], Verb::Go),
    (&["reload"], Verb::Reload),
    (&["refresh"], Verb::Reload),
    (&["follow"], Verb::Follow),
    (&["click"], Verb::Click),
    (&["answer", "with"], Verb::Click),
    (&["answer"], Verb::Click),
    (&["tap"], Verb::Click),
    (&["press"], Verb::Press),
    (&["hit"], Verb::Press),
    (&["push"], Verb::Press),
    (&["key", "in"], Verb::Enter),
    (&["type", "in"], Verb::Enter),
    (&["write", "down"], Verb::Enter),
    (&["enter"], Verb::Enter),
    (&["type"], Verb::Enter),
    (&["input"], Verb::Enter),
    (&["write"], Verb::Enter),
    (&["provide"], Verb::Enter),
    (&["put"], Verb::Enter),
    (&["insert"], Verb::Enter),
    (&["specify"], Verb::Enter),
    (&["supply"], Verb::Enter),
    (&["fill", "in"], Verb::Fill),
    (&["fill", "out"], Verb::Fill),
    (&["fill", "up"], Verb::Fill),
    (&["fill"], Verb::Fill),
    (&["complete"], Verb::Fill),
    (&["populate"], Verb::Fill),
    (&["set"], Verb::Set),
    (&["change"], Verb::Set),
    (&["replace"], Verb::Fill),
    (&["overwrite"], Verb::Fill),
    (&["update"], Verb::Set),
    (&["adjust"], Verb::Set),
    (&["append"], Verb::Append),
    (&["clear", "out"], Verb::Clear),
    (&["clear"], Verb::Clear),
    (&["empty"], Verb::Clear),
    (&["erase"], Verb::Clear),
    (&["wipe"], Verb::Clear),
    (&["delete"], Verb::Delete),
    (&["remove"], Verb::Delete),
    (&["select"], Verb::Choose),
    (&["choose"], Verb::Choose),
    (&["pick"], Verb::Choose),
    (&["deselect"], Verb::Unchoose),
    (&["unselect"], Verb::Unchoose),
    (&["tick"], Verb::Check),
    (&["uncheck"], Verb::Uncheck),
    (&["untick"], Verb::Uncheck),
    (&["toggle"], Verb::Toggle),
    (&["flip"], Verb::Toggle),
    (&["mark"], Verb::Mark),
    (&["hover"], Verb::Hover),
    (&["mouse", "over"], Verb::Hover),
    (&["mouseover"], Verb::Hover),
    (&["focus"], Verb::Focus),
    (&["drag"], Verb::Drag),
    (&["drop"], Verb::Drag),
    (&["move"], Verb::Move),
    (&["slide"], Verb::Set),
    (&["scroll"], Verb::Scroll),
    (&["copy"], Verb::Copy),
    (&["paste"], Verb::Paste),
    (&["upload"], Verb::Upload),
    (&["attach"], Verb::Upload),
    (&["switch"], Verb::Switch),
    (&["close"], Verb::Close),
    (&["accept"], Verb::Accept),
    (&["dismiss"], Verb::Dismiss),
    (&["cancel"], Verb::Dismiss),
    (&["decline"], Verb::Dismiss),
    (&["reject"], Verb::Dismiss),
    (&["wait"], Verb::Wait),
    (&["pause"], Verb::Wait),
    (&["sleep"], Verb::Wait),
    (&["take"], Verb::Screenshot),
    (&["capture"], Verb::Screenshot),
    (&["submit"], Verb::Submit),
    (&["search"], Verb::Search),
    (&["expand"], Verb::Expand),
    (&["unfold"], Verb::Expand),
    (&["collapse"], Verb::Collapse),
    (&["fold"], Verb::Collapse),
    (&["emulate"], Verb::Emulate),
    (&["leave"], Verb::Leave),
    (&["keep"], Verb::Leave),
    (&["save"], Verb::Named),
    (&["edit"], Verb::Named),
    (&["add"], Verb::Named),
    (&["create"], Verb::Named),
    (&["send"], Verb::Named),
    (&["apply"], Verb::Named),
    (&["publish"], Verb::Named),
    (&["download"], Verb::Named),
    (&["continue"], Verb::Named),
    (&["archive"], Verb::Named),
    (&["restore"], Verb::Named),
    (&["approve"], Verb::Named),
    (&["print"], Verb::Named),
    (&["export"], Verb::Named),
    (&["duplicate"], Verb::Named),
    (&["preview"], Verb::Named),
    (&["reset"], Verb::Named),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundVerb {
    pub verb: Verb,
    pub form: Inflection,
    /// How many words it takes.
    pub length: usize,
}

/// The verb that begins these words.
pub(crate) fn verb(words: &[&str]) -> Option<FoundVerb> {
    let first = *words.first()?;
    if first.is_empty() {
        return None;
    }
    VERBS.iter().find_map(|(phrase, found)| {
        // "Right clicks": the second word is the verb.
        if let ([side, verb], [_, second, ..]) = (phrase, words)
            && matches!(*side, "right" | "left" | "double" | "middle")
            && first == *side
        {
            let form = form_of(second, verb)?;
            return Some(FoundVerb { verb: *found, form, length: 2 });
        }
        let fits = words.len() >= phrase.len() && words[1..phrase.len()] == phrase[1..];
        let form = if fits { form_of(first, phrase[0]) } else { None }?;
        Some(FoundVerb { verb: *found, form, length: phrase.len() })
    })
}

/// Reads what follows a verb.
pub(crate) fn acts(verb: Verb, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.trimmed();
    match verb {
        Verb::Go => navigate::go(rest, nouns),
        Verb::Open => navigate::open(rest, nouns),
        Verb::Back => navigate::back(rest, nouns),
        Verb::Forward => Ok(vec![Act::Forward]),
        Verb::Reload => navigate::reload(rest, nouns),
        Verb::Click => click::click(rest, ClickKind::Single, nouns),
        Verb::Follow => click::follow(rest, nouns),
        Verb::DoubleClick => click::click(rest, ClickKind::Double, nouns),
        Verb::RightClick => click::click(rest, ClickKind::Right, nouns),
        Verb::MiddleClick => click::click(rest, ClickKind::Middle, nouns),
        Verb::Named => click::named(rest, nouns),
        Verb::Press => keyboard::press(rest, nouns),
        Verb::Enter => enter::enter(rest, nouns),
        Verb::Fill => fill::fill(rest, nouns),
        Verb::Set => fill::set(rest, nouns),
        Verb::Append => fill::append(rest, nouns),
        Verb::Clear => fill::clear(rest, nouns),
        Verb::Delete => fill::delete(rest, nouns),
        Verb::Search => enter::search(rest, nouns),
        Verb::Choose => choose::choose(rest, nouns),
        Verb::Sort => choose::sort(rest),
        Verb::Filter => choose::filter(rest, nouns),
        Verb::Unchoose => check::check(rest, Toggle::Off, nouns),
        Verb::Check | Verb::CheckOrVerify => check::check(rest, Toggle::On, nouns),
        Verb::Uncheck => check::check(rest, Toggle::Off, nouns),
        Verb::Toggle => check::check(rest, Toggle::Other, nouns),
        Verb::Turn => check::turn(rest, nouns),
        Verb::Mark => check::mark(rest, nouns),
        Verb::Hover => pointer::hover(rest, nouns),
        Verb::Focus => pointer::focus(rest, nouns),
        Verb::Drag => pointer::drag(rest, nouns),
        Verb::Move => pointer::move_to(rest, nouns),
        Verb::Scroll => pointer::scroll(rest, nouns),
        Verb::Copy => keyboard::copy(rest, nouns),
        Verb::CopyAndPaste => keyboard::copy_and_paste(rest, nouns),
        Verb::Paste => keyboard::paste(rest, nouns),
        Verb::Upload => fill::upload(rest, nouns),
        Verb::Switch => tabs::switch(rest, nouns),
        Verb::Close => tabs::close(rest, nouns),
        Verb::Accept | Verb::Confirm => dialog::accept(rest, verb, nouns),
        Verb::Dismiss => dialog::dismiss(rest, nouns),
        Verb::Wait => wait::wait(rest, nouns),
        Verb::LogIn => session::log_in(rest, nouns),
        Verb::LogOut => Ok(vec![Act::LogOut]),
        Verb::Screenshot => session::screenshot(rest),
        Verb::Submit => session::submit(rest, nouns),
        // What can be emulated was read as a whole clause before.
        Verb::Emulate => Err(world::not_emulated(rest)),
        Verb::Leave => fill::leave(rest, nouns),
        Verb::Expand => Ok(vec![Act::Expand { target: needed(rest, Verb::Expand, nouns)? }]),
        Verb::Collapse => Ok(vec![Act::Collapse { target: needed(rest, Verb::Collapse, nouns)? }]),
        Verb::Verify | Verb::See | Verb::Find => {
            Err(Misread::new(verb, "it does not say what should be true"))
        }
    }
}

/// Sentences that show how a verb is used, for one that is not understood.
pub(crate) fn sentences_with(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Go | Verb::Open | Verb::Back | Verb::Forward | Verb::Reload => {
            &["Go to the login page", "Navigate to https://app.example.com/login", "Open the user menu"]
        }
        Verb::Click | Verb::DoubleClick | Verb::RightClick | Verb::MiddleClick => &[
            "Click the \"Save\" button",
            "Click \"Edit\" in the row of \"Ada\"",
            "Double-click the second row",
        ],
        Verb::Named | Verb::Delete | Verb::Submit => {
            &["Click the \"Save\" button", "Submit the form", "Click \"Delete\" in the row of \"Ada\""]
        }
        Verb::Press => &["Press Enter", "Press Ctrl+A", "Press the \"Save\" button"],
        Verb::Enter | Verb::Fill | Verb::Set | Verb::Append | Verb::Clear | Verb::Search => &[
            "Enter \"ada@example.com\" in the email field",
            "Fill in the name with \"Ada\"",
            "Search for \"lamp\"",
        ],
        Verb::Choose | Verb::Unchoose | Verb::Sort | Verb::Filter => {
            &["Select \"France\" from the country list", "Choose \"Express\" under \"Shipping\""]
        }
        Verb::Check | Verb::Uncheck | Verb::Toggle | Verb::Turn | Verb::Mark => {
            &["Check the \"Remember me\" checkbox", "Turn off the \"Newsletter\" switch"]
        }
        Verb::Hover | Verb::Focus | Verb::Move | Verb::Drag => &[
            "Hover over the \"Help\" icon",
            "Drag \"Task 1\" to the \"Done\" column",
            "Set the volume slider to 40",
        ],
        Verb::Scroll => &["Scroll to the bottom of the page", "Scroll to the \"Comments\" section"],
        Verb::Copy | Verb::CopyAndPaste | Verb::Paste => {
            &["Copy the text of the code field", "Paste it into the name field"]
        }
        Verb::Upload => &["Upload \"report.pdf\" to the attachment field"],
        Verb::Switch | Verb::Close => {
            &["Switch to the new tab", "Switch to the \"payment\" frame", "Close the dialog"]
        }
        Verb::Accept | Verb::Dismiss | Verb::Confirm => {
            &["Accept the alert", "Dismiss the dialog", "Click \"OK\" in the dialog"]
        }
        Verb::Wait => {
            &["Wait for the spinner to disappear", "Wait until \"Done\" is shown", "Wait 2 seconds"]
        }
        Verb::LogIn | Verb::LogOut => &["Log in as \"ada\" with password \"secret\"", "Log out"],
        Verb::Screenshot => &["Take a screenshot"],
        Verb::Expand | Verb::Collapse => &["Expand the \"Details\" section"],
        Verb::Find => &["Find the row of \"Ada\"", "Search for \"Ada\"", "Verify that \"Ada\" is shown"],
        Verb::Follow => &["Follow the link \"Terms\"", "Click the \"Follow\" button"],
        Verb::Verify | Verb::CheckOrVerify | Verb::See => &[
            "Click the \"Save\" button",
            "Verify that \"Welcome\" is shown",
            "The \"Save\" button is disabled",
        ],
        Verb::Emulate => {
            &["Set the clock to 1 March 2027", "Emulate a Pixel 9", "Set the time zone to Europe/Madrid"]
        }
        Verb::Leave => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, read};

    #[test]
    fn every_sentence_that_is_offered_is_understood() {
        for sentence in VERBS.iter().flat_map(|(_, verb)| sentences_with(*verb)) {
            assert!(read(sentence, &Hints::default()).is_ok(), "{sentence}");
        }
    }
}
