//! Values that nobody can guess.

use ring::rand::{SecureRandom, SystemRandom};

#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the system gave no random numbers")]
pub struct RandomError;

pub fn bytes<const LENGTH: usize>() -> Result<[u8; LENGTH], RandomError> {
    let mut bytes = [0; LENGTH];
    SystemRandom::new().fill(&mut bytes).map_err(|_| RandomError)?;
    Ok(bytes)
}

/// 128 bits as text.
pub fn id() -> Result<String, RandomError> {
    Ok(bytes::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
