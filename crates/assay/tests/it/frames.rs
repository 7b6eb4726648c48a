//! Frames of the same and of another origin.

use crate::context::Context;

#[test]
fn targets_are_found_and_clicked_in_every_frame() {
    let context = Context::on("/frames");
    context.ok(&["wait", "button \"Press late\"", "--timeout", "5000"]);
    let frames = context.ok(&["frames"]);
    assert_eq!(frames.lines().count(), 6, "{frames}");
    let map = context.ok(&["map"]);
    for name in ["child", "outer", "inner", "cross", "late"] {
        assert!(map.contains(&format!("button \"Press {name}\"")), "{name}: {map}");
        context.ok(&["click", &format!("Press {name}")]);
        assert!(context.log().contains(&format!("{name}: click press")), "{name}: {:?}", context.log());
        context.ok(&["fill", &format!("Field {name}"), "x"]);
        assert_eq!(context.ok(&["value", &format!("Field {name}")]), "x");
    }
    let refused = context.fails(3, &["click", "#press"]);
    assert!(refused.contains("matches") && refused.contains("in frame \"Child frame\""), "{refused}");
}

/// The full browser renders the frame of another site in a process of its own.
#[test]
fn frames_in_other_processes_are_reached() {
    let context = Context::new();
    let full = [
        "/usr/lib/chromium/chromium",
        "/usr/lib/chromium-browser/chromium-browser",
        "/opt/google/chrome/chrome",
    ];
    let Some(program) = full.iter().find(|path| std::path::Path::new(path).exists()) else {
        panic!("the full browser is not installed: run scripts/ensure-browser");
    };
    context.ok(&["go", &context.url("/frames"), "--browser-path", program]);
    context.ok(&["wait", "button \"Press cross\"", "--timeout", "10000"]);
    context.ok(&["click", "Press cross"]);
    assert!(context.log().contains(&"cross: click press".to_string()), "{:?}", context.log());
    context.ok(&["fill", "Field cross", "far away"]);
    assert_eq!(context.ok(&["value", "Field cross"]), "far away");
}
