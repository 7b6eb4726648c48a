//! Verbs that ask for something to be done or looked at.

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
    /// "Leave the field empty", "leave the frame".
    Leave,
    /// "Verify that …".
    Verify,
    /// "Check": to look whether something is so, or to tick a box.
    CheckOrVerify,
    /// "I should see …".
    See,
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
    (&["click"], Verb::Click),
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
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// "click".
    Base,
    /// "clicks".
    Third,
    /// "clicking".
    Gerund,
    /// "clicked".
    Past,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundVerb {
    pub verb: Verb,
    pub form: Form,
    /// How many words it takes.
    pub length: usize,
}

/// The verb that begins these words.
pub(crate) fn verb(words: &[&str]) -> Option<FoundVerb> {
    let first = *words.first()?;
    if first.is_empty() {
        return None;
    }
    VERBS.iter().find_map(|(phrase, verb)| {
        let fits = words.len() >= phrase.len() && words[1..phrase.len()] == phrase[1..];
        let form = if fits { form_of(first, phrase[0]) } else { None }?;
        Some(FoundVerb { verb: *verb, form, length: phrase.len() })
    })
}

/// Which form of a verb a word is.
pub(crate) fn form_of(word: &str, base: &str) -> Option<Form> {
    if word == base {
        return Some(Form::Base);
    }
    let without_e = base.strip_suffix('e').unwrap_or(base);
    let without_y = base.strip_suffix('y').unwrap_or(base);
    if !word.starts_with(without_y) && !word.starts_with(without_e) {
        return None;
    }
    let doubled = base.chars().next_back().map(|last| format!("{base}{last}")).unwrap_or_default();
    let is = |stem: &str, ending: &str| word.strip_suffix(ending) == Some(stem);
    if is(base, "s") || is(base, "es") || is(without_y, "ies") {
        return Some(Form::Third);
    }
    if is(base, "ing") || is(without_e, "ing") || is(&doubled, "ing") {
        return Some(Form::Gerund);
    }
    if is(base, "ed") || is(without_e, "ed") || is(&doubled, "ed") || is(without_y, "ied") {
        return Some(Form::Past);
    }
    None
}
