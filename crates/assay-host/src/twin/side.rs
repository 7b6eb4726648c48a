//! One run of one build, recorded.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_pixels::Pixels;
use assay_protocol::{ErrorCode, Failure, RunFact};
use assay_runner::{StepPicture, StepSight, StepWitness};
use assay_twin::{Album, BuildAddress, PictureSeen, Recorder, Recording, SightParts};

use super::spec::TwinSpec;
use crate::host::Host;
use crate::job::{Desk, Job, News};
use crate::run::{ProjectServers, RunEnd, RunSpec, TestChoice, WantedReports};

/// Which build, at which address.
#[derive(Debug, Clone)]
pub struct Side {
    /// `old` or `new`.
    pub name: &'static str,
    pub url: String,
    pub own: BuildAddress,
    pub other: BuildAddress,
}

/// A run that is over.
pub struct Recorded {
    pub recording: Recording,
    pub album: FolderAlbum,
    /// Files that could not be read, and why.
    pub rejected: Vec<(String, String)>,
}

/// The pictures of one run.
#[derive(Debug, Clone)]
pub struct FolderAlbum {
    pub folder: PathBuf,
}

impl Album for FolderAlbum {
    fn open(&self, file: &str) -> Result<Pixels, String> {
        let path = self.folder.join(file);
        let bytes = std::fs::read(&path).map_err(|err| format!("{}: {err}", path.display()))?;
        Pixels::from_png(&bytes).map_err(|err| format!("{}: {err}", path.display()))
    }
}

/// Keeps what was seen until the run is over.
#[derive(Debug)]
struct Sights {
    folder: PathBuf,
    seen: Mutex<HashMap<(String, usize), StepSight>>,
}

impl StepWitness for Sights {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn saw(&self, sight: StepSight) {
        let key = (sight.test.clone(), sight.step);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key, sight);
    }
}

/// Runs the tests against one build. `round` counts from 1.
pub async fn run_side(
    host: &Host,
    spec: &TwinSpec,
    side: &Side,
    round: usize,
    choice: TestChoice,
    desk: &Desk,
) -> Result<Recorded, Failure> {
    let results = spec.results.join(format!("{}-{round}", side.name));
    let folder = results.join("looks");
    fresh(&folder)?;
    let sights = Arc::new(Sights { folder: folder.clone(), seen: Mutex::default() });
    let witness = Arc::<Sights>::clone(&sights);
    let run = RunSpec {
        name: None,
        folder: spec.folder.clone(),
        paths: spec.paths.clone(),
        choice,
        workers: spec.workers,
        own_browser: false,
        fail_fast: false,
        strict: false,
        locks: spec.locks,
        draft_of: None,
        proves: false,
        slow: Duration::ZERO,
        // A test that passes the second time would hide what happened the first time.
        retries: Some(0),
        browsers: spec.browsers.clone(),
        base_url: Some(side.url.clone()),
        reports: WantedReports::default(),
        results,
        pictures: false,
        trust: spec.trust,
        models: spec.models.clone(),
        session: format!("twin-{}", side.name),
        browser: spec.browser.clone(),
        start: spec.start.clone(),
        resuming: None,
        witness: Some(witness),
        servers: ProjectServers::LeftAlone,
    };
    let (facts, end) = followed(host.start(run)?, side, desk).await;
    end?;
    let mut seen = std::mem::take(&mut *sights.seen.lock().unwrap_or_else(PoisonError::into_inner));
    let mut recorder = Recorder::new(side.own.clone(), side.other.clone());
    let mut rejected = Vec::new();
    for fact in &facts {
        let at = match fact {
            RunFact::StepFinished { test, step, .. } => Some((test.clone(), *step)),
            _ => None,
        };
        if let Some(sight) = at.and_then(|at| seen.remove(&at)) {
            recorder.sight(parts_of(sight, &folder));
        }
        if let RunFact::FileRejected { file, message } = fact {
            rejected.push((file.clone(), message.clone()));
        }
        recorder.event(fact);
        if let RunFact::TestStarted { test, .. } = fact
            && let Some(sight) = seen.remove(&(test.clone(), 0))
        {
            recorder.sight(parts_of(sight, &folder));
        }
    }
    Ok(Recorded { recording: recorder.finish(), album: FolderAlbum { folder }, rejected })
}

/// All events of a run and its end. It is stopped with the comparison.
async fn followed(mut job: Job<RunEnd>, side: &Side, desk: &Desk) -> (Vec<RunFact>, Result<RunEnd, Failure>) {
    let mut facts = Vec::new();
    let mut is_stopped = false;
    loop {
        let news = tokio::select! {
            news = job.news.recv() => news,
            () = desk.stopped(), if !is_stopped => {
                is_stopped = true;
                job.stop();
                continue;
            }
        };
        match news {
            Some(News::Event(event)) => {
                if let RunFact::TestFinished { test, verdict, .. } = &event.what {
                    desk.note(format!("{}: {test}: {}", side.name, verdict.name()));
                }
                facts.push(event.what);
            }
            Some(News::Warning(text)) => desk.warn(format!("{}: {text}", side.name)),
            Some(News::Note(text)) => desk.note(format!("{}: {text}", side.name)),
            Some(News::Earlier(_) | News::Over) => {}
            None => break,
        }
    }
    (facts, job.wait().await)
}

/// Pictures of an earlier comparison say nothing about this one.
fn fresh(folder: &Path) -> Result<(), Failure> {
    let failed = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write to {}: {err}", folder.display()))
    };
    match std::fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(folder).map_err(failed)?,
        Ok(_) => {
            let message = format!("{} is not a folder, so no pictures can be kept there", folder.display());
            return Err(Failure::new(ErrorCode::Io, message));
        }
        Err(_) => {}
    }
    std::fs::create_dir_all(folder).map_err(failed)
}

fn parts_of(sight: StepSight, folder: &Path) -> SightParts {
    let StepSight { test, step, scene, is_restless, open_for, requests, picture } = sight;
    let picture = picture.and_then(|picture| kept(&picture, folder));
    SightParts { test, step, scene, is_restless, open_for_ms: open_for.as_millis() as u64, requests, picture }
}

fn kept(picture: &StepPicture, folder: &Path) -> Result<PictureSeen, String> {
    let last = picture.files.last().ok_or("there is no picture")?;
    let bytes = std::fs::read(last).map_err(|err| format!("{}: {err}", last.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    Ok(PictureSeen {
        files: picture.files.iter().map(name).collect(),
        hash: hasher.finish(),
        is_whole: picture.is_whole,
        scrolled: picture.scrolled,
        view_width: picture.view_width,
    })
}
