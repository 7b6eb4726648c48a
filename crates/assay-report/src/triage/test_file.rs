//! Rules for tests that are unclear, or claim something that cannot be judged.

use assay_protocol::{CommandRecord, ElementLine, ErrorCode, Verdict};

use super::Class::TestDefect;
use super::case::{Case, short};
use super::rules::RuleFinding;

/// The sentence could not be read; no page could change that.
pub fn sentence_not_understood(case: &Case) -> Option<RuleFinding> {
    let said = said_of_untouched_step(case)?;
    let unread = said.contains("not understood: ") || said.contains("says what to do");
    unread.then_some(())?;
    RuleFinding::sure(TestDefect, not_as_written(case))
}

/// The sentence could be read, and nothing on the page was clear enough for it. What broke on the way says more.
pub fn step_not_clear(case: &Case) -> Option<RuleFinding> {
    said_of_untouched_step(case)?;
    RuleFinding::probable(TestDefect, not_as_written(case))
}

/// Nothing was judged and nothing was tried: it ended at the sentence.
fn said_of_untouched_step<'a>(case: &Case<'a>) -> Option<&'a str> {
    (case.verdict() == Some(Verdict::Inconclusive)).then_some(())?;
    let ending = case.step?.ending.as_ref()?;
    let untouched = ending.judgements.is_empty() && case.failed_command().is_none();
    untouched.then_some(ending.reason.as_str())
}

fn not_as_written(case: &Case) -> String {
    format!("{} cannot be carried out as written", case.place())
}

/// An exact command that no page could carry out.
pub fn command_not_valid(case: &Case) -> Option<RuleFinding> {
    let command = case.failed_command()?;
    let evidence = format!("`{}` at {} is not possible as written", short(&command.command), case.place());
    match command.code? {
        ErrorCode::Usage | ErrorCode::BadSelector => RuleFinding::sure(TestDefect, evidence),
        ErrorCode::UnknownRef | ErrorCode::Unsupported | ErrorCode::EvalFailed => {
            RuleFinding::probable(TestDefect, evidence)
        }
        _ => None,
    }
}

/// A dialog of the browser stood open, and the test does not say how to answer it.
pub fn dialog_not_answered(case: &Case) -> Option<RuleFinding> {
    // The second form stands in records of earlier versions.
    const OPEN: [&str; 2] = ["a browser dialog is open", "a dialog of the browser is open"];
    let said = case.said();
    let open = case.code() == Some(ErrorCode::DialogOpen) || OPEN.iter().any(|words| said.contains(words));
    open.then_some(())?;
    RuleFinding::sure(
        TestDefect,
        format!("a dialog was open at {}, and the test does not say how to answer it", case.place()),
    )
}

/// All its claims were true before the acts that should cause them.
pub fn nothing_was_caused(case: &Case) -> Option<RuleFinding> {
    let attempt = case.attempt.filter(|_| case.test.verdict() == Some(Verdict::Inconclusive))?;
    // Where a step is unclear itself, that is the reason.
    let all_passed = attempt.steps.iter().all(|step| step.verdict() == Some(Verdict::Passed));
    let standing = attempt.standing().filter(|it| !it.may_stand).last().filter(|_| all_passed)?;
    let place = attempt
        .steps
        .iter()
        .find(|step| step.ending.iter().flat_map(|it| &it.judgements).any(|it| std::ptr::eq(it, standing)))
        .map_or("the test".to_owned(), |step| step.place_words());
    RuleFinding::sure(
        TestDefect,
        format!(
            "\"{}\" at {place} was already true before the actions that should cause it, and so was everything else",
            short(&standing.claim)
        ),
    )
}

/// The last action left a required field empty, so the page did not send its form, and no step fills that field.
pub fn form_not_sent(case: &Case) -> Option<RuleFinding> {
    let decisive = case.step?;
    let steps = &case.attempt?.steps;
    let before = steps.iter().take_while(|step| !std::ptr::eq(*step, decisive)).chain([decisive]);
    let acts = || before.clone().flat_map(|step| step.commands.iter().map(move |command| (step, command)));
    let (step, last) = acts().filter(|(_, command)| command.ok).last()?;
    let field = last.outcome.lines().find_map(empty_required_field)?;
    let fills = |command: &CommandRecord| command.because.contains(field) || command.command.contains(field);
    if acts().any(|(_, command)| fills(command)) {
        return None;
    }
    let evidence = format!(
        "\"{}\" is required and was empty at {}, so the page did not send the form, and no step fills it",
        short(field),
        step.place_words()
    );
    RuleFinding::probable(TestDefect, evidence)?.caused_at(step)
}

/// `~ e6 textbox "Password" = "" required invalid`.
fn empty_required_field(line: &str) -> Option<&str> {
    let (element, states) = line.strip_prefix("~ ")?.split_once(" = \"\"")?;
    let is = |state: &str| states.split_whitespace().any(|word| word == state);
    let name = element.split_once('"')?.1.strip_suffix('"')?;
    (is("required") && is("invalid") && !name.is_empty()).then_some(name)
}

/// Several elements fit, and the test does not say which.
pub fn several_could_be_meant(case: &Case) -> Option<RuleFinding> {
    let said = case.said();
    let candidates = case.judgement().filter(|it| it.verdict == Verdict::Inconclusive).map(|it| &it.elements);
    let alike = candidates.is_some_and(|all| all.len() > 1 && all.iter().all(|it| are_alike(it, &all[0])));
    let told = said.contains("could be any of") || said.contains("could be meant");
    (case.code() == Some(ErrorCode::Ambiguous) || alike || told).then_some(())?;
    let which = match candidates.map(Vec::len) {
        Some(count) if count > 1 => format!("which of {count} elements"),
        _ => "which element".to_owned(),
    };
    RuleFinding::sure(TestDefect, format!("{} does not say {which} it means", case.place()))
}

fn are_alike(one: &ElementLine, other: &ElementLine) -> bool {
    (&one.role, &one.name) == (&other.role, &other.name)
}

/// A claim of a kind that nothing on a page can settle.
pub fn claim_cannot_be_judged(case: &Case) -> Option<RuleFinding> {
    let judgement =
        case.judgement().filter(|it| it.verdict == Verdict::Inconclusive && !it.claim.is_empty())?;
    let evidence = format!("the claim of {} cannot be checked on this page", case.place());
    // Earlier versions said "cannot be seen"; their records are still read.
    match ["assay cannot check whether", "cannot be seen"].iter().any(|it| judgement.reason.contains(it)) {
        true => RuleFinding::sure(TestDefect, evidence),
        false => RuleFinding::probable(TestDefect, evidence),
    }
}
