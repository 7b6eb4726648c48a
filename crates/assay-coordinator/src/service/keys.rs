//! Keys of requests: a request that is sent again with the same key is the same request.

use assay_protocol::Owner;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::{StateTrouble, read_json};
use crate::process::{Life, life_of, this_process};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// A key is known for so long, in milliseconds.
const KEPT: u64 = 48 * 60 * 60 * 1000;

#[derive(Debug, Clone, Copy)]
pub struct RequestKey<'a> {
    /// Who asks for what: the same key of somebody else, or for something else, is another one.
    pub scope: &'a str,
    pub key: &'a str,
    /// Of the whole request.
    pub fingerprint: &'a str,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: u16,
    pub media_type: String,
    pub body: String,
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyState {
    /// Nobody used it; the caller carries its request out now.
    New,
    Answered(KeptAnswer),
    /// The request became this order, and its process died before it answered.
    Ordered(u64),
    /// The request is being carried out.
    UnderWay,
    /// Its process died while it carried the request out: nobody knows what was done.
    Unknown,
    /// Another request has this key.
    Taken,
}

impl Coordinator {
    /// Takes a key for a request, or says what became of the request that has it.
    pub fn claim_key(&self, key: &RequestKey<'_>) -> Result<KeyState, StateError> {
        let here = this_process("assay serve")?;
        self.store.change(|transaction| claim(transaction, key, &here))
    }

    /// Keeps the answer to the request.
    pub fn answer_key(&self, key: &RequestKey<'_>, answer: &KeptAnswer) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE service_key SET status = ?3, media_type = ?4, body = ?5 WHERE scope = ?1 AND key = ?2",
                )?
                .execute(params![key.scope, key.key, answer.status, answer.media_type, answer.body])?;
            Ok(())
        })
    }

    /// Gives a key back: its request was refused before anything was done.
    pub fn release_key(&self, key: &RequestKey<'_>) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "DELETE FROM service_key
                     WHERE scope = ?1 AND key = ?2 AND status IS NULL AND order_number IS NULL",
                )?
                .execute(params![key.scope, key.key])?;
            Ok(())
        })
    }
}

/// What a key stands for in the file.
struct Found {
    fingerprint: String,
    owner: Owner,
    order: Option<u64>,
    answer: Option<KeptAnswer>,
}

fn claim(
    transaction: &Transaction<'_>,
    key: &RequestKey<'_>,
    here: &Owner,
) -> Result<KeyState, StateTrouble> {
    let now = now_ms();
    transaction
        .prepare_cached("DELETE FROM service_key WHERE at < ?1")?
        .execute(params![now.saturating_sub(KEPT)])?;
    let Some(found) = find(transaction, key)? else {
        transaction
            .prepare_cached(
                "INSERT INTO service_key (scope, key, fingerprint, owner, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![key.scope, key.key, key.fingerprint, serde_json::to_string(here)?, now])?;
        return Ok(KeyState::New);
    };
    if found.fingerprint != key.fingerprint {
        return Ok(KeyState::Taken);
    }
    Ok(match (found.answer, found.order) {
        (Some(answer), _) => KeyState::Answered(answer),
        (None, Some(order)) => KeyState::Ordered(order),
        (None, None) if matches!(life_of(&found.owner, here), Life::Dead) => KeyState::Unknown,
        (None, None) => KeyState::UnderWay,
    })
}

fn find(transaction: &Transaction<'_>, key: &RequestKey<'_>) -> Result<Option<Found>, StateTrouble> {
    let row = transaction
        .prepare_cached(
            "SELECT fingerprint, owner, order_number, status, media_type, body FROM service_key
             WHERE scope = ?1 AND key = ?2",
        )?
        .query_row(params![key.scope, key.key], |row| {
            let status: Option<u16> = row.get(3)?;
            let texts: (String, String) = (row.get(4)?, row.get(5)?);
            let answer = status.map(|status| KeptAnswer { status, media_type: texts.0, body: texts.1 });
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<u64>>(2)?, answer))
        })
        .optional()?;
    row.map(|(fingerprint, owner, order, answer)| {
        Ok(Found { fingerprint, owner: read_json(&owner)?, order, answer })
    })
    .transpose()
}

/// In the transaction that accepts the order: there is never one without the other.
pub(super) fn tie_to_order(
    transaction: &Transaction<'_>,
    key: &RequestKey<'_>,
    order: u64,
) -> Result<(), StateTrouble> {
    transaction
        .prepare_cached("UPDATE service_key SET order_number = ?3 WHERE scope = ?1 AND key = ?2")?
        .execute(params![key.scope, key.key, order])?;
    Ok(())
}
