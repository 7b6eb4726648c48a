//! Masks secrets in everything that leaves a run: events, and the view of pilots.
//!
//! This file names every field of every type, either as text or as unchanged. A new field that is in neither list
//! does not compile, so nobody can forget one. Unchanged fields come from assay itself (test ids, paths of
//! screenshots, refs, roles, names of pilots): reports use them as keys, and a secret that happens to be `login` must
//! not change them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::secrets::change_texts;
use crate::{
    BlockedRequests, BrowserDialog, CommandRecord, EffectKind, ElementLine, FailedRequest, FaultTried,
    FoundAgain, Healing, Judgement, LastPage, ModelCall, NetworkLine, PilotReport, PilotTurn, Proof,
    RequestShape, RequirementLink, RunFact, SafetyEvent, Scene, SceneNode, Secrets, Signature, TabLine,
    TestLine, TurnAct,
};

/// A type with texts that may contain a secret.
pub trait MaskText {
    fn mask_text(&mut self, secrets: &Secrets);
}

impl MaskText for String {
    fn mask_text(&mut self, secrets: &Secrets) {
        if secrets.are_in(self) {
            *self = secrets.mask(self);
        }
    }
}

impl<T: MaskText> MaskText for Option<T> {
    fn mask_text(&mut self, secrets: &Secrets) {
        self.iter_mut().for_each(|one| one.mask_text(secrets));
    }
}

impl<T: MaskText> MaskText for Vec<T> {
    fn mask_text(&mut self, secrets: &Secrets) {
        self.iter_mut().for_each(|one| one.mask_text(secrets));
    }
}

impl<T: MaskText> MaskText for Box<T> {
    fn mask_text(&mut self, secrets: &Secrets) {
        (**self).mask_text(secrets);
    }
}

impl<T: MaskText> MaskText for BTreeMap<String, T> {
    fn mask_text(&mut self, secrets: &Secrets) {
        self.values_mut().for_each(|one| one.mask_text(secrets));
    }
}

impl MaskText for Value {
    fn mask_text(&mut self, secrets: &Secrets) {
        change_texts(self, &|text| secrets.mask(text));
    }
}

/// Names every field of a struct: those with text, and those that stay.
macro_rules! mask_fields {
    ($($struct:ident { $($text:ident),* } stays { $($stays:ident),* })*) => {$(
        impl MaskText for $struct {
            fn mask_text(&mut self, secrets: &Secrets) {
                let $struct { $($text,)* $($stays: _,)* } = self;
                $($text.mask_text(secrets);)*
            }
        }
    )*};
}

mask_fields! {
    TestLine { name, tags, requirements, links } stays { id, file, browser, fingerprint, basis }
    RequirementLink { code, name } stays { coverage }
    CommandRecord { command, because, runner_up, outcome, url, failed_requests, console_errors, effect }
        stays { pilot, score, margin, ok, code, commits, target, before, after, duration_ms }
    EffectKind { lands, requests, changes } stays { opens }
    RequestShape { path, query, fields } stays { method }
    FailedRequest { method, url, why } stays {}
    BlockedRequests { host } stays { requests }
    LastPage { url, text, console_errors, failed_requests } stays { screenshot }
    ModelCall { model, request_id, answer_id, decided, failure, lines } stays { pilot, usage, duration_ms }
    PilotTurn { acts, told, safety, no_picture } stays { turn, pilot, picture, duration_ms }
    TurnAct { action, label, because, told } stays { outcome, code, target, duration_ms }
    PilotReport { message, safety } stays { pilot, ending, turns, degraded, failure }
    SafetyEvent { message } stays { code, allowed }
    Judgement { claim, reason, expected, found, elements } stays { verdict, standing, may_stand }
    ElementLine { name, value } stays { reference, role, states }
    Proof { faults, left_out, void, hollow } stays {}
    FaultTried { at, fault, reason, claim } stays { step, outcome }
    // An entry of a lock that would hold a secret is never made.
    Healing { found } stays { was, now }
    FoundAgain { was, now, runner_up, because } stays { score, margin }
    Signature { name, marks, within, near } stays { role, place, kind }
    Scene { url, title, nodes, dialog, tabs, downloads } stays { document, view, truncated, due_ms }
    SceneNode { name, value, attributes, options } stays { parent, reference, role, states, area }
    BrowserDialog { message, default } stays { kind }
    NetworkLine { method, url, outcome, fields } stays { kind, failed }
    TabLine { title, url } stays { tab, current }
}

impl MaskText for RunFact {
    fn mask_text(&mut self, secrets: &Secrets) {
        match self {
            RunFact::RunStarted { run: _, suite: _, tests, workers: _, strict: _ } => {
                tests.mask_text(secrets)
            }
            RunFact::FileRejected { file: _, message } => message.mask_text(secrets),
            RunFact::TestStarted { test: _, attempt: _, worker: _ } => {}
            RunFact::StepStarted { test: _, step: _, part: _, text } => text.mask_text(secrets),
            RunFact::CommandStarted { test: _, step: _, command, pilot: _, commits: _, lasting } => {
                command.mask_text(secrets);
                // A resumed run repeats it, so it needs references, not masks.
                *lasting = lasting.take().and_then(|act| secrets.referenced(&act));
            }
            RunFact::Command { test: _, step: _, record } => record.mask_text(secrets),
            RunFact::Retried { test: _, step: _, retry: _, reason } => reason.mask_text(secrets),
            RunFact::ModelCalled { test: _, step: _, call } => call.mask_text(secrets),
            RunFact::TurnEnded { test: _, step: _, turn } => turn.mask_text(secrets),
            RunFact::PilotLeft { test: _, step: _, report } => report.mask_text(secrets),
            RunFact::LockMissed { test: _, step: _, reason } => reason.mask_text(secrets),
            RunFact::Healed { test: _, step: _, healing } => healing.mask_text(secrets),
            // An entry of a lock that would hold a secret is never made.
            RunFact::Resolved { test: _, locked: _ } => {}
            RunFact::Recovered { test: _, step: _, tier: _, reason } => reason.mask_text(secrets),
            RunFact::WayBroken { test: _, step: _, from, to, acts, reason } => {
                from.mask_text(secrets);
                to.mask_text(secrets);
                acts.mask_text(secrets);
                reason.mask_text(secrets);
            }
            RunFact::Blocked { test: _, step: _, blocked } => blocked.mask_text(secrets),
            RunFact::Screenshot { test: _, step: _, path: _, after: _ } => {}
            RunFact::Note { test: _, step: _, text } => text.mask_text(secrets),
            RunFact::StepFinished {
                test: _,
                step: _,
                verdict: _,
                reason,
                judgements,
                marks: _,
                duration_ms: _,
                own_us: _,
            } => {
                reason.mask_text(secrets);
                judgements.mask_text(secrets);
            }
            RunFact::TestFinished {
                test: _,
                attempt: _,
                verdict: _,
                reason,
                flaky: _,
                will_retry: _,
                interrupted: _,
                claims_nothing: _,
                last_page,
                duration_ms: _,
            } => {
                reason.mask_text(secrets);
                last_page.mask_text(secrets);
            }
            RunFact::Proved { test: _, proof } => proof.mask_text(secrets),
            RunFact::RunResumed { tests: _, basis: _ } => {}
            RunFact::RunFinished { interrupted: _, duration_ms: _ } => {}
        }
    }
}

#[cfg(test)]
#[path = "mask_text_tests.rs"]
mod tests;
