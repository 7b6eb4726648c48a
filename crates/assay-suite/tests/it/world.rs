//! `emulate` and `routes`: what the pages of a test believe from its start.

use crate::suite_folder::{Folder, sound, sound_files};

fn commands(test: &str) -> Vec<String> {
    let cases = sound(test);
    cases[0].world.iter().map(|action| action.command_line()).collect()
}

#[test]
fn every_key_becomes_the_command_that_does_it() {
    let test = "test: World\nsteps: [Open /]\nemulate:\n  device: pixel 9\n  color_scheme: dark\n  reduced_motion: true\n  \
                locale: de-DE\n  timezone: Europe/Madrid\n  geolocation: 40.4, -3.7\n  offline: false\n  network: slow-3g\n  \
                clock: 2027-03-01\n";
    assert_eq!(
        commands(test),
        [
            "emulate device \"Pixel 9\"",
            "emulate locale de-DE",
            "emulate timezone Europe/Madrid",
            "emulate network slow-3g",
            "emulate clock install 2027-03-01T12:00:00Z",
            "emulate offline off",
            "emulate geolocation 40.4 -3.7",
            "emulate media --color-scheme dark --reduced-motion",
        ]
    );
}

#[test]
fn routes_keep_their_order() {
    let test = "test: Routes\nsteps: [Open /]\nroutes:\n  - {url: \"**/api/cart\", status: 500}\n  - {url: /api/pay, abort: true, \
                method: post}\n";
    assert_eq!(
        commands(test),
        ["route \"**/api/cart\" --status 500", "route \"/api/pay\" --abort --method POST"]
    );
}

#[test]
fn the_test_says_more_than_the_project() {
    let tests = sound_files(&[
        ("assay.yaml", "emulate: {locale: en-GB, timezone: Europe/London}\n"),
        ("a.yaml", "test: A\nsteps: [Open /]\nemulate: {locale: de-DE}\n"),
    ]);
    let world: Vec<String> = tests[0].world.iter().map(|action| action.command_line()).collect();
    assert_eq!(
        world,
        ["emulate locale en-GB", "emulate timezone Europe/London", "emulate locale de-DE"],
        "the last one counts"
    );
}

#[test]
fn the_size_of_a_test_stands_above_the_device_of_the_project() {
    let tests = sound_files(&[
        ("assay.yaml", "emulate: {device: Pixel 9}\n"),
        ("a.yaml", "test: A\nsteps: [Open /]\nviewport: 800x600\n"),
    ]);
    let world: Vec<String> = tests[0].world.iter().map(|action| action.command_line()).collect();
    assert_eq!(world, ["emulate device \"Pixel 9\"", "viewport 800 600"]);
}

#[test]
fn mistakes_name_what_was_expected() {
    for (line, expected) in [
        ("emulate: {device: Nokia 3310}", "expected a device (iPhone SE, "),
        ("emulate: {geolocation: north}", "expected latitude and longitude"),
        ("emulate: {colour: dark}", "`colour`"),
        ("emulate: {clock: soon}", "expected a moment such as 2027-03-01"),
        ("emulate: {offline: maybe}", "expected true or false"),
        ("routes: [{status: 500}]", "expected `url`"),
        ("routes: [{url: /a, status: 99}]", "expected a status from 200 to 599"),
        ("routes: [{url: /a, status: 500, abort: true}]", "expected --abort alone"),
    ] {
        let text = format!("test: A\nsteps: [Open /]\n{line}\n");
        let loaded = Folder::new(&[("a.yaml", &text)]).load();
        let told: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains(expected)), "{line}: {told:?}");
        assert!(loaded.tests.is_empty(), "{line}");
    }
}
