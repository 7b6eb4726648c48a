//! Model APIs behind one trait.
//!
//! Knows how questions are put to models and answers are read: formats, streams, retries, caches,
//! money, keys, recordings. Does not know what the questions are about: nothing of browsers, tests or
//! verdicts. Prints nothing and reads no environment; whatever it needs is given to it.

pub mod answer;
mod backoff;
mod budget;
mod cache_minimum;
pub mod cassette;
mod client;
mod clock;
pub mod conversation;
mod error;
mod estimate;
mod event;
pub mod formats;
pub mod key;
mod moment;
mod money;
mod price;
mod provider;
mod round_trip;
mod service;
mod sse;
pub mod transport;
mod usage;

pub use backoff::Backoff;
pub use budget::{Budget, BudgetError, Limits, Reservation, Spent};
pub use cache_minimum::cache_minimum;
pub use client::{ClientParts, ModelClient};
pub use clock::Clock;
pub use error::ProviderError;
pub use event::{Event, ReplyListener, Silence};
pub use money::Money;
pub use price::{Price, PriceList, PriceListError};
pub use provider::{Provider, Terms};
pub use round_trip::{RoundTrip, RoundTripError, round_trip};
pub use service::{ModelName, SERVICES, Service, UnknownService};
pub use sse::{EventTooLong, SseEvent, SseReader};
pub use usage::Usage;
