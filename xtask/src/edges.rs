//! Which crate may use which: the one table, compared with the manifests.

use crate::manifest::{self, Kind, Manifest};
use crate::task::{Failure, Workspace};

/// What one crate may use of this workspace.
struct Row {
    name: &'static str,
    /// In the crate itself. An entry that is not used must go.
    may_use: &'static [&'static str],
    /// In addition, in its tests, examples and benchmarks only.
    tests_may_use: &'static [&'static str],
}

const fn row(
    name: &'static str,
    may_use: &'static [&'static str],
    tests_may_use: &'static [&'static str],
) -> Row {
    Row { name, may_use, tests_may_use }
}

/// An edge more is the most important line of a change: its commit says why.
#[rustfmt::skip] // One crate, one line.
const TABLE: &[Row] = &[
    row("assay", &["assay-chromium", "assay-client", "assay-coordinator", "assay-daemon", "assay-driver", "assay-firefox", "assay-pilot", "assay-planner", "assay-protocol", "assay-provider", "assay-report", "assay-runner", "assay-suite",
        "assay-webdriver", "assay-webkit", "assay-wire"],
        &["assay-demo", "assay-testkit"]),
    row("assay-actions", &["assay-dom", "assay-driver", "assay-pixels", "assay-protocol", "assay-tokens"],
        &["assay-chromium", "assay-firefox", "assay-testkit", "assay-webkit"]),
    row("assay-chromium", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &["assay-testkit"]),
    row("assay-client", &["assay-protocol"], &[]),
    row("assay-coordinator", &["assay-protocol"], &[]),
    row("assay-daemon", &["assay-actions", "assay-driver", "assay-protocol"], &[]),
    row("assay-demo", &["assay-testkit"], &[]),
    row("assay-dom", &["assay-driver", "assay-protocol"], &[]),
    row("assay-driver", &["assay-protocol"], &[]),
    row("assay-firefox", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row("assay-language", &["assay-protocol"], &[]),
    row("assay-pilot", &["assay-pixels", "assay-protocol", "assay-provider", "assay-runner", "assay-tokens"], &["assay-testkit"]),
    row("assay-pixels", &[], &[]),
    row("assay-planner", &["assay-language", "assay-pilot", "assay-protocol", "assay-provider", "assay-tokens"], &[]),
    row("assay-protocol", &[], &[]),
    row("assay-provider", &["assay-tokens"], &["assay-testkit"]),
    row("assay-report", &["assay-protocol"], &["assay-testkit"]),
    row("assay-runner", &["assay-actions", "assay-driver", "assay-language", "assay-protocol"], &[]),
    row("assay-suite", &["assay-protocol"], &[]),
    row("assay-testkit", &[], &[]),
    row("assay-tokens", &[], &[]),
    row("assay-webdriver", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row("assay-webkit", &["assay-dom", "assay-driver", "assay-protocol", "assay-wire"], &[]),
    row("assay-wire", &["assay-driver"], &[]),
    row("xtask", &[], &[]),
];

pub fn run(workspace: &Workspace) -> Result<(), Failure> {
    let manifests = manifest::read_all(workspace)?;
    check(&manifests)?;
    eprintln!("{} crates use each other as the table says", manifests.len());
    Ok(())
}

pub fn check(manifests: &[Manifest]) -> Result<(), Failure> {
    let problems = compare(TABLE, manifests);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("the manifests do not agree with the table:\n  {}", problems.join("\n  ")),
        "change the manifest; or, if that is meant, the table in `xtask/src/edges.rs`, then run `cargo xtask edges`",
    ))
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

    const NAMES: &[Row] = &[row("top", &["base"], &["kit"]), row("base", &[], &[]), row("kit", &[], &[])];

    fn crate_with(name: &str, uses: &[(Kind, &str)]) -> Manifest {
        let dependency =
            |(kind, package): &(Kind, &str)| Dependency { package: (*package).to_string(), kind: *kind };
        Manifest { name: name.to_string(), uses: uses.iter().map(dependency).collect() }
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
    fn every_name_in_the_table_has_a_row() {
        for row in TABLE {
            for used in row.may_use.iter().chain(row.tests_may_use) {
                assert!(TABLE.iter().any(|row| row.name == *used), "`{used}` has no row");
            }
        }
    }
}
