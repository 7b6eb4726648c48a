//! Functions that nearly every test calls are handed over as ones that are called at once.
//!
//! V8 reads a function that it need not run yet only as far as its end, and a second time when it is called; what is in
//! parentheses it reads once, as a whole. A new process reads all that it runs for the first time, and a test is a new
//! process. Which functions they are says `eager.txt`, after what a login calls (`bench/page-script --called`).

/// The functions of a script that are named, as expressions in parentheses. Each line keeps its number.
pub(crate) fn eager(script: &str, names: &[&str]) -> String {
    let mut lines: Vec<String> = script.lines().map(str::to_string).collect();
    for at in 0..lines.len() {
        let line = lines[at].clone();
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let Some(opened) = declared(text, names).or_else(|| arrow(text, names)) else { continue };
        match opened {
            Opened::Whole(whole) => lines[at] = format!("{indent}{whole}"),
            Opened::Begun { begun, end } => {
                let end = format!("{indent}{end}");
                let ends = lines.iter().skip(at).position(|line| *line == end);
                let ends = at + ends.expect("a function ends at the depth that it began at");
                lines[at] = format!("{indent}{begun}");
                lines[ends] = format!("{indent}}});");
            }
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A line that declares a function, as it is to be.
enum Opened {
    Whole(String),
    Begun { begun: String, end: &'static str },
}

/// `function name(…) {`
fn declared(text: &str, names: &[&str]) -> Option<Opened> {
    let rest = text.strip_prefix("async ").unwrap_or(text).strip_prefix("function ")?;
    let (name, _) = rest.split_once('(')?;
    let is_it = names.contains(&name) && text.ends_with('{');
    is_it.then(|| Opened::Begun { begun: format!("var {name} = ({text}"), end: "}" })
}

/// `const name = (…) => {`, or with an expression up to the end of the line.
fn arrow(text: &str, names: &[&str]) -> Option<Opened> {
    let (name, function) = text.strip_prefix("const ")?.split_once(" = ")?;
    if !names.contains(&name) {
        return None;
    }
    let (kind, function) = match function.strip_prefix("async ") {
        Some(function) => ("async function", function),
        None => ("function", function),
    };
    let (parameters, body) = function.split_at(parameters_end(function)?);
    let body = body.strip_prefix(" => ")?;
    let begun = format!("const {name} = ({kind} {parameters} {{");
    match body {
        "{" => Some(Opened::Begun { begun, end: "};" }),
        _ if body.starts_with('{') || !body.ends_with(';') => None,
        _ => Some(Opened::Whole(format!("{begun} return {body} }});"))),
    }
}

/// Where parameters in parentheses end.
fn parameters_end(function: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in function.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::PAGE_SOURCE;

    #[test]
    fn every_form_of_a_function_is_put_in_parentheses() {
        let script = "\
(() => {
  function one(a) {
    const two = (b = f(a)) => b + 1;
    if (a) {
      two();
    }
  }
  async function three() {
  }
  const four = async (a, b) => {
    await b;
  };
  const other = (a) => a;
})();
";
        let read = "\
(() => {
  var one = (function one(a) {
    const two = (function (b = f(a)) { return b + 1; });
    if (a) {
      two();
    }
  });
  var three = (async function three() {
  });
  const four = (async function (a, b) {
    await b;
  });
  const other = (a) => a;
})();
";
        assert_eq!(eager(script, &["one", "two", "three", "four"]), read);
    }

    #[test]
    fn functions_of_other_names_and_shapes_stay_as_they_are() {
        let script = "function oneMore(a) {\n}\nconst one = {\n};\nconst two = f(() => 1);\nconst three = (a) =>\n  a;\n";
        assert_eq!(eager(script, &["one", "two", "three"]), script);
    }

    /// What is named and is not there would have been read late, and nobody would have known.
    #[test]
    fn every_name_of_the_list_is_a_function_of_the_scripts() {
        let scripts = [include_str!("early.js"), PAGE_SOURCE].concat();
        for name in include_str!("eager.txt").split_whitespace() {
            assert_ne!(eager(&scripts, &[name]), scripts, "{name}");
        }
    }

    /// An arrow has those of what is around it, and an expression has its own.
    #[test]
    fn functions_have_neither_this_nor_arguments() {
        for script in [include_str!("early.js"), PAGE_SOURCE] {
            let code = script.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
            for line in code {
                let own = ["this.", "this)", "this,", "this;", "arguments"];
                assert!(!own.iter().any(|own| line.contains(own)), "{line}");
            }
        }
    }
}
