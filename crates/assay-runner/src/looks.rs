//! The looks at a page since the last act on it, with their times.
//!
//! A claim must hold for a while before it counts. A look for one claim also serves the next one, so several claims are
//! watched together instead of one after another.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_protocol::Scene;

/// The number of looks to keep: during a long wait, not all of them are worth their memory.
const KEPT: usize = 8;
/// A look this recent shows the current page: no more time has passed than between the parts of one look.
const NOW: Duration = Duration::from_millis(20);

#[derive(Default)]
pub(crate) struct Looks {
    /// The oldest first.
    seen: VecDeque<(Instant, Rc<Scene>)>,
}

impl Looks {
    pub fn looked(&mut self, scene: &Rc<Scene>) {
        if self.seen.len() == KEPT {
            self.seen.pop_front();
        }
        self.seen.push_back((Instant::now(), Rc::clone(scene)));
    }

    /// Earlier looks say nothing about the effect of an act.
    pub fn acted(&mut self) {
        self.seen.clear();
    }

    /// The age of the oldest look since which it has held in every look.
    pub fn held_for(&self, holds: impl Fn(&Scene) -> bool) -> Duration {
        let first = self.seen.iter().rev().take_while(|(_, scene)| holds(scene)).last();
        match (first, self.seen.back()) {
            (Some((first, _)), Some((last, _))) => last.duration_since(*first),
            _ => Duration::ZERO,
        }
    }

    /// The last look, if it is recent.
    pub fn just_now(&self) -> Option<Rc<Scene>> {
        self.seen.back().filter(|(at, _)| at.elapsed() <= NOW).map(|(_, scene)| Rc::clone(scene))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(titles: &[&str]) -> Looks {
        let now = Instant::now();
        let seen = titles.iter().zip(0..).map(|(title, nth)| {
            let scene = Scene { title: (*title).to_string(), ..Scene::default() };
            (now + Duration::from_millis(100 * nth), Rc::new(scene))
        });
        Looks { seen: seen.collect() }
    }

    #[track_caller]
    fn check(titles: &[&str], expected_ms: u64) {
        let held = looks(titles).held_for(|scene| scene.title == "so");
        assert_eq!(held, Duration::from_millis(expected_ms), "{titles:?}");
    }

    #[test]
    fn only_an_unbroken_row_of_looks_up_to_the_last_counts() {
        check(&[], 0);
        check(&["so"], 0);
        check(&["so", "so", "so"], 200);
        check(&["so", "not", "so", "so"], 100);
        check(&["so", "so", "not"], 0);
    }

    #[test]
    fn an_act_begins_anew() {
        let mut seen = looks(&["so", "so", "so"]);
        seen.acted();
        assert_eq!(seen.held_for(|_| true), Duration::ZERO);
        assert!(seen.just_now().is_none());
    }
}
