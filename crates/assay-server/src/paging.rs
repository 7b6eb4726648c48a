//! Lists in pages: a cursor says where the next page begins. Callers hand it back as they got it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

const USUAL: usize = 50;
const MOST: usize = 500;

/// Which page of a list is wanted.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// `next` of the page before; without it the first page.
    pub cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    pub limit: Option<usize>,
}

/// A page of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The cursor of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl PageQuery {
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(USUAL).clamp(1, MOST)
    }

    /// The number before which the page begins, in a list that has the newest first.
    pub fn before(&self) -> Result<Option<u64>, Problem> {
        let wrong = |_| Problem::usage("expected the `next` of another page as `cursor`");
        self.cursor.as_deref().map(|cursor| cursor.parse().map_err(wrong)).transpose()
    }

    /// A page of a list that has the newest first. `found` has one item more than the page, if there are more.
    pub fn newest<S, T>(
        &self,
        mut found: Vec<S>,
        number_of: impl Fn(&S) -> u64,
        show: impl FnMut(S) -> T,
    ) -> Page<T> {
        let has_more = found.len() > self.limit();
        found.truncate(self.limit());
        let next = found.last().filter(|_| has_more).map(|last| number_of(last).to_string());
        Page { items: found.into_iter().map(show).collect(), next }
    }

    /// A page of a list that is put together at once. The cursor counts the items before it.
    pub fn of_whole<T>(&self, whole: Vec<T>) -> Result<Page<T>, Problem> {
        let at = usize::try_from(self.before()?.unwrap_or(0)).unwrap_or(usize::MAX);
        let (count, end) = (whole.len(), at.saturating_add(self.limit()));
        let items = whole.into_iter().skip(at).take(self.limit()).collect();
        Ok(Page { items, next: (end < count).then(|| end.to_string()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(cursor: Option<&str>, limit: usize) -> PageQuery {
        PageQuery { cursor: cursor.map(str::to_string), limit: Some(limit) }
    }

    #[test]
    fn pages_of_a_whole_list_have_every_item_once() {
        let (mut cursor, mut seen) = (None, Vec::new());
        loop {
            let page = query(cursor.as_deref(), 2).of_whole((1..=5).collect::<Vec<_>>()).unwrap();
            seen.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_last_page_says_so() {
        let page = query(None, 2).newest(vec![9_u64, 8], |number| *number, |number| number);
        assert_eq!((page.items, page.next), (vec![9, 8], None));
        let page = query(None, 2).newest(vec![9_u64, 8, 7], |number| *number, |number| number);
        assert_eq!((page.items, page.next), (vec![9, 8], Some("8".to_string())));
    }

    #[test]
    fn a_made_up_cursor_is_a_mistake() {
        assert!(query(Some("x"), 2).before().is_err());
        assert_eq!(query(None, 9999).limit(), MOST);
        assert_eq!(query(None, 0).limit(), 1);
    }
}
