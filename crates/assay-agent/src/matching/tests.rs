//! Requests in people's own words.
