//! Names that clients choose: they stand in paths, and files are named after them.

use crate::problem::Problem;

const LONGEST: usize = 64;

pub fn check_name(name: &str) -> Result<(), Problem> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    match (1..=LONGEST).contains(&name.len()) && name.chars().all(is_plain) {
        true => Ok(()),
        false => Err(Problem::usage(format!(
            "expected a `name` of 1 to {LONGEST} letters, digits, `-` and `_`, found `{}`",
            name.chars().take(LONGEST).collect::<String>()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert!(check_name("nightly-2_b").is_ok());
        for wrong in ["", ".", "..", "a/b", "a b", "ä", "a\n", ".hidden", &"x".repeat(65)] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
    }
}
