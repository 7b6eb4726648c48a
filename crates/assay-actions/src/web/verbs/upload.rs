//! `upload`: files for a file input.

use std::path::{Path, PathBuf};

use assay_protocol::{Answer, ErrorCode, Failure, Selector};

use crate::call::Call;
use crate::web::act::TargetedAct;
use crate::web::context::WebContext;
use crate::web::target::named;
use crate::web::verbs::effect_answer;

pub(crate) async fn upload(
    web: &mut WebContext,
    target: &Selector,
    files: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let paths: Vec<PathBuf> = files.iter().map(|file| without_detours(Path::new(file))).collect();
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
    let ready = web.begin(&intent, call).await?;
    if paths.len() > 1 && !ready.begun.multiple {
        let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
        return Err(Failure::new(
            ErrorCode::NotActionable,
            format!("{what} takes one file, not {}", paths.len()),
        ));
    }
    let input = ready.tab.surface.set_files(&ready.frame, ready.begun.file, paths, call.deadline);
    web.give(&ready.tab, call.deadline, input).await?;
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(settled.effect))
}

/// The same file by a path without `..`: Chromium takes such a path, and then refuses to send the file. The file keeps
/// its own name, which the page sees.
fn without_detours(path: &Path) -> PathBuf {
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
