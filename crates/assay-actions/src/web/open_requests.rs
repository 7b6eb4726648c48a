//! The requests of a tab that are not answered yet. A page may leave any number of them open: only so many are followed.

use std::collections::HashMap;

use assay_driver::RequestKind;

/// The maximum number of open requests that are followed.
const FOLLOWED: usize = 2000;
/// How many make room at once, so that a flood of requests does not look through all of them each time.
const ROOM: usize = FOLLOWED / 10;

#[derive(Default)]
pub(crate) struct OpenRequests {
    by_id: HashMap<String, OpenRequest>,
    dropped: u64,
}

pub(crate) struct OpenRequest {
    /// Its line in the network log.
    pub line: u64,
    pub kind: RequestKind,
    pub method: String,
    pub url: String,
}

impl OpenRequests {
    /// A redirect keeps its id: the request continues under the new address.
    pub fn insert(&mut self, id: String, request: OpenRequest) {
        if self.by_id.len() >= FOLLOWED && !self.by_id.contains_key(&id) {
            self.make_room();
        }
        self.by_id.insert(id, request);
    }

    /// What nobody waits for goes first, then the oldest.
    fn make_room(&mut self) {
        let worth = |kind: RequestKind| match kind {
            RequestKind::Document => 2_u8,
            RequestKind::Fetch | RequestKind::Script | RequestKind::FrameDocument => 1,
            RequestKind::Resource | RequestKind::Beacon | RequestKind::Stream => 0,
        };
        let all = self.by_id.iter();
        let mut by_worth: Vec<(u8, u64, String)> =
            all.map(|(id, request)| (worth(request.kind), request.line, id.clone())).collect();
        by_worth.sort();
        for (_, _, id) in by_worth.into_iter().take(ROOM) {
            self.by_id.remove(&id);
            self.dropped += 1;
        }
    }

    pub fn get(&self, id: &str) -> Option<&OpenRequest> {
        self.by_id.get(id)
    }

    pub fn remove(&mut self, id: &str) -> Option<OpenRequest> {
        self.by_id.remove(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &OpenRequest> {
        self.by_id.values()
    }

    pub fn clear(&mut self) {
        self.by_id.clear();
    }

    /// Requests of the old document end without an event; the request for the new document stays.
    pub fn keep_document(&mut self) {
        self.by_id.retain(|_, request| request.kind == RequestKind::Document);
    }

    /// How many are not followed any more although they were open. Only grows.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: u64, kind: RequestKind) -> OpenRequest {
        OpenRequest { line, kind, method: "GET".to_string(), url: format!("/{line}") }
    }

    #[test]
    fn a_flood_of_requests_is_followed_up_to_a_limit() {
        let mut requests = OpenRequests::default();
        requests.insert("page".to_string(), request(0, RequestKind::Document));
        for line in 1..1000 {
            requests.insert(line.to_string(), request(line, RequestKind::Fetch));
        }
        for line in 1000..FOLLOWED as u64 {
            requests.insert(line.to_string(), request(line, RequestKind::Resource));
        }
        assert_eq!(requests.dropped(), 0);
        // The same one under another address is no further one.
        requests.insert("5".to_string(), request(5, RequestKind::Fetch));
        assert_eq!(requests.dropped(), 0);
        requests.insert("new".to_string(), request(5000, RequestKind::Fetch));
        assert_eq!(requests.dropped(), ROOM as u64);
        assert!(
            requests.get("page").is_some() && requests.get("1").is_some() && requests.get("new").is_some()
        );
        assert!(requests.get("1000").is_none(), "the oldest resource went first");
        for line in 6000..20_000 {
            requests.insert(line.to_string(), request(line, RequestKind::Fetch));
        }
        assert!(requests.iter().count() <= FOLLOWED);
        assert!(requests.remove("1").is_none());
        assert!(requests.get("page").is_some(), "the document is waited for to the end");
    }
}
