//! Who may speak to the service: hosts and origins, tokens with roles, and how often.

mod caller;
mod guard;
mod rates;
mod signed_in;
mod tokens;

pub use caller::{Caller, Peer, Role};
pub(crate) use caller::{Door, Seen, by_token, identify, recognise};
pub(crate) use guard::{Guard, is_json, only};
pub(crate) use rates::Rates;
pub(crate) use signed_in::SignedInPages;
pub(crate) use tokens::random_key;
pub use tokens::{NewToken, TokenError, TokenInfo, TokenStore};
