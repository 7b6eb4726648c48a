//! How the interpreter chooses on recorded pages: as they are, and with the right element taken away.

use std::io::BufRead;

use assay_language::{Decision, Hints, Intent, ground, read};
use assay_protocol::Scene;

#[derive(Default)]
struct Score {
    right: u32,
    wrong: u32,
    refused: u32,
    unread: u32,
    wrong_when_absent: u32,
}

fn main() {
    let mut score = Score::default();
    let shows = std::env::args().any(|word| word == "--show");
    for line in std::io::stdin().lock().lines() {
        let case: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let sentence = case["sentence"].as_str().unwrap();
        let meant = case["ref"].as_str().unwrap();
        let scene: Scene = serde_json::from_value(case["scene"].clone()).unwrap();
        if read(sentence, &Hints::default()).is_err() {
            score.unread += 1;
            continue;
        }
        let chosen = chosen(sentence, &scene);
        match chosen.as_deref() {
            Some(chosen) if is_one(&scene, chosen, meant) => score.right += 1,
            Some(chosen) => {
                score.wrong += 1;
                if shows {
                    println!("wrong: {sentence}: {chosen}, not {meant}");
                }
            }
            None => score.refused += 1,
        }
        if let Some(other) = self::chosen(sentence, &without(&scene, meant)) {
            score.wrong_when_absent += 1;
            if shows {
                println!("absent: {sentence}: {other}");
            }
        }
    }
    let Score { right, wrong, refused, unread, wrong_when_absent } = score;
    println!("{}", serde_json::json!({
        "right": right, "wrong": wrong, "refused": refused, "unread": unread, "wrong_when_absent": wrong_when_absent,
    }));
}

/// The ref that the first act of the sentence would be done on.
fn chosen(sentence: &str, scene: &Scene) -> Option<String> {
    let intents = read(sentence, &Hints::default()).ok()?;
    let Intent::Act(act) = intents.first()? else { return None };
    let Decision::Do(mut planned) = ground(act, scene, &Hints::default()) else { return None };
    planned.action.selectors_mut().first().map(|selector| selector.source.clone())
}

/// Whether two refs are one thing to a person: the same, or one inside the other.
fn is_one(scene: &Scene, one: &str, other: &str) -> bool {
    let at = |name: &str| scene.nodes.iter().position(|node| node.reference.as_deref() == Some(name));
    match (at(one), at(other)) {
        _ if one == other => true,
        (Some(one), Some(other)) => {
            let is_inside = |inner: usize, outer: usize| scene.ancestors(inner).take(3).any(|above| above == outer);
            is_inside(one, other) || is_inside(other, one)
        }
        _ => false,
    }
}

/// The page without an element, what is inside it, and what only wraps it.
fn without(scene: &Scene, name: &str) -> Scene {
    let is_it = |node: &assay_protocol::SceneNode| node.reference.as_deref() == Some(name);
    let Some(at) = scene.nodes.iter().position(is_it) else { return scene.clone() };
    let called = scene.nodes[at].name.clone();
    let mut gone: Vec<usize> = (at..scene.nodes.len()).filter(|inner| *inner == at || scene.is_within(*inner, at)).collect();
    gone.extend(scene.ancestors(at).filter(|above| !called.is_empty() && scene.nodes[*above].name == called));
    let mut bare = scene.clone();
    for node in gone {
        let parent = bare.nodes[node].parent;
        bare.nodes[node] = assay_protocol::SceneNode { parent, role: "generic".to_string(), ..Default::default() };
    }
    bare
}
