//! Claims about what the acts did: a value that changed, a tab, a download, somebody who is logged in.

use assay_protocol::Scene;

use crate::ground::view::View;
use crate::ground::words::{fold, run_at, words_of};
use crate::{ChangeIs, Matcher, Target};

use super::figures::figures;
use super::matching::matches;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// Judged against the page before the first and before the last act: where these differ, it is unclear.
    pub(super) fn changed(&self, target: &Target, how: &ChangeIs) -> Finding {
        let Some((first, last)) = &self.hints.before else {
            return Finding::unsure("the page before is not known");
        };
        let now = match self.read_value(target) {
            Ok(now) => now,
            Err(finding) => return finding,
        };
        let since = |scene: &Scene| {
            let view = View::new(scene);
            let before = Judging { view: &view, hints: self.hints }.read_value(target);
            before.map(|before| compared(&before, &now, how))
        };
        match (since(first), since(last)) {
            (Ok(one), Ok(other)) if one.truth == other.truth => other,
            (Ok(_), Ok(other)) => Finding::unsure(format!("{}, and otherwise before that", other.reason)),
            (Err(finding), _) | (_, Err(finding)) => {
                Finding::unsure(format!("on the page before: {}", finding.reason))
            }
        }
    }

    /// What is read in the one thing that is meant.
    fn read_value(&self, target: &Target) -> Result<String, Finding> {
        // Whether it is empty is asked of all of it; what it is not, is in the answer.
        let finding = self.value(target, &Matcher::Empty);
        match (finding.truth, finding.found.clone()) {
            (Truth::Yes | Truth::No | Truth::NotQuite, Some(found)) if !found.ends_with('…') => Ok(found),
            (Truth::Unsure, _) | (_, None) => Err(finding),
            _ => Err(Finding::unsure("its text is too long to be compared")),
        }
    }

    pub(super) fn new_tab(&self) -> Finding {
        let Some((first, _)) = &self.hints.before else {
            return Finding::unsure("the page before is not known");
        };
        let (before, now) = (first.tabs.len(), self.view.scene.tabs.len());
        let truth = if now > before { Truth::Yes } else { Truth::No };
        Finding::compared(truth, "a new tab", &format!("{before} before, {now} now"))
    }

    pub(super) fn downloaded(&self, name: Option<&str>) -> Finding {
        let Some((first, _)) = &self.hints.before else {
            return Finding::unsure("the page before is not known");
        };
        let mut new = self.view.scene.downloads.clone();
        for known in &first.downloads {
            if let Some(at) = new.iter().position(|file| file == known) {
                new.remove(at);
            }
        }
        let is_it = |file: &String| name.is_none_or(|name| file == name);
        let what = name.map_or("a download".to_string(), |name| format!("a download of \"{name}\""));
        let truth = if new.iter().any(is_it) { Truth::Yes } else { Truth::No };
        let found = if new.is_empty() { "none".to_string() } else { new.join(", ") };
        Finding::compared(truth, &what, &found)
    }

    /// A way to log out is there for those who are logged in, and a way to log in for those who are not.
    pub(super) fn logged_in(&self) -> Finding {
        let view = self.view;
        let named = |ways: &[&[&str]]| {
            view.all().find(|at| {
                let words = words_of(view.text(*at));
                let name = words_of(&view.node(*at).name);
                view.is_control(*at)
                    && !view.node(*at).is("covered")
                    && ways.iter().any(|way| {
                        let way: Vec<String> = way.iter().map(|word| word.to_string()).collect();
                        [&words, &name].iter().any(|have| have.len() <= 3 && run_at(&way, have).is_some())
                    })
            })
        };
        let out = named(&[&["log", "out"], &["logout"], &["sign", "out"], &["log", "off"], &["signout"]]);
        let into = named(&[&["log", "in"], &["login"], &["sign", "in"], &["signin"]]);
        let asks = view.all().find(|at| view.node(*at).attribute("type") == Some("password"));
        match (out, into.or(asks)) {
            (Some(at), None) => {
                Finding::yes(format!("{} is shown", view.describe(at))).with(view.lines([at]))
            }
            (None, Some(at)) => Finding::no(format!("{} is shown", view.describe(at))).with(view.lines([at])),
            (Some(_), Some(_)) => Finding::unsure("the page offers both to log in and to log out"),
            (None, None) => Finding::unsure("the page offers neither to log in nor to log out"),
        }
    }
}

fn compared(before: &str, now: &str, how: &ChangeIs) -> Finding {
    let reason = format!("it was \"{before}\", and is \"{now}\"");
    let numbers = || match (figures(before).as_slice(), figures(now).as_slice()) {
        ([one], [other]) if one.sign == other.sign => one.value.zip(other.value),
        _ => None,
    };
    let by = |holds: &dyn Fn(f64, f64) -> bool| match numbers() {
        Some((before, now)) if holds(before, now) => Truth::Yes,
        Some(_) => Truth::No,
        None => Truth::Unsure,
    };
    let truth = match how {
        ChangeIs::Different if fold(before) == fold(now) => Truth::No,
        ChangeIs::Different => Truth::Yes,
        ChangeIs::By(number) => by(&|before, now| (now - before - number).abs() < 1e-6),
        ChangeIs::More => by(&|before, now| now > before),
        ChangeIs::Less => by(&|before, now| now < before),
        ChangeIs::FromTo(from, to) => match (matches(from, before), matches(to, now)) {
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            (Truth::No | Truth::NotQuite, _) | (_, Truth::No | Truth::NotQuite) => Truth::No,
            _ => Truth::Unsure,
        },
    };
    Finding::new(truth, reason)
}
