//! Which crate may use which: the one table, compared with the manifests. `crates/README.md` is made from it.

use crate::manifest::{self, Kind, Manifest};
use crate::task::{Failure, Workspace};
use Layer::{Browsers, Doors, Ground, Host, Models, Runs, Tools};

/// The layers, from the top. A crate uses crates of its own layer and of those below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    Doors,
    Host,
    Models,
    Runs,
    Browsers,
    Ground,
    Tools,
}

impl Layer {
    pub const ALL: [Layer; 7] =
        [Layer::Doors, Layer::Host, Layer::Models, Layer::Runs, Layer::Browsers, Layer::Ground, Layer::Tools];

    /// The heading and what its crates have in common.
    pub fn title(self) -> (&'static str, &'static str) {
        match self {
            Layer::Doors => ("Doors", "how people and programs get in: they translate, and decide nothing"),
            Layer::Host => ("Host", "a run, a plan or a heal put together for any program"),
            Layer::Models => ("Models", "language models, and what they may be asked"),
            Layer::Runs => ("Runs", "tests: reading, interpreting, running, recording and reporting them"),
            Layer::Browsers => ("Browsers", "acting on a surface and seeing what it did, on any engine"),
            Layer::Ground => ("Ground", "the nouns that everything above shares"),
            Layer::Tools => {
                ("Tools", "tests, samples and tasks of this repository; nothing of the product uses them")
            }
        }
    }
}

/// What one crate may use of this workspace.
pub struct Row {
    pub layer: Layer,
    pub name: &'static str,
    /// In the crate itself. An entry that is not used must go.
    pub may_use: &'static [&'static str],
    /// In addition, in its tests, examples and benchmarks only.
    tests_may_use: &'static [&'static str],
}

const fn row(
    layer: Layer,
    name: &'static str,
    may_use: &'static [&'static str],
    tests_may_use: &'static [&'static str],
) -> Row {
    Row { layer, name, may_use, tests_may_use }
}

/// An edge more is the most important line of a change: its commit says why.
#[rustfmt::skip] // One crate, one line.
pub const TABLE: &[Row] = &[
    row(Doors, "assay", &["assay-actions", "assay-agent", "assay-client", "assay-coordinator", "assay-coverage", "assay-daemon", "assay-driver", "assay-driver-chromium", "assay-driver-firefox",
        "assay-driver-webdriver", "assay-driver-webkit", "assay-enrol", "assay-host", "assay-language", "assay-mcp", "assay-navigation", "assay-pilot", "assay-protocol", "assay-provider", "assay-report", "assay-runner", "assay-server", "assay-suite", "assay-tools", "assay-wire"],
        &["assay-demo", "assay-testkit"]),
    row(Doors, "assay-client", &["assay-protocol"], &[]),
    row(Host, "assay-agent", &["assay-coordinator", "assay-language", "assay-prompt", "assay-protocol", "assay-provider", "assay-report", "assay-suite", "assay-tokens", "assay-tools"], &[]),
    row(Host, "assay-host", &["assay-actions", "assay-coordinator", "assay-coverage", "assay-daemon", "assay-driver", "assay-language", "assay-mcp", "assay-navigation", "assay-pilot", "assay-pixels", "assay-planner",
        "assay-protocol", "assay-provider", "assay-report", "assay-runner", "assay-suite", "assay-twin", "assay-wire"], &[]),
    row(Doors, "assay-enrol", &[], &[]),
    // It asks the crates that hold what it serves, one for each kind of route; `wire` names the user at the other end.
    row(Doors, "assay-server", &["assay-agent", "assay-coordinator", "assay-coverage", "assay-host", "assay-mcp", "assay-protocol", "assay-report", "assay-suite", "assay-tools", "assay-wire"],
        &["assay-driver", "assay-pilot", "assay-provider"]),
    row(Host, "assay-mcp", &[], &[]),
    row(Host, "assay-tools", &["assay-protocol"], &[]),
    row(Models, "assay-pilot", &["assay-driver", "assay-pixels", "assay-prompt", "assay-protocol", "assay-provider", "assay-runner", "assay-tokens"], &["assay-testkit"]),
    row(Models, "assay-planner", &["assay-language", "assay-prompt", "assay-protocol", "assay-provider", "assay-tokens"], &[]),
    row(Models, "assay-prompt", &["assay-protocol", "assay-tokens"], &[]),
    row(Models, "assay-provider", &["assay-tokens"], &["assay-testkit"]),
    row(Runs, "assay-coordinator", &["assay-protocol"], &[]),
    row(Runs, "assay-coverage", &["assay-protocol"], &[]),
    row(Runs, "assay-language", &["assay-protocol"], &[]),
    row(Runs, "assay-navigation", &["assay-protocol"], &[]),
    row(Runs, "assay-report", &["assay-protocol"], &["assay-testkit"]),
    row(Runs, "assay-runner", &["assay-actions", "assay-driver", "assay-language", "assay-protocol"], &[]),
    row(Runs, "assay-suite", &["assay-protocol"], &[]),
    row(Runs, "assay-twin", &["assay-pixels", "assay-protocol"], &[]),
    row(Browsers, "assay-actions", &["assay-dom", "assay-driver", "assay-pixels", "assay-protocol", "assay-tokens"],
        &["assay-driver-chromium", "assay-driver-firefox", "assay-driver-webkit", "assay-testkit"]),
    row(Browsers, "assay-daemon", &["assay-actions", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row(Browsers, "assay-dom", &["assay-driver", "assay-protocol"], &[]),
    row(Browsers, "assay-driver", &["assay-protocol"], &[]),
    row(Browsers, "assay-driver-chromium", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &["assay-testkit"]),
    row(Browsers, "assay-driver-firefox", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row(Browsers, "assay-driver-webdriver", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row(Browsers, "assay-driver-webkit", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row(Browsers, "assay-pixels", &[], &[]),
    row(Browsers, "assay-wire", &["assay-driver"], &[]),
    row(Ground, "assay-protocol", &[], &[]),
    row(Ground, "assay-tokens", &[], &[]),
    row(Tools, "assay-demo", &["assay-testkit"], &[]),
    row(Tools, "assay-testkit", &[], &[]),
    row(Tools, "xtask", &[], &[]),
];

/// The contents of `crates/README.md`.
pub fn page(manifests: &[Manifest]) -> String {
    let mut page = String::from(
        "# Crates\n\nMade by `cargo xtask generated --write` from the table in `xtask/src/edges.rs` and the descriptions in the\n\
         manifests. A crate uses crates of its own layer and of the layers below it, and only those in its row.\n\
         [ARCHITECTURE.md](../ARCHITECTURE.md) says what each crate must not know.\n",
    );
    for layer in Layer::ALL {
        let (title, common) = layer.title();
        page.push_str(&format!("\n## {title}: {common}\n\n| crate | holds | uses |\n|---|---|---|\n"));
        for row in TABLE.iter().filter(|row| row.layer == layer) {
            let description = manifests
                .iter()
                .find(|manifest| manifest.name == row.name)
                .map_or("", |manifest| manifest.description.as_str());
            let uses: Vec<&str> =
                row.may_use.iter().map(|used| used.strip_prefix("assay-").unwrap_or(used)).collect();
            let uses = if uses.is_empty() { "–".to_string() } else { uses.join(", ") };
            page.push_str(&format!("| `{}` | {description} | {uses} |\n", row.name));
        }
    }
    page
}

pub fn run(workspace: &Workspace) -> Result<(), Failure> {
    let manifests = manifest::read_all(workspace)?;
    check(workspace, &manifests)?;
    eprintln!("{} crates use each other as the table says", manifests.len());
    Ok(())
}

pub fn check(workspace: &Workspace, manifests: &[Manifest]) -> Result<(), Failure> {
    let mut problems = compare(TABLE, manifests);
    for (path, text) in sources(workspace)? {
        problems.extend(passed_on(&path, &text));
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("the manifests do not agree with the table:\n  {}", problems.join("\n  ")),
        "change the manifest; or, if that is meant, the table in `xtask/src/edges.rs`, then run `cargo xtask edges`",
    ))
}

/// The Rust sources of all crates, with their paths.
pub fn sources(workspace: &Workspace) -> Result<Vec<(String, String)>, Failure> {
    let mut open = vec!["crates".to_string()];
    let mut sources = Vec::new();
    while let Some(folder) = open.pop() {
        for name in workspace.names_in(&folder)? {
            let path = format!("{folder}/{name}");
            if workspace.root.join(&path).is_dir() {
                open.push(path);
            } else if path.ends_with(".rs") {
                let text = workspace.read(&path)?;
                sources.push((path, text));
            }
        }
    }
    sources.sort();
    Ok(sources)
}

/// A crate that re-exports another gives its users an edge that their own manifests do not show.
fn passed_on(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim_start().starts_with("pub use assay_"))
        .map(|(index, line)| {
            format!(
                "{path}:{}: `{}` hides an edge; use that crate where it is needed",
                index + 1,
                line.trim()
            )
        })
        .collect()
}

/// One sentence for each point in which the two differ.
fn compare(table: &[Row], manifests: &[Manifest]) -> Vec<String> {
    let is_member = |name: &str| manifests.iter().any(|manifest| manifest.name == name);
    let mut problems = Vec::new();

    for manifest in manifests {
        let name = &manifest.name;
        let Some(row) = table.iter().find(|row| row.name == name) else {
            problems.push(format!("`{name}` is not in the table"));
            continue;
        };
        for dependency in &manifest.uses {
            let package = dependency.package.as_str();
            if !is_member(package) || row.may_use.contains(&package) {
                continue;
            }
            match (dependency.kind, row.tests_may_use.contains(&package)) {
                (Kind::Dev, true) => {}
                (Kind::Dev, false) => problems.push(format!("the tests of `{name}` may not use `{package}`")),
                (Kind::Normal, true) => {
                    problems.push(format!("`{name}` may use `{package}` in its dev-dependencies only"));
                }
                (Kind::Normal, false) => problems.push(format!("`{name}` may not use `{package}`")),
            }
        }
    }

    for row in table {
        let name = row.name;
        for used in row.may_use {
            if table.iter().any(|other| other.name == *used && other.layer < row.layer) {
                problems.push(format!("`{name}` may not use `{used}`, which is in a layer above it"));
            }
        }
        let Some(manifest) = manifests.iter().find(|manifest| manifest.name == name) else {
            problems.push(format!("the table has `{name}`, which is no crate of the workspace"));
            continue;
        };
        for allowed in row.may_use {
            let used = |dependency: &manifest::Dependency| {
                dependency.package == *allowed && dependency.kind == Kind::Normal
            };
            if !manifest.uses.iter().any(used) {
                problems.push(format!("the table lets `{name}` use `{allowed}`, but it does not"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Dependency;

    const NAMES: &[Row] =
        &[row(Doors, "top", &["base"], &["kit"]), row(Ground, "base", &[], &[]), row(Tools, "kit", &[], &[])];

    fn crate_with(name: &str, uses: &[(Kind, &str)]) -> Manifest {
        let dependency =
            |(kind, package): &(Kind, &str)| Dependency { package: (*package).to_string(), kind: *kind };
        Manifest {
            name: name.to_string(),
            description: String::new(),
            uses: uses.iter().map(dependency).collect(),
        }
    }

    /// Checks a workspace of `base`, `kit` and a `top` that uses these.
    #[track_caller]
    fn check_top(uses: &[(Kind, &str)], expected: &[&str]) {
        let manifests = [crate_with("top", uses), crate_with("base", &[]), crate_with("kit", &[])];
        assert_eq!(compare(NAMES, &manifests), expected);
    }

    #[test]
    fn what_the_table_allows_is_no_problem() {
        check_top(&[(Kind::Normal, "base"), (Kind::Dev, "kit")], &[]);
        check_top(&[(Kind::Normal, "base"), (Kind::Dev, "base")], &[]);
    }

    #[test]
    fn crates_from_elsewhere_are_not_looked_at() {
        check_top(&[(Kind::Normal, "base"), (Kind::Normal, "serde"), (Kind::Dev, "libc")], &[]);
    }

    #[test]
    fn an_allowance_for_tests_need_not_be_used_but_does_not_reach_further() {
        check_top(&[(Kind::Normal, "base")], &[]);
        check_top(
            &[(Kind::Normal, "base"), (Kind::Normal, "kit")],
            &["`top` may use `kit` in its dev-dependencies only"],
        );
    }

    #[test]
    fn an_edge_that_the_table_does_not_have_is_a_problem() {
        let manifests = [
            crate_with("top", &[(Kind::Normal, "base")]),
            crate_with("base", &[(Kind::Normal, "top"), (Kind::Dev, "kit")]),
            crate_with("kit", &[]),
        ];
        let expected = ["`base` may not use `top`", "the tests of `base` may not use `kit`"];
        assert_eq!(compare(NAMES, &manifests), expected);
    }

    #[test]
    fn an_edge_that_is_used_no_more_is_a_problem() {
        check_top(&[], &["the table lets `top` use `base`, but it does not"]);
        check_top(&[(Kind::Dev, "base")], &["the table lets `top` use `base`, but it does not"]);
    }

    #[test]
    fn table_and_workspace_have_the_same_crates() {
        let manifests = [crate_with("base", &[]), crate_with("kit", &[]), crate_with("new", &[])];
        let expected =
            ["`new` is not in the table", "the table has `top`, which is no crate of the workspace"];
        assert_eq!(compare(NAMES, &manifests), expected);
    }

    #[test]
    fn a_crate_uses_no_crate_of_a_layer_above_it() {
        let table = [row(Doors, "top", &[], &[]), row(Ground, "base", &["top"], &[])];
        let manifests = [crate_with("top", &[]), crate_with("base", &[(Kind::Normal, "top")])];
        assert_eq!(compare(&table, &manifests), ["`base` may not use `top`, which is in a layer above it"]);
    }

    #[test]
    fn a_re_export_of_another_crate_is_a_problem() {
        let text = "use assay_driver::Deadline;\npub use assay_driver::Driver;\n";
        let expected =
            "a/lib.rs:2: `pub use assay_driver::Driver;` hides an edge; use that crate where it is needed";
        assert_eq!(passed_on("a/lib.rs", text), [expected]);
    }

    #[test]
    fn every_name_in_the_table_has_a_row() {
        for row in TABLE {
            for used in row.may_use.iter().chain(row.tests_may_use) {
                assert!(TABLE.iter().any(|row| row.name == *used), "`{used}` has no row");
            }
        }
    }
}
