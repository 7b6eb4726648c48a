//! `assay explore`: the screens of an application, written into a tree file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use assay_host::{ExploreReport, ExploreSpec, News};
use assay_navigation::{Comparison, LeftOut, compare};
use assay_protocol::{ErrorCode, Failure, Format};
use serde_json::json;

use super::{ExploreOptions, trees_here};
use crate::command::Invocation;
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::following::follow;
use crate::{host, output};

/// What was left out is listed up to here; `--json` has all of it.
const MOST_LEFT_OUT: usize = 12;

pub fn run(options: &ExploreOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match (&options.url, &options.compare) {
        (None, Some(other)) => {
            compare_files(options, other, environment).map(|changes| print_changes(&changes, json))
        }
        _ => explore(options, invocation, environment).map(|report| print(&report, json)),
    };
    done.unwrap_or_else(|failure| output::print_failure(&failure, json))
}

fn explore(
    options: &ExploreOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExploreReport, Failure> {
    let url = options.url.clone().ok_or_else(|| {
        Failure::new(ErrorCode::Usage, "expected an address, found nothing")
            .hint("assay explore http://127.0.0.1:8080/")
    })?;
    let spec = ExploreSpec {
        folder: host::here()?,
        url,
        name: options.name.clone(),
        depth: options.depth,
        screens: options.screens,
        time: Duration::from_secs(options.seconds),
        login: options.login.clone(),
        is_fresh: options.is_fresh,
        prunes: options.prunes,
        ignores_robots: options.ignores_robots,
        reads_by_post: options.reads_by_post,
        compare: options.compare.as_ref().map(PathBuf::from),
        browser: oneshot_settings(invocation, environment)?,
    };
    follow(host::host(environment)?.explore(spec)?, |news| {
        match news {
            News::Note(text) => output::tell(&format!("note: {text}")),
            News::Warning(text) => output::tell(&format!("warning: {text}")),
            News::Event(_) | News::Earlier(_) | News::Over => {}
        }
        Ok(())
    })
}

/// The project's tree beside another file.
fn compare_files(
    options: &ExploreOptions,
    other: &str,
    environment: &Environment,
) -> Result<Comparison, Failure> {
    let trees = trees_here(environment)?;
    let own = trees.load(options.name.as_deref())?;
    let other =
        trees.load(Some(&if other.contains('/') { other.to_string() } else { format!("./{other}") }))?;
    Ok(compare(&other.file.tree, &own.file.tree))
}

fn print_changes(changes: &Comparison, json: bool) -> ExitCode {
    if json {
        output::print_json(&json!({ "ok": true, "data": { "changes": changes } }));
    } else if changes.is_empty() {
        output::print_line("no differences");
    } else {
        changes.lines().iter().for_each(|line| output::print_line(line));
    }
    ExitCode::SUCCESS
}

fn print(report: &ExploreReport, json: bool) -> ExitCode {
    if json {
        output::print_json(&json!({ "ok": true, "data": data(report) }));
        return ExitCode::SUCCESS;
    }
    lines(report).iter().for_each(|line| output::print_line(line));
    talk(report).iter().for_each(|line| output::tell(line));
    ExitCode::SUCCESS
}

fn data(report: &ExploreReport) -> serde_json::Value {
    json!({
        "file": report.file, "new_file": report.is_new, "written": report.is_written, "compared": report.is_compared,
        "screens": report.tree.screens.len(), "found": report.found, "edges": report.tree.edges.len(),
        "behind_login": report.behind_login, "changes": report.changes, "left_out": report.left_out,
        "stopped": report.stopped, "looks": report.looks, "seconds": report.seconds, "resumed": report.is_resumed,
        "tree": report.tree,
    })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn lines(report: &ExploreReport) -> Vec<String> {
    let mut parts = vec![
        counted(report.tree.screens.len(), "screen", "screens"),
        counted(report.tree.edges.len(), "edge", "edges"),
    ];
    if !report.behind_login.is_empty() {
        let screens = counted(report.behind_login.len(), "screen", "screens");
        let why = if report.has_login { "--login did not lead there" } else { "give --login" };
        parts.push(format!("{screens} behind a login ({why})"));
    }
    let file = match (report.is_compared, report.is_written) {
        (true, _) => "compared; nothing was written".to_string(),
        (false, true) => report.file.display().to_string(),
        (false, false) => format!("{} is up to date", report.file.display()),
    };
    let mut lines = vec![format!("{}      {file}", parts.join(", "))];
    lines.extend(report.changes.lines().into_iter().map(|line| format!("  {line}")));
    if report.is_compared && report.changes.is_empty() {
        lines.push("  no differences".to_string());
    }
    if !report.is_compared && !report.changes.gone.is_empty() {
        lines.push("  what is gone stays in the file; --prune removes it".to_string());
    }
    lines
}

fn talk(report: &ExploreReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(why) = &report.stopped {
        lines.push(format!("note: not everything was seen: {why}"));
    }
    if report.left_out.is_empty() {
        return lines;
    }
    lines.push(format!("left out ({}):", report.left_out.len()));
    let said = |one: &LeftOut| format!("  {} on {}: {}", one.what, one.at, one.why);
    lines.extend(report.left_out.iter().take(MOST_LEFT_OUT).map(said));
    if report.left_out.len() > MOST_LEFT_OUT {
        lines.push(format!("  and {} more; --json has all of them", report.left_out.len() - MOST_LEFT_OUT));
    }
    lines
}
