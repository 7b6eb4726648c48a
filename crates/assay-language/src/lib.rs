//! The built-in interpreter: sentence → intent → grounded action or claim → verdict.
//!
//! Pure: takes text and scenes, returns decisions. Knows no browser, no model and no file. It never guesses: it reports
//! an unclear target as unclear, with the candidates.

mod decision;
mod ground;
mod hints;
mod intent;
mod judge;
mod parts;
mod positions;
mod quotation;
mod read;
mod signature;
mod synonyms;
mod wording;

pub use decision::{Decision, PlannedAction, Sureness};
pub use ground::{common_paths, ground, home_hint, lacks};
pub use hints::{Hints, LastAct};
pub use intent::{
    About, Act, ChangeIs, Claim, ClickKind, Destination, EachIs, ElementKind, FormProperty, Intent, Matcher,
    MatcherRole, Nearness, NotUnderstood, NumberIs, Ordinal, Performance, Piece, PieceMut, Relation,
    ScrollGoal, SentenceForm, SortOrder, StateWord, TabChoice, Target, TargetRole, TextRole, Toggle, Tone,
    Unnamed, WaitGoal, act_forms, claim_forms,
};
pub use judge::{judge, missing_name, must_have_held, shows_words, tells_of_trouble};
pub use parts::parts_of;
pub use quotation::{marks_in, quotation_mark, quotations, with_marks};
pub use read::{mentioned, only_looks, read};
pub use signature::{Likeness, Recognition, find_again, make_lasting, recognise, revive};
pub use synonyms::name_commits;
pub use wording::{Deed, claims_about, claims_at, exact_selectors, is_said_by, is_true_of, wordings};
