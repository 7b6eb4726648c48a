//! The page changes between the map and the click: the right element is hit, or none.

use crate::context::Context;

const ROUNDS: u64 = 200;

#[test]
fn two_hundred_mutations_lead_to_no_wrong_click() {
    let context = Context::on("/mutate");
    let (mut hit, mut refused) = (0, 0);
    for seed in 0..ROUNDS {
        if seed % 25 == 0 {
            context.go("/mutate");
        }
        let map = context.json(&["map"]);
        let nodes = map["data"]["map"]["nodes"].as_array().unwrap();
        let rows: Vec<(String, String)> =
            serde_json::from_str(&context.ok(&["eval", "JSON.stringify(rows().map(r => [r.key, r.title]))"]))
                .unwrap();
        let (key, title) = &rows[(seed as usize * 7) % rows.len()];
        // The ref of this row's button, found as a reader of the map finds it: in the line of the row.
        let wanted = if seed % 2 == 0 { "Edit" } else { "Delete" };
        let Some(reference) = button_in_row(nodes, title, wanted) else {
            panic!("{title} has no {wanted} on the map: {map}");
        };
        let before = context.ok(&["eval", "hits.length"]).parse::<usize>().unwrap();
        let what = context.ok(&["eval", &format!("mutate({seed})")]);
        let said = context.run(&["click", &reference, "--timeout", "300"]);
        let hits: Vec<String> = serde_json::from_str(&context.ok(&["eval", "JSON.stringify(hits)"])).unwrap();
        let new = &hits[before..];
        let meant = format!("{key} {}", wanted.to_lowercase());
        if said.code == 0 {
            assert_eq!(new, [meant], "seed {seed} ({what}): {said:?}");
            hit += 1;
        } else if said.code == 3 {
            // On a busy machine the page may answer too late to know.
            assert!(new.is_empty() || new == [meant], "seed {seed} ({what}): {new:?}: {said:?}");
            refused += 1;
        } else {
            assert!(new.is_empty(), "seed {seed} ({what}): refused, yet {new:?}: {said:?}");
            refused += 1;
        }
    }
    println!("{ROUNDS} mutations: {hit} right, {refused} refused, 0 wrong");
    // A tool that refuses everything would pass this too.
    assert!(hit > ROUNDS / 2, "only {hit} hits");
}

/// The first button called `name` after the text `title`, in document order.
fn button_in_row(nodes: &[serde_json::Value], title: &str, name: &str) -> Option<String> {
    let start = nodes.iter().position(|node| node["name"] == title)?;
    let button = nodes[start..].iter().find(|node| node["role"] == "button" && node["name"] == name)?;
    button["ref"].as_str().map(str::to_string)
}
