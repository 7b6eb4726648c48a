//! Commands about requirements and how far tests cover them.

use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{CoverageKind, Failure, Priority, RequirementStatus};
use assay_suite::RequirementChange;

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::coverage::CoverageOptions;
use crate::requirement::{RequirementFilter, RequirementOperation};

pub(super) const COVERAGE: CommandEntry = command(
    "coverage",
    "",
    "Show which requirements tests cover, and what their last runs showed (exit code 1: a test fails, 3: not all is shown)",
    "assay coverage --html coverage.html",
    |words| {
        Ok(Command::Coverage(CoverageOptions {
            uncovered: words.has("uncovered"),
            html: words.flag("html").map(str::to_string),
        }))
    },
)
.flags(&[
    Flag::switch("uncovered", "only requirements that no test shows to work (exit code 3 if there are any)"),
    Flag::value("html", "FILE", "also write the matrix of requirements and tests to FILE"),
]);

const VERBS: &str = "list, show, of, create, update, link, unlink or import";

pub(super) const REQUIREMENT: CommandEntry = command(
    "requirement",
    "list|show|of|create|update|link|unlink|import [WHAT...]",
    "Keep requirements in files of the project, and link tests to them",
    "assay requirement link REQ-12 checkout_coupon --as partial",
    |words| Ok(Command::Requirement(operation(words)?)),
)
.flags(&[
    Flag::value("name", "TEXT", "update: what it is about, in a few words"),
    Flag::value("description", "TEXT", "create, update: what the application should do"),
    Flag::value("priority", "WORD", "critical, high, medium or low; list: only these"),
    Flag::value("category", "TEXT", "what it belongs to; list: only these"),
    Flag::value("status", "WORD", "draft, approved, implemented or retired; list: only these"),
    Flag::values("criterion", "TEXT", "create, update: an acceptance criterion; repeatable"),
    Flag::value(
        "file",
        "FILE",
        "create, import: file for new requirements (default requirements/requirements.yaml)",
    ),
    Flag::value("as", "KIND", "link: how much the test shows: full (default), partial or negative"),
    Flag::switch("dry-run", "import: show what would change without writing anything"),
])
.counts_itself();

fn operation(words: &Arguments<'_>) -> Result<RequirementOperation, Failure> {
    let most = |number: usize| match words.optional(number) {
        None => Ok(()),
        Some(_) => Err(Failure::from(words.wrong_word(VERBS))),
    };
    let word = |index: usize, what: &str| -> Result<String, UsageError> {
        optional_text(words, index).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    let file = || words.flag("file").map(str::to_string);
    Ok(match words.at(0) {
        "list" => {
            most(1)?;
            RequirementOperation::List(RequirementFilter {
                priority: priority(words)?,
                category: words.flag("category").map(str::to_string),
                status: status(words)?,
            })
        }
        "show" => {
            most(2)?;
            RequirementOperation::Show { code: word(1, "the code of a requirement")? }
        }
        "of" => {
            most(2)?;
            RequirementOperation::Of { test: word(1, "a test")? }
        }
        "create" => {
            most(3)?;
            let change = change(words, word(1, "a code such as REQ-12")?)?;
            let name = word(2, "the name of the requirement")?;
            RequirementOperation::Create {
                change: RequirementChange { name: Some(name), ..change },
                file: file(),
            }
        }
        "update" => {
            most(2)?;
            RequirementOperation::Update { change: change(words, word(1, "the code of a requirement")?)? }
        }
        "link" => {
            most(3)?;
            let coverage = match words.flag("as") {
                None => CoverageKind::Full,
                Some(said) => named("--as", said, &CoverageKind::ALL)?,
            };
            let (code, test) = (word(1, "the code of a requirement")?, word(2, "a test")?);
            RequirementOperation::Link { code, test, coverage }
        }
        "unlink" => {
            most(3)?;
            let (code, test) = (word(1, "the code of a requirement")?, word(2, "a test")?);
            RequirementOperation::Unlink { code, test }
        }
        "import" => {
            most(2)?;
            let table = word(1, "a CSV or Markdown file")?;
            RequirementOperation::Import { table, file: file(), dry_run: words.has("dry-run") }
        }
        _ => return Err(words.wrong_word(VERBS).into()),
    })
}

fn change(words: &Arguments<'_>, code: String) -> Result<RequirementChange, Failure> {
    let text = |name: &str| words.flag(name).map(|text| text.trim().to_string());
    let criteria = words.flag("criterion").map(|lines| {
        lines.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
    });
    Ok(RequirementChange {
        code: code.trim().to_string(),
        name: text("name"),
        description: text("description"),
        priority: priority(words)?,
        category: text("category"),
        status: status(words)?,
        acceptance_criteria: criteria,
    })
}

fn priority(words: &Arguments<'_>) -> Result<Option<Priority>, Failure> {
    words.flag("priority").map(|said| named("--priority", said, &Priority::ALL)).transpose()
}

fn status(words: &Arguments<'_>) -> Result<Option<RequirementStatus>, Failure> {
    words.flag("status").map(|said| named("--status", said, &RequirementStatus::ALL)).transpose()
}

fn named<T: Copy>(flag: &str, said: &str, all: &[(&'static str, T)]) -> Result<T, Failure> {
    let found = all.iter().find(|(name, _)| *name == said).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        UsageError::wrong_value(format!("{flag} {}", names.join(", ")), format!("`{said}`")).into()
    })
}
