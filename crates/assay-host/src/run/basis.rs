//! What a test depends on beside the texts of its steps, as hashes: a resumed run compares them with those of its start.
//!
//! Much of it may hold secrets, so the hashes are keyed with a key of the user that no project and no report contains.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use assay_protocol::Basis;
use assay_runner::{Plan, PlanStep, PreconditionMeans, StepBody};
use assay_suite::Body;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use super::preconditions::PreconditionMaker;

/// In the user's folder for settings.
const KEY_FILE: &str = "resume.key";
const KEY_LENGTH: usize = 32;

/// The sentences and values of all steps. They are compared one by one where a test continues in its middle.
pub(super) const STEPS: &str = "steps";

/// The key of one user.
pub(super) struct BasisKey(hmac::Key);

impl BasisKey {
    /// It is made at its first use. None where there is no place to keep it: then nothing can be compared later.
    pub fn in_folder(configuration: Option<&Path>) -> Option<BasisKey> {
        let file = configuration?.join(KEY_FILE);
        let bytes = fs::read(&file).or_else(|_| make_key(&file)).ok()?;
        (bytes.len() == KEY_LENGTH).then(|| BasisKey(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// The whole basis of a plan.
    pub fn basis_of(&self, plan: &Plan, makers: &[PreconditionMaker]) -> Basis {
        let selectors = plan.selectors.iter().flat_map(|(name, held)| [name.clone(), held.clone()]);
        let all: [(&str, Vec<String>); 9] = [
            ("base_url", plan.base_url.iter().cloned().collect()),
            ("browser", vec![plan.line.browser.clone()]),
            ("viewport", vec![format!("{:?}", plan.viewport)]),
            ("selectors", selectors.collect()),
            ("hidden values", plan.secrets.forms().to_vec()),
            ("policy", vec![format!("{:?}", plan.policy)]),
            ("emulation and routes", vec![serde_json::to_string(&plan.world).unwrap_or_default()]),
            ("preconditions", plan.preconditions.iter().flat_map(|fact| made_by(fact, makers)).collect()),
            (STEPS, steps_of(plan).flat_map(of_step).collect()),
        ];
        all.into_iter().map(|(name, parts)| (name.to_string(), self.hash(&parts))).collect()
    }

    /// Each part with its length, so that no two lists look alike.
    fn hash(&self, parts: &[String]) -> String {
        let mut context = hmac::Context::with_key(&self.0);
        for part in parts {
            context.update(&(part.len() as u64).to_le_bytes());
            context.update(part.as_bytes());
        }
        context.sign().as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Difference {
    None,
    /// By their names.
    In(Vec<String>),
    /// One of the two is not on record.
    Unknown,
}

impl Difference {
    pub fn between(was: &Basis, now: &Basis) -> Difference {
        if was.is_empty() || now.is_empty() {
            return Difference::Unknown;
        }
        let names: BTreeSet<&String> = was.keys().chain(now.keys()).collect();
        let differ: Vec<String> =
            names.into_iter().filter(|name| was.get(*name) != now.get(*name)).cloned().collect();
        if differ.is_empty() { Difference::None } else { Difference::In(differ) }
    }

    /// Whether nothing differs but the steps.
    pub fn is_of_steps_at_most(&self) -> bool {
        match self {
            Difference::None => true,
            Difference::In(names) => names.iter().all(|name| name == STEPS),
            Difference::Unknown => false,
        }
    }

    /// "its base_url and selectors have changed"; nothing if nothing has.
    pub fn words(&self) -> Option<String> {
        let names = match self {
            Difference::None => return None,
            Difference::Unknown => {
                return Some("it is not on record whether its settings have changed".to_string());
            }
            Difference::In(names) => names.as_slice(),
        };
        Some(match names {
            [only] if !only.ends_with('s') => format!("its {only} has changed"),
            [all @ .., last] if !all.is_empty() => format!("its {} and {last} have changed", all.join(", ")),
            _ => format!("its {} have changed", names.join(", ")),
        })
    }
}

fn steps_of(plan: &Plan) -> impl Iterator<Item = &PlanStep> {
    plan.setup.iter().chain(&plan.steps).chain(&plan.expected).chain(&plan.teardown)
}

fn of_step(step: &PlanStep) -> [String; 2] {
    let body = match &step.what {
        StepBody::Sentence(sentence) => sentence.clone(),
        StepBody::Exact(action) => action.command_line(),
    };
    [format!("{:?}", step.part), body]
}

fn made_by(fact: &assay_runner::Precondition, makers: &[PreconditionMaker]) -> Vec<String> {
    let mut parts = vec![fact.text.clone()];
    match &fact.made {
        PreconditionMeans::Assumed => parts.push("assumed".to_string()),
        PreconditionMeans::Steps(steps) => parts.extend(steps.iter().flat_map(of_step)),
        PreconditionMeans::ByHost(number) => {
            parts.extend(makers.get(*number).map(of_maker).unwrap_or_default())
        }
    }
    parts
}

fn of_maker(maker: &PreconditionMaker) -> Vec<String> {
    let pairs = |pairs: &[(String, String)]| {
        pairs.iter().flat_map(|(name, value)| [name.clone(), value.clone()]).collect::<Vec<_>>()
    };
    match maker {
        PreconditionMaker::Command(command) => {
            let mut parts = vec!["command".to_string(), command.command.clone()];
            parts.extend(pairs(&command.environment));
            parts
        }
        PreconditionMaker::Request { request, base_url } => {
            let body = match &request.body {
                None => String::new(),
                Some(Body::Text(text)) => text.clone(),
                Some(Body::Json(value)) => value.to_string(),
            };
            let expected = format!("{:?}", request.expect);
            let mut parts =
                vec!["request".to_string(), request.method.clone(), request.url.clone(), body, expected];
            parts.extend(base_url.clone());
            parts.extend(pairs(&request.headers));
            parts
        }
    }
}

/// Written aside and then linked to its name, so that of two processes that make it at once both get the same.
fn make_key(file: &Path) -> io::Result<Vec<u8>> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut bytes = vec![0; KEY_LENGTH];
    SystemRandom::new().fill(&mut bytes).map_err(|_| io::Error::other("no random bytes"))?;
    let aside = file.with_extension(format!("{}.part", std::process::id()));
    let mut written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
    let linked = written.write_all(&bytes).and_then(|()| fs::hard_link(&aside, file));
    fs::remove_file(&aside)?;
    match linked {
        Err(err) if err.kind() != io::ErrorKind::AlreadyExists => Err(err),
        _ => fs::read(file),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            Folder(std::env::temp_dir().join(format!("assay-basis-{name}-{}", std::process::id())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn one_user_has_one_key_that_nobody_else_reads() {
        let (mine, theirs) = (Folder::new("mine"), Folder::new("theirs"));
        let hash = |folder: &Folder, parts: &[&str]| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            BasisKey::in_folder(Some(&folder.0)).unwrap().hash(&parts)
        };
        assert_eq!(hash(&mine, &["hush"]), hash(&mine, &["hush"]));
        assert_ne!(hash(&mine, &["hush"]), hash(&theirs, &["hush"]));
        assert_ne!(hash(&mine, &["ab", "c"]), hash(&mine, &["a", "bc"]));
        let mode = fs::metadata(mine.0.join(KEY_FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&mine.0).unwrap().count(), 1, "nothing is left aside");
    }

    #[test]
    fn without_a_key_nothing_is_known_to_be_the_same() {
        assert!(BasisKey::in_folder(None).is_none());
        let folder = Folder::new("short");
        fs::create_dir_all(&folder.0).unwrap();
        fs::write(folder.0.join(KEY_FILE), "too short").unwrap();
        assert!(BasisKey::in_folder(Some(&folder.0)).is_none());
        let known: Basis = [("base_url".to_string(), "1".to_string())].into();
        for (was, now) in
            [(&known, &Basis::default()), (&Basis::default(), &known), (&Basis::default(), &Basis::default())]
        {
            let difference = Difference::between(was, now);
            assert_eq!(difference, Difference::Unknown);
            assert!(!difference.is_of_steps_at_most());
        }
    }

    #[test]
    fn differences_are_named() {
        let basis = |pairs: &[(&str, &str)]| -> Basis {
            pairs.iter().map(|(name, hash)| (name.to_string(), hash.to_string())).collect()
        };
        let was = basis(&[("base_url", "1"), ("browser", "1"), ("selectors", "1")]);
        let now = basis(&[("base_url", "2"), ("browser", "1"), ("selectors", "3")]);
        let words = |was, now| Difference::between(was, now).words();
        assert_eq!(words(&was, &now).as_deref(), Some("its base_url and selectors have changed"));
        assert_eq!(words(&was, &was), None);
        let only = |name: &str| Difference::In(vec![name.to_string()]);
        assert_eq!(only("selectors").words().as_deref(), Some("its selectors have changed"));
        assert_eq!(only("policy").words().as_deref(), Some("its policy has changed"));
        assert!(only("steps").is_of_steps_at_most() && !only("policy").is_of_steps_at_most());
    }
}
