//! The pages before each act: a claim that was true all along proves nothing.

use std::rc::Rc;

use assay_language::LastAct;
use assay_protocol::{Action, Scene, SceneNode};

/// More acts than these between two claims are rare; the first ones matter most.
const KEPT: usize = 24;

#[derive(Default)]
pub(crate) struct History {
    /// The looks before each act since the last claim.
    before: Vec<Rc<Scene>>,
    /// Claims were judged since the last act: the next act begins a new stretch.
    judged: bool,
    last: Option<Rc<Scene>>,
    /// The last act on an element, and the look that decided it.
    act: Option<(Rc<Scene>, LastAct)>,
}

impl History {
    pub fn acting(&mut self, seen: &Rc<Scene>) {
        if self.judged {
            self.before.clear();
            self.judged = false;
        }
        if self.before.len() < KEPT {
            self.before.push(Rc::clone(seen));
        }
        // Behind a browser dialog, nothing of the page is visible.
        if seen.dialog.is_none() {
            self.last = Some(Rc::clone(seen));
        }
    }

    /// The looks before the first and before the last act of this stretch.
    pub fn ends(&self) -> Option<(Rc<Scene>, Rc<Scene>)> {
        Some((Rc::clone(self.before.first()?), Rc::clone(self.before.last()?)))
    }

    /// The look that decided the last act.
    pub fn last(&self) -> Option<Rc<Scene>> {
        self.last.clone()
    }

    /// An act is done. One without an element, like a key, may belong to the one before.
    pub fn acted(&mut self, action: &Action) {
        let Some(seen) = self.last() else { return };
        let mut action = action.clone();
        let Some(named) = action.selectors_mut().first().map(|selector| selector.source.clone()) else {
            return;
        };
        let is_named = |node: &&SceneNode| node.reference.as_ref() == Some(&named);
        let Some(target) = seen.nodes.iter().find(is_named) else { return };
        let known = seen.nodes.iter().filter_map(|node| node.reference.clone()).collect();
        let act = LastAct {
            reference: named,
            area: target.area,
            known,
            onto: match &action {
                Action::Drag { to, .. } => Some(to.source.clone()),
                _ => None,
            },
            opens_editor: matches!(action, Action::Dblclick { .. }),
        };
        self.act = Some((seen, act));
    }

    /// The last act on an element, if this page is still the document that it was on.
    pub fn act_on(&self, now: &Scene) -> Option<LastAct> {
        self.act.as_ref().filter(|(seen, _)| same_document(seen, now)).map(|(_, act)| act.clone())
    }

    pub fn judging(&mut self) {
        self.judged = true;
    }

    /// Whether something that holds now also held before every act of this stretch in this document. A document without
    /// acts starts afresh: an act led to it.
    pub fn stood(&self, now: &Scene, mut holds: impl FnMut(&Scene) -> bool) -> bool {
        let here: Vec<&Rc<Scene>> = self.before.iter().filter(|seen| same_document(seen, now)).collect();
        !here.is_empty() && here.iter().all(|seen| holds(seen))
    }
}

impl History {
    /// Whether it held when the last act in this document was decided. A message that was there then does not belong to
    /// the act.
    pub fn stood_at_last(&self, now: &Scene, mut holds: impl FnMut(&Scene) -> bool) -> bool {
        self.last.as_ref().is_some_and(|last| same_document(last, now) && holds(last))
    }

    /// The first and the last look before acts of this stretch in this document: a claim that holds in neither is new.
    pub fn ends_of_stretch(&self, now: &Scene) -> Vec<Rc<Scene>> {
        let mut here =
            self.before.iter().chain(&self.last).filter(|seen| same_document(seen, now)).map(Rc::clone);
        let Some(first) = here.next() else { return Vec::new() };
        let last = here.next_back().filter(|last| *last != first);
        std::iter::once(first).chain(last).collect()
    }

    /// Whether it never held in this stretch in this document: before one act, something may have covered it.
    pub fn was_otherwise(&self, now: &Scene, mut holds: impl FnMut(&Scene) -> bool) -> bool {
        let here: Vec<&Rc<Scene>> =
            self.before.iter().chain(&self.last).filter(|seen| same_document(seen, now)).collect();
        !here.is_empty() && !here.into_iter().any(|seen| holds(seen))
    }
}

fn same_document(one: &Scene, other: &Scene) -> bool {
    let tab = |scene: &Scene| scene.tabs.iter().find(|tab| tab.current).map(|tab| tab.tab.clone());
    one.document == other.document && tab(one) == tab(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(document: u64, title: &str) -> Rc<Scene> {
        Rc::new(Scene { document, title: title.to_string(), ..Scene::default() })
    }

    fn is_done(scene: &Scene) -> bool {
        scene.title == "done"
    }

    #[test]
    fn what_was_so_before_every_act_stood() {
        let mut history = History::default();
        history.acting(&scene(1, "done"));
        history.acting(&scene(1, "done"));
        assert!(history.stood(&scene(1, "done"), is_done));
    }

    #[test]
    fn what_one_act_made_so_did_not_stand() {
        let mut history = History::default();
        history.acting(&scene(1, "new"));
        history.acting(&scene(1, "done"));
        assert!(!history.stood(&scene(1, "done"), is_done));
    }

    #[test]
    fn a_new_document_starts_afresh() {
        let mut history = History::default();
        history.acting(&scene(1, "done"));
        assert!(!history.stood(&scene(2, "done"), is_done));
    }

    #[test]
    fn what_a_new_document_showed_before_it_was_acted_on_stood() {
        let mut history = History::default();
        history.acting(&scene(1, "new"));
        history.acting(&scene(2, "done"));
        assert!(history.stood(&scene(2, "done"), is_done));
    }

    #[test]
    fn what_an_earlier_claim_was_about_stands_for_the_next_one() {
        let mut history = History::default();
        history.acting(&scene(1, "new"));
        history.judging();
        history.acting(&scene(1, "done"));
        assert!(history.stood(&scene(1, "done"), is_done));
    }
}
