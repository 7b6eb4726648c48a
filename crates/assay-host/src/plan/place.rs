//! Writes the files: each one atomically, and replaces an existing one only on request.

use std::io::Write;
use std::path::Path;

use assay_planner::{DraftTrial, Sheet, write_sheet};
use assay_protocol::{ErrorCode, Failure};

use super::report::{PlanOutcome, PlanReport, WrittenFile};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwriting {
    Never,
    Allowed,
}

pub fn write(
    sheets: &[Sheet],
    base_url: Option<&str>,
    out: &Path,
    overwriting: Overwriting,
    told: &mut PlanReport,
) -> Result<(), Failure> {
    let failed = |path: &Path, err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
    };
    for sheet in sheets.iter().filter(|sheet| !sheet.drafts.is_empty()) {
        std::fs::create_dir_all(out).map_err(|err| failed(out, err))?;
        let path = out.join(format!("{}.yaml", sheet.stem));
        let text = write_sheet(sheet, base_url);
        let is_there = std::fs::symlink_metadata(&path).is_ok();
        if is_there && overwriting == Overwriting::Never {
            told.kept.push(path);
            continue;
        }
        let partial = out.join(format!(".{}.{}.part", sheet.stem, std::process::id()));
        // Whatever has that name is left from a crash, or a link that leads elsewhere.
        let _may_not_be_there = std::fs::remove_file(&partial);
        std::fs::File::create_new(&partial)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|err| failed(&partial, err))?;
        let placed = match overwriting {
            Overwriting::Allowed => std::fs::rename(&partial, &path),
            // A link fails if the target exists, even if it was created at this very moment.
            Overwriting::Never => std::fs::hard_link(&partial, &path),
        };
        let _gone = std::fs::remove_file(&partial);
        match placed {
            Ok(()) => {}
            Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists => {
                told.kept.push(path);
                continue;
            }
            Err(err) => return Err(failed(&path, err)),
        }
        let untried = sheet.drafts.iter().filter(|draft| draft.tags.iter().any(|tag| tag == "untried"));
        told.files.push(WrittenFile {
            path,
            tests: sheet.drafts.iter().map(|draft| draft.name.clone()).collect(),
            untried: untried
                .filter(|draft| draft.trial == DraftTrial::Sends)
                .map(|draft| draft.name.clone())
                .collect(),
            questions: sheet.open.len(),
        });
    }
    told.outcome = match (told.kept.is_empty(), told.files.is_empty()) {
        (false, _) => PlanOutcome::Collides,
        (true, true) => PlanOutcome::Nothing,
        (true, false) => PlanOutcome::Written,
    };
    Ok(())
}
