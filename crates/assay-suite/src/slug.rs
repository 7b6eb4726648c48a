//! Short names for tests, made of their file and their title.

/// Words that say nothing in a name.
const LITTLE: &[&str] = &["a", "an", "the", "with", "of", "to", "is", "are", "and"];
/// Names become folders, and file systems have limits.
const LONGEST: usize = 100;

/// `login.yaml` with `Login with valid credentials` is `login_valid_credentials`. The file is not repeated when the
/// title begins with it, nor the title when the file says all of it.
pub(crate) fn id(file_stem: &str, title: Option<&str>) -> String {
    let file = words(file_stem);
    let title = words(title.unwrap_or(""));
    let all = if title.starts_with(&file) {
        title
    } else if file.starts_with(&title) {
        file
    } else {
        [file, title].concat()
    };
    let id: String = all.join("_").chars().take(LONGEST).collect();
    if id.is_empty() { "test".to_string() } else { id }
}

fn words(text: &str) -> Vec<String> {
    let all: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let telling: Vec<String> = all.iter().filter(|word| !LITTLE.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { all } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_title_make_one_name() {
        assert_eq!(id("login", Some("Login with valid credentials")), "login_valid_credentials");
        assert_eq!(
            id("login_valid_credentials", Some("Login with valid credentials")),
            "login_valid_credentials"
        );
        assert_eq!(id("login-valid-credentials", Some("Login")), "login_valid_credentials");
        assert_eq!(id("login", Some("Expired account")), "login_expired_account");
        assert_eq!(id("login", None), "login");
        assert_eq!(id("überblick", Some("Größe ${x}")), "überblick_größe_x");
        assert_eq!(id("…", Some("!")), "test");
        assert!(id(&"x".repeat(500), None).len() <= 100);
    }
}
