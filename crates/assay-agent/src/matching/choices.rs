//! Which value of a list is said: by one of its words.

use assay_suite::Slot;

use super::clauses::{Mood, Role};
use super::fillers::is_filler;
use super::lexicon::{concept_at, is_verb};
use super::said::Said;
use super::texts::is_of_priority;
use super::tokens::stem;

impl<'a> Said<'a> {
    pub(super) fn choice(&self, slot: &Slot) -> Option<String> {
        // "It fails here. Once more, please": what is told chooses nothing beside a wish.
        let has_wish = self.active.iter().any(|clause| clause.mood == Mood::Wish);
        let told = |at: usize| {
            let mut clauses = self.active.iter().filter(|clause| clause.mood == Mood::Past);
            clauses.any(|clause| clause.from <= at && at < clause.to)
        };
        let is_heard = |at: &usize| !(matches!(self.roles[*at], Role::Mark) || has_wish && told(*at));
        let places: Vec<usize> = self.places().into_iter().filter(is_heard).collect();
        let said = |words: &[String]| -> Option<usize> {
            words.iter().filter_map(|phrase| self.place_of_phrase(phrase, &places)).min()
        };
        let hits: Vec<(usize, &String)> =
            slot.choices.iter().filter_map(|(value, words)| Some((said(words)?, value))).collect();
        // A list is about the kind that the request names first; otherwise the order of the file counts.
        let is_object = slot.choices.iter().flat_map(|(_, words)| words).all(|word| {
            let stem = stem(word);
            concept_at(&[stem.as_str()]).is_some_and(|(concept, _)| !is_verb(concept))
        });
        let hit = match is_object {
            true => hits.iter().min_by_key(|(at, _)| *at),
            false => hits.first(),
        };
        hit.map(|(_, value)| (*value).clone()).or_else(|| self.choice_in_text(slot))
    }

    /// In a text, only `priority high` and `high priority` are said of the choice.
    fn choice_in_text(&self, slot: &Slot) -> Option<String> {
        let name = stem(&slot.name);
        let texts = self.active.iter().filter_map(|clause| Some((clause.text_from?, clause.to)));
        for (from, to) in texts {
            // Beside a quotation, or alone behind the last comma.
            let has_quote = (from..to).any(|at| self.words[at].quote.is_some());
            let last_stop = (from..to)
                .rev()
                .skip_while(|at| self.words[*at].is_mark)
                .find(|at| self.words[*at].is_mark && self.words[*at].is("."));
            let is_last_sentence = last_stop.is_some_and(|stop| {
                let words: Vec<&str> =
                    self.words[stop + 1..to].iter().map(|word| word.raw.as_str()).collect();
                is_of_priority(&words.join(" "))
            });
            let is_apart = |at: usize| {
                is_last_sentence && last_stop.is_some_and(|stop| stop < at)
                    || has_quote && self.words[at].quote.is_none()
                    || at + 1 == to && at > from && self.words[at - 1].is_mark && self.words[at - 1].is(",")
            };
            let apart = (from..to).filter(|at| is_apart(*at)).map(|at| self.words[at].stem());
            for word in apart {
                let hit = slot.choices.iter().find(|(_, words)| words.iter().any(|one| stem(one) == word));
                if let Some((value, _)) = hit {
                    return Some(value.clone());
                }
            }
            for at in (from..to).filter(|at| self.words[*at].stem() == name) {
                let after = (at + 1..to).find(|at| !self.words[*at].is_mark && !self.words[*at].is("is"));
                let near = [after, at.checked_sub(1).filter(|at| *at >= from)];
                for word in near.into_iter().flatten().map(|at| self.words[at].stem()) {
                    let hit =
                        slot.choices.iter().find(|(_, words)| words.iter().any(|one| stem(one) == word));
                    if let Some((value, _)) = hit {
                        return Some(value.clone());
                    }
                }
            }
        }
        None
    }

    pub(super) fn place_of_phrase(&self, phrase: &str, places: &[usize]) -> Option<usize> {
        let stems: Vec<String> = phrase.split_whitespace().map(stem).collect();
        let as_concept = match stems.as_slice() {
            [one] => concept_at(&[one.as_str()]).map(|(concept, _)| concept),
            _ => None,
        };
        places.windows(stems.len()).find_map(|span| {
            // "in all browsers" says nothing of tests.
            let object = (span[0] + 1..self.words.len())
                .find(|at| !matches!(self.roles[*at], Role::Filler | Role::Noise));
            let is_of_devices = stems.len() == 1
                && is_filler(&self.words[span[0]].text)
                && object.is_some_and(|at| matches!(self.roles[at], Role::Concept("device" | "host")));
            if is_of_devices {
                return None;
            }
            let is_near = span.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            let is_free = span
                .iter()
                .all(|at| !matches!(self.roles[*at], Role::Entity(_)) && self.words[*at].quote.is_none());
            let says = is_near
                && is_free
                && span.iter().zip(&stems).all(|(at, stem)| self.words[*at].stem() == *stem);
            let means = as_concept.is_some_and(|concept| match self.roles[span[0]] {
                Role::Concept(said) => said == concept,
                Role::Entity(_) => self
                    .entities
                    .iter()
                    .filter(|entity| entity.from <= span[0] && span[0] < entity.to)
                    .any(|entity| super::score::concept_of_kind(entity.name.kind) == Some(concept)),
                _ => false,
            });
            (says || means).then_some(span[0])
        })
    }
}
