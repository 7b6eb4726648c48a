//! A tree as a Mermaid flowchart.

use std::collections::HashMap;
use std::fmt::Write as _;

use assay_protocol::{ANY_SCREEN, NavigationTree};

pub fn mermaid(tree: &NavigationTree) -> String {
    let mut text = String::from("flowchart LR\n");
    let index: HashMap<&str, usize> =
        tree.screens.iter().enumerate().map(|(at, screen)| (screen.name.as_str(), at)).collect();
    for (at, screen) in tree.screens.iter().enumerate() {
        let mut label = escaped(&screen.name);
        if let Some(address) = &screen.address {
            let _ = write!(label, "<br/><small>{}</small>", escaped(address.as_str()));
        }
        if let Some(when) = &screen.when {
            let _ = write!(label, "<br/><small>{}</small>", escaped(when));
        }
        let (open, close) = if tree.entry.contains(&screen.name) { ("([\"", "\"])") } else { ("[\"", "\"]") };
        let _ = writeln!(text, "  s{at}{open}{label}{close}");
    }
    let everywhere = tree.edges.iter().any(|edge| edge.from == ANY_SCREEN);
    if everywhere {
        text.push_str("  any{{\"any screen\"}}\n");
    }
    for edge in &tree.edges {
        let Some(to) = index.get(edge.to.as_str()) else { continue };
        let arrow = if edge.back.is_empty() { "-->" } else { "<-->" };
        match index.get(edge.from.as_str()) {
            Some(from) => {
                let _ = writeln!(text, "  s{from} {arrow} s{to}");
            }
            None => {
                let _ = writeln!(text, "  any --> s{to}");
            }
        }
    }
    for (at, screen) in tree.screens.iter().enumerate() {
        if let Some(above) = screen.within.as_deref().and_then(|name| index.get(name)) {
            let _ = writeln!(text, "  s{above} -.- s{at}");
        }
    }
    let protected: Vec<String> =
        (0..tree.screens.len()).filter(|at| tree.screens[*at].protected).map(|at| format!("s{at}")).collect();
    if !protected.is_empty() {
        let _ = writeln!(
            text,
            "  classDef protected stroke-dasharray: 4 3\n  class {} protected",
            protected.join(",")
        );
    }
    text
}

/// Quotes, brackets and hashes have a meaning in a label.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '<' | '>' | '&' | '#' | '{' | '}' | '[' | ']' | '`' | '\\' | '|' => {
                let _ = write!(safe, "#{};", u32::from(letter));
            }
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use assay_protocol::{Edge, Screen};

    use super::*;

    #[test]
    fn names_cannot_end_their_labels() {
        let screen = |name: &str| Screen { name: name.to_string(), ..Screen::default() };
        let edge = Edge { from: "A \"b\"".to_string(), to: "C".to_string(), ..Edge::default() };
        let tree = NavigationTree {
            entry: vec!["C".to_string()],
            screens: vec![screen("A \"b\""), screen("C")],
            edges: vec![edge],
            ..NavigationTree::default()
        };
        assert_eq!(mermaid(&tree), "flowchart LR\n  s0[\"A #34;b#34;\"]\n  s1([\"C\"])\n  s0 --> s1\n");
    }
}
