//! Long lists in pages.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Entries of a page.
const LENGTH: usize = 200;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`cursor` is none that this server gave")]
pub struct BadCursor;

/// The page that a cursor stands for, and the cursor of the next one.
pub fn page<T>(all: Vec<T>, cursor: Option<&str>) -> Result<(Vec<T>, Option<String>), BadCursor> {
    let start = cursor.map_or(Ok(0), read)?;
    if start > 0 && start >= all.len() {
        return Err(BadCursor);
    }
    let next = start + LENGTH;
    let cursor = (next < all.len()).then(|| URL_SAFE_NO_PAD.encode(format!("from {next}")));
    Ok((all.into_iter().skip(start).take(LENGTH).collect(), cursor))
}

fn read(cursor: &str) -> Result<usize, BadCursor> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| BadCursor)?;
    let text = String::from_utf8(bytes).map_err(|_| BadCursor)?;
    text.strip_prefix("from ").and_then(|start| start.parse().ok()).ok_or(BadCursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let all: Vec<usize> = (0..450).collect();
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let (entries, next) = page(all.clone(), cursor.as_deref()).unwrap();
            seen.extend(entries);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, all);
    }

    #[test]
    fn a_cursor_from_elsewhere_is_refused() {
        for cursor in
            ["", "x", "200", &URL_SAFE_NO_PAD.encode("from 9000"), &URL_SAFE_NO_PAD.encode("from -1")]
        {
            assert_eq!(page(vec![0; 450], Some(cursor)), Err(BadCursor), "{cursor}");
        }
    }
}
