//! `assay goto`: to a screen of a navigation tree, or, as ever, to an address.

use std::process::ExitCode;
use std::time::Duration;

use assay_host::{GotoEnd, LoadedTree, Login, TreeScreens, goto, screen_shown};
use assay_protocol::{Action, ErrorCode, Failure, Format};
use assay_suite::load_in;
use serde_json::json;

use super::{GotoOptions, trees_here};
use crate::command::{Command, Invocation};
use crate::environment::Environment;
use crate::host::here;
use crate::sentence::SessionSurface;
use crate::{connect, engines, output, state};

/// A way may have many legs, and detours.
const TIME: Duration = Duration::from_secs(90);
const LOOK_TIME: Duration = Duration::from_secs(10);

pub fn run(options: &GotoOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match chosen(options, environment) {
        Ok(Goal::Address(url)) => {
            let invocation = Invocation {
                command: Command::Act(Action::Go { url }),
                timeout_ms: if invocation.wait { invocation.timeout_ms } else { 30_000 },
                ..invocation.clone()
            };
            connect::act(&invocation, environment)
        }
        Ok(Goal::Screen { target, screens, base_url }) => {
            let login = if options.logs_out { Login::Forgotten } else { Login::Kept };
            match go(&target, &screens, base_url.as_deref(), login, invocation, environment) {
                Ok(end) => print(&end, json),
                Err(failure) => output::print_failure(&failure, json),
            }
        }
        Ok(Goal::Shown { screens }) => match shown(&screens, invocation, environment) {
            Ok(end) => print_shown(&end, json),
            Err(failure) => output::print_failure(&failure, json),
        },
        Err(failure) => output::print_failure(&failure, json),
    }
}

enum Goal {
    Address(String),
    Screen { target: String, screens: Box<TreeScreens>, base_url: Option<String> },
    Shown { screens: Box<TreeScreens> },
}

fn chosen(options: &GotoOptions, environment: &Environment) -> Result<Goal, Failure> {
    let Some(target) = options.target.as_deref().map(str::trim) else {
        let coordinator = state::open_here(environment)?;
        let screens = TreeScreens::new(loaded_trees(options, environment)?, Some(coordinator));
        return Ok(Goal::Shown { screens: Box::new(screens) });
    };
    if target.contains("://") || target == "about:blank" {
        return Ok(Goal::Address(target.to_string()));
    }
    let loaded = loaded_trees(options, environment)?;
    let is_screen = loaded.iter().any(|tree| tree.file.tree.screen(target).is_some());
    let base_url = options
        .base_url
        .clone()
        .or_else(|| load_in(&here().ok()?, &[], &engines::names(), &Environment::variable).project.base_url);
    if !is_screen && looks_like_an_address(target) {
        let of_tree = || loaded.iter().find_map(|tree| tree.file.tree.base_url.clone());
        let base = base_url.or_else(of_tree);
        return match (target.starts_with('/'), base) {
            (false, _) => Ok(Goal::Address(target.to_string())),
            (true, Some(base)) => Ok(Goal::Address(format!("{}{target}", base.trim_end_matches('/')))),
            (true, None) => Err(Failure::new(
                ErrorCode::Usage,
                format!("`{target}` is a path, and no base_url names the site"),
            )
            .hint("assay goto http://127.0.0.1:8080/orders")),
        };
    }
    if loaded.is_empty() {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!("no screen is called \"{target}\": the project has no navigation tree yet"),
        )
        .hint("assay explore http://127.0.0.1:8080/ makes one; assay go ADDRESS opens an address"));
    }
    // What was measured lies in the state; the first walk makes it.
    let coordinator = state::open_here(environment)?;
    let screens = Box::new(TreeScreens::new(loaded, Some(coordinator)));
    Ok(Goal::Screen { target: target.to_string(), screens, base_url })
}

fn loaded_trees(options: &GotoOptions, environment: &Environment) -> Result<Vec<LoadedTree>, Failure> {
    let trees = trees_here(environment)?;
    match (&options.tree, trees.names().len()) {
        (Some(name), _) => Ok(vec![trees.load(Some(name))?]),
        (None, 0) => Ok(Vec::new()),
        (None, 1) => Ok(vec![trees.load(None)?]),
        (None, _) => {
            let (loaded, problems) = trees.load_all();
            match problems.first() {
                Some(problem) => Err(Failure::new(ErrorCode::Usage, assay_host::problem_words(problem))),
                None => Ok(loaded),
            }
        }
    }
}

/// `shop.example.com/x`, `localhost:8080`, `/orders`; a name of a screen has blanks, or neither dots nor colons.
fn looks_like_an_address(target: &str) -> bool {
    if target.contains(char::is_whitespace) {
        return false;
    }
    let host = target.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    target.starts_with('/')
        || host == "localhost"
        || host.split_once(':').is_some_and(|(_, rest)| is_port(rest))
        || (host.contains('.') && !host.starts_with('.') && !host.ends_with('.'))
}

fn shown(
    screens: &TreeScreens,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<GotoEnd, Failure> {
    let mut surface = SessionSurface { invocation, environment };
    let time = if invocation.wait { Duration::from_millis(invocation.timeout_ms) } else { LOOK_TIME };
    walking()?.block_on(screen_shown(&mut surface, screens, time))
}

fn walking() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}")))
}

fn go(
    target: &str,
    screens: &TreeScreens,
    base_url: Option<&str>,
    login: Login,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<GotoEnd, Failure> {
    // A name that means no screen needs no browser.
    assay_host::goto_alone(screens, target)?;
    let mut surface = SessionSurface { invocation, environment };
    let time = if invocation.wait { Duration::from_millis(invocation.timeout_ms) } else { TIME };
    walking()?.block_on(goto(&mut surface, screens, target, base_url, login, time))
}

fn print(end: &GotoEnd, json: bool) -> ExitCode {
    if json {
        output::print_json(&json!({ "ok": true, "data": end.data() }));
    } else {
        for line in &end.broken {
            output::tell(&format!("note: {line}"));
        }
        output::print_line(&end.line());
    }
    ExitCode::SUCCESS
}

fn print_shown(end: &GotoEnd, json: bool) -> ExitCode {
    if json {
        output::print_json(&json!({ "ok": true, "data": { "screen": end.screen, "address": end.address } }));
    } else {
        output::print_line(&end.place());
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_of_screens_are_told_apart() {
        for address in ["localhost", "127.0.0.1:8080/x", "shop.example.com", "/orders", "host:80"] {
            assert!(looks_like_an_address(address), "{address}");
        }
        for name in ["Orders", "Order history", "Mr. Smith", "FAQ", "Settings: Billing", "A/B"] {
            assert!(!looks_like_an_address(name), "{name}");
        }
    }
}
