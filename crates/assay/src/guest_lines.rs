//! What guests may say on a command line. Lines are read as the program itself reads them, so no order of words and no
//! flag gets round this.

use std::path::{Path, PathBuf};

use assay_actions::{ProjectFiles, real_path};
use assay_host::{Cassette, HealDecision};
use assay_protocol::{ErrorCode, Failure};

use crate::agent::{AgentTalk, AgentWork, AnalysisForm};
use crate::argv;
use crate::command::{Command, Invocation, SkillOperation};
use crate::environment::Environment;
use crate::event::EventOperation;
use crate::history::HistoryQuestion;
use crate::incident::IncidentOperation;
use crate::models::ModelOperation;
use crate::navigation::TreeOperation;
use crate::requirement::RequirementOperation;
use crate::script::ScriptOperation;

/// How far a command line reaches.
#[derive(Debug, PartialEq)]
pub enum Reach {
    /// Pages, tests and reports.
    Usual,
    /// Something that a user has to allow, in words.
    Beyond(&'static str),
}

/// How far a line reaches, or why no guest may say it.
pub fn reach_of(words: &[String], environment: &Environment) -> Result<Reach, Failure> {
    let invocation = argv::parse(words, environment)?;
    if words.iter().take_while(|word| *word != "--").any(|word| is_session_flag(word)) {
        return Err(not_for_guests("the session is that of your connection; leave it out"));
    }
    let usual = argv::parse(&["version".to_string()], environment)?;
    if invocation.browser.path != usual.browser.path && invocation.browser.engine.is_none()
        || invocation.browser.connect != usual.browser.connect
        || invocation.browser.path.as_ref().is_some_and(|path| is_not_of(environment, path))
    {
        return Ok(Reach::Beyond("starts or drives a browser of its choice"));
    }
    if invocation.allow != usual.allow {
        return Ok(Reach::Beyond("opens addresses that are not of the web"));
    }
    of_command(&invocation)
}

fn is_session_flag(word: &str) -> bool {
    word == "-s" || word.starts_with("-s=") || word == "--session" || word.starts_with("--session=")
}

fn is_not_of(environment: &Environment, path: &str) -> bool {
    !environment.programs.iter().any(|(_, known)| known == path)
}

/// Every command has to be named here: a new one is for guests only if somebody says so.
fn of_command(invocation: &Invocation) -> Result<Reach, Failure> {
    Ok(match &invocation.command {
        Command::Run(options) if options.trust => {
            Reach::Beyond("lets a project run commands and use your files")
        }
        Command::Twin(options) if options.trust => {
            Reach::Beyond("lets a project run commands and use your files")
        }
        Command::Twin(options) if options.reset_old.is_some() || options.reset_new.is_some() => {
            Reach::Beyond("runs commands of its choice")
        }
        Command::Script(ScriptOperation::Run(order)) if order.trust => {
            Reach::Beyond("lets a project run commands and use your files")
        }
        Command::Plan(options) if options.forces => Reach::Beyond("replaces files that are there"),
        Command::Heal(order) if order.decision != HealDecision::Open => {
            Reach::Beyond("accepts or refuses healed steps in the lock files")
        }
        Command::Past(HistoryQuestion::Gc { .. }) => Reach::Beyond("deletes old runs"),
        Command::Backup(_) => Reach::Beyond("copies or replaces all that is on record"),
        Command::Agent(AgentWork::Discard { .. }) => Reach::Beyond("takes results out of the history"),
        Command::Event(EventOperation::Publish(_)) => Reach::Beyond("makes agents act"),
        Command::Incident(IncidentOperation::Close { .. }) => Reach::Beyond("closes an incident"),
        Command::Agent(AgentWork::Analyze { .. }) | Command::Event(_) | Command::Incident(_) => Reach::Usual,
        Command::Trust { .. } => Reach::Beyond("lets a project run commands and use your files"),
        Command::Setup { .. } => Reach::Beyond("installs packages on this machine"),
        Command::Init { .. } => Reach::Beyond("writes an example project"),
        Command::Skill(SkillOperation::Install { .. }) => Reach::Beyond("writes into the settings of agents"),
        Command::Agent(AgentWork::Talk(AgentTalk::Stats)) => Reach::Usual,
        Command::Agent(AgentWork::Talk(_)) => {
            Reach::Beyond("talks to an agent, which asks a model with your key")
        }
        Command::Model(ModelOperation::Test { .. }) => Reach::Beyond("asks a model, with your key"),
        Command::Explore(options) if options.login.iter().any(|line| line.contains("${")) => {
            Reach::Beyond("uses variables of your environment")
        }
        Command::Tree(operation) if matches!(&**operation, TreeOperation::Validate { login, .. } if login.iter().any(|line| line.contains("${"))) => {
            Reach::Beyond("uses variables of your environment")
        }
        Command::Tree(operation) if matches!(**operation, TreeOperation::Delete { .. }) => {
            Reach::Beyond("deletes a navigation tree")
        }
        Command::Explore(_) | Command::Goto(_) | Command::Tree(_) => Reach::Usual,
        Command::Act(_)
        | Command::Do { .. }
        | Command::Run(_)
        | Command::Resume { .. }
        | Command::Plan(_)
        | Command::Twin(_)
        | Command::Heal(_)
        | Command::Past(_)
        | Command::Report(_)
        | Command::Schema(_)
        | Command::Coverage(_)
        | Command::Requirement(_)
        // A script runs only where its user trusts the project.
        | Command::Script(_)
        | Command::Model(ModelOperation::List)
        | Command::Doctor
        | Command::Tools { .. }
        | Command::Skill(_)
        | Command::Completions { .. }
        | Command::Reference(_)
        | Command::Help { .. }
        | Command::Version => Reach::Usual,
        Command::Device(_)
        | Command::Daemon(_)
        | Command::SessionList
        | Command::SessionStop { .. }
        | Command::Batch { .. }
        | Command::Task(_)
        | Command::Agent(AgentWork::Watch { .. })
        | Command::Tool { .. }
        | Command::Mcp(_)
        | Command::Serve(_)
        | Command::Agent(_)
        | Command::Enrol(_) => {
            return Err(not_for_guests("this command is for the user of the machine"));
        }
    })
}

fn not_for_guests(why: &str) -> Failure {
    Failure::new(ErrorCode::BlockedByPolicy, why.to_string())
}

/// Guests use files of their folder only, whichever command names them. In a trusted folder they may use others.
pub fn check_files(
    words: &[String],
    environment: &Environment,
    folder: &Path,
    is_trusted: bool,
) -> Result<(), Failure> {
    if is_trusted {
        return Ok(());
    }
    let root = real_path(folder).unwrap_or_else(|| folder.to_path_buf());
    let files = ProjectFiles { folder: root.clone(), results: root, is_trusted: false };
    for path in files_of(&argv::parse(words, environment)?.command) {
        let path = folder.join(path);
        // A draft of a test is hidden from runs by its name; its folder is not hidden.
        let is_draft = path.extension().is_some_and(|extension| extension == "yaml");
        let known = if is_draft { path.parent().map(Path::to_path_buf) } else { Some(path.clone()) };
        if !known.is_some_and(|known| files.contain(&known)) {
            let message = format!("`{}` is not a file of the project {}", path.display(), folder.display());
            return Err(Failure::new(ErrorCode::BlockedByPolicy, message)
                .hint("the user may start the server in another folder, or trust this one"));
        }
    }
    Ok(())
}

/// The files that a command names, to read or to write. Acts of the browser are checked by its daemon.
fn files_of(command: &Command) -> Vec<PathBuf> {
    let cassette = |cassette: &Option<Cassette>| match cassette {
        Some(Cassette::Record(file) | Cassette::Replay(file)) => vec![file.clone()],
        None => Vec::new(),
    };
    let paths = |texts: &[&String]| texts.iter().map(PathBuf::from).collect::<Vec<PathBuf>>();
    match command {
        Command::Run(options) => {
            let reports = &options.reports;
            let named = [&reports.json, &reports.junit, &reports.ctrf, &reports.html];
            let named: Vec<&String> = named.into_iter().flatten().collect();
            let tests: Vec<&String> = options.paths.iter().collect();
            [paths(&tests), paths(&named), paths(&[&options.results]), cassette(&options.models.cassette)]
                .concat()
        }
        Command::Plan(options) => {
            let named: Vec<&String> =
                [&options.requirements, &options.answers_file].into_iter().flatten().collect();
            [paths(&named), paths(&[&options.out]), cassette(&options.models.cassette)].concat()
        }
        Command::Agent(AgentWork::Analyze { form: AnalysisForm::Html { file }, .. }) => paths(&[file]),
        Command::Event(EventOperation::Publish(order)) => {
            order.payload.iter().filter(|file| *file != "-").map(PathBuf::from).collect()
        }
        Command::Coverage(options) => options.html.iter().map(PathBuf::from).collect(),
        Command::Requirement(RequirementOperation::Create { file, .. }) => {
            file.iter().map(PathBuf::from).collect()
        }
        Command::Requirement(RequirementOperation::Import { table, file, .. }) => {
            std::iter::once(table).chain(file).map(PathBuf::from).collect()
        }
        Command::Script(ScriptOperation::Run(order)) => {
            let reports = &order.reports;
            let named = [&reports.json, &reports.junit, &reports.ctrf, &reports.html];
            named.into_iter().flatten().chain([&order.results]).map(PathBuf::from).collect()
        }
        Command::Explore(options) => options.compare.iter().map(PathBuf::from).collect(),
        Command::Tree(operation) => operation.files(),
        Command::Init { folder } => folder.iter().map(PathBuf::from).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_string).collect()
    }

    #[track_caller]
    fn check(line: &str, expected: Option<Reach>) {
        assert_eq!(reach_of(&words(line), &Environment::default()).ok(), expected, "{line}");
    }

    #[test]
    fn the_place_of_a_flag_changes_nothing() {
        for line in
            ["click e1", "--json click e1", "run tests", "report show", "heal", "do Hello", "skill list"]
        {
            check(line, Some(Reach::Usual));
        }
        for line in [
            "session list",
            "--json session stop --all",
            "--json tool list_hosts",
            "close",
            "device release session:default --owner ben",
            "--json device list",
            "title --session default",
            "-s other title",
            "mcp",
            "daemon stop",
        ] {
            check(line, None);
        }
        for line in ["agent analyze", "event list", "incident show 3"] {
            check(line, Some(Reach::Usual));
        }
        check("agent watch --once", None);
        for line in [
            "agent discard 3/login",
            "event publish alert.anr --device chromium",
            "incident close 3",
            "trust",
            "--json trust",
            "run --trust",
            "--json heal --apply",
            "heal --refuse",
            "--connect ws://127.0.0.1:1 title",
            "--browser-path /bin/sh title",
            "go file:///etc/passwd --allow file",
            "gc",
            "backup x.tar",
            "restore x.tar",
            "setup",
            "init x",
        ] {
            assert!(
                matches!(reach_of(&words(line), &Environment::default()), Ok(Reach::Beyond(_))),
                "{line}"
            );
        }
    }

    #[test]
    fn commands_name_files_of_the_folder_only() {
        let folder = std::env::temp_dir();
        let within = |line: &str| check_files(&words(line), &Environment::default(), &folder, false).is_ok();
        assert!(within("run tests/login.yaml --junit out.xml") && within("plan --url http://a --out tests"));
        for line in [
            "run /etc/passwd",
            "run --dry-run ../secret.yaml",
            "run .git/config",
            "run --results /srv/x",
            "run --junit ../x.xml",
            "plan --url http://a --out /srv",
            "init /srv/x",
        ] {
            assert!(!within(line), "{line}");
        }
        assert!(check_files(&words("run /etc/passwd"), &Environment::default(), &folder, true).is_ok());
    }
}
