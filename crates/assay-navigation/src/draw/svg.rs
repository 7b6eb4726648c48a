//! A tree as an SVG picture: one box for each screen, columns by distance from the start.

use std::collections::HashMap;
use std::fmt::Write as _;

use assay_protocol::{ANY_SCREEN, NavigationTree, Screen};

use super::layers::layers;

const BOX_WIDTH: usize = 210;
const BOX_HEIGHT: usize = 50;
const ACROSS: usize = 320;
const DOWN: usize = 74;
const MARGIN: usize = 32;
/// How far ways within a column go around.
const ROUND: usize = 44;
const HEAD: usize = 72;
/// Letters that fit into a box.
const NAME_LETTERS: usize = 26;
const ADDRESS_LETTERS: usize = 32;

const STYLE: &str = "\
svg{background:#fff}text{font-family:system-ui,'DejaVu Sans',sans-serif;fill:#1d2733}.n{font-size:14px;font-weight:600}\
.a{font-size:11px;fill:#5b6b7c}.t{font-size:19px;font-weight:700}.s{fill:#f4f8fc;stroke:#7d9bb8;stroke-width:1.2}\
.e{fill:#e3f1e6;stroke:#4d8f5d}.p{stroke-dasharray:5 4;fill:#fbf3e6;stroke:#b98a3d}.d{fill:#f5f0fa;stroke:#9279b0}\
.w{fill:none;stroke:#90a4b8;stroke-width:1.2;opacity:.75}.o{fill:none;stroke:#b9a6cf;stroke-dasharray:3 4}\
.m{fill:#4d8f5d}.c{fill:#90a4b8}";

pub fn svg(tree: &NavigationTree) -> String {
    let layers = layers(tree);
    let rows = layers.columns.iter().map(Vec::len).max().unwrap_or(0);
    let width = MARGIN * 2 + (layers.columns.len().max(1) - 1) * ACROSS + BOX_WIDTH + ROUND;
    let height = HEAD + MARGIN + rows.max(1) * DOWN;
    let width = width.max(640);
    let mut text = String::with_capacity(tree.screens.len() * 500);
    let title = if tree.interface.is_empty() { "Navigation" } else { &tree.interface };
    let _ = write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"Screens of {0}\">\n<title>Screens of {0}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path class=\"c\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <text class=\"t\" x=\"{MARGIN}\" y=\"36\">{0}</text>\n",
        escaped(title),
    );
    let ways = tree.ways().filter(|way| way.from != ANY_SCREEN).count();
    let everywhere: Vec<&str> =
        tree.edges.iter().filter(|edge| edge.from == ANY_SCREEN).map(|edge| edge.to.as_str()).collect();
    let dot =
        if everywhere.is_empty() { String::new() } else { "; a dot: reached from every screen".to_string() };
    let _ = writeln!(
        text,
        "<text class=\"a\" x=\"{MARGIN}\" y=\"56\">{} screens, {} ways{dot}</text>",
        tree.screens.len(),
        ways + everywhere.len(),
    );
    let index: HashMap<&str, usize> =
        tree.screens.iter().enumerate().map(|(at, screen)| (screen.name.as_str(), at)).collect();
    for edge in &tree.edges {
        let (Some(from), Some(to)) = (index.get(edge.from.as_str()), index.get(edge.to.as_str())) else {
            continue;
        };
        let both = if edge.back.is_empty() { "" } else { " marker-start=\"url(#head)\"" };
        let _ = writeln!(
            text,
            "<path class=\"w\" d=\"{}\" marker-end=\"url(#head)\"{both}/>",
            curve(layers.places[*from], layers.places[*to])
        );
    }
    for (at, screen) in tree.screens.iter().enumerate() {
        let above = screen.within.as_deref().and_then(|name| index.get(name));
        if let Some(above) = above {
            let _ = writeln!(
                text,
                "<path class=\"o\" d=\"{}\"/>",
                curve(layers.places[*above], layers.places[at])
            );
        }
    }
    for (at, screen) in tree.screens.iter().enumerate() {
        let is_entry = tree.entry.contains(&screen.name);
        box_of(&mut text, screen, layers.places[at], is_entry, everywhere.contains(&screen.name.as_str()));
    }
    text.push_str("</svg>\n");
    text
}

fn corner((column, row): (usize, usize)) -> (usize, usize) {
    (MARGIN + column * ACROSS, HEAD + row * DOWN)
}

fn curve(from: (usize, usize), to: (usize, usize)) -> String {
    let ((x1, y1), (x2, y2)) = (corner(from), corner(to));
    let (middle, target) = (y1 + BOX_HEIGHT / 2, y2 + BOX_HEIGHT / 2);
    if from.0 < to.0 {
        let (start, end) = (x1 + BOX_WIDTH, x2 - 1);
        let bend = (end - start) / 2;
        return format!("M{start} {middle}C{} {middle} {} {target} {end} {target}", start + bend, end - bend);
    }
    // Back or within a column: around the right side.
    let (start, end) = (x1 + BOX_WIDTH, x2 + BOX_WIDTH + 1);
    let out = start.max(end) + ROUND;
    format!("M{start} {middle}C{out} {middle} {out} {target} {end} {target}")
}

fn box_of(text: &mut String, screen: &Screen, place: (usize, usize), is_entry: bool, is_everywhere: bool) {
    let (x, y) = corner(place);
    let is_dialog = screen.has.iter().any(assay_protocol::ElementCondition::is_open_part);
    let kind = match (screen.protected, is_entry, is_dialog) {
        (true, _, _) => "s p",
        (_, true, _) => "s e",
        (_, _, true) => "s d",
        _ => "s",
    };
    let mut about = screen.address.as_ref().map(ToString::to_string).unwrap_or_default();
    if let Some(when) = &screen.when {
        about = if about.is_empty() { when.clone() } else { format!("{about} · {when}") };
    }
    let _ = write!(
        text,
        "<g><title>{}</title><rect class=\"{kind}\" x=\"{x}\" y=\"{y}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"7\"/>\
         <text class=\"n\" x=\"{}\" y=\"{}\">{}</text><text class=\"a\" x=\"{}\" y=\"{}\">{}</text>",
        escaped(&format!("{} {about}", screen.name)),
        x + 12,
        y + 21,
        escaped(&shortened(&screen.name, NAME_LETTERS)),
        x + 12,
        y + 39,
        escaped(&shortened(&about, ADDRESS_LETTERS)),
    );
    if is_everywhere {
        let _ = write!(text, "<circle class=\"m\" cx=\"{}\" cy=\"{}\" r=\"5\"/>", x + BOX_WIDTH - 13, y + 14);
    }
    text.push_str("</g>\n");
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_has_a_box_and_names_are_text() {
        let screen = |name: &str| Screen { name: name.to_string(), ..Screen::default() };
        let tree =
            NavigationTree { screens: vec![screen("<b>"), screen("B & C")], ..NavigationTree::default() };
        let picture = svg(&tree);
        assert_eq!(picture.matches("<rect").count(), 2);
        assert!(picture.contains("&lt;b&gt;") && picture.contains("B &amp; C") && !picture.contains("<b>"));
        assert!(svg(&NavigationTree::default()).ends_with("</svg>\n"));
    }
}
