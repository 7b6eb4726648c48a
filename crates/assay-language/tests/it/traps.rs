//! Pages on which a careless reader acts on the wrong thing or believes what is not so, each with an honest twin.
//!
//! A file of `traps` holds many small pages. One begins with `# what it is about`, goes on in the notation of scenes,
//! and ends with what is said about it: `> sentence → what is done` and `? verdict: sentence`. A line `hint key: e1`
//! gives the author's hints. Unlike in the larger corpora nothing may be wrong here.

use assay_language::{Hints, Intent, ground, judge, read};
use assay_protocol::Scene;

use crate::corpus::judged_with;
use crate::grounding::told;
use crate::scene_notation::{folder, scene};

#[test]
fn nobody_is_caught_in_a_trap() {
    let mut wrong: Vec<String> = Vec::new();
    let mut all = 0;
    for file in std::fs::read_dir(folder("traps")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        for trap in traps(&std::fs::read_to_string(&path).unwrap()) {
            for (line, got, why) in trap.answers() {
                all += 1;
                if line.1.split(" | ").all(|expected| expected != got) {
                    wrong.push(format!(
                        "{name}, {}: {} → {got} (expected {}) {why}",
                        trap.about, line.0, line.1
                    ));
                }
            }
        }
    }
    println!("{} of {all} are right", all - wrong.len());
    assert!(all >= 200, "only {all} lines");
    assert!(wrong.is_empty(), "{} of {all} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

struct Trap {
    about: String,
    page: Scene,
    hints: Hints,
    /// Sentence and what is expected; steps and claims.
    steps: Vec<(String, String)>,
    claims: Vec<(String, String)>,
}

impl Trap {
    fn answers(&self) -> Vec<((String, String), String, String)> {
        let steps = self.steps.iter().map(|line| {
            let got = self.done(&line.0);
            (line.clone(), got, String::new())
        });
        let claims = self.claims.iter().map(|line| {
            let (got, why) = judged_with(&line.0, &self.page, &self.hints);
            (line.clone(), got.to_string(), why)
        });
        steps.chain(claims).collect()
    }

    /// The first act of a sentence, without whether it commits and what is left.
    fn done(&self, sentence: &str) -> String {
        match read(sentence, &self.hints) {
            Err(_) => "not understood".to_string(),
            Ok(intents) => match intents.first() {
                Some(Intent::Act(act)) => {
                    told(&ground(act, &self.page, &self.hints)).replace(" then more", "").replace('!', "")
                }
                Some(Intent::Claim(claim)) => {
                    format!("claim {}", judge(claim, &self.page, &self.hints).verdict.name())
                }
                None => "nothing".to_string(),
            },
        }
    }
}

fn traps(text: &str) -> Vec<Trap> {
    let mut found: Vec<Trap> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut about = "";
    let mut flush = |about: &str, lines: &[&str]| {
        if !lines.is_empty() {
            found.push(trap(about, lines));
        }
    };
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(title) => {
                flush(about, &lines);
                about = title;
                lines.clear();
            }
            None => lines.push(line),
        }
    }
    flush(about, &lines);
    found
}

fn trap(about: &str, lines: &[&str]) -> Trap {
    let mut hints = Hints::default();
    let mut steps = Vec::new();
    let mut claims = Vec::new();
    let mut page = String::new();
    for line in lines {
        if let Some(step) = line.strip_prefix("> ") {
            let (sentence, expected) = step.split_once(" → ").unwrap_or_else(|| panic!("{about}: {line}"));
            steps.push((sentence.to_string(), expected.to_string()));
        } else if let Some(claim) = line.strip_prefix("? ") {
            let (expected, sentence) = claim.split_once(": ").unwrap_or_else(|| panic!("{about}: {line}"));
            claims.push((sentence.to_string(), expected.to_string()));
        } else if let Some(hint) = line.strip_prefix("hint ") {
            let (key, refs) = hint.split_once(':').unwrap_or_else(|| panic!("{about}: {line}"));
            let refs = refs.split_whitespace().map(str::to_string).collect();
            hints.elements.insert(key.to_string(), refs);
        } else {
            page.push_str(line);
            page.push('\n');
        }
    }
    Trap { about: about.to_string(), page: scene(&page), hints, steps, claims }
}
