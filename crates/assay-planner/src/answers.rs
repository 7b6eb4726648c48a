//! What people answered to questions of an earlier call.

/// One answer. Without an id it is for whoever can use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenAnswer {
    pub id: Option<String>,
    pub text: String,
}

/// Answers, one a line: `id: text`, or only the text. Lines that begin with `#` are the reader's own.
pub fn read_answers(text: &str) -> Vec<GivenAnswer> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| match line.split_once(':') {
            Some((id, rest)) if is_id(id) && !rest.starts_with("//") && !rest.trim().is_empty() => {
                GivenAnswer { id: Some(id.trim().to_string()), text: rest.trim().to_string() }
            }
            _ => GivenAnswer { id: None, text: line.to_string() },
        })
        .collect()
}

fn is_id(word: &str) -> bool {
    let word = word.trim();
    !word.is_empty()
        && word.len() <= 24
        && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, id: Option<&str>, text: &str) {
        let expected = GivenAnswer { id: id.map(str::to_string), text: text.to_string() };
        assert_eq!(read_answers(line), [expected]);
    }

    #[test]
    fn an_answer_names_its_question_or_none() {
        check("address: http://127.0.0.1:80/", Some("address"), "http://127.0.0.1:80/");
        check("q1: only guests", Some("q1"), "only guests");
        check("http://127.0.0.1/", None, "http://127.0.0.1/");
        check("Guests only: no members", None, "Guests only: no members");
        check("# a remark\n\nq2: yes\n", Some("q2"), "yes");
    }
}
