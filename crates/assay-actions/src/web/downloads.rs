//! The downloads of a browser, in order. A page may start any number of them: only the last ones are kept.

use std::collections::VecDeque;

use assay_protocol::Download;

/// The maximum number of downloads that are kept.
const KEPT: usize = 500;

const UNDER_WAY: &str = "under way";

#[derive(Default)]
pub(crate) struct Downloads {
    kept: VecDeque<Known>,
    total: u64,
}

struct Known {
    number: u64,
    id: String,
    download: Download,
}

/// The downloads since a moment.
#[derive(Debug, PartialEq)]
pub(crate) struct DownloadsSince {
    pub downloads: Vec<Download>,
    /// How many more there were, of which nothing is kept.
    pub dropped: u64,
}

impl Downloads {
    /// How many there were. Only grows.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The oldest one that is over makes room; if none is, the oldest of all.
    pub fn started(&mut self, id: String, name: String) {
        if self.kept.len() == KEPT {
            let over = self.kept.iter().position(|known| known.download.state != UNDER_WAY);
            self.kept.remove(over.unwrap_or(0));
        }
        let download = Download { name, path: None, state: UNDER_WAY.to_string() };
        self.kept.push_back(Known { number: self.total, id, download });
        self.total += 1;
    }

    pub fn finished(&mut self, id: &str, path: Option<String>) {
        if let Some(known) = self.kept.iter_mut().find(|known| known.id == id) {
            known.download.state = if path.is_some() { "done" } else { "failed" }.to_string();
            known.download.path = path;
        }
    }

    pub fn since(&self, number: u64) -> DownloadsSince {
        let downloads: Vec<Download> = self.newer(number).map(|known| known.download.clone()).collect();
        let dropped = self.total.saturating_sub(number) - downloads.len() as u64;
        DownloadsSince { downloads, dropped }
    }

    pub fn are_over_since(&self, number: u64) -> bool {
        self.newer(number).all(|known| known.download.state != UNDER_WAY)
    }

    fn newer(&self, number: u64) -> impl Iterator<Item = &Known> {
        self.kept.iter().filter(move |known| known.number >= number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_over_make_room_first_and_what_is_gone_is_counted() {
        let mut downloads = Downloads::default();
        downloads.started("slow".to_string(), "slow.zip".to_string());
        for number in 1..KEPT {
            downloads.started(number.to_string(), format!("{number}.txt"));
            downloads.finished(&number.to_string(), Some(format!("/tmp/{number}.txt")));
        }
        assert_eq!(downloads.since(0).dropped, 0);
        for number in 0..3 {
            downloads.started(format!("more-{number}"), "more.txt".to_string());
        }
        let since = downloads.since(0);
        assert_eq!((since.downloads.len(), since.dropped), (KEPT, 3));
        assert_eq!(since.downloads[0].name, "slow.zip", "it is under way, so the finished ones went first");
        assert_eq!(since.downloads[1].name, "4.txt");
        assert_eq!(downloads.since(downloads.total() - 3).dropped, 0);
        downloads.finished("slow", None);
        assert!(!downloads.are_over_since(downloads.total() - 1));
        assert_eq!(downloads.since(0).downloads[0].state, "failed");
        // One that was dropped may end unheard.
        downloads.finished("1", None);
    }

    #[test]
    fn without_an_end_the_oldest_makes_room() {
        let mut downloads = Downloads::default();
        for number in 0..=KEPT {
            downloads.started(number.to_string(), number.to_string());
        }
        assert_eq!(downloads.since(0).downloads[0].name, "1");
    }
}
