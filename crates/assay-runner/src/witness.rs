//! A witness sees the page after each step, for those who compare runs. Without one, nothing is looked at and nothing
//! is spent.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_actions::Call;
use assay_driver::Deadline;
use assay_protocol::{Action, Answer, ErrorCode, Failure, MaskText, NetworkLine, Scene, Secrets};
use serde_json::Value;

use crate::attempt::Attempt;

/// What could be seen when a step was over, with secrets masked; or why it could not.
#[derive(Debug)]
pub struct StepSight {
    pub test: String,
    /// 0 for the moment before the first step, at which only the requests are looked at.
    pub step: usize,
    pub scene: Result<Scene, String>,
    /// The page still changed when the patience with it was over.
    pub is_restless: bool,
    /// How long requests of this step were still open when the step itself was over.
    pub open_for: Duration,
    /// The current tab and all requests of it so far.
    pub requests: Result<(String, Vec<NetworkLine>), String>,
    pub picture: Result<StepPicture, String>,
}

/// A picture of the page in the folder of the witness.
#[derive(Debug, Clone, PartialEq)]
pub struct StepPicture {
    /// Two where the page moves by itself.
    pub files: Vec<PathBuf>,
    /// Of the whole page, or of the part in view.
    pub is_whole: bool,
    /// How far the page is scrolled, in CSS pixels.
    pub scrolled: [f64; 2],
    /// In CSS pixels.
    pub view_width: f64,
}

/// Takes what was seen after each step.
pub trait StepWitness: std::fmt::Debug + Send + Sync {
    /// Where the pictures go.
    fn folder(&self) -> &Path;

    fn saw(&self, sight: StepSight);
}

/// What the step before has shown.
pub(crate) struct LastSight {
    scene: Scene,
    picture: StepPicture,
}

/// How long a page may take to come to rest.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The same while it waits for answers.
const PATIENCE_WITH_REQUESTS: Duration = Duration::from_secs(4);
const BETWEEN_LOOKS: Duration = Duration::from_millis(60);
/// A timer that is due this soon is waited for.
const SOON_MS: u32 = 400;
/// One look or picture takes no longer, or it counts as not observed.
const ONE_LOOK: Duration = Duration::from_secs(8);
/// Of a higher page only the part in view is taken.
const HIGHEST: f64 = 8000.0;

impl Attempt<'_> {
    /// Where the requests of the first step begin.
    pub(crate) async fn witness_beginning(&mut self) {
        let Some(witness) = self.context.witness.clone() else { return };
        let nothing = "before the first step".to_string();
        let requests = self.requests_so_far(None).await;
        witness.saw(StepSight {
            test: self.context.test.clone(),
            step: 0,
            scene: Err(nothing.clone()),
            is_restless: false,
            open_for: Duration::ZERO,
            requests,
            picture: Err(nothing),
        });
    }

    /// Looks at the page after a step.
    pub(crate) async fn witness_step(&mut self) {
        let Some(witness) = self.context.witness.clone() else { return };
        let began = Instant::now();
        let mut open_for = Duration::ZERO;
        let (scene, is_restless) = self.page_at_rest(began, &mut open_for).await;
        let requests = self.requests_so_far(scene.as_ref().ok()).await;
        let picture = match &scene {
            Ok(Scene { dialog: Some(_), .. }) => Err("a dialog of the browser is open".to_string()),
            // A step that only claims something leaves the page as the step before has shown it.
            Ok(scene) if let Some(same) = self.last_picture_of(scene) => Ok(same),
            _ => self.picture_for(witness.folder()).await,
        };
        self.state.last_sight = match (&scene, &picture) {
            (Ok(scene), Ok(picture)) => Some(LastSight { scene: scene.clone(), picture: picture.clone() }),
            _ => None,
        };
        let typed = self.state.typed_secrets.clone();
        let secrets = [self.context.secrets, &typed];
        witness.saw(StepSight {
            test: self.context.test.clone(),
            step: self.step.number,
            scene: masked(scene, &secrets),
            is_restless,
            open_for,
            requests: requests.map(|(tab, mut lines)| {
                secrets.iter().for_each(|secrets| lines.mask_text(secrets));
                (tab, lines)
            }),
            picture,
        });
    }

    fn last_picture_of(&self, scene: &Scene) -> Option<StepPicture> {
        let last = self.state.last_sight.as_ref()?;
        (self.step.commands == 0 && last.scene == *scene).then(|| last.picture.clone())
    }

    fn call_for_a_look(&self) -> Call {
        self.context.call_until(Deadline::after(ONE_LOOK))
    }

    /// The page when two looks in a row find the same and it waits for nothing, or as it is when patience is over.
    async fn page_at_rest(
        &mut self,
        began: Instant,
        open_for: &mut Duration,
    ) -> (Result<Scene, String>, bool) {
        let end = began + PATIENCE;
        let mut last: Option<Scene> = None;
        loop {
            let call = self.call_for_a_look();
            let scene = match self.surface.perform(&Action::Scene, &call).await {
                Ok(Answer::Scene(scene)) => *scene,
                Ok(other) => return (Err(format!("internal: reading the page returned {other:?}")), false),
                // Its opener is in front now.
                Err(failure) if failure.code == ErrorCode::TabClosed && Instant::now() < end => continue,
                Err(failure) => return (Err(failure.message), false),
            };
            let has_requests = self.has_open_requests().await;
            if has_requests {
                *open_for = began.elapsed();
            }
            let is_waiting = has_requests || (1..=SOON_MS).contains(&scene.due_ms);
            let is_same = last.as_ref() == Some(&scene);
            if is_same && !is_waiting {
                return (Ok(scene), false);
            }
            let is_over = Instant::now() >= end;
            if is_over && (!has_requests || began.elapsed() >= PATIENCE_WITH_REQUESTS) {
                return (Ok(scene), !is_same);
            }
            last = Some(scene);
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
    }

    async fn has_open_requests(&mut self) -> bool {
        let is_open =
            |line: &NetworkLine| line.outcome == "pending" && line.kind != "stream" && line.kind != "beacon";
        self.network_log().await.is_ok_and(|lines| lines.iter().any(is_open))
    }

    async fn network_log(&mut self) -> Result<Vec<NetworkLine>, Failure> {
        let call = self.call_for_a_look();
        match self.surface.perform(&Action::Network { failed: false, clear: false }, &call).await? {
            Answer::Network { requests } => Ok(requests),
            other => {
                Err(Failure::new(ErrorCode::Internal, format!("internal: the requests came as {other:?}")))
            }
        }
    }

    async fn requests_so_far(&mut self, scene: Option<&Scene>) -> Result<(String, Vec<NetworkLine>), String> {
        let lines = self.network_log().await.map_err(|failure| failure.message)?;
        let current = scene.and_then(|scene| scene.tabs.iter().find(|tab| tab.current));
        Ok((current.map_or("t1".to_string(), |tab| tab.tab.clone()), lines))
    }

    /// Pictures until two in a row are the same, at most three.
    async fn picture_for(&mut self, folder: &Path) -> Result<StepPicture, String> {
        let (scrolled, view_width, height) = self.view().await?;
        let is_whole = height <= HIGHEST;
        let mut hasher = DefaultHasher::new();
        self.context.test.hash(&mut hasher);
        let name = format!("{:016x}-{}", hasher.finish(), self.step.number);
        let mut taken: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        // A page that looks as before has come to rest.
        let earlier = self.state.last_sight.as_ref().and_then(|last| last.picture.files.last());
        let earlier = earlier.and_then(|path| std::fs::read(path).ok());
        for nth in 1..=3 {
            let path = folder.join(format!("{name}-{nth}.png"));
            let shot = Action::Screenshot {
                path: path.display().to_string(),
                full_page: is_whole,
                annotate: false,
                target: None,
            };
            let call = self.call_for_a_look();
            self.surface.perform(&shot, &call).await.map_err(|failure| failure.message)?;
            let bytes = std::fs::read(&path).map_err(|err| format!("{}: {err}", path.display()))?;
            let before = taken.last().map(|(_, before)| before).or(earlier.as_ref());
            let is_at_rest = before == Some(&bytes);
            if is_at_rest {
                taken.clear();
            }
            taken.push((path, bytes));
            if is_at_rest {
                break;
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        // The first of three that all differ says no more than the other two.
        let kept = taken.len().saturating_sub(2);
        let files = taken.split_off(kept).into_iter().map(|(path, _)| path).collect();
        Ok(StepPicture { files, is_whole, scrolled, view_width })
    }

    /// How far the page is scrolled, how wide the view is and how high the page.
    async fn view(&mut self) -> Result<([f64; 2], f64, f64), String> {
        let expression =
            "[scrollX, scrollY, innerWidth, Math.max(document.documentElement.scrollHeight, innerHeight)]";
        let call = self.call_for_a_look();
        let answer = self.surface.perform(&Action::Eval { expression: expression.to_string() }, &call).await;
        let numbers: Vec<f64> = match answer.map_err(|failure| failure.message)? {
            Answer::Json { value: Value::Array(values) } => values.iter().filter_map(Value::as_f64).collect(),
            other => return Err(format!("internal: the size of the page came as {other:?}")),
        };
        match numbers.as_slice() {
            [x, y, width, height] => Ok(([*x, *y], *width, *height)),
            _ => Err("the page gave no size".to_string()),
        }
    }
}

fn masked(scene: Result<Scene, String>, secrets: &[&Secrets]) -> Result<Scene, String> {
    match scene {
        Ok(mut scene) => {
            secrets.iter().for_each(|secrets| scene.mask_text(secrets));
            Ok(scene)
        }
        Err(mut why) => {
            secrets.iter().for_each(|secrets| why.mask_text(secrets));
            Err(why)
        }
    }
}
