//! Scripts of a project: started with their values, watched, ended in time, and put on record as tests are.

mod carry_out;
mod logs;
mod process;
mod spec;
mod trouble;

pub(crate) use carry_out::carry_out;
pub use spec::ScriptSpec;
pub use trouble::script_failure;
