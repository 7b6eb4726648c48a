//! Files that the browser saves.
//!
//! WebKit tells nothing of downloads, but writes them into a folder of ours under their own name, with an
//! ending of its own until they are complete; what comes out of a page's memory it writes at once. So the
//! folder is watched, and what is complete is moved to where downloads are wanted, under a name that is free
//! there.

use std::collections::HashMap;
use std::ffi::{CString, OsStr, OsString};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use assay_driver::{DriverError, DriverEvent, EventSink};
use assay_wire::Downloads;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

/// What a file is called while it is being written.
const UNFINISHED: &str = ".wkdownload";

/// So long after a file was written it is known whether it was only to hold the name.
const DOUBT: Duration = Duration::from_millis(20);

/// Tells of every file that is saved into `from`, until that folder goes. `began` is called for each.
pub(crate) fn watch(
    from: PathBuf,
    to: PathBuf,
    sink: Arc<dyn EventSink>,
    began: impl Fn() + Send + 'static,
) -> Result<(), DriverError> {
    let fail = |err| DriverError::io("could not watch the downloads folder", err);
    let mut folder = Folder::open(&from).map_err(fail)?;
    tokio::spawn(async move {
        let to = Downloads::new(&to);
        let mut saved = Saved { from, to, sink, under_way: HashMap::new(), written: Vec::new(), count: 0 };
        loop {
            let count = saved.count;
            tokio::select! {
                changes = folder.changes() => match changes {
                    Ok(changes) => changes.into_iter().for_each(|change| saved.take(change)),
                    Err(_) => return,
                },
                () = tokio::time::sleep(DOUBT), if !saved.written.is_empty() => saved.look_at_written(),
            }
            if saved.count > count {
                began();
            }
        }
    });
    Ok(())
}

struct Saved {
    from: PathBuf,
    to: Downloads,
    sink: Arc<dyn EventSink>,
    /// By the name in the folder that is watched.
    under_way: HashMap<OsString, String>,
    /// Files under their own name that may be complete, or only hold it.
    written: Vec<OsString>,
    count: u64,
}

impl Saved {
    fn take(&mut self, change: Change) {
        let unfinished = |name: &OsStr| {
            let name = name.as_bytes().strip_suffix(UNFINISHED.as_bytes())?;
            Some(OsStr::from_bytes(name).to_os_string())
        };
        match change {
            Change::Appeared(name) => {
                if let Some(name) = unfinished(&name) {
                    self.began(name);
                }
            }
            Change::Written(name) => {
                if unfinished(&name).is_none() {
                    self.written.push(name);
                }
            }
            Change::Arrived(name) => self.ended(&name),
            Change::Vanished(name) => {
                if let Some(name) = unfinished(&name)
                    && let Some(id) = self.under_way.remove(&name)
                {
                    self.to.forget(&id);
                    self.sink.event(DriverEvent::DownloadFinished { id, path: None });
                }
            }
        }
    }

    fn look_at_written(&mut self) {
        for name in std::mem::take(&mut self.written) {
            let mut unfinished = name.clone();
            unfinished.push(UNFINISHED);
            let has_content = std::fs::metadata(self.from.join(&name)).is_ok_and(|file| file.len() > 0);
            let under_way = self.under_way.contains_key(&name) || self.from.join(unfinished).exists();
            if has_content && !under_way {
                self.began(name.clone());
                self.ended(&name);
            }
        }
    }

    fn began(&mut self, name: OsString) {
        self.count += 1;
        let id = format!("download-{}", self.count);
        let shown = self.to.begin(&id, &name.to_string_lossy());
        self.under_way.insert(name, id.clone());
        self.sink.event(DriverEvent::DownloadStarted { id, surface: None, name: shown, url: String::new() });
    }

    fn ended(&mut self, name: &OsStr) {
        let Some(id) = self.under_way.remove(name) else { return };
        let path = self.to.finish(&id, &self.from.join(name));
        self.sink.event(DriverEvent::DownloadFinished { id, path });
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Change {
    Appeared(OsString),
    /// Was closed after something was written to it.
    Written(OsString),
    /// Got this name, having had another.
    Arrived(OsString),
    Vanished(OsString),
}

/// A folder that the kernel watches for us.
struct Folder {
    /// Read like a pipe, which it is not.
    events: Receiver,
}

impl Folder {
    fn open(path: &Path) -> std::io::Result<Folder> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: plain system calls; the path is a terminated text that outlives them, and nobody else owns
        // the descriptor.
        let events = unsafe {
            let events = libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC);
            if events < 0 {
                return Err(std::io::Error::last_os_error());
            }
            let events = OwnedFd::from_raw_fd(events);
            let wanted = libc::IN_CREATE | libc::IN_CLOSE_WRITE | libc::IN_MOVED_TO | libc::IN_DELETE;
            if libc::inotify_add_watch(events.as_raw_fd(), path.as_ptr(), wanted) < 0 {
                return Err(std::io::Error::last_os_error());
            }
            events
        };
        Ok(Folder { events: Receiver::from_owned_fd_unchecked(events)? })
    }

    async fn changes(&mut self) -> std::io::Result<Vec<Change>> {
        let mut buffer = [0_u8; 4096];
        let length = self.events.read(&mut buffer).await?;
        match read_changes(&buffer[..length]) {
            (changes, true) if length > 0 => Ok(changes),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

/// The changes in what the kernel wrote, and whether the folder is still there.
fn read_changes(mut bytes: &[u8]) -> (Vec<Change>, bool) {
    const HEADER: usize = 16;
    let mut changes = Vec::new();
    let mut open = true;
    let number = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_ne_bytes)
    };
    while bytes.len() >= HEADER {
        let (mask, length) = (number(bytes, 4), number(bytes, 12) as usize);
        let name = bytes.get(HEADER..HEADER + length).unwrap_or_default();
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let name = OsStr::from_bytes(name).to_os_string();
        if mask & libc::IN_CREATE != 0 {
            changes.push(Change::Appeared(name));
        } else if mask & libc::IN_CLOSE_WRITE != 0 {
            changes.push(Change::Written(name));
        } else if mask & libc::IN_MOVED_TO != 0 {
            changes.push(Change::Arrived(name));
        } else if mask & libc::IN_DELETE != 0 {
            changes.push(Change::Vanished(name));
        } else if mask & libc::IN_IGNORED != 0 {
            open = false;
        }
        bytes = bytes.get(HEADER + length..).unwrap_or_default();
    }
    (changes, open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl EventSink for Heard {
        fn event(&self, event: DriverEvent) {
            let line = match event {
                DriverEvent::DownloadStarted { name, .. } => format!("started {name}"),
                DriverEvent::DownloadFinished { path, .. } => {
                    format!("finished {}", path.as_deref().unwrap_or("without a file"))
                }
                _ => return,
            };
            self.0.lock().unwrap().push(line);
        }
    }

    impl Heard {
        async fn lines(&self, count: usize) -> Vec<String> {
            for _ in 0..200 {
                if self.0.lock().unwrap().len() >= count {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            self.0.lock().unwrap().clone()
        }
    }

    #[tokio::test]
    async fn files_are_told_of_and_moved_when_they_are_complete() {
        let place = std::env::temp_dir().join(format!("assay-webkit-downloads-{}", std::process::id()));
        let (from, to) = (place.join("from"), place.join("to"));
        std::fs::create_dir_all(&from).unwrap();
        std::fs::create_dir_all(&to).unwrap();
        std::fs::write(to.join("a.txt"), "an older one").unwrap();
        let heard = Arc::new(Heard::default());
        watch(from.clone(), to.clone(), Arc::clone(&heard) as Arc<dyn EventSink>, || {}).unwrap();
        // As WebKit does it: the name is taken first, then the file is written under another.
        std::fs::write(from.join("a.txt"), "").unwrap();
        std::fs::write(from.join("a.txt.wkdownload"), "content").unwrap();
        std::fs::rename(from.join("a.txt.wkdownload"), from.join("a.txt")).unwrap();
        let moved = format!("finished {}", to.join("a (1).txt").display());
        assert_eq!(heard.lines(2).await, ["started a.txt".to_string(), moved]);
        std::fs::write(from.join("memory.txt"), "at once").unwrap();
        let lines = heard.lines(4).await;
        assert_eq!(
            lines[2..],
            ["started memory.txt".to_string(), format!("finished {}", to.join("memory.txt").display())]
        );
        std::fs::write(from.join("b.txt.wkdownload"), "part").unwrap();
        std::fs::remove_file(from.join("b.txt.wkdownload")).unwrap();
        assert_eq!(heard.lines(6).await[4..], ["started b.txt", "finished without a file"]);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
