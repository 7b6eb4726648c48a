//! Rounds in a short form, and what is made of them.

use assay_pixels::Pixels;

use super::*;
use crate::page::{PageNode, PageSeen};
use crate::recording::{EffectSeen, PictureSeen, RequestSeen, Seen};

struct NoPictures;

impl Album for NoPictures {
    fn open(&self, file: &str) -> Result<Pixels, String> {
        Err(format!("no {file}"))
    }
}

/// One step: texts of the page, each after its role, the requests and the time.
#[derive(Clone)]
struct Step {
    texts: Vec<&'static str>,
    requests: Vec<&'static str>,
    ms: u64,
    verdict: Verdict,
}

fn step(texts: &[&'static str]) -> Step {
    Step { texts: texts.to_vec(), requests: Vec::new(), ms: 50, verdict: Verdict::Passed }
}

impl Step {
    fn asks(mut self, requests: &[&'static str]) -> Step {
        self.requests = requests.to_vec();
        self
    }

    fn takes(self, ms: u64) -> Step {
        Step { ms, ..self }
    }

    fn fails(self) -> Step {
        Step { verdict: Verdict::Failed, ..self }
    }
}

fn run(steps: &[Step]) -> Recording {
    let seen = (1..).zip(steps).map(|(number, step)| StepSeen {
        number,
        part: Part::Step,
        text: format!("Step {number}"),
        verdict: step.verdict,
        reason: String::new(),
        took_ms: step.ms,
        effect: EffectSeen::default(),
        page: Seen::There(page(&step.texts)),
        requests: Seen::There(step.requests.iter().map(|path| request(path)).collect()),
        picture: Seen::There(PictureSeen {
            files: vec!["a".to_string()],
            hash: 1,
            view_width: 100.0,
            ..PictureSeen::default()
        }),
    });
    let last = steps.last().map_or(Verdict::Passed, |step| step.verdict);
    let test = TestSeen {
        id: "t".to_string(),
        name: "T".to_string(),
        file: "t.yaml".to_string(),
        steps: seen.collect(),
        verdict: Some(last),
        reason: if last == Verdict::Passed { String::new() } else { "no".to_string() },
    };
    Recording { tests: vec![test] }
}

fn request(path: &str) -> RequestSeen {
    RequestSeen {
        method: "GET".to_string(),
        path: format!("{{app}}{path}"),
        query: Vec::new(),
        kind: "fetch".to_string(),
        outcome: "200".to_string(),
        fields: None,
    }
}

/// A list with an item for each text.
fn page(texts: &[&str]) -> PageSeen {
    let mut nodes = vec![PageNode { role: "list".to_string(), ..PageNode::default() }];
    for text in texts {
        let item = nodes.len();
        nodes.push(PageNode {
            parent: Some(0),
            role: "listitem".to_string(),
            name: (*text).to_string(),
            is_named_by_text: true,
            ..PageNode::default()
        });
        nodes.push(PageNode {
            parent: Some(item),
            role: "text".to_string(),
            name: (*text).to_string(),
            ..PageNode::default()
        });
    }
    PageSeen { url: "{app}/".to_string(), nodes, ..PageSeen::default() }
}

/// Each round is an old and a new run; `expected` is the verdict, the first finding and whether more rounds are wanted.
#[track_caller]
fn check(rounds: &[(Vec<Step>, Vec<Step>)], expected: &str) {
    let runs: Vec<(Recording, Recording)> = rounds.iter().map(|(old, new)| (run(old), run(new))).collect();
    let rounds: Vec<Round<'_>> = runs
        .iter()
        .map(|(old, new)| Round { old, new, old_album: &NoPictures, new_album: &NoPictures })
        .collect();
    let noise = learn(&rounds, &Noise::default());
    let (results, open) = judge(&rounds, &noise);
    let result = &results[0];
    let said = match &result.first {
        Some(first) => {
            format!("step {}, {}: {}", first.step, first.findings[0].aspect, first.findings[0].words())
        }
        None => result.reason.clone(),
    };
    let more = if open.is_empty() { "" } else { " (more)" };
    assert_eq!(format!("{}{more}: {said}", result.verdict.name()), expected);
}

/// The same round so many times.
fn times(count: usize, old: &[Step], new: &[Step]) -> Vec<(Vec<Step>, Vec<Step>)> {
    vec![(old.to_vec(), new.to_vec()); count]
}

#[test]
fn the_same_is_the_same() {
    let steps = [step(&["Lamp", "Rope"]), step(&["Lamp"])];
    check(&times(2, &steps, &steps), "same: ");
}

#[test]
fn the_first_step_that_differs_is_named() {
    check(
        &times(2, &[step(&["Lamp"]), step(&["Total 5.00"])], &[step(&["Lamp"]), step(&["Total 6.00"])]),
        "different: step 2, text: list > listitem \"Total 5.00\": `Total 5.00` → `Total 6.00`",
    );
}

#[test]
fn one_round_is_not_enough() {
    check(
        &times(1, &[step(&["Lamp"])], &[step(&["Lump"])]),
        "different (more): step 1, text: list > listitem \"Lamp\": `Lamp` → `Lump`",
    );
}

#[test]
fn what_varies_in_the_old_build_is_left_out() {
    let round =
        |old: &'static str, new: &'static str| (vec![step(&["Lamp", old])], vec![step(&["Lamp", new])]);
    check(&[round("Order 1041", "Order 2001"), round("Order 1042", "Order 2002")], "same: ");
    // Another shape at the same place is a difference, and more rounds make sure of it.
    let shapes = [round("Order 1041", "Order none"), round("Order 1042", "Order none")];
    check(
        &shapes,
        "different (more): step 1, text: list > listitem \"Order 1042\": `Order 1042` → `Order none`",
    );
    let often: Vec<_> =
        ["Order 1", "Order 2", "Order 3", "Order 4", "Order 5"].map(|old| round(old, "Order none")).into();
    check(&often, "different (more): step 1, text: list > listitem \"Order 5\": `Order 5` → `Order none`");
}

#[test]
fn noise_at_one_place_hides_nothing_at_another() {
    let round =
        |old: &'static str, new: &'static str| (vec![step(&["5 items", old])], vec![step(&["6 items", new])]);
    check(
        &[round("Order 1041", "Order 2001"), round("Order 1042", "Order 2002")],
        "different: step 1, text: list > listitem \"5 items\": `5 items` → `6 items`",
    );
}

#[test]
fn data_in_random_order_is_no_difference_and_a_lost_entry_is() {
    let old =
        [step(&["Red lamp", "Blue rope", "Green flag"]), step(&["Blue rope", "Green flag", "Red lamp"])];
    let new =
        [step(&["Green flag", "Red lamp", "Blue rope"]), step(&["Red lamp", "Blue rope", "Green flag"])];
    let rounds = |old: &[Step], new: &[Step]| -> Vec<(Vec<Step>, Vec<Step>)> {
        old.iter().zip(new).map(|(old, new)| (vec![old.clone()], vec![new.clone()])).collect()
    };
    check(&rounds(&old, &new), "same: ");
    let lost = [step(&["Green flag", "Blue rope"]), step(&["Blue rope", "Green flag"])];
    check(&rounds(&old, &lost), "different: step 1, text: list: missing: `listitem \"Red lamp\"`");
}

#[test]
fn another_order_is_a_difference_where_the_old_build_keeps_its_own() {
    let (old, new) = ([step(&["Red lamp", "Blue rope"])], [step(&["Blue rope", "Red lamp"])]);
    let words = "step 1, text: order in list: `Red lamp | Blue rope` → `Blue rope | Red lamp`";
    check(&times(3, &old, &new), &format!("different: {words}"));
    // Twice may be chance.
    check(&times(2, &old, &new), &format!("different (more): {words}"));
}

#[test]
fn what_varies_in_the_new_build_may_vary_in_the_old_one() {
    let round = |old: &'static str, new: &'static str| (vec![step(&["Ad", old])], vec![step(&["Ad", new])]);
    let by_chance = [round("Try cocoa", "Drink tea"), round("Try cocoa", "Buy bread")];
    check(
        &by_chance,
        "different (more): step 1, text: list > listitem \"Try cocoa\": `Try cocoa` → `Buy bread`",
    );
    let more = [by_chance.to_vec(), vec![round("Drink tea", "Try cocoa")]].concat();
    check(&more, "same: ");
}

#[test]
fn what_only_some_rounds_show_is_not_comparable() {
    let (old, other) = (vec![step(&["Lamp"])], vec![step(&["Lamp", "Hello"])]);
    let rounds = [(old.clone(), other), (old.clone(), old.clone()), (old.clone(), old)];
    check(
        &rounds,
        "not comparable (more): step 1, text: list: new: `listitem \"Hello\"`; this was so in 1 of 3 rounds",
    );
}

#[test]
fn a_missing_request_is_found_unless_it_came_a_step_later() {
    let with =
        |one: &[&'static str], other: &[&'static str]| [step(&["x"]).asks(one), step(&["x"]).asks(other)];
    check(
        &times(2, &with(&["/a", "/log"], &[]), &with(&["/a"], &[])),
        "different: step 1, requests: GET /log: missing: `GET {app}/log → 200`",
    );
    check(&times(2, &with(&["/a", "/log"], &[]), &with(&["/a"], &["/log"])), "same: ");
}

#[test]
fn a_poll_that_comes_once_more_is_noise() {
    let with = |requests: &[&'static str]| vec![step(&["x"]).asks(requests)];
    let rounds = [
        (with(&["/poll", "/poll"]), with(&["/poll"])),
        (with(&["/poll", "/poll", "/poll"]), with(&["/poll", "/poll", "/poll", "/poll"])),
    ];
    check(&rounds, "same: ");
    // It is another matter if it is not made at all.
    let none = [(rounds[0].0.clone(), with(&[])), (rounds[1].0.clone(), with(&[]))];
    check(&none, "different: step 1, requests: GET /poll: missing: `GET {app}/poll → 200`");
}

#[test]
fn a_slower_step_needs_three_rounds() {
    let (old, new) = ([step(&["x"])], [step(&["x"]).takes(2500)]);
    let words = "step 1, timing: time: `up to 0.1 s (50 ms)` → `up to 10 s (2500 ms)`";
    check(&times(2, &old, &new), &format!("different (more): {words}"));
    check(&times(3, &old, &new), &format!("different: {words}"));
    let mut once = times(3, &old, &new);
    once[1].1 = old.to_vec();
    check(&once, "same: ");
}

#[test]
fn a_test_that_neither_build_passes_is_not_comparable() {
    let steps = [step(&["Lamp"]), step(&["Lamp"]).fails()];
    check(
        &times(2, &steps, &steps),
        "not comparable: neither build passes it: step 2 failed: ; up to there both are the same, later steps were not reached",
    );
}

#[test]
fn a_step_that_only_the_new_build_fails_is_a_difference() {
    let old = [step(&["Lamp"]), step(&["Lamp"])];
    let new = [step(&["Lamp"]), step(&["Lamp"]).fails()];
    check(&times(2, &old, &new), "different: step 2, effect: verdict: `passed` → `failed: `");
}

#[test]
fn an_old_build_that_is_not_like_itself_says_nothing() {
    let (good, bad) = (vec![step(&["Lamp"])], vec![step(&["Lamp"]).fails()]);
    check(
        &[(good.clone(), good.clone()), (bad, good)],
        "not comparable: the old build is not like itself: passed in round 1, failed (no) in round 2; if the data of the \
         runs differ, reset them with --reset-old and --reset-new",
    );
}

#[test]
fn what_one_side_cannot_observe_is_said() {
    let rounds = times(2, &[step(&["Lamp"])], &[step(&["Lamp"])]);
    let mut runs: Vec<(Recording, Recording)> =
        rounds.iter().map(|(old, new)| (run(old), run(new))).collect();
    for (_, new) in &mut runs {
        new.tests[0].steps[0].picture = Seen::Unseen("no room".to_string());
    }
    let rounds: Vec<Round<'_>> = runs
        .iter()
        .map(|(old, new)| Round { old, new, old_album: &NoPictures, new_album: &NoPictures })
        .collect();
    let (results, _) = judge(&rounds, &learn(&rounds, &Noise::default()));
    assert_eq!(results[0].verdict, TwinVerdict::NotComparable);
    assert_eq!(results[0].reason, "step 1, picture: picture: old `observed`, new `not observed: no room`");
}

#[test]
fn what_was_learnt_is_told_with_what_was_seen() {
    let runs = [run(&[step(&["Order 1041"])]), run(&[step(&["Order 1042"])])];
    let rounds: Vec<Round<'_>> = runs
        .iter()
        .map(|old| Round { old, new: old, old_album: &NoPictures, new_album: &NoPictures })
        .collect();
    let noise = learn(&rounds, &Noise::default());
    assert_eq!(
        noise.entries.iter().map(|entry| entry.words()).collect::<Vec<_>>(),
        ["text: list > listitem \"Order 1041\" on /: says `Order <number>`"]
    );
    assert_eq!(noise.entries[0].seen, ["Order 1041", "Order 1042"]);
    let json = serde_json::to_string(&noise).unwrap();
    assert_eq!(serde_json::from_str::<Noise>(&json).unwrap(), noise);
}

#[test]
fn a_round_that_could_not_be_run_is_run_again() {
    let broken = || {
        let mut run = run(&[]);
        run.tests[0].verdict = Some(Verdict::Error);
        run.tests[0].reason = "no browser".to_string();
        run
    };
    let good = || run(&[step(&["Lamp"])]);
    let judged = |runs: &[(Recording, Recording)]| {
        let rounds: Vec<Round<'_>> = runs
            .iter()
            .map(|(old, new)| Round { old, new, old_album: &NoPictures, new_album: &NoPictures })
            .collect();
        let (results, open) = judge(&rounds, &learn(&rounds, &Noise::default()));
        (results[0].verdict, results[0].reason.clone(), !open.is_empty())
    };
    let reason = "it could not be run (no browser) on the old build".to_string();
    let runs = [(broken(), good()), (good(), good())];
    assert_eq!(
        judged(&runs),
        (TwinVerdict::Same, String::new(), false),
        "one round more than the broken one"
    );
    assert_eq!(judged(&runs[..1]), (TwinVerdict::NotComparable, reason, true));
    let other = run(&[step(&["Lump"])]);
    let runs = [(broken(), good()), (good(), other)];
    assert_eq!(judged(&runs), (TwinVerdict::Different, String::new(), true), "a single round is not enough");
}
