//! Measures what a tree of many screens costs: `bench/navigation` runs it.

#![expect(clippy::print_stdout, reason = "its output is the measurement")]

use std::collections::HashSet;
use std::time::Instant;

use assay_navigation::{Routes, mermaid, svg};
use assay_protocol::{AddressPattern, Edge, EdgeMetrics, NavigationTree, Screen};

/// Screens in a ring with chords: many ways lead everywhere.
fn tree(screens: usize, edges: usize) -> NavigationTree {
    let name = |at: usize| format!("Screen {at}");
    let mut made =
        NavigationTree { interface: "bench".to_string(), entry: vec![name(0)], ..NavigationTree::default() };
    made.screens = (0..screens)
        .map(|at| Screen {
            name: name(at),
            // Only one has an address of its own: all others are reached by their edges.
            address: AddressPattern::parse(&if at == 0 {
                "/".to_string()
            } else {
                format!("/s/{at}/{{id}}")
            })
            .ok(),
            heading: Some(name(at)),
            ..Screen::default()
        })
        .collect();
    made.edges = (0..edges)
        .map(|number| {
            let from = number % screens;
            let stride = 1 + (number / screens) * 7;
            Edge {
                from: name(from),
                to: name((from + stride) % screens),
                acts: vec![format!("click link \"{stride}\"")],
                back: Vec::new(),
            }
        })
        .collect();
    made
}

fn main() {
    let large = tree(2_000, 10_000);
    let metrics: Vec<EdgeMetrics> = large
        .edges
        .iter()
        .enumerate()
        .map(|(at, edge)| EdgeMetrics {
            from: edge.from.clone(),
            to: edge.to.clone(),
            acts: edge.acts.clone(),
            tries: 10,
            successes: 7 + at as u32 % 4,
            milliseconds: 100 + at as u64 % 900,
            ..EdgeMetrics::default()
        })
        .collect();
    let mut times = Vec::new();
    let rounds = 50;
    for round in 0..rounds {
        let began = Instant::now();
        // As `goto` does it: the tree is made ready for each question.
        let routes = Routes::new(&large, &metrics);
        let from = format!("Screen {}", round * 13 % 2_000);
        let to = format!("Screen {}", (round * 13 + 1_000) % 2_000);
        let legs = routes.find(Some(&from), &to, &HashSet::new()).map_or(0, |legs| legs.len());
        let took = began.elapsed().as_secs_f64() * 1_000.0;
        assert!(legs > 0, "no way from {from} to {to}");
        times.push(took);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "path, 10,000 edges, 2,000 screens: {:.2} ms median, {:.2} ms on average, {:.2} ms at most",
        times[times.len() / 2],
        times.iter().sum::<f64>() / f64::from(rounds),
        times[times.len() - 1]
    );
    let drawn = tree(1_000, 3_000);
    let began = Instant::now();
    let picture = svg(&drawn);
    println!(
        "SVG, 1,000 screens: {:.1} ms, {} bytes",
        began.elapsed().as_secs_f64() * 1_000.0,
        picture.len()
    );
    let began = Instant::now();
    let chart = mermaid(&drawn);
    println!(
        "Mermaid, 1,000 screens: {:.1} ms, {} bytes",
        began.elapsed().as_secs_f64() * 1_000.0,
        chart.len()
    );
}
