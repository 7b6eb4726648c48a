//! Changes to the requirements of a project and to the links of its tests: files are checked first, then written whole.

use std::io::Write;
use std::path::{Path, PathBuf};

use assay_actions::real_path;
use assay_protocol::{CoverageKind, ErrorCode, Failure, RequirementLink};
use assay_suite::{
    ProjectRequirements, RequirementChange, WrittenRequirements, link_requirement, load_in, load_scripts,
    project_requirements, unlink_requirement, write_requirements,
};

use crate::context::HostContext;

/// The file that new requirements go to if nobody names another.
pub const REQUIREMENTS_FILE: &str = "requirements/requirements.yaml";

/// A test or a script, with its links.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkedFile {
    pub id: String,
    pub name: String,
    /// As seen from the caller's folder.
    pub file: String,
    pub path: PathBuf,
    pub line: usize,
    pub links: Vec<RequirementLink>,
}

/// The requirements of the project around `folder`; a mistake in their files is the failure.
pub fn known_requirements(context: &HostContext, folder: &Path) -> Result<ProjectRequirements, Failure> {
    let home = context.state.home.clone();
    let known = project_requirements(folder, home.as_deref());
    match known.problems.as_slice() {
        [] => Ok(known),
        problems => {
            let failure = Failure::new(ErrorCode::Usage, "the requirements have mistakes");
            Err(problems.iter().fold(failure, |failure, problem| failure.detail(problem.to_string())))
        }
    }
}

/// The refusal of a code that the project does not have.
pub fn unknown_requirement(known: &ProjectRequirements, code: &str) -> Failure {
    let failure = Failure::new(ErrorCode::Usage, format!("there is no requirement `{code}`"));
    match (known.nearest(code), &known.on_file) {
        (Some(nearest), _) => failure.hint(format!("did you mean `{nearest}`?")),
        (None, None) => failure.hint("assay requirement create REQ-1 \"What it should do\""),
        (None, Some(_)) => failure.hint("assay requirement list"),
    }
}

/// Works out what changes do to the files. Nothing is written yet.
pub fn plan_requirements(
    context: &HostContext,
    folder: &Path,
    changes: &[RequirementChange],
    into: Option<&Path>,
) -> Result<WrittenRequirements, Failure> {
    let known = known_requirements(context, folder)?;
    let root = context.project_root(folder);
    let into = match into {
        Some(named) => folder.join(named),
        None => root.join(REQUIREMENTS_FILE),
    };
    let home = root.join("requirements");
    let is_yaml = into.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let is_inside = real_path(&into).zip(real_path(&home)).is_some_and(|(file, home)| file.starts_with(home));
    if !is_yaml || !is_inside {
        let message = format!("expected a YAML file in {}, found {}", home.display(), into.display());
        return Err(Failure::new(ErrorCode::Usage, message).hint("requirements/shop.yaml"));
    }
    write_requirements(&known, changes, &into).map_err(|err| {
        Failure::new(ErrorCode::Usage, err.to_string())
            .hint("write its requirements as a list: one `- code: …` each, and try again")
    })
}

/// Writes the files that were worked out, each whole or not at all.
pub fn write_files(files: &[(PathBuf, String)]) -> Result<(), Failure> {
    files.iter().try_for_each(|(path, text)| write_whole(path, text))
}

/// All tests and scripts that can be read, with their links.
pub fn linked_files(context: &HostContext, folder: &Path) -> Vec<LinkedFile> {
    let names = context.drivers.names();
    let loaded = load_in(folder, &[], &names, &*context.variables);
    let mut all: Vec<LinkedFile> = loaded
        .tests
        .iter()
        .map(|test| LinkedFile {
            id: test.id.clone(),
            name: test.name.clone(),
            file: test.file.display().to_string(),
            path: test.path.clone(),
            line: test.line,
            links: test.requirements.clone(),
        })
        .collect();
    let scripts = load_scripts(folder, &names, &*context.variables).scripts;
    all.extend(scripts.into_iter().map(|script| LinkedFile {
        id: script.id(),
        name: script.title.clone().unwrap_or_else(|| script.name.clone()),
        file: script.file.display().to_string(),
        path: script.path,
        line: script.line,
        links: script.requirements,
    }));
    all
}

/// The test that is called by its id, its name or its file. Rows of one test are one.
pub fn linked_file(context: &HostContext, folder: &Path, named: &str) -> Result<LinkedFile, Failure> {
    let all = linked_files(context, folder);
    let is_called = |one: &LinkedFile| {
        let bare = one.id.split(" [").next().unwrap_or(&one.id);
        one.id == named || bare == named || one.name == named || one.file == named
    };
    let mut found: Vec<&LinkedFile> = all.iter().filter(|one| is_called(one)).collect();
    found.dedup_by(|one, other| (&one.path, one.line) == (&other.path, other.line));
    match found.as_slice() {
        [only] => Ok((*only).clone()),
        [] => {
            let failure = Failure::new(ErrorCode::Usage, format!("there is no test `{named}`"));
            let alike = |one: &&LinkedFile| (strsim::jaro(&one.id, named) * 1000.0) as u32;
            Err(match all.iter().max_by_key(alike) {
                Some(near) => {
                    failure.hint(format!("did you mean {}? `assay run --list` lists all tests", near.id))
                }
                None => failure.hint("assay run --list lists all tests"),
            })
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|one| one.id.as_str()).collect();
            let message = format!("`{named}` is {} tests", several.len());
            Err(Failure::new(ErrorCode::Ambiguous, message)
                .hint(format!("name one of them: {}", ids.join(", "))))
        }
    }
}

/// Writes a link into the file of a test. Returns whether anything had to change.
pub fn link(test: &LinkedFile, code: &str, coverage: CoverageKind) -> Result<bool, Failure> {
    edit(test, code, |text| link_requirement(text, test.line, code, coverage))
}

/// Takes a link out of the file of a test. Returns whether anything had to change.
pub fn unlink(test: &LinkedFile, code: &str) -> Result<bool, Failure> {
    edit(test, code, |text| unlink_requirement(text, test.line, code))
}

fn edit(test: &LinkedFile, code: &str, change: impl Fn(&str) -> Option<String>) -> Result<bool, Failure> {
    let whole = std::fs::read_to_string(&test.path)
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not read {}: {err}", test.file)))?;
    // The mark at the beginning of a file is kept.
    let (mark, text) = match whole.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", whole.as_str()),
    };
    let Some(changed) = change(text) else {
        let message = format!("{} is written in a way that cannot be edited safely", test.file);
        return Err(Failure::new(ErrorCode::Usage, message)
            .hint(format!("edit it by hand: `requirements: [{code}]` in the test on line {}", test.line)));
    };
    if changed == text {
        return Ok(false);
    }
    write_whole(&test.path, &format!("{mark}{changed}"))?;
    Ok(true)
}

/// The file is the old one or the new one at any moment. It keeps who may read it.
fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Hidden, and no YAML: no run takes it for a test.
    let draft = folder.join(format!(".{name}.{}.part", std::process::id()));
    let written = std::fs::File::create(&draft).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Ok(found) = std::fs::metadata(path) {
            file.set_permissions(found.permissions())?;
        }
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&draft, path)).map_err(|err| {
        // A draft that cannot be removed is hidden.
        let _gone = std::fs::remove_file(&draft);
        failed(err)
    })
}
