//! A fuzzer for verdicts: pages about which a claim holds are changed so that it no longer does, and then nothing may
//! pass. Changes that leave it true show how often assay turns red or unsure without need.
//!
//! `bench/verdicts` runs many of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use assay_language::{
    About, Claim, ElementKind, Hints, Intent, Matcher, NumberIs, Piece, StateWord, Target, Tone, judge, read,
};
use assay_protocol::{Scene, Verdict};
use assay_testkit::percent_encode;
use assay_testkit::traps::{ClaimTruth, Trap, TrapTest, serve_trap, traps};
use serde_json::{Value, json};

use crate::context::Context;

const MUTATIONS: &str = include_str!("../outside/mutate.js");

/// What the changes need to know of a claim.
#[derive(Default)]
struct Literals {
    texts: Vec<String>,
    numbers: Vec<f64>,
}

impl Literals {
    fn of(about: &About) -> Literals {
        let mut literals = Literals::default();
        about.visit(&mut |piece| literals.piece(&piece));
        literals.texts.retain(|text| text.trim().chars().count() >= 2);
        literals
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Target(target, _) => self.target(target),
            Piece::MaybeTarget(Some(target), _) => self.target(target),
            Piece::Text(text, _) => self.texts.push((*text).clone()),
            Piece::Matcher(matcher, _) => self.matcher(matcher),
            Piece::Number(number) => self.number(**number),
            _ => {}
        }
    }

    fn target(&mut self, target: &Target) {
        self.texts.extend(target.quoted.clone());
        for relation in &target.relations {
            self.target(&relation.to);
        }
    }

    fn matcher(&mut self, matcher: &Matcher) {
        match matcher {
            Matcher::Contains(text) | Matcher::Equals(text) => self.texts.push(text.clone()),
            Matcher::Number(number) | Matcher::Amount(number, _) => self.number(*number),
            _ => {}
        }
    }

    fn number(&mut self, number: NumberIs) {
        if let NumberIs::Exactly(number) = number {
            self.numbers.push(number);
        }
    }
}

/// The claim, as `mutate.js` wants it.
fn described(claim: &Claim, most: usize) -> Value {
    let mut literals = Literals::of(&claim.about);
    // Words without quotation marks may be said otherwise.
    literals.texts.retain(|text| claim.said.contains(&format!("\"{text}\"")));
    literals.texts.dedup();
    let about = &claim.about;
    let is_address = matches!(about, About::Url { .. } | About::Page { .. });
    let texts = if is_address { Vec::new() } else { literals.texts };
    let loose = matches!(about, About::Title { .. })
        || matches!(about, About::Value { text: Matcher::Contains(_), .. });
    let shown = matches!(about, About::Text { .. } | About::Message { .. });
    let visible = matches!(
        about,
        About::Text { .. } | About::Message { .. } | About::State { state: StateWord::Visible, .. }
    );
    let count = match about {
        About::Count { count: NumberIs::Exactly(number), target } if target.relations.len() < 2 => {
            Some(*number)
        }
        _ => None,
    };
    let tags = match about {
        About::Count { target, .. } if target.kind == Some(ElementKind::Row) => Some("tr,[role=row]"),
        _ => None,
    };
    if matches!(about, About::Times { .. }) {
        literals.numbers.clear();
    }
    let absent: Option<Vec<&str>> = match about {
        About::Text { text: Matcher::Contains(_), place: None } if claim.negated => {
            Some(vec!["p", "div", "h2"])
        }
        About::State { target, state: StateWord::Visible }
            if claim.negated && target.relations.is_empty() =>
        {
            match target.kind {
                Some(ElementKind::Button) => Some(vec!["button"]),
                Some(ElementKind::Heading) => Some(vec!["h2"]),
                None if target.quoted.is_some() => Some(vec!["p"]),
                _ => None,
            }
        }
        _ => None,
    };
    let denies_errors = claim.negated
        && matches!(about, About::Message { tone: Tone::Error, text: None, topic } if topic.is_empty());
    let state = match about {
        About::State { state: StateWord::Checked | StateWord::Unchecked, .. } => Some("checked"),
        About::State { state: StateWord::Enabled | StateWord::Disabled, .. } => Some("disabled"),
        _ => None,
    };
    json!({
        "texts": texts, "numbers": literals.numbers, "negated": claim.negated, "loose": loose, "shown": shown,
        "visible": visible && !claim.negated, "count": count, "absent": absent, "denies_errors": denies_errors,
        "state": state, "most": most, "tags": tags,
    })
}

#[derive(Default)]
struct Tally {
    mutants: usize,
    /// By kind of change: how many passed although the claim is false.
    false_passes: Vec<String>,
    /// By kind of change that leaves the claim true: passed, failed, inconclusive.
    alarms: BTreeMap<String, [usize; 3]>,
    by_kind: BTreeMap<String, usize>,
}

/// Commands of one batch, and the values of their answers.
fn batch(context: &Context, lines: &[String]) -> Vec<Value> {
    let mut child = context
        .command(&["batch", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_default())
        .collect()
}

/// On one line, and without anything that a command line would read in its own way.
fn eval(script: &str) -> String {
    format!("eval \"eval(decodeURIComponent('{}'))\"", percent_encode(script))
}

fn scene_of(answer: &Value) -> Option<Scene> {
    serde_json::from_value(answer["data"]["scene"].clone()).ok()
}

/// The page of a test with its steps carried out; false where a step does not pass.
fn reached(context: &Context, url: &str, test: &TrapTest) -> bool {
    context.run(&["go", url]).code == 0 && test.steps.iter().all(|step| context.run(&["do", step]).code == 0)
}

fn fuzz(context: &Context, trap: &Trap, test: &TrapTest, most: usize, tally: &mut Tally) {
    let Some(sentence) = test.claim.as_ref().map(|claim| &claim.sentence) else { return };
    let Ok(intents) = read(sentence, &Hints::default()) else { return };
    let [Intent::Claim(claim)] = intents.as_slice() else { return };
    let site = serve_trap(trap);
    if !reached(context, &site.url(&trap.page.opened), test) {
        return;
    }
    let verdict = |scene: &Scene| judge(claim, scene, &Hints::default()).verdict;
    let plan = format!("{MUTATIONS};window.__mutations.plan({})", described(claim, most));
    let answers = batch(context, &["scene".to_string(), eval(&plan)]);
    let holds = answers.first().and_then(scene_of).is_some_and(|scene| verdict(&scene) == Verdict::Passed);
    let Some(kinds) = answers.get(1).and_then(|answer| answer["data"]["json"]["value"].as_array().cloned())
    else {
        return;
    };
    if !holds {
        return;
    }
    let lines: Vec<String> = (0..kinds.len())
        .flat_map(|number| {
            let apply = format!("window.__mutations.apply({number})");
            let kept = eval("window.__mutations.kept()");
            [eval(&apply), "scene".to_string(), kept, eval("window.__mutations.undo()")]
        })
        .collect();
    let answers = batch(context, &lines);
    for (kind, answer) in kinds.iter().zip(answers.chunks(4)) {
        let [applied, seen, kept, _] = answer else { continue };
        // A page that has taken the change back shows what is true.
        let is_changed = applied["data"]["json"]["value"].as_u64().is_some_and(|places| places > 0)
            && kept["data"]["json"]["value"] == true;
        let (Some(scene), true) = (scene_of(seen), is_changed) else { continue };
        let name = kind[0].as_str().unwrap_or_default().to_string();
        let judgement = judge(claim, &scene, &Hints::default());
        tally.mutants += 1;
        *tally.by_kind.entry(name.clone()).or_default() += 1;
        if kind[1] == true {
            let place = match judgement.verdict {
                Verdict::Passed => 0,
                Verdict::Failed => 1,
                _ => 2,
            };
            tally.alarms.entry(name).or_default()[place] += 1;
        } else if judgement.verdict == Verdict::Passed {
            let mut line = format!("{}/{}:{} ({name}) {sentence}", trap.set, trap.name, test.line);
            write!(line, " → {}", judgement.reason).unwrap();
            tally.false_passes.push(line);
        }
    }
}

fn check(nth: usize, most: usize) -> Tally {
    let wanted = std::env::var("TRAPS").unwrap_or_default();
    let all = traps().unwrap_or_else(|err| panic!("{err}"));
    let context = Context::new();
    let mut tally = Tally::default();
    for trap in all.iter().filter(|trap| format!("{}/{}", trap.set, trap.name).contains(&wanted)).step_by(nth)
    {
        let true_claims = trap
            .tests
            .iter()
            .filter(|test| test.claim.as_ref().is_some_and(|claim| claim.truth == ClaimTruth::True));
        for test in true_claims {
            fuzz(&context, trap, test, most, &mut tally);
        }
    }
    println!("{} mutants", tally.mutants);
    for (kind, count) in &tally.by_kind {
        println!("  {kind:<16} {count}");
    }
    println!("claims that stay true: passed, failed, inconclusive");
    for (kind, [passed, failed, inconclusive]) in &tally.alarms {
        println!("  {kind:<16} {passed} {failed} {inconclusive}");
    }
    println!("{} false passes", tally.false_passes.len());
    for line in &tally.false_passes {
        println!("  {line}");
    }
    tally
}

#[test]
fn few_mutants() {
    let tally = check(12, 4);
    assert!(tally.mutants > 100, "{}", tally.mutants);
    assert!(tally.false_passes.is_empty(), "{}", tally.false_passes.join("\n"));
}

#[test]
fn many_mutants() {
    let tally = check(1, 80);
    assert!(tally.mutants >= 20_000, "{}", tally.mutants);
    assert!(tally.false_passes.is_empty(), "{}", tally.false_passes.join("\n"));
}
