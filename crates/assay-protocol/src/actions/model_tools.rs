//! The tools of models, in their words. A changed word is a changed pilot: what a model reads is kept as a snapshot.
//!
//! The entries say which of these ask for them, and by which word.

use super::model_form::{ModelTool, ToolField, ToolWords};

const ELEMENT: ToolField = ToolField::element("The ref of an element, as the page lists it: e12.");
const FROM_ELEMENT: ToolField =
    ToolField::parameter(super::model_form::REF, "from").help("The ref of the element to drag.");
const TO_ELEMENT: ToolField =
    ToolField::parameter(super::model_form::TO_REF, "to").help("The ref of the element to drop it at.");
const VALUE: ToolField = ToolField::number("value").help("The number of the value.");
const DIALOG_ANSWERS: ToolWords = ToolWords {
    field: "answer",
    words: &["accept", "dismiss"],
    refusal: |word| format!("a dialog cannot be answered by `{word}`"),
};

/// A tool for one action.
const fn one(name: &'static str, help: &'static str, fields: &'static [ToolField]) -> ModelTool {
    ModelTool { name, help, words: None, fields }
}

/// A tool for several actions.
const fn several(
    name: &'static str,
    help: &'static str,
    words: ToolWords,
    fields: &'static [ToolField],
) -> ModelTool {
    ModelTool { name, help, words: Some(words), fields }
}

pub const ACT: ModelTool = several(
    "act",
    "Does one thing to one element.",
    ToolWords {
        field: "verb",
        words: &[
            "click",
            "double_click",
            "right_click",
            "hover",
            "focus",
            "check",
            "uncheck",
            "clear",
            "scroll_to",
        ],
        refusal: |word| format!("there is no verb `{word}`"),
    },
    &[ELEMENT],
);

pub const ENTER_VALUE: ModelTool = one(
    "enter_value",
    "Replaces what a field holds by one of the values that the test names.",
    &[ELEMENT, VALUE],
);

pub const ENTER_WORDS: ModelTool = one(
    "enter_words",
    "Replaces what a field holds by words of the step. They must stand in the step letter for letter.",
    &[ELEMENT, ToolField::parameter("words", "text")],
);

pub const CHOOSE: ModelTool = one(
    "choose",
    "Chooses an option of any list, by the text that the page shows for it. A closed list is opened first.",
    &[ELEMENT, ToolField::item_of("option", "options")],
);

pub const ATTACH: ModelTool = one(
    "attach",
    "Gives a file that the test names to a file input, or to the button that opens the file chooser.",
    &[ELEMENT, VALUE],
);

pub const DRAG_TO: ModelTool = several(
    "drag",
    "Drags one element onto another, or before or after it in a list.",
    ToolWords {
        field: "place",
        words: &["onto", "above", "below"],
        refusal: |word| format!("nothing can be dropped `{word}` an element"),
    },
    &[FROM_ELEMENT, TO_ELEMENT],
);

pub const PRESS_KEYS: ModelTool = one(
    "press",
    "Presses keys one after the other: Enter, Tab, Escape, ArrowDown, … No text can be typed so.",
    &[
        ToolField::parameter("keys", "keys"),
        ToolField::element("The element to press them on; empty for what has the focus."),
    ],
);

pub const SCROLL: ModelTool = several(
    "scroll",
    "Scrolls the page.",
    ToolWords { field: "to", words: &["up", "down", "top", "bottom"], refusal: no_way_to_scroll },
    &[],
);

pub const HISTORY: ModelTool = several(
    "history",
    "Goes back or forward, or loads the page again.",
    ToolWords {
        field: "to",
        words: &["back", "forward", "reload"],
        refusal: |word| format!("there is no `{word}` in the history"),
    },
    &[],
);

pub const OPEN_ADDRESS: ModelTool = one(
    "open_address",
    "Opens an address that the test names, or a path of the site under test that the step names.",
    &[ToolField::parameter("address", "url")],
);

pub const WAIT_FOR: ModelTool = several(
    "wait",
    "Waits until the page shows a text, no longer shows it, or has loaded. Gives up after some seconds.",
    ToolWords {
        field: "until",
        words: &["shown", "gone", "loaded"],
        refusal: |word| format!("cannot wait until something is `{word}`"),
    },
    &[ToolField::text("text").help("The text to wait for; empty for `loaded`.")],
);

pub const DIALOG: ModelTool =
    several("dialog", "Answers the open dialog of the browser.", DIALOG_ANSWERS, &[]);

pub const TAB: ModelTool = one("tab", "Goes on in another tab.", &[ToolField::parameter("tab", "tab")]);

/// For models that see a picture with numbers on it.
pub const PICK: ModelTool = several(
    "pick",
    "Points at a number of the newest picture. An element or a part of a cell is acted on; a cell of the whole \
page is shown closer first, with numbers of its own.",
    ToolWords {
        field: "do",
        words: &["click", "double_click", "right_click", "hover"],
        refusal: |word| format!("`{word}` is nothing that can be done to a number"),
    },
    &[ToolField::number("number")],
);

pub const TYPE_VALUE: ModelTool =
    one("type_value", "Types one of the values that the test names into what has the focus.", &[VALUE]);

pub const TYPE_WORDS: ModelTool = one(
    "type_words",
    "Types words of the step into what has the focus. They must stand in the step letter for letter.",
    &[ToolField::parameter("words", "text")],
);

pub const PRESS_KEY: ModelTool = one(
    "press",
    "Presses a key or a chord: Enter, Tab, Escape, ArrowDown, Backspace, Control+a. No text can be typed so.",
    &[ToolField::item_of("key", "keys")],
);

/// A picture shows where the page ends.
pub const SCROLL_VIEW: ModelTool = several(
    "scroll",
    "Scrolls the page.",
    ToolWords { field: "to", words: &["up", "down"], refusal: no_way_to_scroll },
    &[],
);

/// For models that see pictures, which show neither dialogs nor other tabs.
pub const DIALOG_UNSEEN: ModelTool =
    several("dialog", "Answers the open dialog of the browser, which no picture shows.", DIALOG_ANSWERS, &[]);

pub const TAB_UNSEEN: ModelTool = one(
    "tab",
    "Goes on in another tab of the browser. The pictures show one tab.",
    &[ToolField::parameter("tab", "tab").help("As it was told: t2.")],
);

fn no_way_to_scroll(word: &str) -> String {
    format!("cannot scroll to `{word}`")
}
