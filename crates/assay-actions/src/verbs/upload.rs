//! `upload`: files for a file input.

use std::path::PathBuf;

use crate::verbs::effect_answer;
use assay_protocol::{Answer, ErrorCode, Failure, Selector};

use crate::act::TargetedAct;
use crate::session::{Call, Session};
use crate::target::named;

pub(crate) async fn upload(
    session: &mut Session,
    target: &Selector,
    files: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    for path in &paths {
        match path.metadata() {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => {
                return Err(Failure::new(
                    ErrorCode::Usage,
                    format!("expected a file, found the folder {}", path.display()),
                ));
            }
            Err(err) => {
                return Err(Failure::new(
                    ErrorCode::Usage,
                    format!("could not read {}: {err}", path.display()),
                ));
            }
        }
    }
    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "upload", "given files") };
    let ready = session.begin(&intent, call).await?;
    if paths.len() > 1 && !ready.begun.multiple {
        let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
        return Err(Failure::new(
            ErrorCode::NotActionable,
            format!("{what} takes one file, not {}", paths.len()),
        ));
    }
    let input = ready.tab.surface.set_files(&ready.frame, ready.begun.file, paths, call.deadline);
    session.give(&ready.tab, call.deadline, input).await?;
    let settled = session.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(settled.effect))
}
