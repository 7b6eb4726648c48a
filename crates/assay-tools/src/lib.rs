//! Everything that assay can do, as tools with typed contracts.
//!
//! One catalogue for all that offer tools: the command line, a server for coding agents, later agents and a service.
//! Browser tools are made from the catalogue of actions; the others are the commands of the command line with typed
//! arguments. Knows names, arguments and answers. Does not know who calls, how a browser is reached or where a command
//! runs: a [`Program`] does that.

mod answer;
mod arguments;
mod bounded;
mod browser;
mod call;
mod catalogue;
mod command_line;
mod devices;
mod hints;
mod navigation;
mod outputs;
mod profile;
mod program;
mod requirements;
mod scripts;
mod suite;
mod test_files;
mod test_store;
mod tool;

pub use answer::{Need, OpenQuestion, Picture, ToolAnswer};
pub use call::{CallSpec, answer_of, call, plain_action};
pub use catalogue::{catalogue, find_tool, tools_of};
pub use outputs::{SavedFile, TestFile};
pub use profile::Profile;
pub use program::{CommandRun, DeviceWish, Program};
pub use test_store::{
    Draft, TestFileTrouble, check_test_text, draft_of, load_test_file, save_test_file, test_file_in,
    test_version,
};
pub use tool::{Cost, Effects, Group, Tool};
