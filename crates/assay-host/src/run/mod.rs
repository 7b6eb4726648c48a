//! A run: its specification, its preparation and its execution.

mod basis;
mod browsers;
mod carry_out;
mod choice;
mod committed;
mod exact;
mod locks;
mod plans;
mod preconditions;
mod prepare;
mod record;
mod reports;
mod results_folder;
mod resume;
mod server;
mod spec;

pub(crate) use browsers::{LentBrowsers, LentSurface};
pub use carry_out::RunEnd;
pub(crate) use carry_out::{
    carry_out, carry_out_prepared, check_devices, default_workers, recorder_of, run_name, start_servers,
    write_reports,
};
pub use choice::{TestChoice, parse_shard};
pub(crate) use exact::read_exact;
pub use locks::LockMode;
pub(crate) use locks::lock_of;
pub use plans::part_name;
pub(crate) use plans::{ModelWish, plans_of};
pub(crate) use preconditions::{PreconditionMaker, PreconditionMakers};
pub(crate) use prepare::prepare_script;
pub use prepare::{Prepared, prepare};
pub use record::orphan_words;
pub(crate) use record::{ClaimedRun, RunRecorder};
pub use reports::WantedReports;
pub(crate) use results_folder::HeldResults;
pub(crate) use resume::folder_of;
pub use resume::{Granularity, RepeatedTest, Repeats, Resuming, StartCommand};
pub use spec::{ProjectServers, RunSpec};
