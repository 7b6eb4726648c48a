//! Turns the acts of an attempt into lock entries.

use assay_language::{Act, FormProperty, quotation_mark, quotations, with_marks};
use assay_protocol::{Action, EffectKind, LastingAct, LockedEntry, Part, Secrets, Selector};

/// Whether this act has to be resolved on a page. Other acts have nothing to lock.
pub(crate) fn is_lockable(act: &Act) -> bool {
    !act.form().has(FormProperty::NeedsNoPage)
}

/// The commands for one act of one sentence.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActInProgress {
    /// None for an act that cannot be described.
    pub acts: Vec<Option<LastingAct>>,
    pub effect: EffectKind,
    /// One of them commits something.
    pub commits: bool,
}

impl ActInProgress {
    /// The entry for it, or why there can be none.
    pub fn entry(
        &self,
        part: Part,
        sentence: &str,
        nth: usize,
        base_url: Option<&str>,
        secrets: &Secrets,
    ) -> Result<LockedEntry, String> {
        if self.acts.is_empty() {
            return Err("it has nothing to lock".to_string());
        }
        let mut acts: Vec<LastingAct> = Vec::new();
        for act in &self.acts {
            let act = act.clone().ok_or("one of its acts cannot be described")?;
            acts.push(act);
        }
        // The search for a page tried several addresses; only the last one was right.
        if acts.iter().all(|act| matches!(act.action, Action::Go { .. })) {
            acts = acts.pop().into_iter().collect();
        }
        let quoted = quotations(sentence);
        let mut used = Vec::new();
        for act in &mut acts {
            if let Action::Go { url } = &mut act.action {
                *url = below(url, base_url).ok_or("it leads to another site")?;
            }
            // An option comes from the page; typed text must come from the test.
            let is_chosen = matches!(act.action, Action::Select { .. });
            for value in act.action.entered_values_mut() {
                if let Some(at) = quoted.iter().position(|text| text == value) {
                    used.push(at + 1);
                    *value = quotation_mark(at + 1);
                } else if !is_chosen && !sentence.contains(value.as_str()) {
                    return Err("it contains a value that the sentence does not give".to_string());
                }
            }
            number_refs(act);
        }
        // An act beside it may enter a password that the same sentence names.
        let hidden = (1..).zip(&quoted).filter(|(_, text)| secrets.are_in(text)).map(|(number, _)| number);
        used.extend(hidden);
        let entry =
            LockedEntry { part, step: with_marks(sentence, &used), nth, acts, effect: self.effect.clone() };
        let text = serde_json::to_string(&entry).map_err(|err| err.to_string())?;
        if secrets.are_in(&text) {
            return Err("it would contain a secret".to_string());
        }
        Ok(entry)
    }
}

fn below(url: &str, base_url: Option<&str>) -> Option<String> {
    let base = base_url?.trim_end_matches('/');
    let path = url.strip_prefix(base)?;
    if path.is_empty() { Some("/".to_string()) } else { path.starts_with('/').then(|| path.to_string()) }
}

/// The elements of an act are counted from 1, whatever numbers the page had for them: a lock changes only with what it
/// describes.
fn number_refs(act: &mut LastingAct) {
    let mut elements = std::mem::take(&mut act.elements);
    let mut number = 0;
    for selector in act.action.selectors_mut() {
        let Some(signature) = elements.remove(&selector.source) else { continue };
        number += 1;
        let own = format!("e{number}");
        if let Ok(numbered) = Selector::parse(&own) {
            *selector = numbered;
            act.elements.insert(own, signature);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(action: Action, sentence: &str, secret: &str) {
        let act = LastingAct { action, elements: Default::default() };
        let doing = ActInProgress { acts: vec![Some(act)], ..ActInProgress::default() };
        let secrets: Secrets = [secret].into_iter().collect();
        let entry = doing.entry(Part::Step, sentence, 1, Some("http://shop.example"), &secrets);
        assert_eq!(entry.err().as_deref(), Some("it would contain a secret"), "{sentence}");
    }

    #[test]
    fn a_lock_contains_a_secret_in_no_form() {
        let go = |path: &str| Action::Go { url: format!("http://shop.example{path}") };
        let fill = |text: &str| Action::Type { target: None, text: text.to_string() };
        check(fill("hush"), "Type hush", "hush");
        check(fill("a\"b\\"), "Type a\"b\\", "a\"b\\");
        check(go("/?k=h%26sh%20me"), "Go to the page", "h&sh me");
        check(go("/?k=h%26sh+me"), "Go to the page", "h&sh me");
        check(go("/?k=aCZzaCBtZQ=="), "Go to the page", "h&sh me");
    }
}
