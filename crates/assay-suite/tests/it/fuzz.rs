//! No input makes a panic: valid files, bent in many ways, always the same.

use std::path::PathBuf;

use assay_suite::{load, template};

use crate::suite_folder::{BROWSERS, Folder, environment};

const SEED: &str = r##"test: Login as ${who} # note
preconditions:
  - User "${who}" exists with password 'x'
variables: {who: "Ann \u00e4", n: 0x1F}
secrets: [APP_PASSWORD]
setup: &s
  - use: part
    with: {a: "${who}"}
steps: *s
expected:
  - run: is visible "#x"
  - >-
    Long
    sentence
timeout: {step: 5s}
viewport: 10x10
data: rows.csv
---
test: Zwei ü 🦀
steps: [Ein Schritt, {run: go, timeout: 5}]
data: [{a: 1}, {a: 2}]
"##;

const PROJECT: &str = r##"suite: fuzz
start: {command: "x ${n}", url: "http://x", cwd: .}
variables: {n: 1}
preconditions:
  - match: 'User "{email}" exists with password "{password}"'
    request: {url: "/u", json: {a: ["${email}", 1]}, expect: [200]}
  - match: Other {x}
    steps:
      - Do ${x}
steps:
  part: ["Do ${a}"]
"##;

const ROWS: &str = "who,b\n\"Ann, \"\"x\"\"\",2\nBob,3\n";

/// Splitmix64: the same numbers on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % most.max(1) as u64).unwrap()
    }
}

const BITS: &[&str] = &[
    "\n",
    " ",
    "  ",
    "\t",
    "-",
    "- ",
    ":",
    ": ",
    "#",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "${",
    "$$",
    "${who}",
    "*s",
    "&s",
    "!",
    "|",
    ">",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "\u{feff}",
    "é",
    "🦀",
    "\0",
    "\r",
    "\r\n",
    "<<: *s\n",
    "? ",
    "~",
    "null",
    "1e999",
    "\\u",
    "\u{2028}",
    "data: ",
    "use: ",
    "steps:",
    "{email}",
    "@",
    "`",
    "\u{85}",
    ",",
];

fn bend(text: &str, numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(12)).min(bytes.len());
        match numbers.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = numbers.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 if at < bytes.len() => bytes[at] = u8::try_from(numbers.below(256)).unwrap(),
            _ => {
                let bit = BITS[numbers.below(BITS.len())].as_bytes();
                bytes.splice(at..at, bit.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn bent_files_make_problems_but_no_panic() {
    let folder = Folder::new(&[("assay.yaml", PROJECT), ("t.yaml", SEED), ("rows.csv", ROWS)]);
    assert_eq!(folder.problems(&folder.load()), "", "the files are sound before they are bent");
    let files = [("t.yaml", SEED), ("assay.yaml", PROJECT), ("rows.csv", ROWS)];
    let mut numbers = Numbers(7);
    let paths = [folder.path.clone()];
    let mut sound = 0;
    for round in 0..1500 {
        let (name, text) = files[round % 3];
        folder.write(name, &bend(text, &mut numbers));
        let loaded = load(&paths, &BROWSERS, &environment);
        sound += usize::from(loaded.problems.is_empty());
        for problem in &loaded.problems {
            assert!(!problem.to_string().is_empty());
        }
        folder.write(name, text.as_bytes());
    }
    assert!(sound > 0 && sound < 1500, "{sound}");
}

#[test]
fn the_template_is_sound() {
    let files = template();
    let folder = Folder::new(&files);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    let ids: Vec<&str> = loaded.tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["example_name_greeted", "example_empty_name_refused"]);
    assert_eq!(loaded.project.commands().len(), 1);
    assert!(load(&[PathBuf::from("/no/such/path")], &BROWSERS, &environment).tests.is_empty());
}
