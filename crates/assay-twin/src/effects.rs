//! What the acts of a step led to, compared.

use assay_protocol::Verdict;

use crate::finding::{Aspect, Change, Finding, Place};
use crate::recording::{Seen, StepSeen};

/// The part of a place that says how the step ended. It is never noise.
pub(crate) const VERDICT: &str = "verdict";

pub(crate) fn compare_effects(old: &StepSeen, new: &StepSeen) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut said = |aspect: Aspect, what: &str, old: &str, new: &str| {
        if old != new {
            findings.push(Finding::new(aspect, Change::Said, place_of(what), old, new));
        }
    };
    if old.verdict != new.verdict {
        said(Aspect::Effect, VERDICT, &ended(old), &ended(new));
    }
    said(Aspect::Effect, "leads to", &old.effect.lands.join(", "), &new.effect.lands.join(", "));
    if let (Seen::There(before), Seen::There(after)) = (&old.page, &new.page) {
        said(Aspect::Effect, "address", &before.url, &after.url);
        let words = |dialog: &Option<String>| dialog.clone().unwrap_or_default();
        said(Aspect::Effect, "dialog", &words(&before.dialog), &words(&after.dialog));
        said(Aspect::Effect, "number of tabs", &before.tabs.to_string(), &after.tabs.to_string());
        said(Aspect::Text, "title of the page", &before.title, &after.title);
        lists(&mut findings, "download", &before.downloads, &after.downloads);
    }
    lists(&mut findings, "opens", &old.effect.opens, &new.effect.opens);
    lists(&mut findings, "change of the page", &old.effect.changes, &new.effect.changes);
    lists(&mut findings, "error in the console", &old.effect.console_errors, &new.effect.console_errors);
    findings
}

pub(crate) fn ended(step: &StepSeen) -> String {
    match step.verdict {
        Verdict::Passed => "passed".to_string(),
        verdict => format!("{}: {}", verdict.name(), step.reason),
    }
}

/// What is in one list more often than in the other.
fn lists(findings: &mut Vec<Finding>, what: &str, old: &[String], new: &[String]) {
    let mut left: Vec<&String> = new.iter().collect();
    for one in old {
        match left.iter().position(|other| *other == one) {
            Some(at) => drop(left.remove(at)),
            None => findings.push(Finding::new(Aspect::Effect, Change::Missing, entry(what, one), one, "")),
        }
    }
    for more in left {
        findings.push(Finding::new(Aspect::Effect, Change::Extra, entry(what, more), "", more));
    }
}

fn entry(what: &str, said: &str) -> Place {
    // Numbers in it vary more often than its words.
    let kind: String =
        said.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let key = format!("{what}: {kind}#entries");
    Place { page: String::new(), new_key: key.clone(), key, shown: what.to_string() }
}

fn place_of(what: &str) -> Place {
    let key = format!("#{what}");
    Place { page: String::new(), new_key: key.clone(), key, shown: what.to_string() }
}
