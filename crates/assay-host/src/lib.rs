//! Runs, plans and heals for any program: the command line today, a service, an agent or a worker of a farm.
//!
//! A [`Host`] sets up a run (suite, plans, locks, browsers, models, records, reports), carries it out on its own thread
//! and returns a [`Job`] to follow, stop and wait for. Several jobs can run in one process. The caller passes drivers,
//! the transport of models, variables and folders as a [`HostContext`].
//!
//! Prints nothing, reads no environment, parses no command line, ends no process, and names no concrete driver.

mod applications;
mod backup;
mod context;
mod coverage;
mod devices;
mod domains;
mod heal;
mod history;
mod host;
mod job;
mod live;
mod models;
mod navigation;
mod outside;
mod plan;
mod record_limits;
mod requirements;
mod run;
mod scratch;
mod script;
mod state;
mod task;
mod trust;
mod twin;
mod wishes;

pub use applications::{applications, project_tests};
pub use backup::{
    BackupInfo, BackupOrder, BackupReport, PreparedBackup, RestoreOrder, Restored, back_up, check_backup,
    restore,
};
pub use context::{Drivers, HostContext, Variables};
pub use coverage::{ProjectCoverage, project_coverage};
pub use devices::{
    BrowserOffer, DeviceControl, LOCAL, SessionOffer, session_device, session_of_device, span_words,
};
pub use domains::check_policy_host;
pub use heal::{HealDecision, HealRequest, HealState, heal, heal_json, heal_words};
pub use history::clear_runs;
pub use host::Host;
pub use job::{Job, News};
pub use live::{
    Candidate, ForeignSurface, HandAct, HandDone, ListChoice, LiveDialog, LiveElement, LiveLog, LivePage,
    LivePicture, LiveStep, LiveTab, LiveUpdate, LiveView, PageSource, PageStatus, PartDone, Recorded,
    RecordedKind, StepOutcome,
};
pub use models::{
    Cassette, ChosenModel, ModelOptions, Tape, Wired, choose_model, connect_model, limits_said, pilot_named,
    user_settings, wire,
};
pub use navigation::{
    EdgeChecked, ExploreReport, ExploreSpec, GotoEnd, LoadedTree, Login, ProjectTrees, TreeScreens,
    ValidateReport, ValidateSpec, WayState, goto, goto_alone, problem_words, screens_of,
    shown as screen_shown,
};
pub use plan::{PlanOutcome, PlanReport, PlanSpec, WrittenFile, cost_words};
pub use record_limits::RecordLimits;
pub use requirements::{
    LinkedFile, REQUIREMENTS_FILE, known_requirements, link, linked_file, linked_files, plan_requirements,
    unknown_requirement, unlink, write_files,
};
pub use run::{
    Granularity, LockMode, Prepared, ProjectServers, RepeatedTest, Repeats, Resuming, RunEnd, RunSpec,
    StartCommand, TestChoice, WantedReports, orphan_words, parse_shard, part_name, prepare,
};
pub use script::{ScriptSpec, script_failure};
pub use state::{StateFolder, newest_run, run_called, state_failure};
pub use task::{call_witness, repeated_commits, replay_task};
pub use trust::TrustedFolders;
pub use twin::{TwinEnd, TwinReport, TwinSpec, twin_words};
pub use wishes::ProjectWishes;
