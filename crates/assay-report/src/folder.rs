//! The name of the folder for a test's evidence.

const LONGEST: usize = 80;

/// Names that mean a device on some systems, whatever their ending.
const RESERVED: &[&str] = &["con", "prn", "aux", "nul", "com", "lpt"];

/// A folder name for the id of a test: safe on every file system, and different
/// for different ids.
///
/// An id that is safe already stays as it is, so that people find it. One that
/// had to be changed gets a number made of the whole id at its end, so that
/// `a/b` and `a b` do not share a folder, and a run finds the same name again.
pub fn folder_name(id: &str) -> String {
    let mut name: String = id.chars().take(LONGEST).map(|it| if is_safe(it) { it } else { '_' }).collect();
    if name.starts_with(['.', '-']) {
        name.replace_range(0..1, "_");
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(|it: char| it.is_ascii_digit());
    let unsafe_as_it_is = RESERVED.contains(&stem) || name.ends_with('.') || name.is_empty();
    if name == id && !unsafe_as_it_is {
        return name;
    }
    let base = match name.trim_matches(['_', '.', '-']) {
        "" => "test",
        base => base,
    };
    format!("{base}-{:08x}", fingerprint(id))
}

/// Capital letters are not safe: on some file systems `Login` and `login` are one folder.
fn is_safe(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-' | '.')
}

/// FNV-1a, which stays the same from one version of Rust to the next.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_id_stays_as_it_is() {
        assert_eq!(folder_name("login_expired_account"), "login_expired_account");
    }

    #[test]
    fn no_id_leads_out_of_the_folder() {
        for id in ["", ".", "..", "../../etc/passwd", "/etc", "a\\b", "a\0b", "nul", "com1", "aux.txt", "x."]
        {
            let name = folder_name(id);
            assert!(
                !name.contains(['/', '\\', '\0']) && !name.starts_with('.') && !name.ends_with('.'),
                "{name}"
            );
            assert!(name.len() > 8 && name != id, "{name}");
        }
    }

    #[test]
    fn different_ids_have_different_folders() {
        let ids = ["login", "Login", "login [1]", "login [2]", "login_1", "login/1", "login (firefox)"];
        let names: std::collections::BTreeSet<String> =
            ids.iter().map(|id| folder_name(id).to_lowercase()).collect();
        assert_eq!(names.len(), ids.len());
    }

    #[test]
    fn long_ids_stay_apart_and_short_enough() {
        let (one, two) = (folder_name(&"é".repeat(300)), folder_name(&"é".repeat(301)));
        assert!(one != two && one.len() <= LONGEST + 9 && two.len() <= LONGEST + 9);
    }
}
