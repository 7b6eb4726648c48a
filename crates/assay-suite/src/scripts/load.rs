//! Finds the scripts of a project, and makes one ready to run with its values.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_protocol::Secrets;

use super::bind::{ParameterMistake, bound};
use super::read::{BodyDraft, ScriptDraft, read_script};
use super::script::{Script, ScriptBody};
use crate::case::TestCase;
use crate::expand::Expander;
use crate::files::{self, Root};
use crate::load::finish_project;
use crate::mistake::Mistake;
use crate::names::{Names, Parameters, Resolved, reveal};
use crate::nearest::nearest;
use crate::problem::{Problem, Problems};
use crate::project::{self, Project, ProjectDraft};
use crate::requirements::{ProjectRequirements, RequirementCodes, read_folder};
use crate::search::is_shared;
use crate::source::{Source, Text};
use crate::surroundings::Surroundings;
use crate::tree_file::TREE_FOLDER;

pub(crate) const FOLDER: &str = "scripts";

/// The script that every project with a navigation tree has, unless it has one of its own of that name.
const GOTO: &str = "goto";
const GOTO_TEXT: &str = "script: Go to a screen\n\
description: Goes to a screen of the navigation tree by its name.\n\
parameters:\n  screen: {required: true, description: Its name}\n\
steps:\n- Go to the ${screen} screen\n";

/// The scripts of a project.
#[derive(Debug, Default)]
pub struct LoadedScripts {
    pub project: Project,
    /// By their names. One with a mistake is not among them.
    pub scripts: Vec<Script>,
    pub problems: Vec<Problem>,
    pub requirements: ProjectRequirements,
    /// The values of all secrets that the scripts and the project declare, as far as they are set.
    pub secrets: Secrets,
}

/// A script with the values of one run.
#[derive(Debug)]
pub struct ReadyScript {
    pub project: Project,
    pub script: Script,
    pub work: ScriptWork,
    /// The values of its parameters; those of secret ones are masked.
    pub values: Vec<(String, String)>,
    /// The variables of the environment that it takes.
    pub environment: Vec<String>,
    pub requirements: ProjectRequirements,
}

#[derive(Debug)]
pub enum ScriptWork {
    Program(ProgramCall),
    Steps(Box<TestCase>),
}

/// A program with its arguments, as no shell could change them.
#[derive(Clone, PartialEq)]
pub struct ProgramCall {
    /// A whole path, or a name that is looked for on the search path.
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Where it is started: beside the script's file.
    pub folder: PathBuf,
    pub secrets: Secrets,
}

impl std::fmt::Debug for ProgramCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramCall").field("program", &self.program).finish_non_exhaustive()
    }
}

/// Why a script cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ScriptTrouble {
    #[error("there is no script `{name}`")]
    Unknown { name: String, nearest: Option<String>, known: Vec<String>, undeclared: Option<PathBuf> },
    #[error("the script `{name}` has mistakes")]
    Broken { name: String, problems: Vec<Problem> },
    #[error("the parameters do not fit the script `{name}`")]
    Parameters { name: String, mistakes: Vec<ParameterMistake> },
}

/// All scripts of the project around `here`.
pub fn load_scripts(
    here: &Path,
    browsers: &[&str],
    environment: &dyn Fn(&str) -> Option<String>,
) -> LoadedScripts {
    let surroundings = Surroundings::new(environment);
    let opened = Opened::of(here, environment("HOME").as_deref(), browsers, &surroundings);
    let mut loaded = LoadedScripts { problems: opened.problems.clone(), ..LoadedScripts::default() };
    for path in opened.files(&mut loaded.problems) {
        let mut problems = Problems::default();
        if let Some(draft) = opened.read(&path, browsers, &mut problems) {
            for secret in opened.draft.settings.secrets.iter().chain(&draft.test.settings.secrets) {
                reveal(secret, &surroundings)
                    .into_iter()
                    .for_each(|found| loaded.secrets.merge(&found.secrets));
            }
            let script = opened.script(&path, &draft, browsers, &surroundings, &mut problems);
            if problems.is_empty() {
                loaded.scripts.extend(script);
            }
        }
        loaded.problems.extend(problems.into_vec());
    }
    loaded.scripts.sort_by(|one, other| one.name.cmp(&other.name));
    loaded.project = opened.project;
    loaded.problems.extend(opened.requirements.problems.clone());
    loaded.requirements = opened.requirements;
    loaded
}

/// One script with the values that it is given.
pub fn ready_script(
    here: &Path,
    name: &str,
    given: &[(String, String)],
    browsers: &[&str],
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<ReadyScript, ScriptTrouble> {
    let surroundings = Surroundings::new(environment);
    let opened = Opened::of(here, environment("HOME").as_deref(), browsers, &surroundings);
    let broken = |problems: Vec<Problem>| ScriptTrouble::Broken { name: name.to_string(), problems };
    if !opened.problems.is_empty() {
        return Err(broken(opened.problems));
    }
    let files = opened.files(&mut Vec::new());
    let Some(path) = files.iter().find(|path| opened.name_of(path) == name) else {
        return Err(opened.unknown(name, &files));
    };
    let mut problems = Problems::default();
    let draft = opened.read(path, browsers, &mut problems);
    let script =
        draft.as_ref().and_then(|draft| opened.script(path, draft, browsers, &surroundings, &mut problems));
    let (Some(draft), Some(script), true) = (&draft, script, problems.is_empty()) else {
        return Err(broken(problems.into_vec()));
    };
    let values = bound(&draft.parameters, given)
        .map_err(|mistakes| ScriptTrouble::Parameters { name: name.to_string(), mistakes })?;
    let work = opened.work(&script, draft, &values, browsers, &surroundings, &mut problems);
    let Some(work) = work.filter(|_| problems.is_empty()) else { return Err(broken(problems.into_vec())) };
    let is_secret = |name: &str| script.parameters.iter().any(|known| known.name == name && known.is_secret);
    let values = values
        .into_iter()
        .map(|(name, value)| if is_secret(&name) { (name, "•••".to_string()) } else { (name, value) })
        .collect();
    Ok(ReadyScript {
        project: opened.project,
        script,
        work,
        values,
        environment: surroundings.taken(),
        requirements: opened.requirements,
    })
}

/// The project around a folder, as scripts see it.
struct Opened {
    root: Root,
    here: Option<PathBuf>,
    draft: ProjectDraft,
    project: Project,
    requirements: ProjectRequirements,
    problems: Vec<Problem>,
}

impl Opened {
    fn of(here: &Path, home: Option<&str>, browsers: &[&str], environment: &Surroundings<'_>) -> Opened {
        let folder = fs::canonicalize(here).unwrap_or_else(|_| here.to_path_buf());
        let root = Root::of(&folder, home.map(Path::new));
        let here = Some(folder);
        let mut problems = Problems::default();
        let mut draft = ProjectDraft::default();
        if let Some(path) = &root.project {
            let shown = files::shown(path, here.as_deref());
            if is_shared(&root.folder) {
                let mistake = Mistake::SharedFolder { folder: root.folder.display().to_string() };
                problems.push(Problem::of_file(shown, mistake));
            } else {
                match files::read(path, shown) {
                    Ok(source) => draft = project::read_project(&source, browsers, &mut problems),
                    Err(problem) => problems.push(*problem),
                }
            }
        }
        let project = finish_project(&root, &draft, here.as_deref(), browsers, environment, &mut problems);
        let requirements = read_folder(&root, here.as_deref());
        Opened { root, here, draft, project, requirements, problems: problems.into_vec() }
    }

    fn folder(&self) -> PathBuf {
        self.root.folder.join(FOLDER)
    }

    fn files(&self, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
        let folder = self.folder();
        let mut files = match folder.is_dir() {
            true => files::yaml_files(&folder, &self.root, self.here.as_deref(), problems),
            false => Vec::new(),
        };
        if self.has_tree() && !files.iter().any(|path| self.name_of(path) == GOTO) {
            files.push(self.goto_file());
        }
        files
    }

    fn has_tree(&self) -> bool {
        let trees = fs::read_dir(self.root.folder.join(TREE_FOLDER));
        let is_tree = |path: PathBuf| path.extension().is_some_and(|ending| ending == "yaml");
        trees.into_iter().flatten().flatten().any(|entry| is_tree(entry.path()))
    }

    /// Where the script that is built in would be.
    fn goto_file(&self) -> PathBuf {
        self.folder().join(GOTO).with_extension("yaml")
    }

    fn name_of(&self, path: &Path) -> String {
        let inner = path.strip_prefix(self.folder()).unwrap_or(path).with_extension("");
        inner.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    fn unknown(&self, name: &str, files: &[PathBuf]) -> ScriptTrouble {
        let known: Vec<String> = files.iter().map(|path| self.name_of(path)).collect();
        let stem = Path::new(name).with_extension("");
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut programs = entries.filter(|path| is_executable(path));
        let undeclared = programs.find(|path| {
            path.file_stem().is_some_and(|known| Path::new(known) == stem)
                || path.file_name().is_some_and(|known| Path::new(known) == Path::new(name))
        });
        let undeclared = undeclared.map(|path| files::shown(&path, self.here.as_deref()));
        let nearest = nearest(name, known.iter().map(String::as_str));
        ScriptTrouble::Unknown { name: name.to_string(), nearest, known, undeclared }
    }

    fn read(&self, path: &Path, browsers: &[&str], problems: &mut Problems) -> Option<ScriptDraft> {
        let shown = files::shown(path, self.here.as_deref());
        if path == self.goto_file() && !path.exists() {
            let source = Source::new(shown, path.to_path_buf(), GOTO_TEXT.to_string());
            return read_script(&Arc::new(source), browsers, problems);
        }
        match files::read(path, shown) {
            Ok(source) => read_script(&source, browsers, problems),
            Err(problem) => {
                problems.push(*problem);
                None
            }
        }
    }

    /// The script without values: its links, and whether its program is there.
    fn script(
        &self,
        path: &Path,
        draft: &ScriptDraft,
        browsers: &[&str],
        environment: &Surroundings<'_>,
        problems: &mut Problems,
    ) -> Option<Script> {
        let codes = RequirementCodes::of(&self.requirements);
        let mut expander =
            Expander::new(&self.root, self.here.as_deref(), &self.draft, browsers, environment, &codes);
        let (title, tags, requirements) = expander.labels(&draft.test);
        expander.problems.into_vec().into_iter().for_each(|problem| problems.push(problem));
        let body = match &draft.body {
            BodyDraft::Steps => ScriptBody::Steps,
            BodyDraft::Program(words) => {
                self.program(&words[0], problems)?;
                ScriptBody::Program(words.iter().map(|word| word.value.clone()).collect())
            }
        };
        Some(Script {
            name: self.name_of(path),
            title,
            description: draft.description.as_ref().map(|text| text.value.clone()),
            file: draft.test.source.shown.clone(),
            path: draft.test.source.path.clone(),
            line: draft.test.span.position.line,
            body,
            parameters: draft.parameters.clone(),
            timeout: draft.test.settings.timeouts.test,
            tags,
            requirements,
        })
    }

    /// The program of a script: a file of the suite that can be run, or a name on the search path.
    fn program(&self, word: &Text, problems: &mut Problems) -> Option<PathBuf> {
        if !word.value.contains('/') {
            return Some(PathBuf::from(&word.value));
        }
        let folder = word.source.path.parent().unwrap_or(Path::new(""));
        let mistake = match self.root.inside(folder, &word.value) {
            Ok(path) if is_executable(&path) => return Some(path),
            Ok(path) => Mistake::Expected {
                expected: "a program".to_string(),
                found: format!("`{}`, which cannot be run", word.value),
                hint: Some(format!("chmod +x {}", files::shown(&path, self.here.as_deref()).display())),
            },
            Err(mistake) => mistake,
        };
        problems.push(Problem::in_text(word, mistake));
        None
    }

    fn work(
        &self,
        script: &Script,
        draft: &ScriptDraft,
        values: &[(String, String)],
        browsers: &[&str],
        environment: &Surroundings<'_>,
        problems: &mut Problems,
    ) -> Option<ScriptWork> {
        let is_secret =
            |name: &str| script.parameters.iter().any(|known| known.name == name && known.is_secret);
        let row: BTreeMap<String, Resolved> = values
            .iter()
            .map(|(name, value)| {
                let secrets: Secrets = is_secret(name).then_some(value.as_str()).into_iter().collect();
                (name.clone(), Resolved { text: value.clone(), secrets })
            })
            .collect();
        let codes = RequirementCodes::of(&self.requirements);
        let mut expander =
            Expander::new(&self.root, self.here.as_deref(), &self.draft, browsers, environment, &codes);
        match &draft.body {
            BodyDraft::Steps => {
                let case = expander.script(&draft.test, row);
                expander.problems.into_vec().into_iter().for_each(|problem| problems.push(problem));
                let case = TestCase { id: script.id(), ..case? };
                Some(ScriptWork::Steps(Box::new(case)))
            }
            BodyDraft::Program(words) => {
                let names = Names::new(&draft.test.settings, &self.draft.settings, environment).with_row(row);
                self.call(words, draft, values, &names, environment, &is_secret, problems)
                    .map(ScriptWork::Program)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is needed in this one place")]
    fn call(
        &self,
        words: &[Text],
        draft: &ScriptDraft,
        values: &[(String, String)],
        names: &Names<'_>,
        environment: &Surroundings<'_>,
        is_secret: &dyn Fn(&str) -> bool,
        problems: &mut Problems,
    ) -> Option<ProgramCall> {
        let mut secrets = Secrets::default();
        for (_, value) in values.iter().filter(|(name, _)| is_secret(name)) {
            secrets.merge(&[value.as_str()].into_iter().collect());
        }
        // Those of the project that are not set are missed only where they are used.
        for secret in &self.draft.settings.secrets {
            reveal(secret, environment).into_iter().for_each(|resolved| secrets.merge(&resolved.secrets));
        }
        for secret in &draft.test.settings.secrets {
            match reveal(secret, environment) {
                Ok(resolved) => secrets.merge(&resolved.secrets),
                Err(mistake) => problems.push(Problem::in_text(&secret.place, mistake)),
            }
        }
        let (program, more) = words.split_first()?;
        let program = self.program(program, problems)?;
        let mut arguments = Vec::new();
        for word in more {
            let resolved = names.resolve(word, &Parameters::default(), problems)?;
            secrets.merge(&resolved.secrets);
            arguments.push(resolved.text);
        }
        // A list of words says itself where each value goes.
        if more.is_empty() {
            let plain = values.iter().filter(|(name, _)| !is_secret(name));
            arguments.extend(plain.map(|(name, value)| format!("--{name}={value}")));
        }
        let environment = values
            .iter()
            .map(|(name, value)| (format!("ASSAY_PARAM_{}", name.to_ascii_uppercase()), value.clone()))
            .collect();
        let folder = draft.test.source.path.parent().map(PathBuf::from).unwrap_or_default();
        Some(ProgramCall { program, arguments, environment, folder, secrets })
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
