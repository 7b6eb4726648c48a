//! The pilot and the judge against strict stand-ins for the servers of models, with a page that answers as it is told.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod judging;
mod piloting;
mod stand_in_page;
mod tools;
mod vision;
