//! Test files as resources: loaded with a version, saved only where nobody else has changed them.

use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::browser::object;
use crate::call::CallSpec;
use crate::outputs::{SavedFile, TestFile};
use crate::program::Program;
use crate::suite::schema_of;
use crate::tool::{Cost, Does, Effects, Group, Misfit, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Load {
    /// File of the project, such as tests/login.yaml.
    path: Option<String>,
    /// Id or name of a test, instead of its file.
    testcase: Option<String>,
    /// Host whose tests are meant; local without it.
    host: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Save {
    /// File of the project, such as tests/login.yaml.
    path: String,
    /// The whole file.
    text: String,
    /// The version that load_testcase gave; leave it out for a new file.
    version: Option<String>,
    /// Host whose tests are meant; local without it.
    host: Option<String>,
}

pub(crate) fn tools() -> [Tool; 2] {
    let tool = |name, title, description, input, output, effects, does| Tool {
        name,
        title,
        description,
        input: object(input),
        output: Some(object(output)),
        effects,
        group: Group::Tests,
        cost: Cost::Quick,
        shows_first: None,
        does: Does::Here(does),
    };
    [
        tool(
            "load_testcase",
            "Read a test file",
            "Read a test file of the project and its version",
            schema_of::<Load>(),
            schema_of::<TestFile>(),
            Effects::READS,
            load,
        ),
        tool(
            "save_testcase",
            "Write a test file",
            "Write a test file after checking that it can be read; refuses to overwrite changes of others",
            schema_of::<Save>(),
            schema_of::<SavedFile>(),
            // It replaces only what the caller has read.
            Effects::WRITES,
            save,
        ),
    ]
}

fn load(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Load { path, testcase, host } = serde_json::from_value(Value::Object(arguments))?;
    if let Some(refused) = unknown_host(host.as_deref(), program) {
        return Ok(refused);
    }
    let path = match (path, testcase) {
        (Some(path), None) => path,
        (None, Some(name)) => match file_of_test(&name, program, spec) {
            Ok(path) => path,
            Err(why) => return Ok(ToolAnswer::error(why)),
        },
        _ => return Err(Misfit::Value("expected `path` or `testcase`, one of both".to_string())),
    };
    let file = file_of_project(&program.folder(), &path)?;
    Ok(match std::fs::read_to_string(&file) {
        Ok(text) => {
            let version = version_of(&text);
            ToolAnswer::value(format!("version {version}\n{text}"), json!(TestFile { path, version, text }))
        }
        Err(err) => ToolAnswer::error(format!("could not read {path}: {err}")),
    })
}

fn save(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Save { path, text, version, host } = serde_json::from_value(Value::Object(arguments))?;
    if let Some(refused) = unknown_host(host.as_deref(), program) {
        return Ok(refused);
    }
    let file = file_of_project(&program.folder(), &path)?;
    let found = match std::fs::read_to_string(&file) {
        Ok(text) => Some(version_of(&text)),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => None,
        Err(err) => return Ok(ToolAnswer::error(format!("could not read {path}: {err}"))),
    };
    match (&found, &version) {
        (Some(found), Some(known)) if found != known => {
            return Ok(ToolAnswer::error(format!(
                "{path} was changed since: it is version {found}; load it again"
            )));
        }
        (Some(_), None) => {
            return Ok(ToolAnswer::error(format!(
                "{path} exists; load it, and give its version to replace it"
            )));
        }
        (None, Some(_)) => {
            return Ok(ToolAnswer::error(format!("{path} is gone; leave the version out to write it anew")));
        }
        _ => {}
    }
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    sweep_drafts(&file);
    // Hidden, so that no run takes it for a test.
    let draft = file.with_file_name(format!(".{}.{}-{number}.yaml", name_of(&file), std::process::id()));
    let written = write_whole(&draft, &text);
    let checked =
        written.map_err(|err| format!("could not write {}: {err}", draft.display())).and_then(|()| {
            let words = ["run", "--dry-run", "--json", "--"].map(str::to_string).to_vec();
            let words = [words, vec![draft.display().to_string()]].concat();
            program.run_command(spec, &words).map_err(|failure| failure.to_text())
        });
    let kept = match &checked {
        // 3: a sentence is not understood; the file is one all the same.
        Ok(run) if matches!(run.exit_code, 0 | 3) => put_in_place(&draft, &file, found.as_deref()),
        Ok(run) => Err(run.talk.replace(&name_of(&draft), &name_of(&file))),
        Err(why) => Err(why.clone()),
    };
    if let Err(why) = kept {
        // A draft that cannot be removed is hidden.
        let _ = std::fs::remove_file(&draft);
        return Ok(ToolAnswer::error(why.trim().to_string()));
    }
    let unread = checked.as_ref().is_ok_and(|run| run.exit_code == 3);
    let version = version_of(&text);
    let note = if unread { "\nsome sentences are not understood: check_testcases shows which" } else { "" };
    let text = format!("saved {path}, version {version}{note}");
    Ok(ToolAnswer::value(text, json!(SavedFile { version, path, is_understood: !unread })))
}

/// The refusal of a host that is not there. This machine is the only one so far.
fn unknown_host(host: Option<&str>, program: &dyn Program) -> Option<ToolAnswer> {
    const LOCAL: &str = "local";
    let named = host.filter(|host| *host != LOCAL)?;
    match program.host() {
        Ok(known) if known.host == named => None,
        Ok(known) => {
            Some(ToolAnswer::error(format!("there is no host `{named}`\nhint: hosts: {}", known.host)))
        }
        Err(failure) => Some(crate::call::failed(&failure)),
    }
}

/// The file of the test with this id or name.
fn file_of_test(name: &str, program: &dyn Program, spec: &CallSpec<'_>) -> Result<String, String> {
    let words = ["run", "--list", "--json"].map(str::to_string);
    let run = program.run_command(spec, &words).map_err(|failure| failure.to_text())?;
    let listed: Value = serde_json::from_str(run.data.trim()).map_err(|_| run.talk.trim().to_string())?;
    let tests = listed["data"]["tests"].as_array().cloned().unwrap_or_default();
    let is_called = |test: &&Value| {
        let id = test["id"].as_str().unwrap_or_default();
        id == name || id.split([' ', '[']).next() == Some(name) || test["name"] == name
    };
    let file = tests.iter().find(is_called).and_then(|test| test["file"].as_str());
    file.map(str::to_string).ok_or_else(|| {
        let ids: Vec<&str> = tests.iter().filter_map(|test| test["id"].as_str()).take(20).collect();
        format!("there is no test `{name}`\nhint: tests: {}", ids.join(", "))
    })
}

/// Removes drafts that a process left when it was killed.
fn sweep_drafts(file: &Path) {
    let entries = file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let stem = format!(".{}.", name_of(file));
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix(&stem).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            // Somebody else may have been quicker.
            let _gone = std::fs::remove_file(entry.path());
        }
    }
}

/// The draft becomes the file, unless others have changed that meanwhile: a new file by a link, which refuses one that
/// exists.
fn put_in_place(draft: &Path, file: &Path, known: Option<&str>) -> Result<(), String> {
    let changed = || format!("{} was changed meanwhile; load it again", name_of(file));
    match known {
        None => {
            std::fs::hard_link(draft, file).map_err(|_| changed())?;
            std::fs::remove_file(draft).map_err(|err| err.to_string())
        }
        Some(known) => match std::fs::read_to_string(file) {
            Ok(text) if version_of(&text) == known => {
                std::fs::rename(draft, file).map_err(|err| err.to_string())
            }
            _ => Err(changed()),
        },
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn write_whole(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut out = std::fs::File::create(file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()
}

/// The file that a path of the caller means: a YAML file in the folder, with no way out of it.
fn file_of_project(folder: &Path, path: &str) -> Result<PathBuf, Misfit> {
    let refused = |why: &str| Misfit::Value(format!("`{path}` {why}"));
    let relative = Path::new(path);
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(refused("is not a path inside the project"));
    }
    let is_yaml = relative.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let is_settings = relative.file_stem().is_some_and(|stem| stem == "assay");
    if !is_yaml || is_settings || path.ends_with(".lock.yaml") {
        return Err(refused("is not a test file: expected a name that ends with .yaml"));
    }
    let is_hidden = |part: Component<'_>| {
        part.as_os_str().to_string_lossy().starts_with('.') && part != Component::CurDir
    };
    if relative.components().any(is_hidden) {
        return Err(refused("is hidden, so it is no file of the project"));
    }
    // A link may lead out: what exists of the path is followed before anything is read.
    let file = folder.join(relative);
    let existing = file.ancestors().find(|part| part.exists()).unwrap_or(folder);
    match (existing.canonicalize(), folder.canonicalize()) {
        (Ok(real), Ok(root)) if real.starts_with(&root) => Ok(file),
        _ => Err(refused("leads out of the project")),
    }
}

/// Sixteen digits that change with every letter.
fn version_of(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    digest.as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        let folder = std::env::temp_dir();
        let refused = file_of_project(&folder, path).err().map(|misfit| misfit.to_string());
        assert_eq!(refused.as_deref(), expected);
    }

    #[test]
    fn only_test_files_of_the_project_are_touched() {
        check("tests/login.yaml", None);
        check("./login.yml", None);
        check("../login.yaml", Some("`../login.yaml` is not a path inside the project"));
        check("/etc/login.yaml", Some("`/etc/login.yaml` is not a path inside the project"));
        check(
            "tests/login.txt",
            Some("`tests/login.txt` is not a test file: expected a name that ends with .yaml"),
        );
        check("a.lock.yaml", Some("`a.lock.yaml` is not a test file: expected a name that ends with .yaml"));
        check(".github/ci.yaml", Some("`.github/ci.yaml` is hidden, so it is no file of the project"));
    }

    #[test]
    fn a_link_out_of_the_project_is_refused() {
        let folder = std::env::temp_dir().join(format!("assay-tools-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let link = folder.join("out");
        std::os::unix::fs::symlink("/etc", &link).unwrap();
        let misfit = file_of_project(&folder, "out/x.yaml").unwrap_err().to_string();
        assert_eq!(misfit, "`out/x.yaml` leads out of the project");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
