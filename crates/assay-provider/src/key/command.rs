//! A key that a command prints: `pass show anthropic`, `op read op://…`.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::{Key, KeyError};

/// A password manager may have to be unlocked by hand.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs the command with the shell. It comes from the user's own configuration, never from a project.
pub async fn run(command: &str) -> Result<Key, KeyError> {
    let child = Command::new("/bin/sh")
        .arg("-c")
        .arg(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // What it complains about goes where the user sees it; what it prints is the key.
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn()
        .map_err(|source| KeyError::CommandMissing { source })?;
    let output = match tokio::time::timeout(LIMIT, child.wait_with_output()).await {
        Err(_) => return Err(KeyError::CommandSlow { seconds: LIMIT.as_secs() }),
        Ok(output) => output.map_err(|source| KeyError::CommandMissing { source })?,
    };
    if !output.status.success() {
        return Err(KeyError::CommandFailed { status: output.status.to_string() });
    }
    Key::new(&String::from_utf8_lossy(&output.stdout), "the output of the key command")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_output_is_the_key() {
        let key = run("printf 'sk-from-a-command\\n'").await.unwrap();
        assert_eq!(key.expose(), "sk-from-a-command");
    }

    #[tokio::test]
    async fn a_command_that_fails_gives_no_key_and_tells_none() {
        let error = run("echo sk-secret; exit 3").await.unwrap_err();
        assert_eq!(error.to_string(), "the key command ended with exit status: 3");
        assert_eq!(run("true").await.unwrap_err().to_string(), "the output of the key command is empty");
    }
}
