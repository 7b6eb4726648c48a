//! Tests and project files as text: parsed, checked, with positions.
//!
//! Takes text; returns tests that are ready to run, and all mistakes with their positions. Knows the formats and the
//! folder of a suite. Runs nothing, and does not know the meaning of a command or a sentence.

mod case;
mod data;
mod expand;
mod files;
mod glob;
mod keys;
mod load;
mod lock;
mod mistake;
mod names;
mod nearest;
mod node;
mod options;
mod pattern;
mod problem;
mod project;
mod quotes;
mod reader;
mod reuse;
mod schema;
mod search;
mod settings;
mod slug;
mod source;
mod step_draft;
mod surroundings;
mod template;
mod test_file;
mod tree_file;
mod user;
mod way;
mod world;
mod yaml;

pub use case::{
    Body, Instruction, PreconditionRequest, ShellCommand, TestCase, TestStep, Way, WrittenPrecondition,
};
pub use load::{Loaded, load, load_in};
pub use lock::LockFile;
pub use mistake::Mistake;
pub use options::{
    BrowserName, ClipboardSetting, PilotChoice, PolicySettings, StandingClaims, TestBudget, TimeoutSettings,
    ViewportSetting,
};
pub use problem::{Excerpt, Problem};
pub use project::{McpCommand, Project, RecoverySettings, ServerStart};
pub use schema::{schema, schema_project};
pub use search::folders_above;
pub use source::Position;
pub use template::template;
pub use tree_file::TreeFile;
pub use user::{UserSettings, read_user_settings};
