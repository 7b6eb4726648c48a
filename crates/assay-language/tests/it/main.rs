//! The interpreter from outside: sentences and pages in; meaning, decisions and verdicts out.

mod corpus;
mod grounding;
mod judging;
mod notation;
mod scene_notation;
mod sentences;
mod traps;
