//! The bin: test files that were deleted, until somebody brings them back.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use assay_tools::{TestFileTrouble, load_test_file, test_file_in};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::test_files::problem_of;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Route};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Deletion {
    /// File of the project, such as `tests/login.yaml`.
    path: String,
    /// The version that was read.
    version: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Return {
    /// `entry` of the bin.
    entry: String,
}

/// A file in the bin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Binned {
    entry: String,
    /// Where it was.
    path: String,
    /// Milliseconds since 1970.
    deleted_at: u64,
    by: String,
}

/// What was written down about a file in the bin.
#[derive(Serialize, Deserialize)]
struct Label {
    version: u32,
    #[serde(flatten)]
    binned: Binned,
}

const VERSION: u32 = 1;

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/tests/bin", "list_test_bin", "List deleted test files, the newest first", list),
        Route::write(
            Method::Delete,
            "/server/tests/file",
            "delete_test_file",
            "Move a test file to the bin",
            delete,
        ),
        Route::write(
            Method::Post,
            "/server/tests/bin/restore",
            "restore_test_file",
            "Bring a test file back from the bin",
            restore,
        ),
    ]
}

/// In the state of the project, which belongs to nobody else.
fn bin_of(asked: &Asked) -> PathBuf {
    let state = asked.service.coordinator.file();
    state.parent().unwrap_or(state).join("bin")
}

fn io(what: &str, err: &std::io::Error) -> Problem {
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "io", format!("could not {what}: {err}"))
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<Binned>, Problem> {
    let entries = match std::fs::read_dir(bin_of(asked)) {
        Ok(entries) => entries,
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => return page.of_whole(Vec::new()),
        Err(err) => return Err(io("read the bin", &err)),
    };
    let labels = entries.flatten().map(|entry| entry.path());
    let labels = labels.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut found: Vec<Binned> = labels.filter_map(|path| label_at(&path)).collect();
    found.sort_by(|one, other| other.entry.cmp(&one.entry));
    page.of_whole(found)
}

fn label_at(path: &Path) -> Option<Binned> {
    let label: Label = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    // Without its file, there is nothing to bring back.
    (label.version == VERSION && path.with_extension("yaml").is_file()).then_some(label.binned)
}

fn delete(asked: &Asked, order: Deletion) -> Result<Binned, Problem> {
    let folder = asked.service.seams.program.folder();
    let known = load_test_file(&folder, &order.path).map_err(problem_of)?;
    if known.version != order.version {
        let trouble = TestFileTrouble::Changed { path: order.path, found: known.version };
        return Err(problem_of(trouble));
    }
    let file = test_file_in(&folder, &order.path).map_err(problem_of)?;
    let bin = bin_of(asked);
    std::fs::create_dir_all(&bin).map_err(|err| io("make the bin", &err))?;
    let deleted_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    let entry = format!("{deleted_at}-{}", known.version);
    let binned = Binned { entry: entry.clone(), path: order.path, deleted_at, by: asked.caller.name.clone() };
    let label = serde_json::to_string_pretty(&Label { version: VERSION, binned: binned.clone() })
        .map_err(|err| Problem::internal(err.to_string()))?;
    // The label first: without its file it is not shown.
    std::fs::write(bin.join(format!("{entry}.json")), label).map_err(|err| io("write into the bin", &err))?;
    move_file(&file, &bin.join(format!("{entry}.yaml")))
        .map_err(|err| io("move the file into the bin", &err))?;
    Ok(binned)
}

fn restore(asked: &Asked, order: Return) -> Result<Binned, Problem> {
    let bin = bin_of(asked);
    let nothing = || Problem::not_found(format!("the bin has no entry `{}`", order.entry));
    if !order.entry.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
        return Err(nothing());
    }
    let label = bin.join(format!("{}.json", order.entry));
    let binned = label_at(&label).ok_or_else(nothing)?;
    let file = test_file_in(&asked.service.seams.program.folder(), &binned.path).map_err(problem_of)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|err| io("make the folder of the file", &err))?;
    }
    let kept = label.with_extension("yaml");
    // A new file by its name: one that is there is not replaced.
    let text = std::fs::read(&kept).map_err(|err| io("read the bin", &err))?;
    let written = std::fs::File::create_new(&file).and_then(|mut out| {
        std::io::Write::write_all(&mut out, &text)?;
        out.sync_all()
    });
    match written {
        Ok(()) => {}
        Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(problem_of(TestFileTrouble::Exists { path: binned.path }));
        }
        Err(err) => return Err(io("write the file", &err)),
    }
    for gone in [kept, label] {
        std::fs::remove_file(gone).map_err(|err| io("empty the bin", &err))?;
    }
    Ok(binned)
}

/// The state may be on another disk.
fn move_file(from: &Path, to: &Path) -> std::io::Result<()> {
    match std::fs::rename(from, to) {
        Err(err) if err.kind() == std::io::ErrorKind::CrossesDevices => {
            std::fs::copy(from, to)?;
            std::fs::File::open(to)?.sync_all()?;
            std::fs::remove_file(from)
        }
        other => other,
    }
}
