//! `assay tree`: trees checked, shown, edited, joined and walked.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use assay_coordinator::Coordinator;
use assay_host::{
    LoadedTree, News, ProjectTrees, ValidateReport, ValidateSpec, WayState, problem_words, state_failure,
};
use assay_navigation::{merge, mermaid, svg};
use assay_protocol::{ANY_SCREEN, EdgeMetrics, ErrorCode, Failure, Format, NavigationTree};
use assay_suite::TreeFile;
use serde_json::{Value, json};

use super::edit::edited;
use super::{TreeOperation, trees_here};
use crate::command::Invocation;
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::following::follow;
use crate::host::{self, here};
use crate::{output, state};

/// What a command says: lines for people, and data.
struct Said {
    lines: Vec<String>,
    data: Value,
    exit: ExitCode,
}

impl Said {
    fn well(lines: Vec<String>, data: Value) -> Said {
        Said { lines, data, exit: ExitCode::SUCCESS }
    }
}

pub fn run(operation: &TreeOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, invocation, environment) {
        Ok(said) => {
            if json {
                output::print_json(&json!({ "ok": said.exit == ExitCode::SUCCESS, "data": said.data }));
            } else {
                said.lines.iter().for_each(|line| output::print_line(line));
            }
            said.exit
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(
    operation: &TreeOperation,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<Said, Failure> {
    let trees = trees_here(environment)?;
    match operation {
        TreeOperation::List => Ok(list(&trees)),
        TreeOperation::Check { files } => check(&trees, files),
        TreeOperation::Show { tree, svg, mermaid } => {
            show(&trees, tree.as_deref(), svg.as_deref(), *mermaid, environment)
        }
        TreeOperation::Edit { tree, edit } => {
            let mut loaded = trees.load(tree.as_deref())?;
            let (now, renamed) = edited(&loaded.file.tree, edit)?;
            let said = write(&mut loaded, &now, &renamed)?;
            for (old, new) in &renamed {
                if let Some(coordinator) = state::look_here(environment)? {
                    coordinator.screen_renamed(&loaded.name, old, new).map_err(state_failure)?;
                }
            }
            Ok(said)
        }
        TreeOperation::Merge { tree, other } => {
            let mut loaded = trees.load(tree.as_deref())?;
            let other = trees.load(Some(other))?;
            let (now, changes) = merge(&loaded.file.tree, &other.file.tree, &|_, _| true);
            let mut said = write(&mut loaded, &now, &[])?;
            // What only the first has is not gone: nobody looked.
            let changes = assay_navigation::Comparison { gone: Vec::new(), ..changes };
            said.lines.extend(changes.lines().into_iter().map(|line| format!("  {line}")));
            said.data["changes"] = json!(changes);
            Ok(said)
        }
        TreeOperation::Validate { tree, base_url, login, seconds } => {
            let spec = ValidateSpec {
                folder: here()?,
                tree: tree.clone(),
                base_url: base_url.clone(),
                login: login.clone(),
                time: Duration::from_secs(*seconds),
                browser: oneshot_settings(invocation, environment)?,
            };
            let report = follow(host::host(environment)?.validate_tree(spec)?, |news| {
                match news {
                    News::Note(text) => output::tell(&format!("note: {text}")),
                    News::Warning(text) => output::tell(&format!("warning: {text}")),
                    News::Event(_) | News::Earlier(_) | News::Over => {}
                }
                Ok(())
            })?;
            Ok(validated(&report))
        }
        TreeOperation::Facts { tree, drop } => facts(&trees, tree.as_deref(), *drop, environment),
        TreeOperation::Create { name, base_url } => create(&trees, name, base_url.as_deref()),
        TreeOperation::Delete { name } => {
            let loaded = trees.load(Some(name))?;
            std::fs::remove_file(loaded.file.path()).map_err(|err| {
                Failure::new(
                    ErrorCode::Io,
                    format!("could not delete {}: {err}", loaded.file.shown().display()),
                )
            })?;
            let line = format!("deleted {}", loaded.file.shown().display());
            Ok(Said::well(vec![line], json!({ "tree": loaded.name, "deleted": true })))
        }
    }
}

fn list(trees: &ProjectTrees) -> Said {
    let (loaded, problems) = trees.load_all();
    let line = |tree: &LoadedTree| {
        let known = &tree.file.tree;
        format!(
            "{}  {} screens, {} edges  {}",
            tree.name,
            known.screens.len(),
            known.edges.len(),
            tree.file.shown().display()
        )
    };
    let mut lines: Vec<String> = loaded.iter().map(line).collect();
    lines.extend(problems.iter().map(problem_words));
    if lines.is_empty() {
        lines.push("no navigation trees yet; assay explore ADDRESS makes one".to_string());
    }
    let data: Vec<Value> = loaded
        .iter()
        .map(|tree| {
            let known = &tree.file.tree;
            json!({
                "tree": tree.name, "file": tree.file.shown(), "interface": known.interface, "base_url": known.base_url,
                "screens": known.screens.len(), "edges": known.edges.len(),
            })
        })
        .collect();
    let problems: Vec<String> = problems.iter().map(problem_words).collect();
    Said::well(lines, json!({ "trees": data, "problems": problems }))
}

fn check(trees: &ProjectTrees, files: &[String]) -> Result<Said, Failure> {
    let here = here()?;
    let paths =
        if files.is_empty() { trees.files() } else { files.iter().map(|file| here.join(file)).collect() };
    let (mut lines, mut mistakes, mut good) = (Vec::new(), Vec::new(), 0);
    for path in &paths {
        match TreeFile::load(path, &here) {
            Ok(file) => {
                good += 1;
                lines.push(format!(
                    "{}: {} screens, {} edges",
                    file.shown().display(),
                    file.tree.screens.len(),
                    file.tree.edges.len()
                ));
                lines.extend(doubts(&file.tree).into_iter().map(|doubt| format!("  note: {doubt}")));
            }
            Err(problems) => mistakes.extend(problems.iter().map(problem_words)),
        }
    }
    if paths.is_empty() {
        lines.push("no navigation trees yet; assay explore ADDRESS makes one".to_string());
    }
    let exit =
        if mistakes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(ErrorCode::Usage.exit_code()) };
    lines.extend(mistakes.iter().cloned());
    Ok(Said { lines, data: json!({ "files": paths.len(), "good": good, "mistakes": mistakes }), exit })
}

/// What is allowed, and probably not meant.
fn doubts(tree: &NavigationTree) -> Vec<String> {
    let mut doubts = Vec::new();
    for screen in &tree.screens {
        let is_bare = screen.address.is_none()
            && screen.heading.is_none()
            && screen.title.is_none()
            && screen.has.is_empty();
        if is_bare && !screen.protected {
            doubts.push(format!("nothing says how {} is recognised", screen.name));
        }
        let is_opened = screen.address.as_ref().is_some_and(|address| address.is_literal());
        if !is_opened && !screen.protected && tree.ways().all(|way| way.to != screen.name) {
            doubts.push(format!("no edge leads to {}", screen.name));
        }
    }
    doubts
}

fn show(
    trees: &ProjectTrees,
    tree: Option<&str>,
    picture: Option<&str>,
    as_mermaid: bool,
    environment: &Environment,
) -> Result<Said, Failure> {
    let loaded = trees.load(tree)?;
    let known = &loaded.file.tree;
    if let Some(path) = picture {
        let path = here()?.join(path);
        std::fs::write(&path, svg(known)).map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
        })?;
        let line = format!("{} screens in {}", known.screens.len(), path.display());
        return Ok(Said::well(vec![line], json!({ "svg": path })));
    }
    if as_mermaid {
        let text = mermaid(known);
        return Ok(Said::well(vec![text.trim_end().to_string()], json!({ "mermaid": text })));
    }
    let metrics = match state::look_here(environment)? {
        Some(coordinator) => coordinator.edge_metrics(&loaded.name).map_err(state_failure)?,
        None => Vec::new(),
    };
    let data = json!({ "tree": loaded.name, "file": loaded.file.shown(), "screens": known.screens, "edges": known.edges,
        "interface": known.interface, "base_url": known.base_url, "entry": known.entry, "metrics": metrics });
    Ok(Said::well(table(&loaded, &metrics), data))
}

fn table(loaded: &LoadedTree, metrics: &[EdgeMetrics]) -> Vec<String> {
    let known = &loaded.file.tree;
    let title = if known.interface.is_empty() { &loaded.name } else { &known.interface };
    let mut lines = vec![format!(
        "{title} · {} screens, {} edges      {}",
        known.screens.len(),
        known.edges.len(),
        loaded.file.shown().display()
    )];
    let width = |texts: &mut dyn Iterator<Item = usize>, most: usize| texts.max().unwrap_or(0).min(most);
    let names = width(&mut known.screens.iter().map(|screen| screen.name.chars().count()), 40);
    let address = |at: usize| known.screens[at].address.as_ref().map(ToString::to_string).unwrap_or_default();
    let addresses = width(&mut (0..known.screens.len()).map(|at| address(at).chars().count()), 48);
    for (at, screen) in known.screens.iter().enumerate() {
        let mut about: Vec<String> = Vec::new();
        if known.entry.contains(&screen.name) {
            about.push("entry".to_string());
        }
        about.extend(screen.within.as_ref().map(|above| format!("within {above}")));
        about.extend(screen.when.clone());
        if screen.protected {
            about.push("protected".to_string());
        }
        let line = format!("  {:names$}  {:addresses$}  {}", screen.name, address(at), about.join(" · "));
        lines.push(line.trim_end().to_string());
    }
    if known.edges.is_empty() {
        return lines;
    }
    lines.push(String::from("edges"));
    let way = |edge: &assay_protocol::Edge| {
        let from = if edge.from == ANY_SCREEN { "any screen" } else { &edge.from };
        let arrow = if edge.back.is_empty() { "→" } else { "⇄" };
        format!("{from} {arrow} {}", edge.to)
    };
    let ways = width(&mut known.edges.iter().map(|edge| way(edge).chars().count()), 56);
    for edge in &known.edges {
        let mut line = format!("  {:ways$}  {}", way(edge), edge.acts.join(", "));
        let measured =
            metrics.iter().find(|one| one.from == edge.from && one.to == edge.to && one.acts == edge.acts);
        if let Some(one) = measured {
            let _ = write!(line, "   {} of {}, {} ms", one.successes, one.tries, one.milliseconds);
        }
        if let Some(trouble) = measured.and_then(|one| one.trouble.as_ref()) {
            let _ = write!(line, "; broken: {trouble}");
        }
        lines.push(line);
    }
    lines
}

fn write(
    loaded: &mut LoadedTree,
    now: &NavigationTree,
    renamed: &[(String, String)],
) -> Result<Said, Failure> {
    let is_written = loaded
        .file
        .save(now, renamed)
        .map_err(|problem| Failure::new(ErrorCode::Usage, problem_words(&problem)))?;
    let shown = loaded.file.shown().display().to_string();
    let line = if is_written { format!("wrote {shown}") } else { format!("{shown} is up to date") };
    Ok(Said::well(vec![line], json!({ "tree": loaded.name, "file": shown, "written": is_written })))
}

fn validated(report: &ValidateReport) -> Said {
    let mut lines = Vec::new();
    for edge in &report.edges {
        let from = if edge.from == ANY_SCREEN { "any screen" } else { &edge.from };
        let way = format!("{from} → {}   {}", edge.to, edge.acts.join(", "));
        lines.push(match edge.state {
            WayState::Works => format!("  ok        {way}   {} ms", edge.milliseconds),
            WayState::Broken => format!("  broken    {way}: {}", edge.why),
            WayState::Unreached => format!("  unreached {way}: {}", edge.why),
            WayState::LeftOut => format!("  left out  {way}: protected"),
        });
    }
    let broken = report.count(WayState::Broken);
    let unreached = report.count(WayState::Unreached);
    let mut total = format!(
        "{} ways: {} work, {broken} broken, {unreached} unreached; {} new starts, {:.1} s",
        report.edges.len(),
        report.count(WayState::Works),
        report.resets,
        report.seconds
    );
    if let Some(why) = &report.stopped {
        let _ = write!(total, "; {why}");
    }
    lines.push(total);
    // 1: the application says no; 3: not everything could be walked.
    let exit = match (broken, unreached) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(3),
        _ => ExitCode::from(1),
    };
    Said { lines, data: json!(report), exit }
}

fn facts(
    trees: &ProjectTrees,
    tree: Option<&str>,
    drop: Option<i64>,
    environment: &Environment,
) -> Result<Said, Failure> {
    let nothing = || Said::well(vec!["nothing was learned yet".to_string()], json!({ "facts": [] }));
    let coordinator: Coordinator = match state::look_here(environment)? {
        Some(coordinator) => coordinator,
        None => return Ok(nothing()),
    };
    if let Some(number) = drop {
        coordinator.drop_fact(number).map_err(state_failure)?;
        let line = format!("dropped fact {number}; it is not learned again");
        return Ok(Said::well(vec![line], json!({ "dropped": number })));
    }
    let name = trees.load(tree)?.name;
    let facts = coordinator.facts(&name).map_err(state_failure)?;
    if facts.is_empty() {
        return Ok(nothing());
    }
    let lines = facts.iter().map(|fact| {
        let what = format!("{} \"{}\"", fact.kind.name(), fact.value);
        format!("{:>4}  {}: {what}  ({}; seen {} times)", fact.number, fact.subject, fact.evidence, fact.seen)
    });
    Ok(Said::well(lines.collect(), json!({ "facts": facts })))
}

fn create(trees: &ProjectTrees, name: &str, base_url: Option<&str>) -> Result<Said, Failure> {
    let is_plain = !name.is_empty()
        && !name.starts_with('.')
        && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
    if !is_plain {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!("expected a name of letters, digits, `-` and `_`, found `{name}`"),
        ));
    }
    let path = trees.path_of(name);
    if path.exists() {
        return Err(Failure::new(ErrorCode::FileExists, format!("{} is there already", path.display())));
    }
    let tree = NavigationTree {
        interface: name.to_string(),
        base_url: base_url.map(str::to_string),
        ..NavigationTree::default()
    };
    let mut file = TreeFile::new(Path::new(&path), NavigationTree::default());
    file.save(&tree, &[]).map_err(|problem| Failure::new(ErrorCode::Io, problem_words(&problem)))?;
    let line = format!("wrote {}", path.display());
    Ok(Said::well(vec![line], json!({ "tree": name, "file": path, "written": true })))
}
