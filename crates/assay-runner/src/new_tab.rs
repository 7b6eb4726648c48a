//! A tab or window that an act has opened is in front, as for a person. The next sentence speaks of it.

use assay_driver::Deadline;
use assay_language::{About, Act, Decision, Intent, ground};
use assay_protocol::{Action, WaitFor};

use crate::attempt::Attempt;

/// Sentences with these words say themselves which tab they mean.
const SAYING_WHICH: &[&str] =
    &["tab", "tabs", "window", "windows", "popup", "pop-up", "popups", "pop-ups", "back", "return"];

impl Attempt<'_> {
    /// Goes to the tab that the last act has opened, unless the sentence says which tab it means or its first act can
    /// only be carried out where the test is.
    pub(crate) async fn follow_new_tab(&mut self, sentence: &str, intents: &[Intent], deadline: Deadline) {
        let is_said = |word: &str| SAYING_WHICH.contains(&word.to_lowercase().as_str());
        let leaves = |intent: &Intent| match intent {
            Intent::Act(act) => matches!(act, Act::Go { .. }),
            Intent::Claim(claim) => matches!(claim.about, About::NewTab),
        };
        let words = sentence.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        if self.state.new_tab.is_none()
            || words.into_iter().any(is_said)
            || intents.first().is_none_or(leaves)
        {
            return;
        }
        let Some(opened) = self.state.new_tab.take() else { return };
        let Ok(before) = self.look(deadline).await else { return };
        let Some(left) = before.tabs.iter().find(|tab| tab.current).map(|tab| tab.tab.clone()) else {
            return;
        };
        if left == opened || !before.tabs.iter().any(|tab| tab.tab == opened) {
            return;
        }
        if !self.switch_to(&opened, deadline).await {
            return;
        }
        if let Some(Intent::Act(act)) = intents.first() {
            let hints = self.hints(sentence, deadline).await;
            let is_possible = |decision: Decision| matches!(decision, Decision::Do(_));
            let there = self.look(deadline).await.is_ok_and(|scene| is_possible(ground(act, &scene, &hints)));
            if !there && is_possible(ground(act, &before, &hints)) && self.switch_to(&left, deadline).await {
                self.note(format!("it is on the page before, not in the new tab {opened}"));
                return;
            }
        }
        self.note(format!("the last act opened tab {opened}, which is in front"));
    }

    async fn switch_to(&mut self, tab: &str, deadline: Deadline) -> bool {
        let call = self.context.call_until(deadline);
        let switched = self.surface.perform(&Action::TabSwitch { tab: tab.to_string() }, &call).await.is_ok();
        if switched {
            self.state.last_picture.outdate();
            // A page that never comes to rest is looked at as it is.
            let _at_rest = self.surface.perform(&Action::Wait { until: WaitFor::Load }, &call).await;
        }
        switched
    }
}
