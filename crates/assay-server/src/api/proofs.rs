//! Proofs: whether passing tests would notice a broken application. A proof is a run in which faults are injected.

use assay_coordinator::RunRecord;
use assay_host::StartCommand;
use assay_protocol::{Proof, ProofJudgement, RunFact, TaskId};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::runs::{RunView, accept, find_run, shown};
use crate::orders::{AcceptedWork, ProofOrder, RESULTS, Wish, new_run_name};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

/// Runs are looked through for proofs so many at a time, and no more than that for one page.
const PORTION: usize = 200;
const MOST_LOOKED_AT: usize = 20_000;

#[derive(Debug, Serialize, JsonSchema)]
struct Proofs {
    run: String,
    /// One for each test that passed and was proved.
    items: Vec<ProofView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Proof")]
struct ProofView {
    test: String,
    /// proved: every fault made it fail; hollow: it passes although something is broken, or claims too little; open:
    /// nothing could be proved.
    judgement: String,
    /// Faults that made it fail, among those that say something.
    caught: usize,
    counted: usize,
    /// Each fault with its step, what came of it, and why.
    faults: Value,
    /// Faults that were left out, with the reasons.
    left_out: Vec<String>,
    /// Why the faults prove nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    void: Option<String>,
    /// Why no fault is needed to see that the test is hollow.
    #[serde(skip_serializing_if = "Option::is_none")]
    hollow: Option<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/server/proofs",
            "list_proof_runs",
            "List runs that proved tests, the newest first",
            list,
        ),
        Route::write_as(
            Method::Post,
            "/server/proofs",
            "start_proof",
            "Prove tests: a run that injects faults; it is on record when this answers",
            StatusCode::ACCEPTED,
            start,
        ),
        Route::get("/server/runs/{run}/proofs", "list_proofs", "Tell what a run proved of its tests", of_run),
    ]
}

fn start(asked: &Asked, order: ProofOrder) -> Result<AcceptedWork, Problem> {
    let name = new_run_name();
    let words = order.words(&format!("{RESULTS}/{name}"))?;
    asked.service.seams.runs.check(&words)?;
    accept(asked, &Wish::Run { words }, &name)
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<RunView>, Problem> {
    let coordinator = &asked.service.coordinator;
    let mut before = page.before()?.map(|number| TaskId(i64::try_from(number).unwrap_or(i64::MAX)));
    let mut found = Vec::new();
    for _ in 0..MOST_LOOKED_AT / PORTION {
        let runs = coordinator.runs_before(before, None, PORTION)?;
        let is_all = runs.len() < PORTION;
        before = runs.last().map(|run| run.task);
        found.extend(runs.into_iter().filter(is_proof));
        if is_all || found.len() > page.limit() {
            break;
        }
    }
    Ok(page.newest(found, |run| run.task.0.unsigned_abs(), |run| shown(&run)))
}

fn is_proof(run: &RunRecord) -> bool {
    let command = serde_json::from_value::<StartCommand>(run.order.clone());
    command.is_ok_and(|command| command.arguments.iter().any(|word| word == "prove"))
}

fn of_run(asked: &Asked, _: Nothing) -> Result<Proofs, Problem> {
    let run = find_run(&asked.service, asked.part("run"))?;
    let events = asked.service.coordinator.events_of(run.task)?;
    let proved = events.into_iter().filter_map(|event| match event.what {
        RunFact::Proved { test, proof } => Some(view(test, *proof)),
        _ => None,
    });
    Ok(Proofs { run: run.run, items: proved.collect::<Result<_, Problem>>()? })
}

fn view(test: String, proof: Proof) -> Result<ProofView, Problem> {
    let judgement = match proof.judgement() {
        ProofJudgement::Proved => "proved",
        ProofJudgement::Hollow => "hollow",
        ProofJudgement::Open => "open",
    };
    Ok(ProofView {
        test,
        judgement: judgement.to_string(),
        caught: proof.caught(),
        counted: proof.counted(),
        faults: serde_json::to_value(&proof.faults).map_err(|err| Problem::internal(err.to_string()))?,
        left_out: proof.left_out,
        void: proof.void,
        hollow: proof.hollow,
    })
}
