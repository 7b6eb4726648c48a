//! The proposals as the page reads them. Only the scripts of the page depend on these names.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use assay_protocol::{LockedEntry, TargetMark};
use serde::Serialize;

use crate::html::pictures::{PictureData, picture_in};
use crate::time::rfc3339;

use super::signature_rows::{SignatureRow, signature_rows};
use super::{ChangedElement, HealPage, HealProposal, HealShot, NoShot};

#[derive(Serialize)]
pub struct HealPageData<'a> {
    suite: &'a str,
    run: &'a str,
    started: Option<String>,
    proposals: Vec<ProposalData<'a>>,
    /// To which the numbers below refer.
    pictures: Vec<PictureData>,
}

#[derive(Serialize)]
struct ProposalData<'a> {
    test: &'a str,
    title: &'a str,
    file: &'a str,
    browser: &'a str,
    lock: &'a str,
    place: &'a str,
    sentence: &'a str,
    state: &'a str,
    /// What is done, then and now, where that is another thing.
    acts: Option<(String, String)>,
    recorded: String,
    effect: String,
    elements: Vec<ElementData<'a>>,
}

#[derive(Serialize)]
struct ElementData<'a> {
    rows: Vec<SignatureRow>,
    was: String,
    now: String,
    score: Option<f64>,
    margin: Option<f64>,
    runner_up: Option<&'a str>,
    because: &'a str,
    recorded: ShotData,
    found: ShotData,
}

#[derive(Serialize)]
struct ShotData {
    picture: Option<usize>,
    mark: Option<TargetMark>,
    run: Option<String>,
    at: Option<String>,
    /// Why there is none.
    missing: Option<String>,
}

impl<'a> HealPageData<'a> {
    pub fn of(page: &'a HealPage<'a>, path: &Path, bytes_left: &mut u64) -> io::Result<Self> {
        let mut shown = Shown { page: path, bytes_left, numbers: HashMap::new(), pictures: Vec::new() };
        let proposals = page.proposals.iter().map(|proposal| ProposalData::of(proposal, &mut shown));
        let proposals = proposals.collect::<io::Result<_>>()?;
        Ok(HealPageData {
            suite: page.suite,
            run: &page.run,
            started: page.started_at.map(rfc3339),
            proposals,
            pictures: shown.pictures,
        })
    }
}

/// The pictures of the page, each once.
struct Shown<'p> {
    page: &'p Path,
    bytes_left: &'p mut u64,
    numbers: HashMap<PathBuf, usize>,
    pictures: Vec<PictureData>,
}

impl Shown<'_> {
    fn number(&mut self, picture: &Path) -> io::Result<usize> {
        if let Some(number) = self.numbers.get(picture) {
            return Ok(*number);
        }
        self.pictures.push(picture_in(self.page, picture, self.bytes_left)?);
        self.numbers.insert(picture.to_owned(), self.pictures.len() - 1);
        Ok(self.pictures.len() - 1)
    }

    fn shot(&mut self, shot: &Result<HealShot, NoShot>) -> io::Result<ShotData> {
        Ok(match shot {
            Ok(shot) => ShotData {
                picture: Some(self.number(&shot.path)?),
                mark: shot.mark,
                run: Some(shot.run.clone()),
                at: Some(rfc3339(shot.at)),
                missing: None,
            },
            Err(why) => {
                ShotData { picture: None, mark: None, run: None, at: None, missing: Some(why.to_string()) }
            }
        })
    }
}

impl<'a> ProposalData<'a> {
    fn of(proposal: &'a HealProposal<'a>, shown: &mut Shown<'_>) -> io::Result<Self> {
        let healing = proposal.healing;
        let (was, now) = (acts_of(&healing.was), acts_of(&healing.now));
        let elements = proposal.elements.iter().map(|element| ElementData::of(element, shown));
        Ok(ProposalData {
            test: &proposal.test.id,
            title: &proposal.test.name,
            file: &proposal.test.file,
            browser: &proposal.test.browser,
            lock: &proposal.lock,
            place: &proposal.place,
            sentence: proposal.sentence,
            state: proposal.state,
            acts: (was != now).then_some((was, now)),
            recorded: healing.was.effect.to_string(),
            effect: healing.now.effect.to_string(),
            elements: elements.collect::<io::Result<_>>()?,
        })
    }
}

/// `click, then select`.
fn acts_of(entry: &LockedEntry) -> String {
    entry.acts.iter().map(|act| act.action.verb()).collect::<Vec<_>>().join(", then ")
}

impl<'a> ElementData<'a> {
    fn of(element: &'a ChangedElement<'a>, shown: &mut Shown<'_>) -> io::Result<Self> {
        let likeness = element.likeness;
        let named = |role: &str, name: &str| format!("{role} \"{name}\"");
        Ok(ElementData {
            rows: signature_rows(element.was, element.now),
            was: named(&element.was.role, &element.was.name),
            now: named(&element.now.role, &element.now.name),
            score: likeness.map(|likeness| likeness.score),
            margin: likeness.and_then(|likeness| likeness.lead()),
            runner_up: likeness.and_then(|likeness| likeness.runner_up.as_deref()),
            because: likeness.map_or("", |likeness| likeness.because.as_str()),
            recorded: shown.shot(&element.recorded)?,
            found: shown.shot(&element.found)?,
        })
    }
}
