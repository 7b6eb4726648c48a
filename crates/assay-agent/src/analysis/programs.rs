//! Scripts that are programs: their exit code and their last words are all the evidence.

use assay_protocol::Verdict;
use assay_report::is_unreachable;

use super::class::{Finding, ResultClass};
use super::judge::Case;
use ResultClass::{Bug, ExternalBlock, ScriptIssue, SystemIssue};

/// Mistakes in the program itself, as the usual interpreters name them: it did not get as far as the application.
const MISTAKES: &[&str] = &[
    "syntaxerror",
    "indentationerror",
    "modulenotfounderror",
    "importerror",
    "nameerror",
    "err_module_not_found",
    "cannot find module",
    "referenceerror",
    "command not found",
    "unbound variable",
    "syntax error",
];

pub(super) fn judge_program(case: &Case<'_>) -> Finding {
    let said = case.said();
    let lower = said.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if case.test.verdict() == Some(Verdict::Error) {
        if has(&["did not finish within"]) {
            let missing = "what the program was waiting for";
            return Finding::open(&[Bug, ExternalBlock, ScriptIssue], "program-too-slow", said, missing);
        }
        return Finding::sure(SystemIssue, "program-broke", said);
    }
    if has(MISTAKES) {
        return Finding::sure(ScriptIssue, "program-has-a-mistake", said);
    }
    if is_unreachable(&said)
        || has(&["connectionrefused", "econnrefused", "getaddrinfo enotfound", "econnreset"])
    {
        return Finding::sure(ExternalBlock, "program-had-no-connection", said);
    }
    if has(&["assertionerror", "assertion failed", "assert "]) {
        return Finding::sure(Bug, "program-claim-is-false", said);
    }
    Finding::open(&[Bug, ScriptIssue], "program-failed", said, "what the exit code of the program means")
}
