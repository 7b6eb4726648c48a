//! The pages: HTML files of `site/` with their blanks filled in.

use crate::state::{HARBORS, Theme, Workspace};

pub const STYLE: &str = concat!(include_str!("../site/style.css"), include_str!("../site/widgets.css"));

const HEADER: &str = include_str!("../site/header.html");
const LOGO: &str = include_str!("../site/logo.svg");

/// Which message stands above the login form.
pub enum LoginNotice {
    None,
    Error(&'static str),
    LoggedOut,
}

pub fn login(email: &str, notice: &LoginNotice) -> String {
    let notice = match notice {
        LoginNotice::None => String::new(),
        LoginNotice::Error(text) => format!("<p id=\"error\" class=\"notice bad\" role=\"alert\">{text}</p>"),
        LoginNotice::LoggedOut => {
            "<p id=\"status\" class=\"notice good\" role=\"status\">You are logged out.</p>".to_owned()
        }
    };
    let page = include_str!("../site/login.html").replace("{{email}}", &escape(email));
    finish(&page.replace("{{notice}}", &notice), Theme::System)
}

pub fn dashboard(user: &str, workspace: &Workspace) -> String {
    let page =
        include_str!("../site/dashboard.html").replace("{{harbor}}", &escape(&workspace.settings.harbor));
    inside(&page, "dashboard", Some(user), workspace)
}

pub fn settings(user: &str, workspace: &Workspace, status: &str) -> String {
    let settings = &workspace.settings;
    let harbors: String = HARBORS
        .iter()
        .map(|harbor| {
            let selected = if *harbor == settings.harbor { " selected" } else { "" };
            format!("<option{selected}>{harbor}</option>")
        })
        .collect();
    let mut page = include_str!("../site/settings.html")
        .replace("{{harbors}}", &harbors)
        .replace("{{status}}", &escape(status))
        .replace("{{summary}}", if settings.daily_summary { "checked" } else { "" })
        .replace("{{push}}", if settings.push { "checked" } else { "" })
        .replace("{{foghorn}}", &settings.foghorn.to_string())
        .replace("{{inspection}}", &escape(&settings.inspection));
    for theme in [Theme::System, Theme::Light, Theme::Dark] {
        let checked = if theme == settings.theme { "checked" } else { "" };
        page = page.replace(&format!("{{{{{}}}}}", theme.name()), checked);
    }
    inside(&page, "settings", Some(user), workspace)
}

/// A page of the shop, of the users or of the gallery, for whoever looks.
pub fn framed(
    title: &str,
    content: &str,
    current: &str,
    user: Option<&str>,
    workspace: &Workspace,
) -> String {
    let page =
        include_str!("../site/layout.html").replace("{{title}}", title).replace("{{content}}", content);
    inside(&page, current, user, workspace)
}

pub fn not_found() -> String {
    finish(include_str!("../site/not-found.html"), Theme::System)
}

pub fn error() -> String {
    finish(include_str!("../site/error.html"), Theme::System)
}

/// A page with the header. What users wrote is filled in last, so that it cannot
/// hold a blank itself.
fn inside(page: &str, current: &str, user: Option<&str>, workspace: &Workspace) -> String {
    let settings = &workspace.settings;
    let mut header = HEADER.to_owned();
    for place in ["dashboard", "shop", "users", "gallery", "settings", "cart"] {
        let mark = if place == current { " aria-current=\"page\"" } else { "" };
        header = header.replace(&format!("{{{{at-{place}}}}}"), mark);
    }
    let who = match user {
        Some(_) => include_str!("../site/who.html").trim_end(),
        None => "<div class=\"who\"><a href=\"/login\">Log in</a></div>",
    };
    let header = header.replace("{{who}}", who).replace("{{cart}}", &workspace.cart.count().to_string());
    finish(&page.replace("{{header}}", &header), settings.theme)
        .replace("{{user}}", &escape(user.unwrap_or_default()))
        .replace("{{initials}}", &escape(&initials(&settings.display_name)))
        .replace("{{name}}", &escape(&settings.display_name))
}

fn finish(page: &str, theme: Theme) -> String {
    page.replace("{{logo}}", LOGO).replace("{{theme}}", theme.name())
}

/// The first letters of the first two words, for the round badge.
fn initials(name: &str) -> String {
    let letters = name.split_whitespace().filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    letters.take(2).flat_map(char::to_uppercase).collect()
}

/// Text for a page that is filled in before others: a brace in it opens no blank.
pub fn escape_early(text: &str) -> String {
    escape(text).replace('{', "&#123;")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Workspace {
        let mut workspace = Workspace::default();
        workspace.settings.display_name = "<Ada> {{user}}".to_owned();
        workspace
    }

    #[test]
    fn no_blank_is_left_open() {
        let workspace = Workspace::default();
        for page in [
            login("", &LoginNotice::None),
            dashboard("a@b.c", &workspace),
            settings("a@b.c", &workspace, ""),
            framed("Title", "content", "shop", None, &workspace),
            not_found(),
            error(),
        ] {
            assert!(!page.contains("{{"), "{page}");
        }
    }

    #[test]
    fn what_users_write_is_text() {
        let page = dashboard("a@b.c", &sample());
        assert!(page.contains("&lt;Ada&gt; {{user}}") && !page.contains("<Ada>"));
        assert!(login("\"><script>", &LoginNotice::None).contains("&quot;&gt;&lt;script&gt;"));
    }

    #[test]
    fn the_badge_shows_two_letters() {
        assert_eq!(initials("ada lovelace byron"), "AL");
        assert_eq!(initials(" <é> & 7th "), "É7");
        assert_eq!(initials("  "), "");
    }
}
