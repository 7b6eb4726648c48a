//! What varies by itself: learnt from one build against itself, bound to the place where it was seen and to its shape.

use serde::{Deserialize, Serialize};

use crate::effects::VERDICT;
use crate::finding::{Area, Aspect, Change, Finding};
use crate::page::{PageSeen, shortened};
use crate::picture;
use crate::recording::StepSeen;
use crate::shape::Shape;
use crate::tree::area_of_key;

/// All that was learnt about a suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    pub entries: Vec<NoiseEntry>,
}

/// One place that varies, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoiseEntry {
    pub test: String,
    /// The step, where the place belongs to one; a place of a page is the same in all steps of the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    pub aspect: Aspect,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
    pub keys: Vec<String>,
    /// The place for people.
    pub place: String,
    pub varies: Varies,
    /// Some of what was seen there.
    pub seen: Vec<String>,
}

/// How a place varies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Varies {
    /// It says something else of one of these shapes.
    Says(Vec<Shape>),
    /// These states come and go.
    States(Vec<String>),
    /// The same entries come in any order.
    Order,
    /// Entries come, and go.
    Entries { more: bool, fewer: bool },
    /// These regions look different, in CSS pixels of the page.
    Looks(Vec<Area>),
    /// It can be observed at one time and not at another.
    Unseen,
}

/// A few are enough to show what varies.
const MOST_SEEN: usize = 4;

impl Noise {
    /// Adds what two runs of the same build differed in at a step.
    pub fn learn(&mut self, test: &str, step: usize, findings: &[Finding]) {
        for finding in findings {
            if finding.place.key == format!("#{VERDICT}") {
                continue;
            }
            let step = is_of_step(finding).then_some(step);
            let known = self.entries.iter_mut().find(|entry| entry.is_at(test, step, finding));
            match known {
                Some(entry) => entry.add(finding),
                None => self.entries.push(NoiseEntry::of(test, step, finding)),
            }
        }
    }

    /// The findings that noise does not explain.
    pub fn without(
        &self,
        test: &str,
        findings: Vec<Finding>,
        old: &StepSeen,
        new: &StepSeen,
    ) -> Vec<Finding> {
        let shuffled = self.shuffled(test, &findings, old, new);
        findings
            .into_iter()
            .filter_map(|finding| match finding.change {
                Change::Look => self.without_regions(test, finding, &shuffled, old, new),
                _ => (!self.explains(test, old.number, &finding)).then_some(finding),
            })
            .collect()
    }

    /// Whether something else was seen to vary at the place of a finding: more runs may show that this does, too.
    pub fn touches(&self, test: &str, step: usize, finding: &Finding) -> bool {
        let step = is_of_step(finding).then_some(step);
        finding.change != Change::Look && self.entries.iter().any(|entry| entry.is_at(test, step, finding))
    }

    fn explains(&self, test: &str, step: usize, finding: &Finding) -> bool {
        let step = is_of_step(finding).then_some(step);
        self.entries.iter().any(|entry| entry.is_at(test, step, finding) && entry.varies.explains(finding))
    }

    /// Where entries stand that come in any order: their pictures come in any order, too.
    fn shuffled(&self, test: &str, findings: &[Finding], old: &StepSeen, new: &StepSeen) -> Vec<Area> {
        let known = findings
            .iter()
            .filter(|finding| finding.change == Change::Order && self.explains(test, old.number, finding));
        let around = known.filter_map(|finding| {
            let was = finding.old_areas.iter().map(|area| picture::at_page(*area, scrolled_of(old)));
            let is = finding.new_areas.iter().map(|area| picture::at_page(*area, scrolled_of(new)));
            // An entry that moved moves those between its two places.
            was.chain(is).reduce(picture::joined)
        });
        around.collect()
    }

    fn without_regions(
        &self,
        test: &str,
        finding: Finding,
        shuffled: &[Area],
        old: &StepSeen,
        new: &StepSeen,
    ) -> Option<Finding> {
        let mut known: Vec<Area> = shuffled.to_vec();
        for entry in self.entries.iter().filter(|entry| entry.test == test) {
            match &entry.varies {
                Varies::Looks(areas) if entry.step == Some(old.number) => known.extend(areas),
                Varies::Says(_) if entry.step.is_none() => {
                    known.extend(drawn_at(entry, old));
                    known.extend(drawn_at(entry, new));
                }
                _ => {}
            }
        }
        picture::without(finding, &known)
    }
}

/// The line of the page that a text that varies is drawn in: what stands beside it moves with it.
fn drawn_at(entry: &NoiseEntry, step: &StepSeen) -> Vec<Area> {
    let Some(page) = step.page.there().filter(|page| page.kind() == entry.page) else { return Vec::new() };
    let scrolled = scrolled_of(step);
    let bands = entry.keys.iter().filter_map(|key| {
        let (area, around) = area_of_key(page, key)?;
        Some(picture::at_page([around[0], area[1], around[2].max(area[2]), area[3]], scrolled))
    });
    bands.collect()
}

/// How far the picture of a step shows more above and left than the view.
pub(crate) fn scrolled_of(step: &StepSeen) -> [f64; 2] {
    step.picture.there().filter(|picture| picture.is_whole).map_or([0.0, 0.0], |picture| picture.scrolled)
}

/// The page of a step, with how far its picture is scrolled.
pub(crate) fn page_of(step: &StepSeen) -> Option<(&PageSeen, [f64; 2])> {
    step.page.there().map(|page| (page, scrolled_of(step)))
}

/// A place of a page is the same in each step; a request that is made more or less often is so in each step.
fn is_of_step(finding: &Finding) -> bool {
    match finding.aspect {
        Aspect::Text | Aspect::Structure => finding.place.page.is_empty(),
        Aspect::Requests => !finding.place.key.ends_with("#times"),
        Aspect::Effect | Aspect::Picture | Aspect::Timing => true,
    }
}

impl NoiseEntry {
    fn of(test: &str, step: Option<usize>, finding: &Finding) -> NoiseEntry {
        let mut entry = NoiseEntry {
            test: test.to_string(),
            step,
            aspect: finding.aspect,
            page: finding.place.page.clone(),
            keys: Vec::new(),
            place: finding.place.shown.clone(),
            varies: Varies::of(finding),
            seen: Vec::new(),
        };
        entry.add(finding);
        entry
    }

    fn is_at(&self, test: &str, step: Option<usize>, finding: &Finding) -> bool {
        let place = &finding.place;
        self.test == test
            && self.step == step
            && self.aspect == finding.aspect
            && self.page == place.page
            && (self.keys.contains(&place.key) || self.keys.contains(&place.new_key))
            && self.varies.is_of_kind(&Varies::of(finding))
    }

    fn add(&mut self, finding: &Finding) {
        for key in [&finding.place.key, &finding.place.new_key] {
            if !self.keys.contains(key) {
                self.keys.push(key.clone());
            }
        }
        for said in [&finding.old, &finding.new] {
            let said = shortened(said, 80);
            if !said.is_empty() && self.seen.len() < MOST_SEEN && !self.seen.contains(&said) {
                self.seen.push(said);
            }
        }
        self.varies.add(Varies::of(finding));
    }

    /// One line for people.
    pub fn words(&self) -> String {
        let how = match &self.varies {
            Varies::Says(shapes) => {
                let said: Vec<String> = shapes.iter().map(|shape| format!("`{shape}`")).collect();
                format!("says {}", said.join(" or "))
            }
            Varies::States(states) => format!("states come and go: {}", states.join(", ")),
            Varies::Order => "comes in any order".to_string(),
            Varies::Entries { more: true, fewer: true } => "comes and goes".to_string(),
            Varies::Entries { more: true, .. } => "there was more of it later".to_string(),
            Varies::Entries { .. } => "there was less of it later".to_string(),
            Varies::Looks(areas) => match areas.len() {
                1 => "1 region looks different".to_string(),
                regions => format!("{regions} regions look different"),
            },
            Varies::Unseen => "cannot always be observed".to_string(),
        };
        let step = self.step.map(|step| format!("step {step}, ")).unwrap_or_default();
        let page = if self.page.is_empty() {
            String::new()
        } else {
            format!(" on {}", self.page.replace(crate::APP, ""))
        };
        let page = if page == " on " { " on /".to_string() } else { page };
        format!("{}: {step}{}{page}: {how}", self.aspect, self.place)
    }
}

impl Varies {
    fn of(finding: &Finding) -> Varies {
        match finding.change {
            Change::Said if finding.place.key.ends_with("#states") => Varies::States(changed_states(finding)),
            Change::Said => Varies::Says(vec![Shape::of(&finding.old, &finding.new)]),
            Change::Missing => Varies::Entries { more: false, fewer: true },
            Change::Extra => Varies::Entries { more: true, fewer: false },
            Change::Order => Varies::Order,
            Change::Look => Varies::Looks(finding.old_areas.clone()),
            // Times are compared over all rounds, with nothing to learn.
            Change::Unseen | Change::Took => Varies::Unseen,
        }
    }

    fn is_of_kind(&self, other: &Varies) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    fn add(&mut self, more: Varies) {
        match (self, more) {
            (Varies::Says(shapes), Varies::Says(others)) => {
                others.into_iter().for_each(|shape| {
                    if !shapes.contains(&shape) {
                        shapes.push(shape);
                    }
                });
            }
            (Varies::States(states), Varies::States(others)) => {
                states.extend(others);
                states.sort();
                states.dedup();
            }
            (Varies::Entries { more, fewer }, Varies::Entries { more: came, fewer: went }) => {
                *more |= came;
                *fewer |= went;
            }
            (Varies::Looks(areas), Varies::Looks(others)) => {
                areas.extend(others.into_iter().filter(|area| !areas.contains(area)).collect::<Vec<_>>())
            }
            _ => {}
        }
    }

    fn explains(&self, finding: &Finding) -> bool {
        match self {
            Varies::Says(shapes) => {
                shapes.iter().any(|shape| shape.fits(&finding.old) && shape.fits(&finding.new))
            }
            Varies::States(states) => changed_states(finding).iter().all(|state| states.contains(state)),
            Varies::Order | Varies::Unseen => true,
            // On a page, more of something explains no less of it. A request or an effect comes or does not.
            Varies::Entries { more, fewer } => match finding.change {
                Change::Missing => *fewer || finding.place.page.is_empty(),
                _ => *more || finding.place.page.is_empty(),
            },
            Varies::Looks(_) => false,
        }
    }
}

fn changed_states(finding: &Finding) -> Vec<String> {
    let list = |said: &str| -> Vec<String> {
        said.split(", ").filter(|one| !one.is_empty()).map(str::to_string).collect()
    };
    let (old, new) = (list(&finding.old), list(&finding.new));
    let only = |ones: &[String], others: &[String]| -> Vec<String> {
        ones.iter().filter(|one| !others.contains(one)).cloned().collect()
    };
    let mut changed = [only(&old, &new), only(&new, &old)].concat();
    changed.sort();
    changed
}
