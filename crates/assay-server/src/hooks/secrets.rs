//! Secrets of webhooks: in files that only their owner reads, beside the state of the project.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use axum::http::StatusCode;

use crate::private_files;
use crate::problem::Problem;

/// A shorter one could be guessed.
const SHORTEST: usize = 16;
const LONGEST: usize = 1024;

/// The secrets of the webhooks in one direction, by their names.
pub struct HookSecrets {
    folder: PathBuf,
}

impl HookSecrets {
    pub fn in_folder(folder: PathBuf) -> HookSecrets {
        HookSecrets { folder }
    }

    pub fn check(secret: &str) -> Result<(), Problem> {
        let is_fine = (SHORTEST..=LONGEST).contains(&secret.len())
            && secret.chars().all(|letter| letter.is_ascii_graphic() || letter == ' ');
        match is_fine {
            true => Ok(()),
            false => Err(Problem::usage(format!(
                "expected {SHORTEST} to {LONGEST} plain characters as `secret`; `openssl rand -hex 32` makes some"
            ))),
        }
    }

    /// The name must be that of a webhook.
    pub fn keep(&self, name: &str, secret: &str) -> Result<(), Problem> {
        private_files::keep(&self.folder, name, secret).map_err(|err| unusable(&err))
    }

    /// None: there is no such secret.
    pub fn find(&self, name: &str) -> Result<Option<String>, Problem> {
        let opened =
            OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(self.folder.join(name));
        let file = match opened {
            Ok(file) => file,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(unusable(&err)),
        };
        let mut secret = String::new();
        file.take(LONGEST as u64).read_to_string(&mut secret).map_err(|err| unusable(&err))?;
        Ok(Some(secret))
    }

    pub fn remove(&self, name: &str) -> Result<(), Problem> {
        match fs::remove_file(self.folder.join(name)) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => Err(unusable(&err)),
            _ => Ok(()),
        }
    }
}

fn unusable(err: &io::Error) -> Problem {
    let what = format!("the secret of the webhook cannot be used: {err}");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "io", what)
}
