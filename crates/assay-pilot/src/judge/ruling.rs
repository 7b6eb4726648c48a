//! A verdict from the arguments of a call, read strictly.

use assay_prompt::{harmless, shortened};
use assay_provider::answer::CallInput;
use assay_runner::{ModelVerdict, QuotedEvidence, Ruling};
use serde_json::Value;

pub(super) fn read(input: &CallInput) -> Result<ModelVerdict, String> {
    let fields = input.json().ok_or("the arguments are no JSON")?;
    let ruling = match fields["ruling"].as_str() {
        Some("holds") => Ruling::Holds,
        Some("does_not_hold") => Ruling::DoesNotHold,
        Some("cannot_tell") => Ruling::CannotTell,
        _ => return Err(format!("expected a ruling, found {}", fields["ruling"])),
    };
    let reason = fields["reason"].as_str().ok_or("`reason` is missing")?;
    let evidence = fields["evidence"].as_array().ok_or("`evidence` is missing")?;
    let evidence: Result<Vec<QuotedEvidence>, String> = evidence.iter().map(one).collect();
    Ok(ModelVerdict { ruling, reason: shortened(&harmless(reason), 300), evidence: evidence? })
}

fn one(evidence: &Value) -> Result<QuotedEvidence, String> {
    let text = |name: &str| {
        evidence[name]
            .as_str()
            .map(str::to_string)
            .ok_or_else(|| format!("`{name}` of the evidence is missing"))
    };
    Ok(QuotedEvidence { observation: text("observation")?, quote: text("quote")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(input: Value, expected: Result<Ruling, &str>) {
        let actual = read(&CallInput::Json(input)).map(|verdict| verdict.ruling);
        assert_eq!(actual.as_ref().map_err(String::as_str), expected.as_ref().map_err(|why| *why));
    }

    #[test]
    fn only_a_whole_verdict_is_one() {
        let evidence = json!([{"observation": "o1", "quote": "Ada"}]);
        check(json!({"ruling": "holds", "reason": "so", "evidence": evidence}), Ok(Ruling::Holds));
        check(json!({"ruling": "cannot_tell", "reason": "so", "evidence": []}), Ok(Ruling::CannotTell));
        check(
            json!({"ruling": "passed", "reason": "so", "evidence": []}),
            Err("expected a ruling, found \"passed\""),
        );
        check(json!({"ruling": "holds", "evidence": []}), Err("`reason` is missing"));
        check(json!({"ruling": "holds", "reason": ""}), Err("`evidence` is missing"));
        check(
            json!({"ruling": "holds", "reason": "", "evidence": [{"observation": "o1"}]}),
            Err("`quote` of the evidence is missing"),
        );
    }
}
