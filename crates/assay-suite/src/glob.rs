//! Patterns of paths: `*` for anything within a name, `?` for one letter, `**` for any number of folders.

/// Whether a path with `/` between its names is one of the pattern. A pattern that names a folder means everything
/// in it.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let names: Vec<&str> = path.split('/').collect();
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return false;
    }
    // Row by row: `reached[n]` says whether the parts so far can end before name `n`.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for part in &parts {
        let mut next = vec![false; names.len() + 1];
        for at in 0..=names.len() {
            if *part == "**" {
                next[at] = reached[at] || (at > 0 && next[at - 1]);
            } else if at > 0 {
                next[at] = reached[at - 1] && name_matches(part, names[at - 1]);
            }
        }
        reached = next;
    }
    // Any prefix of the path is a folder that holds it.
    reached[1..].iter().any(|reached| *reached)
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for wanted in pattern.chars() {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match wanted {
                '*' => reached[at] || (at > 0 && next[at - 1]),
                '?' => at > 0 && reached[at - 1],
                letter => at > 0 && reached[at - 1] && name[at - 1] == letter,
            };
        }
        reached = next;
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stay_within_a_name_and_double_stars_do_not() {
        assert!(matches("tests/*.yaml", "tests/login.yaml"));
        assert!(!matches("tests/*.yaml", "tests/a/login.yaml"));
        assert!(matches("tests/**/*.yaml", "tests/a/b/login.yaml"));
        assert!(matches("tests/**/*.yaml", "tests/login.yaml"));
        assert!(matches("**/drafts", "a/drafts/x.yaml"));
        assert!(matches("tests", "tests/a.yaml"));
        assert!(matches("./tests/", "tests/a.yaml"));
        assert!(matches("**/login_?.yaml", "x/login_1.yaml"));
        assert!(!matches("test", "tests/a.yaml"));
        assert!(!matches("", "tests/a.yaml"));
    }
}
