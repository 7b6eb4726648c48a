//! The result of a plan, in words and as data.

use std::path::PathBuf;

use assay_planner::{Exclusion, Refused, TestScope};
use assay_protocol::{ErrorCode, Failure};
use assay_provider::Spent;
use serde_json::{Value, json};

/// More of a kind are counted, not listed; `--json` has them all.
const MOST_LINES: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanOutcome {
    Written,
    /// Nothing was worth writing.
    Nothing,
    /// Questions come first.
    Asks,
    /// Files are there already and were left alone.
    Collides,
    /// Somebody asked it to end. Nothing was written.
    Stopped,
}

#[derive(Debug)]
pub struct WrittenFile {
    pub path: PathBuf,
    pub tests: Vec<String>,
    /// Tests that were not run.
    pub untried: Vec<String>,
    pub questions: usize,
}

#[derive(Debug)]
pub struct PlanReport {
    pub outcome: PlanOutcome,
    out: String,
    pub files: Vec<WrittenFile>,
    /// Files that were there.
    pub kept: Vec<PathBuf>,
    pub scope: TestScope,
    pub refused: Vec<Refused>,
    /// Tests that were run and did not pass, and why.
    pub red: Vec<(String, String)>,
    pub green: usize,
    pub model: Option<String>,
    pub spent: Option<Spent>,
}

impl PlanReport {
    pub fn new(out: &str) -> PlanReport {
        PlanReport {
            outcome: PlanOutcome::Nothing,
            out: out.to_string(),
            files: Vec::new(),
            kept: Vec::new(),
            scope: TestScope::default(),
            refused: Vec::new(),
            red: Vec::new(),
            green: 0,
            model: None,
            spent: None,
        }
    }

    /// The report of a plan that ends here because somebody asked it to.
    pub(super) fn stopped(self) -> PlanReport {
        PlanReport { outcome: PlanOutcome::Stopped, ..self }
    }

    /// Why it is no success, if it is none.
    pub fn failure(&self) -> Option<Failure> {
        match self.outcome {
            PlanOutcome::Written => None,
            PlanOutcome::Nothing if self.refused.is_empty() && self.scope.excluded.is_empty() => Some(
                Failure::new(ErrorCode::NotFound, "found nothing to test, so nothing was written")
                    .hint("name another page with --url, or state a goal"),
            ),
            PlanOutcome::Nothing => {
                let refused = self.refused.iter().map(|one| format!("{}: {}", one.name, one.why.join("; ")));
                let mut failure =
                    Failure::new(ErrorCode::NotFound, "no test is left, so nothing was written");
                for why in refused.chain(by_reason(&self.scope.excluded)).take(MOST_LINES) {
                    failure = failure.detail(why);
                }
                Some(failure.hint("put the sentences right, or name another page with --url"))
            }
            PlanOutcome::Asks => {
                let open: Vec<_> = self.scope.blocking().collect();
                let first = open.first().map_or("q1", |question| question.id.as_str());
                let many = if open.len() == 1 {
                    "one question needs".to_string()
                } else {
                    format!("{} questions need", open.len())
                };
                let mut failure = Failure::new(
                    ErrorCode::QuestionsOpen,
                    format!("{many} an answer first; nothing was written"),
                );
                for question in &open {
                    failure =
                        failure.detail(format!("{}: {} ({})", question.id, question.text, question.why));
                }
                Some(failure.hint(format!(
                    "run the same command with --answer \"{first}: …\" for each question, or with --answers FILE, one answer per line"
                )))
            }
            PlanOutcome::Collides => {
                let mut failure = Failure::new(ErrorCode::FileExists, "existing files were left unchanged");
                for path in &self.kept {
                    failure = failure.detail(path.display().to_string());
                }
                Some(failure.hint("--force replaces them; --out FOLDER writes elsewhere"))
            }
            PlanOutcome::Stopped => {
                Some(Failure::new(ErrorCode::Stopped, "the plan was stopped; nothing was written"))
            }
        }
    }

    /// The result for people, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for file in &self.files {
            let tests = counted(file.tests.len(), "test", "tests");
            let mut more = Vec::new();
            if !file.untried.is_empty() {
                more.push(format!("{} not tried", file.untried.len()));
            }
            if file.questions > 0 {
                more.push(counted(file.questions, "question", "questions"));
            }
            let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
            lines.push(format!("wrote {}: {tests}{more}", file.path.display()));
        }
        if self.green > 0 {
            lines.push(format!("tried on the current page: {} passed", self.green));
        }
        let red = self.red.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        list(&mut lines, "tried and did not pass, check them:", red);
        let refused =
            self.refused.iter().map(|one| format!("{}: {}", one.name, one.why.join("; "))).collect();
        list(&mut lines, "proposed but not written:", refused);
        list(&mut lines, "left out:", by_reason(&self.scope.excluded));
        let ambiguous =
            self.scope.ambiguous.iter().map(|one| format!("{}: {}", one.point, one.why)).collect();
        list(&mut lines, "unclear, so not tested:", ambiguous);
        let open =
            self.scope.questions.iter().filter(|one| !one.is_blocking || self.outcome != PlanOutcome::Asks);
        list(&mut lines, "questions:", open.map(|one| format!("{}: {}", one.id, one.text)).collect());
        if let (Some(model), Some(spent)) = (&self.model, &self.spent) {
            lines.push(format!("{model}: {}", cost_words(spent)));
        }
        if !self.files.is_empty() {
            lines.push(format!("next: assay run {}", self.out));
        }
        lines
    }

    /// The result for programs.
    pub fn data(&self) -> Value {
        let files = self.files.iter().map(|file| {
            json!({ "file": file.path.display().to_string(), "tests": file.tests, "untried": file.untried, "questions": file.questions })
        });
        let pairs = |pairs: Vec<(&String, &String)>, names: [&str; 2]| -> Vec<Value> {
            pairs.into_iter().map(|(one, other)| json!({ names[0]: one, names[1]: other })).collect()
        };
        let scope = &self.scope;
        let questions = scope.questions.iter().map(
            |one| json!({ "id": one.id, "question": one.text, "why": one.why, "blocking": one.is_blocking }),
        );
        json!({
            "files": files.collect::<Vec<_>>(),
            "kept": self.kept.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "green": self.green,
            "red": pairs(self.red.iter().map(|(name, why)| (name, why)).collect(), ["test", "why"]),
            "refused": self.refused.iter().map(|one| json!({ "test": one.name, "why": one.why })).collect::<Vec<_>>(),
            "included": scope.included,
            "excluded": pairs(scope.excluded.iter().map(|one| (&one.what, &one.why)).collect(), ["what", "why"]),
            "ambiguous": pairs(scope.ambiguous.iter().map(|one| (&one.point, &one.why)).collect(), ["point", "why"]),
            "questions": questions.collect::<Vec<_>>(),
            "model": self.model,
            "calls": self.spent.map(|spent| spent.calls),
            "tokens": self.spent.map(|spent| spent.tokens),
            "money": self.spent.map(|spent| spent.money.as_dollars()),
        })
    }
}

/// Things that are left out for the same reason are one line, where there are many.
fn by_reason(excluded: &[Exclusion]) -> Vec<String> {
    const MANY: usize = 4;
    let mut told: Vec<&str> = Vec::new();
    let mut lines = Vec::new();
    for one in excluded {
        let alike: Vec<&str> =
            excluded.iter().filter(|other| other.why == one.why).map(|other| other.what.as_str()).collect();
        if alike.len() < MANY {
            lines.push(format!("{}: {}", one.what, one.why));
        } else if !told.contains(&one.why.as_str()) {
            told.push(&one.why);
            lines.push(format!("{} and {} more: {}", alike[0], alike.len() - 1, one.why));
        }
    }
    lines
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub fn cost_words(spent: &Spent) -> String {
    let calls = counted(spent.calls as usize, "call", "calls");
    let money = if spent.calls > 0 && spent.calls_without_price == spent.calls {
        "price unknown".to_string()
    } else {
        spent.money.to_string()
    };
    format!("{calls}, {} tokens, {money}", spent.tokens)
}

fn list(lines: &mut Vec<String>, title: &str, items: Vec<String>) {
    if items.is_empty() {
        return;
    }
    lines.push(title.to_string());
    lines.extend(items.iter().take(MOST_LINES).map(|item| format!("  {item}")));
    if items.len() > MOST_LINES {
        lines.push(format!("  and {} more (--json lists all)", items.len() - MOST_LINES));
    }
}
