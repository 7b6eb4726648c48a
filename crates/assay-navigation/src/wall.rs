//! Pages that stand in the place of a screen: logins, and errors, whatever their status says.

use assay_protocol::{Scene, in_one_line};

use crate::features::{Spot, heading_of, spots};

/// How pages say that there is nothing to be seen.
const TROUBLE: &[&str] = &[
    "not found",
    "404",
    "page doesn't exist",
    "page does not exist",
    "does not exist",
    "doesn't exist",
    "no longer available",
    "no longer exists",
    "cannot be found",
    "can't be found",
    "could not be found",
    "couldn't be found",
    "couldn't find",
    "something went wrong",
    "an error occurred",
    "internal server error",
    "server error",
    "service unavailable",
    "under maintenance",
    "down for maintenance",
    "access denied",
    "forbidden",
    "permission denied",
    "not authorized",
    "unauthorized",
    "bad gateway",
    "unexpected error",
    "error 500",
    "error 403",
    "nicht gefunden",
    "introuvable",
    "no encontrada",
];

/// Whether a text says that this is no page.
pub(crate) fn says_trouble(text: &str) -> bool {
    let text = in_one_line(text).to_lowercase().replace('\u{2019}', "'");
    TROUBLE.iter().any(|phrase| match text.find(phrase) {
        // `404` is a number of other things, too.
        Some(at) if phrase.bytes().all(|byte| byte.is_ascii_digit()) => {
            let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
            !is_digit(text[..at].chars().next_back()) && !is_digit(text[at + phrase.len()..].chars().next())
        }
        found => found.is_some(),
    })
}

/// What a page says of its own trouble, where that is what the page is about.
pub(crate) fn trouble_of(scene: &Scene) -> Option<String> {
    let heading = heading_of(scene).filter(|heading| says_trouble(heading) && heading.chars().count() <= 60);
    if let Some(heading) = heading {
        return Some(heading.to_string());
    }
    if says_trouble(&scene.title) && scene.title.chars().count() <= 60 {
        return Some(scene.title.clone());
    }
    // A page with little on it is about what it says; a page with much may quote it.
    const LITTLE: usize = 12;
    let spots = spots(scene);
    let texts: Vec<&str> = scene
        .nodes
        .iter()
        .zip(&spots)
        .filter(|(node, spot)| **spot == Spot::Content && node.role == "text")
        .map(|(node, _)| node.name.as_str())
        .collect();
    let has_fields = scene.nodes.iter().zip(&spots).any(|(node, spot)| {
        *spot != Spot::Chrome && matches!(node.role.as_str(), "textbox" | "table" | "combobox" | "grid")
    });
    if texts.len() > LITTLE || has_fields {
        return None;
    }
    texts.into_iter().find(|text| says_trouble(text) && text.chars().count() <= 120).map(str::to_string)
}

/// Whether a text speaks of logging in, so that a field for a password belongs there.
pub(crate) fn speaks_of_login(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "login",
        "log in",
        "log-in",
        "logon",
        "signin",
        "sign in",
        "sign-in",
        "signup",
        "sign up",
        "sign-up",
        "register",
        "registration",
        "password",
        "anmelden",
        "connexion",
        "invitation",
        "setup",
        "install",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::testing::scene;

    #[track_caller]
    fn check(title: &str, lines: &str, expected: Option<&str>) {
        assert_eq!(trouble_of(&scene("/x", title, lines)).as_deref(), expected);
    }

    #[test]
    fn an_error_page_says_so_whatever_its_status() {
        check("Shop", "h1 Page not found", Some("Page not found"));
        check("404 – Shop", "h1 Oops", Some("404 – Shop"));
        check(
            "Shop",
            "h1 Shop\ntext We couldn\u{2019}t find this page",
            Some("We couldn\u{2019}t find this page"),
        );
        check("Issues", "h1 Issues\ntable\n row\n  text Page not found after login", None);
        check("Room 4041", "h1 Room 4041", None);
    }
}
