//! A plan is a command of its own. What it answered is kept in a file beside the results of runs.

use std::path::PathBuf;

use assay_protocol::{Agreed, ErrorCode, Failure};
use assay_tools::CallSpec;
use serde_json::Value;

use super::planning::PLANS_FOLDER;
use crate::private_files;
use crate::problem::Problem;
use crate::service::Service;

/// No result of a plan is longer.
const LONGEST: u64 = 8 * 1024 * 1024;

fn folder(service: &Service) -> PathBuf {
    service.seams.folder.join(PLANS_FOLDER)
}

pub fn carry_out(
    service: &Service,
    name: &str,
    words: &[String],
    note: &dyn Fn(&str),
) -> Result<(), Failure> {
    let browser_name = format!("plan {name}");
    let browser = service
        .sessions
        .session_of("service", &browser_name)
        .map_err(|problem| Failure::new(ErrorCode::SessionBusy, problem.body.detail.clone()))?;
    let is_stopped = || service.stop.is_cancelled();
    let spec = CallSpec { session: &browser, agreed: &Agreed::Nothing, tell: note, is_stopped: &is_stopped };
    let run = service.seams.program.run_command(&spec, words);
    // Its browsers ended with the command.
    let _ended = service.sessions.end("service", &browser_name);
    let run = run?;
    let answer: Option<Value> = serde_json::from_str(&run.data).ok();
    let data = answer.as_ref().map(|answer| &answer["data"]).filter(|data| data.is_object());
    if let Some(data) = data {
        let kept = private_files::keep(&folder(service), &format!("{name}.json"), &data.to_string());
        kept.map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not keep the result of a plan: {err}"))
        })?;
    }
    match (run.exit_code, data) {
        // 3: questions are open, which is an answer.
        (0 | 3, Some(_)) => Ok(()),
        (code, _) => {
            let said = answer.as_ref().and_then(|answer| answer["error"]["message"].as_str());
            let last = run.talk.lines().last().unwrap_or("the plan ended without an answer");
            Err(Failure::new(ErrorCode::Internal, said.unwrap_or(last)).detail(format!("exit code {code}")))
        }
    }
}

/// What a plan answered; none if it has not yet.
pub fn plan_result(service: &Service, name: &str) -> Result<Option<Value>, Problem> {
    let wrong = |why: String| Problem::internal(format!("the result of `{name}` cannot be read: {why}"));
    let file = folder(service).join(format!("{name}.json"));
    match std::fs::metadata(&file) {
        Ok(facts) if facts.len() > LONGEST => return Err(wrong("it is too long".to_string())),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(err) => return Err(wrong(err.to_string())),
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(&file).map_err(|err| wrong(err.to_string()))?;
    serde_json::from_str(&text).map(Some).map_err(|err| wrong(err.to_string()))
}
