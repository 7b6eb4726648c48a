//! `assay serve --check`: what could be in the way of the service, before it is started.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure, Format};
use assay_suite::load;
use serde_json::json;

use crate::command::Invocation;
use crate::engines::{ENGINES, engine};
use crate::environment::Environment;
use crate::{host, output, state};

/// The project is open, nobody else serves it, and the port is free. This is the rest: secrets that others could read, the
/// browser of the runs, and mistakes in tests.
pub fn check(
    address: SocketAddr,
    tokens: usize,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<(), Failure> {
    let open = open_to_others(&secrets(environment)?);
    if !open.is_empty() {
        let named: Vec<String> = open.iter().map(|path| path.display().to_string()).collect();
        let failure = Failure::new(ErrorCode::Io, format!("others can read {}", named.join(", ")));
        return Err(failure.hint(format!("chmod -R go-rwx {}", named.join(" "))));
    }
    let browsers = browsers(environment);
    let wanted = engine(invocation.browser.engine.as_deref())?.name;
    if !browsers.contains(&wanted) {
        let failure = Failure::new(ErrorCode::BrowserMissing, format!("runs would find no {wanted}"));
        return Err(failure.hint(format!("assay setup --browser {wanted}")));
    }
    let context = host::context(environment)?;
    let loaded = load(&[], &context.drivers.names(), &*context.variables);
    let problems: Vec<String> =
        loaded.problems.iter().map(|problem| problem.to_string().trim().to_string()).collect();
    if invocation.format == Format::Json {
        let data = json!({
            "address": address.to_string(), "tokens": tokens, "tests": loaded.tests.len(),
            "browsers": browsers, "problems": problems,
        });
        output::print_json(&json!({ "ok": true, "data": data }));
        return Ok(());
    }
    problems.iter().for_each(|problem| output::tell(problem));
    output::print_line(&format!(
        "{} could be served at http://{address}: {} tests, {} mistakes, {tokens} tokens; browsers: {}",
        loaded.project.suite,
        loaded.tests.len(),
        problems.len(),
        browsers.join(", ")
    ));
    Ok(())
}

fn browsers(environment: &Environment) -> Vec<&'static str> {
    let is_there = |engine: &&crate::engines::Engine| {
        (engine.driver)().find(environment.program(engine).map(Path::new), true).is_ok()
    };
    ENGINES.iter().filter(is_there).map(|engine| engine.name).collect()
}

/// Where secrets of the service are kept.
fn secrets(environment: &Environment) -> Result<Vec<PathBuf>, Failure> {
    let folder = state::folder(environment);
    let state = folder.of(&folder.project_around(&host::here()?)?);
    let settings = environment.configuration.iter();
    let of_user = settings.flat_map(|folder| [folder.join("serve-tokens.json"), folder.join("keys")]);
    Ok(of_user.chain([state.join("hook-secrets")]).collect())
}

/// Those that others can read. A folder that nobody else enters protects what is in it.
fn open_to_others(paths: &[PathBuf]) -> Vec<PathBuf> {
    let is_open = |path: &Path| {
        std::fs::symlink_metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
    };
    let mut open = Vec::new();
    for path in paths.iter().filter(|path| is_open(path)) {
        match std::fs::read_dir(path) {
            Err(_) => open.push(path.clone()),
            Ok(entries) => {
                let inside = entries.flatten().map(|entry| entry.path());
                open.extend(inside.filter(|path| is_open(path)));
            }
        }
    }
    open.sort();
    open
}
