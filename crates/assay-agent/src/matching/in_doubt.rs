//! Whether a request orders what was made of it. A negation, a question, a report, a condition and a postponement order
//! nothing: what would start is then only offered.
//!
//! Scripts and whatever else changes something are started by plain orders alone. A test acts in a browser of its own, and
//! a question about the application is answered by it; so tests are held back only by words beside what they are called.

use assay_suite::{Skill, SlotKind};
use assay_tools::Group;

use super::by_meaning::runs;
use super::clauses::{Clause, Mood, Role};
use super::fill::holds;
use super::fillers::is_filler;
use super::meaning::{About, Fit, Meanings};
use super::params::params;
use super::reading::Reading;
use super::tokens::{Token, tokens, words_of};
use super::understand::{Order, Question};

const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "without",
    "nobody",
    "none",
    "nothing",
    "neither",
    "nor",
    "nowhere",
    "nope",
    "nah",
    "except",
    "excluding",
    "besides",
    "unlike",
    "hardly",
    "cannot",
    "minus",
];
/// Verbs that keep something from being done, at the beginning of a sentence.
const HOLDS_BACK: &[&str] = &[
    "stop", "avoid", "refrain", "cease", "hold", "wait", "postpone", "delay", "abort", "halt", "prevent",
    "forbid", "undo", "revert", "hesitate", "forget", "beware", "schedule", "plan", "remember",
];
/// Behind a negation, these say that nothing is in the way.
const HARMLESS: &[&str] = &["problem", "hurry", "rush", "urgent", "worries", "doubt", "matter"];
/// "every room but the Blue Room".
const WHOLE: &[&str] = &[
    "all",
    "every",
    "each",
    "any",
    "anything",
    "everything",
    "anyone",
    "everyone",
    "anybody",
    "everybody",
    "nobody",
    "none",
    "nothing",
    "no",
];
const CONDITIONS: &[&str] = &[
    "if",
    "unless",
    "when",
    "whenever",
    "until",
    "till",
    "while",
    "suppose",
    "supposing",
    "imagine",
    "assuming",
    "assume",
    "provided",
    "maybe",
    "perhaps",
    "might",
    "hypothetically",
    "theoretically",
    "whether",
];
/// Beside a time, "after" and "before" put something off.
const ORDERS_IN_TIME: &[&str] = &["after", "before", "once"];
const LATER: &[&str] = &["later", "tomorrow", "tonight", "soon", "eventually", "someday", "sometime", "yet"];
const DAYS: &[&str] =
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"];
const REPORTS: &[&str] = &["already", "yesterday", "ago", "was", "were", "did", "had", "been", "has"];
const SUBJECTS: &[&str] = &[
    "i",
    "we",
    "they",
    "he",
    "she",
    "it",
    "somebody",
    "someone",
    "nobody",
    "everybody",
    "everyone",
    "people",
    "you",
    "there",
    "one",
];
const WISHES: &[&str] = &["want", "need", "like", "love", "please", "let", "lets", "wish", "glad", "happy"];
const QUESTION_WORDS: &[&str] =
    &["who", "whom", "whose", "how", "why", "when", "what", "which", "where", "whether"];
const INVERTED: &[&str] = &[
    "can", "could", "would", "will", "should", "must", "shall", "may", "might", "do", "does", "did", "is",
    "are", "am", "was", "were", "has", "have", "had", "ought",
];
/// What somebody asks to be told, where a polite question would ask for an act.
const TELLS: &[&str] = &[
    "tell",
    "explain",
    "say",
    "know",
    "think",
    "believe",
    "recommend",
    "advise",
    "remember",
    "suggest",
    "describe",
];
const MANNERS: &[&str] = &[
    "please", "kindly", "hi", "hello", "hey", "ok", "okay", "so", "well", "and", "then", "now", "just",
    "also", "but", "atlas", "guardian", "sherlock", "assay", "thanks", "or", "right", "go", "ahead", "yes",
];

/// Why a request is no plain order.
enum Doubt<'w> {
    Negated(&'w Token),
    Question,
    Report,
    Condition(&'w Token),
    Later(&'w Token),
}

/// The words from a beginning to a full stop.
#[derive(Clone, Copy)]
struct Sentence {
    from: usize,
    to: usize,
    has_question_mark: bool,
}

/// What was understood, by its words.
struct Chosen<'a> {
    abouts: Vec<About<'a>>,
    /// The words of its titles, as they are written.
    title: Vec<String>,
    /// The first words of its titles: what it does.
    acts: Vec<String>,
    names: Vec<&'a str>,
    /// Words that a parameter took.
    used: Vec<usize>,
}

impl Reading<'_> {
    /// The question in front of an order that is none, or may be none.
    pub fn in_doubt(
        &self,
        skill: &Skill,
        order: &Order,
        clauses: &[Clause],
        left_out: &[Token],
    ) -> Option<Question> {
        // What only looks is done in any case.
        effects(skill, order).next()?;
        let chosen = self.chosen(order);
        let doubt = match changes_more(skill, order) {
            true => match self.refused(left_out, &chosen) {
                Some(word) => Some(Doubt::Negated(word)),
                None => self.doubt_of_act(&chosen, clauses),
            },
            false => self.doubt_of_test(&chosen, clauses),
        };
        doubt.map(|doubt| offer(order, &doubt))
    }

    fn chosen<'c>(&'c self, order: &'c Order) -> Chosen<'c> {
        let names: Vec<&str> = order
            .slots
            .iter()
            .filter(|(slot, _)| matches!(slot.as_str(), "testcase" | "script" | "requirement"))
            .flat_map(|(_, values)| values)
            .filter_map(|bound| bound.value.as_str())
            .collect();
        let abouts: Vec<About<'_>> = [SlotKind::Testcase, SlotKind::Script]
            .into_iter()
            .flat_map(|kind| Meanings::of(kind, self.index).all)
            .filter(|about| names.contains(&about.name.name.as_str()))
            .collect();
        let written = |title: &String| -> Vec<String> {
            match title.contains(' ') {
                true => tokens(title).into_iter().map(|token| token.text).collect(),
                false => words_of(title),
            }
        };
        let titles: Vec<Vec<String>> = abouts
            .iter()
            .flat_map(|about| std::iter::once(&about.name.name).chain(&about.name.also))
            .filter(|title| !title.contains('/'))
            .map(written)
            .collect();
        let mut used = Vec::new();
        if let Some(script) = order.slots.get("script").and_then(|scripts| scripts.first()) {
            let skip = super::fill::no_values(self.words, self.entities);
            used = params(&script.facts, self.words, &skip).used;
        }
        Chosen {
            acts: titles.iter().filter_map(|title| title.first().cloned()).collect(),
            title: titles.into_iter().flatten().collect(),
            abouts,
            names,
            used,
        }
    }

    /// What was taken out as not meant. A value that another one replaces is no reason to ask.
    fn refused<'w>(&self, left_out: &'w [Token], chosen: &Chosen<'_>) -> Option<&'w Token> {
        let taken = |word: &str| chosen.used.iter().any(|place| self.words[*place].is(word));
        let is_other_value = |token: &Token| {
            NEGATIONS.contains(&token.text.as_str())
                || is_filler(&token.text)
                || matches!(token.stem().as_str(), "test" | "script")
                || chosen.abouts.iter().any(|about| about.allows(&token.text)) && !taken(&token.text)
        };
        left_out.iter().any(|token| !is_other_value(token)).then(|| left_out.first())?
    }

    fn sentences(&self) -> Vec<Sentence> {
        let mut found = Vec::new();
        let mut from = 0;
        for at in 0..=self.words.len() {
            let end = self.words.get(at);
            if end.is_some_and(|word| !(word.is_mark && word.is("."))) {
                continue;
            }
            let has_question_mark = end.is_some_and(|word| word.raw == "?");
            if (from..at).any(|place| !self.words[place].is_mark) {
                found.push(Sentence { from, to: at, has_question_mark });
            }
            from = at + 1;
        }
        found
    }

    /// Whether a word speaks of the order itself: no name, no quotation, no text, no value.
    fn is_plain(&self, at: usize, chosen: &Chosen<'_>, clauses: &[Clause]) -> bool {
        let is_text =
            clauses.iter().any(|clause| clause.text_from.is_some_and(|text| text <= at && at < clause.to));
        let word = &self.words[at];
        let is_name = matches!(self.roles[at], Role::Entity(_)) && !NEGATIONS.contains(&word.text.as_str());
        let is_of_title = chosen.title.contains(&word.text) && !self.is_said_again(&word.text, chosen);
        let is_value = word.quote.is_some() || chosen.used.contains(&at) || is_text;
        !word.is_mark && !is_name && !is_of_title && !is_value
    }

    /// A title explains a negation as often as it says it.
    fn is_said_again(&self, word: &str, chosen: &Chosen<'_>) -> bool {
        let said = self.words.iter().filter(|token| token.is(word)).count();
        let in_title = chosen.title.iter().filter(|other| *other == word).count();
        NEGATIONS.contains(&word) && said > in_title
    }

    fn says_it(&self, from: usize, to: usize, chosen: &Chosen<'_>) -> bool {
        let is_named = self.entities.iter().any(|entity| {
            from <= entity.from && entity.from < to && chosen.names.contains(&entity.name.name.as_str())
        });
        let mut terms = self.terms.iter().filter(|term| from <= term.at && term.at < to);
        is_named
            || terms.any(|term| {
                !is_filler(&self.words[term.at].text)
                    && term
                        .keys
                        .iter()
                        .any(|key| chosen.abouts.iter().any(|about| about.fit(key) == Fit::Strong))
            })
    }

    /// A script, or something else that changes more than a browser.
    fn doubt_of_act(&self, chosen: &Chosen<'_>, clauses: &[Clause]) -> Option<Doubt<'_>> {
        let sentences = self.sentences();
        let is_wish = |one: &Sentence| {
            let mut inside = clauses.iter().filter(|clause| one.from <= clause.from && clause.from < one.to);
            inside.any(|clause| clause.mood == Mood::Wish)
        };
        let names = |one: &Sentence| match chosen.abouts.is_empty() {
            true => is_wish(one),
            false => self.says_it(one.from, one.to, chosen),
        };
        let first = sentences.iter().position(names).unwrap_or(0);
        let plain = |at: &usize| self.is_plain(*at, chosen, clauses);
        for (place, sentence) in sentences.iter().enumerate() {
            let words: Vec<usize> = (sentence.from..sentence.to).filter(plain).collect();
            let says_it = place == first || place > first && names(sentence);
            // "The ferry cannot leave" is the story in front of an order.
            let is_story = place < first && self.tells_a_state(sentence);
            if !is_story && let Some(at) = words.iter().find(|at| self.negates(**at, sentence, chosen)) {
                return Some(Doubt::Negated(&self.words[*at]));
            }
            let doubt = match says_it {
                true => self.doubt_of_form(sentence, &words, chosen),
                // "Reset the demo data. Tomorrow."
                false if place > first => self.puts_off(&words).map(Doubt::Later),
                false => None,
            };
            if doubt.is_some() {
                return doubt;
            }
        }
        None
    }

    fn doubt_of_form(&self, sentence: &Sentence, words: &[usize], chosen: &Chosen<'_>) -> Option<Doubt<'_>> {
        let text = |at: usize| self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
        let begins = (sentence.from..sentence.to)
            .find(|at| !self.words[*at].is_mark && !MANNERS.contains(&text(*at)))?;
        let is_own = words.contains(&begins);
        let is_polite = self.is_polite(words);
        if is_own && HOLDS_BACK.contains(&text(begins)) {
            return Some(Doubt::Negated(&self.words[begins]));
        }
        let asks = sentence.has_question_mark
            || is_own && (QUESTION_WORDS.contains(&text(begins)) || INVERTED.contains(&text(begins)))
            || is_own && text(begins) == "do" && SUBJECTS.contains(&text(begins + 1));
        let wants_words = words.iter().any(|at| TELLS.contains(&text(*at)));
        if asks && (!is_polite || wants_words) {
            return Some(Doubt::Question);
        }
        let is_wish = (begins..sentence.to.min(begins + 5)).any(|at| WISHES.contains(&text(at)))
            || text(begins) == "you";
        let is_subject = is_own && SUBJECTS.contains(&text(begins));
        let is_report = |at: &&usize| REPORTS.contains(&text(**at));
        // "the clerk wiped it", "Anna sends them": another form of what it does.
        let is_other_form = |at: &&usize| {
            let word = &self.words[**at];
            let is_form = word.text.ends_with("ed") || word.text.ends_with('s') && !word.text.ends_with("ss");
            is_form
                && !is_wish
                && **at > begins
                && chosen.acts.iter().any(|act| *act != word.text && stems_alike(act, word))
        };
        if is_subject && !is_wish && !is_polite
            || words.iter().any(|at| is_report(&at))
            || words.iter().any(|at| is_other_form(&at))
        {
            return Some(Doubt::Report);
        }
        let conditions = |at: &&usize| {
            let (word, next) = (text(**at), text(**at + 1));
            let wants_to_know = at
                .checked_sub(1)
                .is_some_and(|before| matches!(text(before), "see" | "know" | "check" | "sure"));
            !wants_to_know
                && CONDITIONS.contains(&word)
                && !(word == "if"
                    && (matches!(next, "possible" | "you" | "needed" | "necessary") || is_polite))
                || ORDERS_IN_TIME.contains(&word) && !(word == "once" && next == "more")
        };
        if let Some(at) = words.iter().find(|at| conditions(at)) {
            return Some(Doubt::Condition(&self.words[*at]));
        }
        self.puts_off(words).map(Doubt::Later)
    }

    /// A test: only what stands beside its name counts, and a question about the application is an order.
    fn doubt_of_test(&self, chosen: &Chosen<'_>, clauses: &[Clause]) -> Option<Doubt<'_>> {
        let text = |at: usize| self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
        let plain = |at: &usize| self.is_plain(*at, chosen, clauses);
        let sentences = self.sentences();
        let naming: Vec<&Clause> =
            clauses.iter().filter(|clause| self.says_it(clause.from, clause.to, chosen)).collect();
        let is_order = |clause: &&Clause| {
            clause.mood == Mood::Wish && matches!(clause.verb, Some("run" | "check" | "explore" | "create"))
        };
        let orders: Vec<&Clause> = clauses.iter().filter(is_order).collect();
        // "Don't run the void pass test, run the boarding pass test."
        let negated_in = |clause: &Clause| {
            let sentence = Sentence { from: clause.from, to: clause.to, has_question_mark: false };
            let checks = (clause.from..clause.to).find(|at| {
                matches!(self.roles[*at], Role::Concept("check" | "validate"))
                    || matches!(text(*at), "that" | "whether" | "if" | "sure" | "still")
            });
            (clause.from..clause.to)
                .filter(plain)
                .filter(|at| checks.is_none_or(|checks| *at < checks))
                // "an invoice that nobody paid"
                .filter(|at| {
                    *at == clause.from || !matches!(text(*at), "nobody" | "none" | "nothing" | "neither")
                })
                .find(|at| self.negates(*at, &sentence, chosen))
        };
        let concerned = || naming.iter().chain(&orders);
        let negated = concerned().find_map(|clause| negated_in(clause));
        let has_clean = concerned().any(|clause| {
            clause.mood != Mood::Negated && negated_in(clause).is_none() && clause.mood != Mood::Past
        });
        if let Some(at) = negated.filter(|_| !has_clean) {
            return Some(Doubt::Negated(&self.words[at]));
        }
        let names = |sentence: &Sentence| self.says_it(sentence.from, sentence.to, chosen);
        let first = sentences.iter().position(names).unwrap_or(0);
        // "run the login test? no way"
        let refusal = sentences.iter().skip(first + 1).find(|one| {
            let begins = (one.from..one.to).find(|at| !self.words[*at].is_mark);
            begins.is_some_and(|at| self.negates(at, one, chosen)) && !names(one)
        });
        if let Some(refusal) = refusal {
            return Some(Doubt::Negated(&self.words[refusal.from]));
        }
        for sentence in sentences.iter().filter(|one| names(one)) {
            let begins = (sentence.from..sentence.to)
                .find(|at| !self.words[*at].is_mark && !MANNERS.contains(&text(*at)))?;
            let is_ordered_elsewhere =
                orders.iter().any(|clause| !(sentence.from <= clause.from && clause.from < sentence.to));
            let words: Vec<usize> = (sentence.from..sentence.to).filter(plain).collect();
            if is_ordered_elsewhere || !words.contains(&begins) {
                continue;
            }
            let is_about_doing = QUESTION_WORDS.contains(&text(begins))
                || matches!(
                    text(begins),
                    "should" | "must" | "shall" | "ought" | "may" | "might" | "did" | "was"
                )
                || matches!(text(begins), "do" | "does")
                    && (begins..sentence.to)
                        .any(|at| matches!(text(at), "need" | "have") && text(at + 1) == "to")
                || text(begins) == "is"
                    && matches!(
                        text(begins + 2),
                        "safe" | "wise" | "necessary" | "worth" | "okay" | "ok" | "needed"
                    );
            if is_about_doing {
                return Some(Doubt::Question);
            }
        }
        let ordered = orders
            .iter()
            .find(|order| naming.is_empty() || naming.iter().any(|clause| clause.from == order.from))?;
        let words: Vec<usize> = (ordered.from..ordered.to).filter(plain).collect();
        let verb = ordered.verb_at.unwrap_or(ordered.from);
        let asks_to_know = words.iter().any(|at| {
            matches!(text(*at), "tell" | "see" | "know" | "check" | "verify" | "show" | "find" | "sure")
        });
        let conditions = |at: &&usize| {
            let (word, next) = (text(**at), text(**at + 1));
            **at > verb
                && (matches!(word, "unless" | "until" | "whenever" | "when")
                    || word == "once" && next != "more"
                    || word == "if" && !asks_to_know && !matches!(next, "possible" | "you"))
        };
        if let Some(at) = words.iter().find(|at| conditions(at)) {
            return Some(Doubt::Condition(&self.words[*at]));
        }
        self.puts_off(&words).map(Doubt::Later)
    }

    fn is_polite(&self, words: &[usize]) -> bool {
        let text = |at: usize| self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
        words.iter().any(|at| {
            matches!((text(*at), text(*at + 1)), ("can" | "could" | "would" | "will", "you"))
                || (text(*at), text(*at + 1)) == ("be", "possible")
                || (text(*at), text(*at + 1)) == ("would", "mind")
                || text(*at) == "please"
        })
    }

    fn negates(&self, at: usize, sentence: &Sentence, chosen: &Chosen<'_>) -> bool {
        let text = |at: usize| self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
        let word = &self.words[at];
        if word.is_mark || word.quote.is_some() || at >= sentence.to {
            return false;
        }
        // "every room but the Blue Room"
        let is_whole = |place: usize| WHOLE.contains(&text(place));
        if word.is("but") && (sentence.from.max(at.saturating_sub(4))..at).any(is_whole)
            || word.is("other") && text(at + 1) == "than"
            || word.is("apart") && text(at + 1) == "from"
            || word.is("leave") && text(at + 1) == "out"
        {
            return true;
        }
        if !NEGATIONS.contains(&word.text.as_str()) || HARMLESS.contains(&text(at + 1)) {
            return false;
        }
        let is_why_not = at > sentence.from && text(at - 1) == "why";
        !is_why_not && !self.names_another_value(at, chosen)
    }

    /// "in Norwegian, not in English": the value that is refused is not the one that was taken.
    fn names_another_value(&self, at: usize, chosen: &Chosen<'_>) -> bool {
        let is_link =
            |place: &usize| matches!(self.words[*place].text.as_str(), "in" | "as" | "the" | "a" | "an");
        let Some(next) = (at + 1..self.words.len()).find(|place| !is_link(place)) else { return false };
        let taken = |word: &str| chosen.used.iter().any(|place| self.words[*place].is(word));
        let word = self.words[next].text.as_str();
        // "script, not test"
        let is_noun = matches!(self.roles[next], Role::Concept("testcase" | "script"));
        let is_value = is_noun || chosen.abouts.iter().any(|about| about.allows(word));
        let is_alone = self.words.get(next + 1).is_none_or(|after| after.is_mark);
        is_value && is_alone && !taken(word)
    }

    /// "The harbour master cannot get in": how things are, not what should not be done.
    fn tells_a_state(&self, sentence: &Sentence) -> bool {
        (sentence.from..sentence.to).all(|at| {
            !NEGATIONS.contains(&self.words[at].text.as_str())
                || at > sentence.from + 1
                    && matches!(
                        self.words[at - 1].text.as_str(),
                        "can"
                            | "could"
                            | "is"
                            | "are"
                            | "was"
                            | "were"
                            | "has"
                            | "have"
                            | "does"
                            | "did"
                            | "will"
                    )
                    && !matches!(self.words[at - 2].text.as_str(), "i" | "we" | "you" | "one" | "it" | "this")
        })
    }

    fn puts_off(&self, words: &[usize]) -> Option<&Token> {
        let text = |at: usize| self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
        // "before my call at 3 pm" is no other time.
        let is_deadline = |at: usize| {
            (at.saturating_sub(4)..at).any(|place| matches!(text(place), "before" | "by" | "since"))
        };
        let at = words.iter().filter(|at| !is_deadline(**at)).find(|at| {
            let (word, next) = (text(**at), text(**at + 1));
            LATER.contains(&word)
                || matches!(word, "on" | "next" | "this") && DAYS.contains(&next)
                || word == "next" && matches!(next, "week" | "month" | "year" | "time")
                || word == "at" && matches!(text(**at + 2), "am" | "pm" | "o'clock")
                || word == "at" && matches!(next, "midnight" | "noon" | "night" | "lunch")
                || word == "at" && next.contains(':')
        })?;
        self.words.get(*at)
    }
}

/// The groups of the calls of an order that change something. What only looks at a device is none.
fn effects<'s>(skill: &'s Skill, order: &'s Order) -> impl Iterator<Item = Option<Group>> + 's {
    skill.workflow.iter().filter(|step| holds(&step.when, &order.slots)).filter_map(|step| {
        match assay_tools::find_tool(&step.tool) {
            None => Some(None),
            Some(tool) => {
                let looks = tool.effects.reads_only || matches!(tool.group, Group::Devices | Group::Browser);
                (!looks).then_some(Some(tool.group))
            }
        }
    })
}

/// Whether more than tests and explorations of an application would begin: these act in a browser of their own.
fn changes_more(skill: &Skill, order: &Order) -> bool {
    !runs(skill, SlotKind::Testcase) && effects(skill, order).any(|group| group != Some(Group::Navigation))
}

fn stems_alike(act: &str, word: &Token) -> bool {
    let bare = |text: &str| super::tokens::stem(text).trim_end_matches('e').to_string();
    let of_past = |text: &str| text.strip_suffix("ed").map(|start| bare(&undoubled(start)));
    bare(act) == word.stem().trim_end_matches('e')
        || of_past(&word.text).is_some_and(|past| past == bare(act))
}

/// `dropp` is `drop`.
fn undoubled(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    match letters.as_slice() {
        [start @ .., one, other] if one == other && !"aeiouls".contains(*one) => {
            start.iter().chain([one]).collect()
        }
        _ => text.to_string(),
    }
}

/// Says what would start, with its values, and offers it.
fn offer(order: &Order, doubt: &Doubt<'_>) -> Question {
    let values = |slot: &str| -> Vec<String> {
        let bound = order.slots.get(slot).into_iter().flatten();
        bound.filter_map(|bound| bound.value.as_str().map(str::to_string)).collect()
    };
    let slot = ["testcase", "script"].into_iter().find(|slot| !values(slot).is_empty());
    let candidates = slot.map_or_else(|| vec![order.skill.clone()], values);
    let mut what = format!("`{}`", candidates.join("`, `"));
    let params = order.slots.get("params").and_then(|values| values.first()?.value.as_object());
    for (name, value) in params.into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        what.push_str(&format!(" {name}={value}"));
    }
    let why = match doubt {
        Doubt::Negated(word) => format!("This says `{}`", word.raw),
        Doubt::Question => "This is a question".to_string(),
        Doubt::Report => "This tells of something".to_string(),
        Doubt::Condition(word) => format!("This depends on something (`{}`)", word.raw),
        Doubt::Later(word) => format!("This is for another time (`{}`)", word.raw),
    };
    Question {
        text: format!("{why}, so nothing was started. Should {what} start now?"),
        candidates,
        skill: Some(order.skill.clone()),
        slot: slot.map(str::to_string),
    }
}
