//! A parameter as a script declares it.

/// A value that a script takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptParameter {
    pub name: String,
    pub kind: ParameterKind,
    pub is_required: bool,
    pub default: Option<String>,
    pub description: Option<String>,
    /// Empty: any value of its kind.
    pub allowed: Vec<String>,
    /// Its value is masked everywhere, and is passed in the environment only.
    pub is_secret: bool,
}

impl ScriptParameter {
    /// A value that fits, for a look at a script without a run.
    pub fn example(&self) -> String {
        let example = match self.kind {
            ParameterKind::Text => "text",
            ParameterKind::Integer | ParameterKind::Number => "1",
            ParameterKind::Boolean => "true",
        };
        self.default.clone().or_else(|| self.allowed.first().cloned()).unwrap_or_else(|| example.to_string())
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ParameterKind {
    #[default]
    Text,
    Integer,
    Number,
    Boolean,
}

impl ParameterKind {
    pub const ALL: [(&'static str, ParameterKind); 4] = [
        ("text", ParameterKind::Text),
        ("integer", ParameterKind::Integer),
        ("number", ParameterKind::Number),
        ("boolean", ParameterKind::Boolean),
    ];

    pub fn name(self) -> &'static str {
        ParameterKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// What a value has to be, for messages.
    pub fn expected(self) -> &'static str {
        match self {
            ParameterKind::Text => "text",
            ParameterKind::Integer => "a whole number",
            ParameterKind::Number => "a number",
            ParameterKind::Boolean => "true or false",
        }
    }

    pub(crate) fn fits(self, value: &str) -> bool {
        match self {
            // An argument of a program cannot hold it.
            ParameterKind::Text => !value.contains('\0'),
            ParameterKind::Integer => value.parse::<i64>().is_ok(),
            ParameterKind::Number => value.parse::<f64>().is_ok_and(f64::is_finite),
            ParameterKind::Boolean => matches!(value, "true" | "false"),
        }
    }
}
