//! Pages of the console that signed in with a token: each has a cookie that stands for the token, and only at the address
//! that it was given to.
//!
//! A cookie goes to every port of a host, so the token is never in it: other programs of that host would read it. What
//! they read instead is of no use from their own address, ends with the token, and is forgotten when the service ends.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use ring::digest::{SHA256, digest};

use super::tokens::{TokenError, TokenInfo, TokenStore, hex, random_key};

/// Whoever works longer signs in again.
const LASTS: Duration = Duration::from_secs(12 * 3600);

/// No service has more pages open. The oldest gives way.
const MOST: usize = 4096;

struct SignedIn {
    token: TokenInfo,
    address: IpAddr,
    since: Instant,
}

pub struct SignedInPages {
    /// Of this project: another service of the same host has a cookie of its own.
    cookie: String,
    /// By the hash of what the cookie holds.
    open: Mutex<HashMap<String, SignedIn>>,
}

impl SignedInPages {
    pub fn of_project(root: &Path) -> SignedInPages {
        let hash = hex(digest(&SHA256, root.as_os_str().as_encoded_bytes()).as_ref());
        SignedInPages { cookie: format!("assay-{}", &hash[..8]), open: Mutex::default() }
    }

    /// The `Set-Cookie` of a page that may speak for the token from now on.
    pub fn sign_in(&self, token: TokenInfo, address: IpAddr) -> Result<String, TokenError> {
        let secret = random_key()?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, page| page.since.elapsed() < LASTS);
        if open.len() >= MOST
            && let Some(oldest) = open.iter().min_by_key(|(_, page)| page.since).map(|(key, _)| key.clone())
        {
            open.remove(&oldest);
        }
        open.insert(hash_of(&secret), SignedIn { token, address, since: Instant::now() });
        Ok(self.set_cookie(&secret, LASTS.as_secs()))
    }

    /// Ends what the cookies of a request stand for, and gives the `Set-Cookie` that removes them.
    pub fn sign_out(&self, headers: &HeaderMap) -> String {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for secret in self.cookies(headers) {
            open.remove(&hash_of(secret));
        }
        self.set_cookie("", 0)
    }

    /// The token that a page of this address signed in with, while that is still listed.
    pub fn find(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
        tokens: &TokenStore,
    ) -> Result<Option<TokenInfo>, TokenError> {
        let found = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let pages = self.cookies(headers).filter_map(|secret| open.get(&hash_of(secret)));
            let mut pages = pages.filter(|page| page.address == address && page.since.elapsed() < LASTS);
            pages.next().map(|page| page.token.clone())
        };
        match found {
            Some(token) if tokens.list()?.contains(&token) => Ok(Some(token)),
            _ => Ok(None),
        }
    }

    fn cookies<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, value)| *name == self.cookie && !value.is_empty()).map(|(_, value)| value)
    }

    fn set_cookie(&self, secret: &str, seconds: u64) -> String {
        let name = &self.cookie;
        format!("{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict")
    }
}

/// What is in memory opens nothing.
fn hash_of(secret: &str) -> String {
    hex(digest(&SHA256, secret.as_bytes()).as_ref())
}
