//! `use`: steps of the project file or of another file, with values for their names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::case::TestStep;
use crate::expand::{Expander, Reuse};
use crate::mistake::Mistake;
use crate::names::{self, Names, Parameters, TextPiece};
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::settings::TestSettings;
use crate::source::Text;
use crate::step_draft::{StepDraft, StepWhat};

const MAX_DEPTH: usize = 8;

impl Expander<'_> {
    pub(crate) fn use_steps(
        &mut self,
        name: &Text,
        with: &[(Text, Text)],
        reuse: Reuse<'_>,
        trail: &mut Vec<String>,
        steps: &mut Vec<TestStep>,
    ) {
        let fail = |expander: &mut Self, mistake| expander.problems.push(Problem::in_text(name, mistake));
        let before = self.problems.len();
        let mut parameters = Parameters::default();
        for (key, value) in with {
            if let Some(value) = reuse.names.resolve(value, reuse.parameters, &mut self.problems) {
                parameters.values.insert(key.value.clone(), value);
            }
        }
        let project = self.project;
        let shared = project.steps.iter().find(|(shared, _)| shared.value == name.value);
        let used_file;
        let (id, drafts): (String, &[StepDraft]) = match shared {
            Some((_, drafts)) => (name.value.clone(), drafts),
            None => {
                let path = match self.find(name) {
                    Ok(path) => path,
                    Err(mistake) => return fail(self, mistake),
                };
                let id = self.root.relative(&path);
                // Checked before reading, so a file that uses itself is reported as such.
                if let Some(mistake) = loops(trail, &id) {
                    return fail(self, mistake);
                }
                let Some(drafts) = self.used_file(&path) else {
                    return fail(self, Mistake::BrokenUse { name: id });
                };
                used_file = drafts;
                let [draft] = used_file.as_slice() else {
                    return fail(self, Mistake::SeveralToUse { name: id });
                };
                self.add_defaults(&draft.settings, &mut parameters);
                (id, &draft.steps)
            }
        };
        if drafts.is_empty() {
            return fail(self, Mistake::NothingToUse { name: id });
        }
        if let Some(mistake) = loops(trail, &id) {
            return fail(self, mistake);
        }
        // The first of the trail is the test itself.
        if trail.len() > MAX_DEPTH {
            return fail(self, Mistake::UseTooDeep { limit: MAX_DEPTH });
        }
        let mut lacking: Vec<&str> = names_in(drafts)
            .filter(|name| !reuse.names.is_own(name, &parameters) && !reuse.names.environment_has(name))
            .collect();
        lacking.sort_unstable();
        lacking.dedup();
        for name in &lacking {
            fail(self, Mistake::MissingParameter { used: id.clone(), name: name.to_string() });
        }
        if !lacking.is_empty() || self.problems.len() > before {
            return;
        }
        trail.push(id.clone());
        let from = steps.len();
        self.steps(drafts, reuse.part, reuse.names, &parameters, trail, steps);
        trail.pop();
        // A time for the use is one for each step of it that has none.
        for step in &mut steps[from..] {
            step.timeout = step.timeout.or(reuse.draft.timeout);
        }
        if self.problems.len() > before {
            return;
        }
        for (key, _) in with {
            if !parameters.used.borrow().contains(&key.value) {
                let mistake = Mistake::UnusedParameter {
                    used: id.clone(),
                    name: key.value.clone(),
                    nearest: nearest(&key.value, names_in(drafts)),
                };
                self.problems.push(Problem::in_text(key, mistake));
            }
        }
    }

    /// The file that `use` names: beside the file that says so, then in the folder of the suite.
    fn find(&self, name: &Text) -> Result<PathBuf, Mistake> {
        let folder = name.source.path.parent().unwrap_or(Path::new(""));
        let named = &name.value;
        let is_file_name = named.ends_with(".yaml") || named.ends_with(".yml");
        let candidates = if is_file_name {
            vec![named.clone()]
        } else {
            vec![format!("{named}.yaml"), format!("{named}.yml")]
        };
        for folder in [folder, self.root.folder.as_path()] {
            for candidate in &candidates {
                match self.root.inside(folder, candidate) {
                    Ok(path) => return Ok(path),
                    Err(Mistake::NoSuchFile { .. }) => {}
                    Err(Mistake::LeadsOut { .. }) => return Err(Mistake::LeadsOut { path: named.clone() }),
                    Err(mistake) => return Err(mistake),
                }
            }
        }
        let shared = self.project.steps.iter().map(|(name, _)| name.value.as_str());
        Err(Mistake::UnknownUse { name: named.clone(), nearest: nearest(named, shared) })
    }

    /// A file's own values for its names apply to its steps wherever they are used, unless `with` overrides them.
    fn add_defaults(&mut self, settings: &TestSettings, parameters: &mut Parameters) {
        let names = Names::new(settings, &self.project.settings, self.environment);
        let mut defaults = BTreeMap::new();
        for (name, value) in &settings.variables {
            if !parameters.values.contains_key(&name.value) {
                let value = names.value(&name.value, &Parameters::default(), value, &mut self.problems);
                defaults.extend(value.map(|value| (name.value.clone(), value)));
            }
        }
        for secret in &settings.secrets {
            if !parameters.values.contains_key(&secret.name) && !defaults.contains_key(&secret.name) {
                let value =
                    names.value(&secret.name, &Parameters::default(), &secret.place, &mut self.problems);
                defaults.extend(value.map(|value| (secret.name.clone(), value)));
            }
        }
        parameters.values.append(&mut defaults);
    }
}

fn loops(trail: &[String], id: &str) -> Option<Mistake> {
    let begin = trail.iter().position(|outer| outer == id)?;
    Some(Mistake::UseLoop { trail: trail[begin..].iter().cloned().chain([id.to_string()]).collect() })
}

fn names_in(drafts: &[StepDraft]) -> impl Iterator<Item = &str> {
    drafts
        .iter()
        .flat_map(|draft| match &draft.what {
            StepWhat::Sentence(text) | StepWhat::Command(text) => vec![text],
            StepWhat::Use { with, .. } => with.iter().map(|(_, value)| value).collect(),
        })
        .flat_map(|text| names::pieces(&text.value))
        .filter_map(|piece| match piece {
            TextPiece::Name { name, .. } => Some(name),
            TextPiece::Text(_) | TextPiece::Wrong(_) => None,
        })
}
