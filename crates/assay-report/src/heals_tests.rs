use std::path::PathBuf;

use assay_protocol::{
    Action, CommandRecord, LastingAct, LockedEntry, MarkedPicture, MouseButton, Part, RunFact, Selector,
    TargetMark, Verdict,
};
use serde_json::Value;

use super::*;
use crate::sample::Story;
use crate::summary::Summary;

const CLICK: &str = "Click the \"Save\" button";

fn button(name: &str) -> Signature {
    Signature { role: "button".into(), name: name.into(), place: (1, 1), ..Signature::default() }
}

fn aimed_at(element: &Signature) -> LastingAct {
    let target = Selector::parse("e1").unwrap();
    let action = Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() };
    LastingAct { action, elements: [("e1".to_owned(), element.clone())].into() }
}

fn mark(on: MarkedPicture) -> TargetMark {
    TargetMark {
        x: 10,
        y: 10,
        width: 80,
        height: 20,
        at_x: None,
        at_y: None,
        view_width: 1280,
        view_height: 720,
        on,
    }
}

/// A run in which that button was pressed, and what is on record of it.
fn pressed(element: &Signature, verdict: Verdict, before: Option<&str>, healing: Option<Healing>) -> Summary {
    let id = "save";
    let mut story = Story::of(&[id])
        .start(id, 1)
        .step(id, 1, "Go to /")
        .step_ends(id, 1, Verdict::Passed, Vec::new())
        .step(id, 2, CLICK)
        .and(RunFact::CommandStarted {
            test: id.into(),
            step: 2,
            command: "click e1".into(),
            pilot: "replay".into(),
            commits: true,
            lasting: Some(Box::new(aimed_at(element))),
        })
        .and(RunFact::Command {
            test: id.into(),
            step: 2,
            record: Box::new(CommandRecord {
                command: "click e1".into(),
                ok: true,
                target: Some(mark(MarkedPicture::Before)),
                before: before.map(str::to_owned),
                ..CommandRecord::default()
            }),
        });
    if let Some(healing) = healing {
        story = story.and(RunFact::Healed { test: id.into(), step: 2, healing: Box::new(healing) });
    }
    Summary::of(&story.step_ends(id, 2, verdict, Vec::new()).end(id, verdict, "", 10).finish())
}

fn entry(element: &Signature) -> LockedEntry {
    LockedEntry {
        part: Part::Step,
        step: CLICK.into(),
        nth: 1,
        acts: vec![aimed_at(element)],
        effect: Default::default(),
    }
}

fn healed(was: &Signature, now: &Signature) -> Healing {
    let found = FoundAgain {
        was: was.clone(),
        now: now.clone(),
        score: 0.44,
        margin: 0.31,
        runner_up: Some("button \"Cancel\"".into()),
        because: "the only one that sends this".into(),
    };
    Healing { was: entry(was), now: entry(now), found: vec![found] }
}

/// A folder with one picture in it.
struct Results(PathBuf);

impl Results {
    fn new(name: &str) -> Results {
        let folder = std::env::temp_dir().join(format!("assay-heals-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("screenshots")).unwrap();
        std::fs::write(folder.join("screenshots/a.png"), [1; 30]).unwrap();
        Results(folder)
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

/// What is shown of an earlier run beside a heal of the button "Save".
#[track_caller]
fn check(earlier: &Summary, results: &Results, expected: Result<(), NoShot>) {
    let (was, now) = (button("Save"), button("Greet me"));
    let run = pressed(&now, Verdict::Passed, None, Some(healed(&was, &now)));
    let (step, healing) = run.tests[0].healings().next().unwrap();
    let place = SentencePlace::of(&run.tests[0], step, healing);
    let shot = earlier_shot(&earlier.tests[0], &place, &was, "7", &results.0);
    assert_eq!(shot.as_ref().map(drop).map_err(Clone::clone), expected, "{shot:?}");
    if let Ok(shot) = shot {
        assert_eq!(shot.path, results.0.join("screenshots/a.png"));
        assert_eq!(shot.mark, Some(mark(MarkedPicture::Before)));
    }
}

#[test]
fn an_earlier_pass_with_what_is_locked_is_shown() {
    let results = Results::new("pass");
    let save = button("Save");
    check(&pressed(&save, Verdict::Passed, Some("screenshots/a.png"), None), &results, Ok(()));
    let not_taken = NoShot::NotTaken { run: "7".into() };
    check(&pressed(&save, Verdict::Passed, None, None), &results, Err(not_taken.clone()));
    check(&pressed(&save, Verdict::Passed, Some("../a.png"), None), &results, Err(not_taken));
    let path = results.0.join("screenshots/b.png");
    let gone = NoShot::Gone { run: "7".into(), path };
    check(&pressed(&save, Verdict::Passed, Some("screenshots/b.png"), None), &results, Err(gone));
}

#[test]
fn nothing_else_is_taken_for_it() {
    let results = Results::new("else");
    let (save, other) = (button("Save"), button("Keep"));
    let picture = Some("screenshots/a.png");
    for earlier in [
        pressed(&save, Verdict::Failed, picture, None),
        pressed(&save, Verdict::Passed, picture, Some(healed(&other, &save))),
        pressed(&other, Verdict::Passed, picture, None),
    ] {
        check(&earlier, &results, Err(NoShot::NoEarlierPass));
    }
}

#[test]
fn the_page_holds_all_that_is_needed_to_judge() {
    let results = Results::new("page");
    let (was, now) = (button("Save"), button("</script><b>Greet me"));
    let healing = healed(&was, &now);
    let run = pressed(&now, Verdict::Passed, Some("screenshots/a.png"), Some(healing.clone()));
    let step = &run.tests[0].attempts[0].steps[1];
    let page = HealPage {
        suite: "demo",
        run: "8".into(),
        started_at: run.started_at,
        proposals: vec![HealProposal {
            test: &run.tests[0].line,
            place: step.place_words(),
            sentence: &step.text,
            lock: "save.lock.yaml".into(),
            state: "open",
            healing: &healing,
            elements: HealProposal::changes(&healing)
                .into_iter()
                .map(|(was, now, likeness)| ChangedElement {
                    was,
                    now,
                    likeness,
                    recorded: Err(NoShot::NoEarlierPass),
                    found: shot_of(step, now, "8", &results.0),
                })
                .collect(),
        }],
    };
    let text = heal_page(&page, &results.0.join("heals.html")).unwrap();
    assert_eq!((text.matches("<script").count(), text.matches("</script").count()), (2, 2));
    let (_, rest) = text.split_once("id=\"run-data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let element = &data["proposals"][0]["elements"][0];
    assert_eq!(element["score"], 0.44);
    assert_eq!((&element["margin"], &element["runner_up"]), (&0.31.into(), &"button \"Cancel\"".into()));
    assert_eq!(element["found"]["picture"], 0);
    assert!(data["pictures"][0]["src"].as_str().unwrap().starts_with("data:image/png;base64,"));
    let missing = element["recorded"]["missing"].as_str().unwrap();
    assert!(element["recorded"]["picture"].is_null() && missing.starts_with("no earlier screenshot: "));
}

#[test]
fn the_scripts_of_the_page_never_make_markup_of_text() {
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        assert!(!SCRIPTS.iter().any(|script| script.contains(word)), "{word}");
    }
    for word in ["http://", "https://", "@import", "url("] {
        assert!(!HEALS_STYLE.contains(word) && !BODY.contains(word), "{word}");
    }
}
