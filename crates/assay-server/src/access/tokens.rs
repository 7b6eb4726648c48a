//! Tokens: secrets that clients send, each with a name and a role. Only hashes are kept.
//!
//! A secret has 256 random bits, so its hash needs no slow function. The file is read again when it has changed: a token
//! that is revoked, by whichever process, is refused from the next request on.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::caller::Role;

const VERSION: u32 = 1;

/// No list of tokens is longer.
const LONGEST: u64 = 1024 * 1024;

/// How every token begins, so that scanners for secrets find one in a place where it should not be.
const PREFIX: &str = "assay_";

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("could not use the list of tokens {file}: {source}")]
    Unusable { file: String, source: io::Error },
    #[error("the list of tokens {file} {why}")]
    Wrong { file: String, why: String },
    #[error("expected a name of letters, digits, `-`, `_` and `.`, found `{0}`")]
    Name(String),
    #[error("there is a token called `{0}` already")]
    Exists(String),
    #[error("no token is called `{0}`")]
    Unknown(String),
    #[error("the system gave no random numbers")]
    Random,
}

/// A token as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenInfo {
    pub name: String,
    pub role: Role,
    /// Milliseconds since 1970.
    pub created_at: u64,
}

/// A token with its secret, which is shown once.
#[derive(Debug)]
pub struct NewToken {
    pub info: TokenInfo,
    pub secret: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    name: String,
    role: Role,
    created_at: u64,
    /// Finds the token without looking at its secret.
    id: String,
    /// SHA-256 of the whole token, as hexadecimal digits.
    hash: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Listed {
    version: u32,
    tokens: Vec<Kept>,
}

/// Tells one content of the file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    inode: u64,
    modified: (i64, i64),
    size: u64,
}

/// The tokens as they were read, with the mark of the file at that time; none if there was no file.
type ReadList = (Option<Mark>, Arc<Vec<Kept>>);

/// The list of tokens in a file of the user.
#[derive(Debug)]
pub struct TokenStore {
    file: PathBuf,
    read: Mutex<Option<ReadList>>,
}

impl TokenStore {
    pub fn in_folder(folder: &Path) -> TokenStore {
        TokenStore { file: folder.join("serve-tokens.json"), read: Mutex::default() }
    }

    pub fn list(&self) -> Result<Vec<TokenInfo>, TokenError> {
        Ok(self.tokens()?.iter().map(info_of).collect())
    }

    /// Makes a token. The secret is in the answer, and nowhere else.
    pub fn create(&self, name: &str, role: Role) -> Result<NewToken, TokenError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return Err(TokenError::Name(name.to_string()));
        }
        let _held = self.hold()?;
        let mut tokens = self.tokens()?.as_ref().clone();
        if tokens.iter().any(|known| known.name == name) {
            return Err(TokenError::Exists(name.to_string()));
        }
        let (id, secret) = (random(6)?, random(32)?);
        let secret = format!("{PREFIX}{id}_{secret}");
        let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
        let kept = Kept { name: name.to_string(), role, created_at, id, hash: hash_of(&secret) };
        let info = info_of(&kept);
        tokens.push(kept);
        self.write(tokens)?;
        Ok(NewToken { info, secret })
    }

    /// A service that runs refuses the token from now on.
    pub fn revoke(&self, name: &str) -> Result<TokenInfo, TokenError> {
        let _held = self.hold()?;
        let mut tokens = self.tokens()?.as_ref().clone();
        let at = tokens.iter().position(|known| known.name == name);
        let gone = tokens.remove(at.ok_or_else(|| TokenError::Unknown(name.to_string()))?);
        self.write(tokens)?;
        Ok(info_of(&gone))
    }

    /// The token that was sent, if it is one.
    pub fn find(&self, sent: &str) -> Result<Option<TokenInfo>, TokenError> {
        let id = sent.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')).map(|(id, _)| id);
        let tokens = self.tokens()?;
        let known = tokens.iter().find(|known| Some(known.id.as_str()) == id);
        let hash = hash_of(sent);
        // As long for a wrong secret as for the right one.
        let is_it = known.is_some_and(|known| known.hash.as_bytes().ct_eq(hash.as_bytes()).into());
        Ok(known.filter(|_| is_it).map(info_of))
    }

    fn tokens(&self) -> Result<Arc<Vec<Kept>>, TokenError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let mark = fs::symlink_metadata(&self.file).ok().map(|found| Mark {
            inode: found.ino(),
            modified: (found.mtime(), found.mtime_nsec()),
            size: found.size(),
        });
        if let Some((known, tokens)) = &*read
            && *known == mark
        {
            return Ok(Arc::clone(tokens));
        }
        let tokens = Arc::new(if mark.is_some() { self.read_file()? } else { Vec::new() });
        *read = Some((mark, Arc::clone(&tokens)));
        Ok(tokens)
    }

    fn read_file(&self) -> Result<Vec<Kept>, TokenError> {
        let wrong = |why: String| TokenError::Wrong { file: self.file.display().to_string(), why };
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&self.file)
            .map_err(|source| self.unusable(source))?;
        let facts = file.metadata().map_err(|source| self.unusable(source))?;
        // SAFETY: `geteuid` takes nothing, cannot fail and touches no memory.
        if facts.uid() != unsafe { libc::geteuid() } {
            return Err(wrong("belongs to another user".to_string()));
        }
        if facts.mode() & 0o022 != 0 {
            return Err(wrong("can be written by others; run chmod 600 on it".to_string()));
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).map_err(|source| self.unusable(source))?;
        let listed: Listed =
            serde_json::from_str(&text).map_err(|err| wrong(format!("is damaged: {err}")))?;
        if listed.version > VERSION {
            return Err(wrong("was written by a newer assay".to_string()));
        }
        Ok(listed.tokens)
    }

    fn write(&self, tokens: Vec<Kept>) -> Result<(), TokenError> {
        let listed = Listed { version: VERSION, tokens };
        let text = serde_json::to_string_pretty(&listed).map_err(|err| TokenError::Wrong {
            file: self.file.display().to_string(),
            why: format!("cannot be written: {err}"),
        })?;
        let draft = self.file.with_extension("part");
        let written = write_private(&draft, &text).and_then(|()| fs::rename(&draft, &self.file));
        written.map_err(|source| self.unusable(source))
    }

    /// One process at a time changes the list. Let go when it is dropped.
    fn hold(&self) -> Result<fs::File, TokenError> {
        if let Some(folder) = self.file.parent() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .map_err(|source| self.unusable(source))?;
        }
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.file.with_extension("lock"))
            .map_err(|source| self.unusable(source))?;
        lock.lock().map_err(|source| self.unusable(source))?;
        Ok(lock)
    }

    fn unusable(&self, source: io::Error) -> TokenError {
        TokenError::Unusable { file: self.file.display().to_string(), source }
    }
}

fn write_private(file: &Path, text: &str) -> io::Result<()> {
    // What is left of a process that was killed may have been made by somebody else.
    match fs::remove_file(file) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        _ => {}
    }
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()
}

fn info_of(kept: &Kept) -> TokenInfo {
    TokenInfo { name: kept.name.clone(), role: kept.role, created_at: kept.created_at }
}

fn hash_of(secret: &str) -> String {
    hex(ring::digest::digest(&ring::digest::SHA256, secret.as_bytes()).as_ref())
}

/// A key that nobody guesses.
pub fn random_key() -> Result<String, TokenError> {
    random(32)
}

fn random(bytes: usize) -> Result<String, TokenError> {
    let mut random = vec![0; bytes];
    SystemRandom::new().fill(&mut random).map_err(|_| TokenError::Random)?;
    Ok(hex(&random))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn folder(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("assay-server-tokens-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    #[test]
    fn a_token_is_known_until_it_is_revoked_by_any_process() {
        let folder = folder("life");
        let (server, command) = (TokenStore::in_folder(&folder.0), TokenStore::in_folder(&folder.0));
        assert_eq!(server.find("assay_1_2").unwrap(), None);
        let made = command.create("ci", Role::Run).unwrap();
        assert_eq!(server.find(&made.secret).unwrap(), Some(made.info.clone()));
        assert_eq!(server.list().unwrap(), [made.info]);
        assert!(matches!(server.create("ci", Role::Read), Err(TokenError::Exists(_))));
        command.revoke("ci").unwrap();
        assert_eq!(server.find(&made.secret).unwrap(), None);
        assert!(matches!(command.revoke("ci"), Err(TokenError::Unknown(_))));
    }

    #[test]
    fn the_secret_is_not_in_the_file_and_nobody_else_reads_it() {
        let folder = folder("rest");
        let store = TokenStore::in_folder(&folder.0);
        let made = store.create("ci", Role::Admin).unwrap();
        let file = folder.0.join("serve-tokens.json");
        let text = fs::read_to_string(&file).unwrap();
        let tail = made.secret.rsplit('_').next().unwrap();
        assert!(!text.contains(tail), "{text}");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_secret_that_is_almost_right_is_wrong() {
        let folder = folder("almost");
        let store = TokenStore::in_folder(&folder.0);
        let secret = store.create("ci", Role::Read).unwrap().secret;
        let cut = &secret[..secret.len() - 1];
        for wrong in [cut, &format!("{secret}0"), &secret.to_uppercase(), "assay_", "", "_", "Bearer"] {
            assert_eq!(store.find(wrong).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_plain() {
        let folder = folder("names");
        let store = TokenStore::in_folder(&folder.0);
        for name in ["", "a b", "../x", "a\n", &"x".repeat(65)] {
            assert!(matches!(store.create(name, Role::Read), Err(TokenError::Name(_))), "{name}");
        }
    }
}
