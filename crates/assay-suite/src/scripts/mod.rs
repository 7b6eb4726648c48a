//! Scripts of a project: programs and lists of steps with declared parameters, found by their names in `scripts/`.

mod bind;
mod load;
mod parameter;
mod read;
mod script;

pub use bind::ParameterMistake;
pub(crate) use load::FOLDER;
pub use load::{
    LoadedScripts, ProgramCall, ReadyScript, ScriptTrouble, ScriptWork, load_scripts, ready_script,
};
pub use parameter::{ParameterKind, ScriptParameter};
pub use script::{Script, ScriptBody};
