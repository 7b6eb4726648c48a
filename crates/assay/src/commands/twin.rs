//! `assay twin`: the words of it.

use assay_host::TestChoice;
use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, Flag, UsageError};

use super::testing::{DEFAULT_RESULTS, GREP, NO_LOCK, TAG, TRUST, WORKERS, lock_mode};
use super::{CommandEntry, command};
use crate::command::Command;
use crate::engines::engine;
use crate::twin::TwinOptions;

/// Nobody waits for more.
const MOST_ROUNDS: u64 = 20;

pub(super) const TWIN: CommandEntry = command(
    "twin",
    "[TEST|PATH...]",
    "Compare two builds: run the same tests against both, side by side, and report the first divergence of each test",
    "assay twin --old http://127.0.0.1:8001 --new http://127.0.0.1:8002 tests/",
    |words| Ok(Command::Twin(Box::new(twin_options(words)?))),
)
.flags(&[
    Flag::value("old", "ADDRESS", "address of the build that is known to be good"),
    Flag::value("new", "ADDRESS", "address of the build to compare with it"),
    GREP,
    TAG,
    WORKERS,
    NO_LOCK,
    Flag::value("reset-old", "COMMAND", "command that puts the data of the old build back, before each round"),
    Flag::value("reset-new", "COMMAND", "command that puts the data of the new build back, before each round"),
    Flag::value("noise", "FILE", "use what an earlier comparison learnt (noise.json), and start with one round"),
    Flag::value("rounds", "N", "run at least N rounds (default 2); more rounds learn more of what varies by itself"),
    Flag::value("results", "FOLDER", "folder for reports and pictures (default assay-results/twin)"),
    Flag::value("html", "FILE", "write the page with both sides to FILE (default twin.html in the results)"),
    TRUST,
]);

fn twin_options(words: &Arguments<'_>) -> Result<TwinOptions, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let needed = |name: &str| {
        flag(name).ok_or_else(|| {
            Failure::from(UsageError::WrongValue {
                expected: format!("--{name} with the address of a build"),
                found: "nothing".to_string(),
                example: Some("assay twin --old http://127.0.0.1:8001 --new http://127.0.0.1:8002"),
            })
        })
    };
    let browsers: Vec<String> = flag("browser").into_iter().collect();
    for browser in &browsers {
        engine(Some(browser))?;
    }
    // A word that is no path names a test of the suite around us.
    let named = words.all().iter().cloned();
    let (paths, ids): (Vec<String>, Vec<String>) =
        named.partition(|word| std::path::Path::new(word).exists());
    let tags = flag("tag").unwrap_or_default();
    let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_string).collect();
    Ok(TwinOptions {
        old: needed("old")?,
        new: needed("new")?,
        paths: if paths.is_empty() { vec![".".to_string()] } else { paths },
        choice: TestChoice { ids, grep: flag("grep"), tags, shard: None, last_failed: false, repeat: 1 },
        workers: words.number("workers")?.map(|workers| workers.clamp(1, 256) as usize),
        browsers,
        locks: lock_mode(words)?,
        reset_old: flag("reset-old"),
        reset_new: flag("reset-new"),
        noise: flag("noise"),
        rounds: words.number("rounds")?.map(|rounds| rounds.clamp(1, MOST_ROUNDS) as usize),
        results: flag("results").unwrap_or_else(|| format!("{DEFAULT_RESULTS}/twin")),
        html: flag("html"),
        trust: words.has("trust"),
    })
}
