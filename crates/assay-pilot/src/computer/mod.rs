//! The computer-use pilot: pictures of the page to a model that answers with mouse and keyboard, by the tool that its
//! provider trained it for. It needs nothing of the page but how it looks.

mod by_ref;
mod conversation;
mod dialect;
mod hand;
mod prompt;
mod words;

use assay_runner::{Controls, LocalFuture, Pilot, PilotOutcome, PilotTerms, StepTask};

pub(crate) use dialect::Dialect;
pub(crate) use words::in_few_words;

use crate::asking::Asking;
use crate::grid;

/// The name under which its commands stand in the reports.
pub(crate) const NAME: &str = "computer-use";

/// So many acts for a step, where nobody says otherwise.
const MOST_ACTS: u32 = 40;

/// Carries out a step by the provider's computer tool; by the grid where that tool cannot be had.
pub struct ComputerUsePilot {
    asking: Asking,
    allowed_safety_checks: Vec<String>,
    acts: u32,
    /// Why the provider's tool is not used, once that is known.
    without_tool: Option<String>,
    of_browsers: bool,
}

impl ComputerUsePilot {
    pub fn new(asking: Asking, terms: &PilotTerms) -> ComputerUsePilot {
        let without_tool = Dialect::of(asking.provider.format())
            .is_none()
            .then(|| format!("{} has no computer tool", asking.provider.format().describe()));
        ComputerUsePilot {
            asking,
            allowed_safety_checks: terms.allowed_safety_checks.clone(),
            acts: terms.actions.unwrap_or(MOST_ACTS),
            without_tool,
            of_browsers: false,
        }
    }

    /// With the tools that a provider has for browsers, where it has such beside those for computers.
    #[must_use]
    pub fn with_tools_of_browsers(mut self) -> ComputerUsePilot {
        self.of_browsers = true;
        self
    }

    /// The tool is not to be used, for this reason.
    #[must_use]
    pub fn without_tool(mut self, why: &str) -> ComputerUsePilot {
        self.without_tool = Some(why.to_string());
        self
    }

    async fn carry_out(&mut self, task: &StepTask, controls: &mut dyn Controls) -> PilotOutcome {
        let dialect = Dialect::of(self.asking.provider.format()).filter(|_| self.without_tool.is_none());
        if let Some(dialect) = dialect {
            let dialect = if self.of_browsers { dialect.of_browsers() } else { dialect };
            let terms = conversation::ActTerms { allowed: &self.allowed_safety_checks, acts: self.acts };
            match conversation::fly(&self.asking, dialect, &terms, task, controls).await {
                conversation::ComputerOutcome::Left(left) => return left,
                // For good, and before anything was done: for the other steps of the test, too.
                conversation::ComputerOutcome::NoTool(why) => self.without_tool = Some(why),
            }
        }
        let why = self.without_tool.clone().unwrap_or_default();
        let left = grid::fly(&self.asking, self.acts, Some(&why), task, controls).await;
        PilotOutcome { degraded: true, ..left }
    }
}

impl Pilot for ComputerUsePilot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome> {
        Box::pin(self.carry_out(task, controls))
    }
}
