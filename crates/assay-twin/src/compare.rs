//! One step of the old build compared with the same step of the new one, aspect by aspect.

use crate::effects::compare_effects;
use crate::finding::{Aspect, Change, Finding, Place};
use crate::noise::{page_of, scrolled_of};
use crate::picture::{Pictures, at_page, compare_pictures, describe, is_text_cursor};
use crate::recording::{Seen, StepSeen};
use crate::requests::compare_requests;
use crate::tree::compare_trees;

/// Everything in which two observations of a step differ, in the order of [`Aspect`]. Their times are compared over several
/// rounds only.
pub fn compare_steps(old: &StepSeen, new: &StepSeen, pictures: &Pictures<'_>) -> Vec<Finding> {
    let mut findings = compare_effects(old, new);
    match (&old.page, &new.page) {
        (Seen::There(before), Seen::There(after)) => {
            let mut in_trees = compare_trees(before, after);
            for finding in &mut in_trees {
                finding.old_areas.iter_mut().for_each(|area| *area = at_page(*area, scrolled_of(old)));
                finding.new_areas.iter_mut().for_each(|area| *area = at_page(*area, scrolled_of(new)));
            }
            findings.extend(in_trees);
        }
        (before, after) => findings.extend(unseen(Aspect::Structure, "page", before, after)),
    }
    match (&old.picture, &new.picture) {
        (Seen::There(before), Seen::There(after)) => match compare_pictures(before, after, pictures) {
            Ok(found) => findings.extend(found.and_then(|finding| without_cursors(finding, old, new))),
            Err(why) => {
                findings.push(not_seen(Aspect::Picture, "picture", "seen", &format!("not compared: {why}")))
            }
        },
        (before, after) => findings.extend(unseen(Aspect::Picture, "picture", before, after)),
    }
    match (&old.requests, &new.requests) {
        (Seen::There(before), Seen::There(after)) => findings.extend(compare_requests(before, after)),
        (before, after) => findings.extend(unseen(Aspect::Requests, "requests", before, after)),
    }
    findings.sort_by_key(|finding| finding.aspect);
    findings
}

/// Fills in the words of findings that are made from pictures. For those that are left when noise is taken away.
pub(crate) fn describe_all(findings: &mut [Finding], old: &StepSeen, new: &StepSeen) {
    let (Some(before), Some(after)) = (page_of(old), page_of(new)) else { return };
    for finding in findings.iter_mut().filter(|finding| finding.change == Change::Look) {
        describe(finding, before, after);
    }
}

fn without_cursors(mut finding: Finding, old: &StepSeen, new: &StepSeen) -> Option<Finding> {
    let is_cursor = |area: &[f64; 4]| {
        [old, new]
            .into_iter()
            .filter_map(page_of)
            .any(|(page, scrolled)| is_text_cursor(*area, page, scrolled))
    };
    finding.old_areas.retain(|area| !is_cursor(area));
    finding.new_areas.retain(|area| !is_cursor(area));
    (!finding.old_areas.is_empty()).then_some(finding)
}

/// What only one side shows. Neither side says anything about a thing that both do not show for the same reason.
fn unseen<T>(aspect: Aspect, what: &str, old: &Seen<T>, new: &Seen<T>) -> Option<Finding> {
    let said = |side: &Seen<T>| match side {
        Seen::There(_) => "observed".to_string(),
        Seen::Unseen(why) => format!("not observed: {why}"),
    };
    let (old, new) = (said(old), said(new));
    (old != new).then(|| not_seen(aspect, what, &old, &new))
}

fn not_seen(aspect: Aspect, what: &str, old: &str, new: &str) -> Finding {
    let key = format!("#unseen {what}");
    let place = Place { page: String::new(), new_key: key.clone(), key, shown: what.to_string() };
    Finding::new(aspect, Change::Unseen, place, old, new)
}
