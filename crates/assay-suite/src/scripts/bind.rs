//! The values of a script's parameters for one run.

use super::parameter::ScriptParameter;
use crate::nearest::nearest;

/// Why values do not fit the parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterMistake {
    #[error("unknown parameter `{name}`")]
    Unknown { name: String, nearest: Option<String>, known: Vec<String> },
    #[error("expected a value for the parameter `{name}`, found none")]
    Missing { name: String },
    #[error("expected {expected} for the parameter `{name}`, found `{found}`")]
    WrongKind { name: String, expected: &'static str, found: String },
    #[error("unknown value `{found}` of the parameter `{name}`")]
    NotAllowed { name: String, found: String, nearest: Option<String>, allowed: Vec<String> },
    #[error("expected one value for the parameter `{name}`, found two")]
    Twice { name: String },
}

impl ParameterMistake {
    pub fn hint(&self) -> Option<String> {
        let one_of = |words: &[String]| match words {
            [] => "it takes no parameters".to_string(),
            words => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("valid: {}", words.join(", "))
            }
        };
        match self {
            ParameterMistake::Unknown { nearest: Some(nearest), .. }
            | ParameterMistake::NotAllowed { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            ParameterMistake::Unknown { known, .. } => Some(one_of(known)),
            ParameterMistake::NotAllowed { allowed, .. } => Some(one_of(allowed)),
            ParameterMistake::Missing { name } => Some(format!("--param {name}=…")),
            ParameterMistake::WrongKind { .. } | ParameterMistake::Twice { .. } => None,
        }
    }
}

/// The value of each parameter, in the order of their declarations; those without a value are left out.
pub(super) fn bound(
    parameters: &[ScriptParameter],
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, Vec<ParameterMistake>> {
    let mut mistakes = Vec::new();
    for (place, (name, _)) in given.iter().enumerate() {
        if !parameters.iter().any(|known| known.name == *name) {
            let known: Vec<String> = parameters.iter().map(|known| known.name.clone()).collect();
            let nearest = nearest(name, known.iter().map(String::as_str));
            mistakes.push(ParameterMistake::Unknown { name: name.clone(), nearest, known });
        } else if given[..place].iter().any(|(other, _)| other == name) {
            mistakes.push(ParameterMistake::Twice { name: name.clone() });
        }
    }
    let mut values = Vec::new();
    for parameter in parameters {
        let said = given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone());
        match said.or_else(|| parameter.default.clone()) {
            Some(value) => match mistake_in(parameter, &value) {
                None => values.push((parameter.name.clone(), value)),
                Some(mistake) => mistakes.push(mistake),
            },
            None if parameter.is_required => {
                mistakes.push(ParameterMistake::Missing { name: parameter.name.clone() });
            }
            None => {}
        }
    }
    if mistakes.is_empty() { Ok(values) } else { Err(mistakes) }
}

/// What is wrong with a value. A secret one is not repeated.
pub(super) fn mistake_in(parameter: &ScriptParameter, value: &str) -> Option<ParameterMistake> {
    let name = parameter.name.clone();
    let found = if parameter.is_secret { "•••".to_string() } else { value.to_string() };
    if !parameter.kind.fits(value) {
        return Some(ParameterMistake::WrongKind { name, expected: parameter.kind.expected(), found });
    }
    if parameter.allowed.is_empty() || parameter.allowed.iter().any(|allowed| allowed == value) {
        return None;
    }
    let allowed = parameter.allowed.clone();
    let nearest = nearest(value, allowed.iter().map(String::as_str));
    Some(ParameterMistake::NotAllowed { name, found, nearest, allowed })
}

#[cfg(test)]
mod tests {
    use super::super::parameter::ParameterKind;
    use super::*;

    fn parameters() -> Vec<ScriptParameter> {
        let parameter = |name: &str, kind| ScriptParameter {
            name: name.to_string(),
            kind,
            is_required: false,
            default: None,
            description: None,
            allowed: Vec::new(),
            is_secret: false,
        };
        vec![
            ScriptParameter { is_required: true, ..parameter("count", ParameterKind::Integer) },
            ScriptParameter {
                default: Some("small".to_string()),
                allowed: vec!["small".to_string(), "large".to_string()],
                ..parameter("size", ParameterKind::Text)
            },
            ScriptParameter { is_secret: true, ..parameter("code", ParameterKind::Number) },
        ]
    }

    #[track_caller]
    fn check(given: &[(&str, &str)], expected: &str) {
        let given: Vec<(String, String)> =
            given.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let found = match bound(&parameters(), &given) {
            Ok(values) => values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
            Err(mistakes) => mistakes
                .iter()
                .map(|mistake| {
                    let hint = mistake.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    format!("{mistake}{hint}")
                })
                .collect(),
        };
        assert_eq!(found.join("; "), expected);
    }

    #[test]
    fn values_fit_the_declarations() {
        check(&[("count", "3")], "count=3; size=small");
        check(&[("size", "large"), ("count", "-3"), ("code", "1.5")], "count=-3; size=large; code=1.5");
    }

    #[test]
    fn mistakes_name_the_parameter_and_what_would_be_right() {
        check(&[], "expected a value for the parameter `count`, found none (--param count=…)");
        check(&[("count", "x")], "expected a whole number for the parameter `count`, found `x`");
        check(
            &[("count", "1"), ("size", "smal")],
            "unknown value `smal` of the parameter `size` (did you mean `small`?)",
        );
        check(
            &[("count", "1"), ("size", "x")],
            "unknown value `x` of the parameter `size` (valid: `small`, `large`)",
        );
        check(&[("cuont", "1"), ("count", "1")], "unknown parameter `cuont` (did you mean `count`?)");
        check(&[("count", "1"), ("count", "2")], "expected one value for the parameter `count`, found two");
        check(&[("count", "1"), ("code", "hush")], "expected a number for the parameter `code`, found `•••`");
    }
}
