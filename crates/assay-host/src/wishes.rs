//! What a project asks of its user: commands to run, variables of the environment, hosts to talk to, files to use, a model
//! to ask.
//!
//! A project that asks for nothing of that can be run by anybody: all that it reaches is its own application.

use std::path::{Path, PathBuf};

use assay_actions::{FileAccess, ProjectFiles};
use assay_language::{Act, Destination, Hints, Intent, read};
use assay_protocol::{Action, ErrorCode, Failure, Part};
use assay_runner::{Plan, PlanStep, PreconditionMeans, StepBody};
use assay_suite::{Project, load_in};

use crate::context::HostContext;
use crate::run::{ModelWish, PreconditionMaker, plans_of, read_exact};

/// What a project asks for, each thing once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectWishes {
    pub commands: Vec<String>,
    /// Names of variables of the environment.
    pub environment: Vec<String>,
    /// Hosts other than that of the application under test, as far as the files show them.
    pub hosts: Vec<String>,
    /// Files outside the project.
    pub files: Vec<String>,
    /// A model, which the user pays for.
    pub model: Vec<String>,
}

impl ProjectWishes {
    /// The wishes of all tests in a folder, and the folder of their project.
    pub fn of_folder(context: &HostContext, folder: &Path) -> (ProjectWishes, PathBuf) {
        let names = context.drivers.names();
        let loaded = load_in(folder, &[], &names, &*context.variables);
        let browsers = [context.drivers.default_browser().to_string()];
        let nobody = ModelWish { pilot: None, has_model: false };
        let (mut makers, mut plans) = (Vec::new(), Vec::new());
        for test in &loaded.tests {
            let read = |words: &str| read_exact(words, folder);
            // What cannot be read is not run either.
            for mut plan in plans_of(test, &browsers, &nobody, &mut makers, &read).unwrap_or_default() {
                plan.policy.files = FileAccess::Project(ProjectFiles {
                    folder: loaded.project.root.clone(),
                    results: loaded.project.root.clone(),
                    is_trusted: false,
                });
                plans.push(plan);
            }
        }
        let wishes = ProjectWishes::of(&loaded.project, &loaded.environment, &plans, &makers);
        (wishes, loaded.project.root)
    }

    pub(crate) fn of(
        project: &Project,
        environment: &[String],
        plans: &[Plan],
        makers: &[PreconditionMaker],
    ) -> ProjectWishes {
        let mut wishes = ProjectWishes {
            commands: project.commands(),
            environment: environment.to_vec(),
            model: project.model.iter().cloned().collect(),
            ..ProjectWishes::default()
        };
        let mut requested = Vec::new();
        for plan in plans {
            let add = |list: &mut Vec<String>, text: String| {
                let text = plan.secrets.mask(&text);
                if !list.contains(&text) {
                    list.push(text);
                }
            };
            for (host, by_request) in hosts_of(plan, makers) {
                add(if by_request { &mut requested } else { &mut wishes.hosts }, host);
            }
            files_of(plan).into_iter().for_each(|file| add(&mut wishes.files, file));
        }
        // A browser that has nothing of the user's may open any page, as by hand.
        if wishes.environment.is_empty() && wishes.files.is_empty() {
            wishes.hosts.clear();
        }
        requested.retain(|host| !wishes.hosts.contains(host));
        wishes.hosts.extend(requested);
        wishes
    }

    pub fn is_empty(&self) -> bool {
        *self == ProjectWishes::default()
    }

    /// One line for each, such as `runs: ./shop --port 8080`.
    pub fn lines(&self) -> Vec<String> {
        let told = |list: &[String], how: &str| -> Vec<String> {
            list.iter().map(|thing| format!("{how}: {thing}")).collect()
        };
        [
            told(&self.commands, "it would run"),
            told(&self.environment, "it would take from the environment"),
            told(&self.hosts, "it would talk to"),
            told(&self.files, "it would use the file"),
            told(&self.model, "it would ask the model"),
        ]
        .concat()
    }

    /// The refusal to fulfil them in a folder that is not trusted.
    pub(crate) fn refusal(&self, folder: &Path) -> Failure {
        let kinds = [
            (&self.commands, "runs commands"),
            (&self.environment, "takes variables of the environment"),
            (&self.hosts, "talks to other hosts than its application"),
            (&self.files, "uses files outside its folder"),
            (&self.model, "asks a model at your cost"),
        ];
        let kinds: Vec<&str> =
            kinds.iter().filter(|(list, _)| !list.is_empty()).map(|(_, words)| *words).collect();
        let message = format!("the project {}, but {} is not trusted", joined(&kinds), folder.display());
        let failure = Failure::new(ErrorCode::BlockedByPolicy, message);
        let failure = self.lines().into_iter().fold(failure, Failure::detail);
        failure.hint(format!("assay trust {}", folder.display()))
    }
}

/// `a, b and c`.
fn joined(words: &[&str]) -> String {
    match words {
        [] => "asks for nothing".to_string(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The sites that a test talks to beside the one it is about (that of `base_url`, or without it the first one it names),
/// and whether assay itself sends a request there.
fn hosts_of(plan: &Plan, makers: &[PreconditionMaker]) -> Vec<(String, bool)> {
    let named = addresses_of(plan);
    let requests = plan.preconditions.iter().filter_map(|precondition| match &precondition.made {
        PreconditionMeans::ByHost(way) => match makers.get(*way) {
            Some(PreconditionMaker::Request { request, .. }) => Some(request.url.clone()),
            _ => None,
        },
        PreconditionMeans::Assumed | PreconditionMeans::Steps(_) => None,
    });
    let mut sites: Vec<(String, bool)> =
        named.iter().filter_map(|address| site_of(address)).map(|site| (site, false)).collect();
    sites.extend(requests.filter_map(|address| site_of(&address)).map(|site| (site, true)));
    let home =
        plan.base_url.as_deref().and_then(site_of).or_else(|| sites.first().map(|(site, _)| site.clone()));
    sites.retain(|(site, _)| Some(site) != home.as_ref());
    sites
}

fn addresses_of(plan: &Plan) -> Vec<String> {
    let made = plan.preconditions.iter().flat_map(|precondition| match &precondition.made {
        PreconditionMeans::Steps(steps) => steps.as_slice(),
        PreconditionMeans::Assumed | PreconditionMeans::ByHost(_) => &[],
    });
    let mut addresses: Vec<String> = made.flat_map(of_step).collect();
    let steps = [&plan.setup, &plan.steps, &plan.expected, &plan.teardown];
    // The steps say first what the test is about; a request before them may go elsewhere.
    let mut named: Vec<String> = steps.into_iter().flatten().flat_map(of_step).collect();
    named.append(&mut addresses);
    named.extend(plan.selectors.values().filter(|held| held.contains("://")).cloned());
    let locked = plan.lock.iter().flat_map(|lock| &lock.entries).flat_map(|entry| &entry.acts);
    named.extend(locked.flat_map(|act| of_action(&act.action)));
    let past = plan.resumed.iter().flat_map(|resumed| resumed.acts.values()).flatten();
    named.extend(past.filter_map(|act| act.lasting.as_ref()).flat_map(|act| of_action(&act.action)));
    named
}

fn of_step(step: &PlanStep) -> Vec<String> {
    match &step.what {
        StepBody::Exact(action) => of_action(action),
        // A claim only looks.
        StepBody::Sentence(_) if step.part == Part::Expected => Vec::new(),
        StepBody::Sentence(sentence) => of_sentence(sentence),
    }
}

fn of_action(action: &Action) -> Vec<String> {
    match action {
        Action::Go { url } | Action::TabNew { url: Some(url), .. } => vec![url.clone()],
        // A script can fetch from anywhere; its text shows some of it.
        Action::Eval { expression } => written_addresses(expression),
        _ => Vec::new(),
    }
}

/// As the interpreter reads it, and wherever else an address is written.
fn of_sentence(sentence: &str) -> Vec<String> {
    let mut addresses = Vec::new();
    for intent in read(sentence, &Hints::default()).unwrap_or_default() {
        if let Intent::Act(Act::Go { to: Destination::Url(url) }) = intent {
            let is_whole = url.contains("://");
            addresses.push(if is_whole { url } else { format!("https://{url}") });
        }
    }
    addresses.extend(written_addresses(sentence));
    addresses
}

fn written_addresses(text: &str) -> Vec<String> {
    let is_end = |letter: char| letter.is_whitespace() || "\"'`<>()[]{}“”‘’«»,;".contains(letter);
    let words = text.split(is_end).filter(|word| word.contains("://"));
    words.map(|word| word.trim_end_matches(['.', '!', '?', ':']).to_string()).collect()
}

/// The host of an address with its port, in lower case, as a browser reads it. None for a path.
fn site_of(address: &str) -> Option<String> {
    let plain: String = address
        .trim_matches(|letter: char| letter.is_whitespace() || letter.is_control())
        .chars()
        .filter(|letter| !matches!(letter, '\t' | '\n' | '\r'))
        .map(|letter| if letter == '\\' { '/' } else { letter.to_ascii_lowercase() })
        .collect();
    let (usual_port, rest) = match plain.split_once(':') {
        Some(("http" | "ws", rest)) => (":80", rest.trim_start_matches('/')),
        Some(("https" | "wss", rest)) => (":443", rest.trim_start_matches('/')),
        Some((_, rest)) if rest.starts_with("//") => ("", rest.trim_start_matches('/')),
        _ => ("", plain.strip_prefix("//")?.trim_start_matches('/')),
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let site = authority.rsplit('@').next()?;
    let site = site.strip_suffix(usual_port).filter(|_| !usual_port.is_empty()).unwrap_or(site);
    let site = site.trim_end_matches('.');
    (!site.is_empty()).then(|| site.to_string())
}

/// The files of exact commands that are not files of the project. Trust does not help with uploads, so they are not
/// asked about.
fn files_of(plan: &Plan) -> Vec<String> {
    let FileAccess::Project(files) = &plan.policy.files else { return Vec::new() };
    let made = plan.preconditions.iter().flat_map(|precondition| match &precondition.made {
        PreconditionMeans::Steps(steps) => steps.as_slice(),
        PreconditionMeans::Assumed | PreconditionMeans::ByHost(_) => &[],
    });
    let steps = made.chain(&plan.setup).chain(&plan.steps).chain(&plan.expected).chain(&plan.teardown);
    let exact = steps.filter_map(|step| match &step.what {
        StepBody::Exact(action) => Some(action),
        StepBody::Sentence(_) => None,
    });
    let mut outside = Vec::new();
    for action in exact.chain(&plan.world).filter(|action| !matches!(action, Action::Upload { .. })) {
        let mut action = action.clone();
        let paths = action.paths_mut().into_iter().map(|path| path.clone());
        outside.extend(paths.filter(|path| !files.contain(Path::new(path))));
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_host_with_its_port() {
        let site = |address: &str| site_of(address).unwrap_or_default();
        assert_eq!(site("http://127.0.0.1:8080/login"), "127.0.0.1:8080");
        assert_eq!(site("https://Shop.example.:443/x?y=z@a"), "shop.example");
        assert_eq!(site("http://shop.example:80"), site("https://shop.example"));
        assert_eq!(site("https://user:word@shop.example:8443"), "shop.example:8443");
        assert_eq!(site("https:\\\\evil.example\\x"), "evil.example");
        assert_eq!(site("//evil.example/x"), "evil.example");
        assert_eq!(site("file:///etc/passwd"), "etc");
        for path in ["/login", "login", "", "about:blank", "?a=b"] {
            assert_eq!(site(path), "", "{path}");
        }
    }

    #[test]
    fn addresses_are_found_in_sentences() {
        let hosts = |sentence: &str| -> Vec<String> {
            let mut hosts: Vec<String> =
                of_sentence(sentence).iter().filter_map(|address| site_of(address)).collect();
            hosts.dedup();
            hosts
        };
        assert_eq!(hosts("Navigate to https://evil.example/?k=hush"), ["evil.example"]);
        assert_eq!(hosts("Open \"http://a.example:81/x\" and click \"Go\"."), ["a.example:81"]);
        assert_eq!(hosts("Frobnicate the page at (https://b.example)."), ["b.example"]);
        assert_eq!(hosts("Go to /settings"), [""; 0]);
        assert_eq!(hosts("Click the login button"), [""; 0]);
    }
}
