//! All cases of the conformance suite on every engine, through the daemon.

use assay_testkit::conformance::{GAPS, GROUPS, group, judge, run};

use crate::engines::{Session, Window};

/// One module an engine, one test a group: they run side by side, and a failure has a name.
macro_rules! engines {
    ($($engine:ident),*) => { $(
        mod $engine {
            engines!(@groups $engine: fields writing hands widgets frames looking layout navigation reports windows files coordinates);

            #[test]
            fn coordinates_with_a_window() {
                super::check(stringify!($engine), "coordinates", super::Window::Shown);
            }
        }
    )* };
    (@groups $engine:ident: $($group:ident)*) => {
        $(
            #[test]
            fn $group() {
                super::check(stringify!($engine), stringify!($group), super::Window::None);
            }
        )*

        #[test]
        fn every_group_has_its_test() {
            super::check_groups(&[$(stringify!($group)),*]);
        }
    };
}

engines!(chromium, firefox, webkit);

fn check(engine: &'static str, name: &str, window: Window) {
    let mut session = Session::start(engine, window);
    let site = assay_testkit::fixture_site();
    let outcomes = run(group(name).cases(), &mut session, &site);
    for outcome in &outcomes {
        let what = if outcome.problem.is_some() { "failed" } else { "passed" };
        println!("{what} {:5} ms  {}", outcome.took.as_millis(), outcome.case);
    }
    let verdict = judge(engine, &outcomes, GAPS);
    println!("{engine}, {name}: {verdict}");
    assert!(verdict.complaints.is_empty(), "{verdict}\n\n{}", verdict.complaints.join("\n\n"));
}

fn check_groups(tested: &[&str]) {
    let groups: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    assert_eq!(tested, groups);
}
