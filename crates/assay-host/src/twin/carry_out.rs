//! A comparison from its first round to its last report.

use std::path::PathBuf;

use assay_protocol::{ErrorCode, Failure};
use assay_twin::{Noise, Round, TestResult, judge, learn};

use super::builds;
use super::html;
use super::report::{self, TwinReport};
use super::side::{Recorded, Side, run_side};
use super::spec::TwinSpec;
use crate::context::HostContext;
use crate::host::Host;
use crate::job::Desk;
use crate::run::{TestChoice, default_workers};
use crate::scratch::Scratch;
use crate::state::StateFolder;

/// Enough to tell what varies by itself from what is different.
const MOST_ROUNDS: usize = 5;

/// How a comparison ended.
#[derive(Debug)]
pub struct TwinEnd {
    pub report: TwinReport,
    pub html: PathBuf,
    /// What was learnt, for `--noise`.
    pub noise: PathBuf,
    pub exit_code: u8,
}

/// One round: the same tests against both builds.
pub struct Pair {
    pub old: Recorded,
    pub new: Recorded,
}

pub(crate) fn carry_out(host: &Host, spec: &TwinSpec, desk: &Desk) -> Result<TwinEnd, Failure> {
    let (old, new) = builds::addresses(spec)?;
    builds::check_trust(&host.context, spec)?;
    let given = spec.noise.as_deref().map(report::read_noise).transpose()?.unwrap_or_default();
    // The record of the runs is of no use afterwards, and does not belong to the history of the project.
    let scratch = Scratch::make(&host.context.temporary, "twin")?;
    let state = StateFolder { named: Some(scratch.folder.join("state")), ..host.context.state.clone() };
    let host = host.with(HostContext { state, ..host.context.clone() });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not start the async runtime: {err}")))?;
    let sides = [
        Side { name: "old", url: spec.old.clone(), own: old.clone(), other: new.clone() },
        Side { name: "new", url: spec.new.clone(), own: new, other: old },
    ];
    let (rounds, results, noise) = runtime.block_on(async {
        builds::check_answers(spec).await?;
        Comparison { host: &host, spec, sides: &sides, desk }.all_rounds(&given).await
    })?;
    let report = TwinReport::of(spec, &rounds, results, noise);
    let html = spec.html.clone().unwrap_or_else(|| spec.results.join("twin.html"));
    let noise = spec.results.join("noise.json");
    report::write_json(&report, &spec.results.join("twin.json"))?;
    report::write_json(&report.noise, &noise)?;
    html::write(&report, &rounds, &html)?;
    let exit_code = report.exit_code();
    Ok(TwinEnd { report, html, noise, exit_code })
}

struct Comparison<'a> {
    host: &'a Host,
    spec: &'a TwinSpec,
    sides: &'a [Side; 2],
    desk: &'a Desk,
}

impl Comparison<'_> {
    /// Rounds until every test is clear, or more rounds would not help.
    async fn all_rounds(&self, given: &Noise) -> Result<(Vec<Pair>, Vec<TestResult>, Noise), Failure> {
        let usual = if self.spec.noise.is_some() { 1 } else { 2 };
        let least = self.spec.rounds.unwrap_or(usual);
        let most = least.max(MOST_ROUNDS);
        let mut rounds: Vec<Pair> = Vec::new();
        let mut open: Option<Vec<String>> = None;
        loop {
            let number = rounds.len() + 1;
            self.desk.note(match &open {
                None => format!("round {number}: {} and {}", self.spec.old, self.spec.new),
                Some(tests) => format!("round {number}, to make sure: {}", tests.join(", ")),
            });
            rounds.push(self.round(number, open.as_deref()).await?);
            let judged: Vec<Round<'_>> = rounds
                .iter()
                .map(|pair| Round {
                    old: &pair.old.recording,
                    new: &pair.new.recording,
                    old_album: &pair.old.album,
                    new_album: &pair.new.album,
                })
                .collect();
            let has_tests = judged.iter().any(|round| !round.old.tests.is_empty());
            if !has_tests && rounds[0].old.rejected.is_empty() {
                return Err(Failure::new(ErrorCode::Usage, "there are no tests to compare the builds by")
                    .hint("assay run --list shows the tests"));
            }
            let noise = learn(&judged, given);
            let (results, unclear) = judge(&judged, &noise);
            if !has_tests || (number >= least && (unclear.is_empty() || number >= most)) {
                return Ok((rounds, results, noise));
            }
            open = (number >= least).then_some(unclear);
        }
    }

    async fn round(&self, number: usize, open: Option<&[String]>) -> Result<Pair, Failure> {
        builds::reset(self.spec, &self.host.lender()).await?;
        let choice = match open {
            None => self.spec.choice.clone(),
            Some(tests) => TestChoice { ids: tests.to_vec(), ..self.spec.choice.clone() },
        };
        let workers = self.spec.workers.unwrap_or_else(|| (default_workers() / 2).max(1));
        let spec = TwinSpec { workers: Some(workers), ..self.spec.clone() };
        let [old, new] = self.sides;
        let run = |side| run_side(self.host, &spec, side, number, choice.clone(), self.desk);
        // Two runs of one server at the same time would see each other's data.
        let (old, new) = if old.own == new.own {
            (run(old).await, run(new).await)
        } else {
            tokio::join!(run(old), run(new))
        };
        if self.desk.is_stopped() {
            return Err(Failure::new(ErrorCode::Stopped, "the comparison was stopped"));
        }
        Ok(Pair { old: old?, new: new? })
    }
}
