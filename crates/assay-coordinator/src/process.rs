//! Identity of processes, and whether they are alive.

use std::fs;
use std::io;

use assay_protocol::Owner;

use crate::StateError;
use crate::time::now_ms;

/// This process as an owner; `doing` says in words what it does.
pub fn this_process(doing: &str) -> Result<Owner, StateError> {
    process(std::process::id(), doing)
}

/// Another process of this machine as an owner.
pub fn process(pid: u32, doing: &str) -> Result<Owner, StateError> {
    describe(pid, doing).map_err(|source| StateError::ProcessUnknown { source })
}

fn describe(pid: u32, doing: &str) -> io::Result<Owner> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let Some(found) = read_stat(&stat) else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "`/proc/PID/stat` has an unexpected format"));
    };
    Ok(Owner {
        pid,
        process_start: found.start,
        boot: line_of("/proc/sys/kernel/random/boot_id")?,
        host: line_of("/proc/sys/kernel/hostname")?,
        pid_namespace: pid_namespace(),
        doing: doing.to_owned(),
        since: now_ms(),
    })
}

/// Whether an owner is alive, as far as it is known without asking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Dead,
    /// It is of another machine, or of another container: only its heartbeat can tell.
    OutOfSight,
}

/// A process counts as alive unless it is certain that it is not.
pub(crate) fn life_of(owner: &Owner, here: &Owner) -> Life {
    if owner.host != here.host {
        return Life::OutOfSight;
    }
    if owner.boot != here.boot {
        return Life::Dead;
    }
    if owner.pid_namespace != here.pid_namespace {
        return Life::OutOfSight;
    }
    match fs::read_to_string(format!("/proc/{}/stat", owner.pid)) {
        Ok(stat) => match read_stat(&stat) {
            Some(found) if found.start != owner.process_start || found.is_over => Life::Dead,
            _ => Life::Alive,
        },
        Err(source) if is_gone(&source) => Life::Dead,
        Err(_) => Life::Alive,
    }
}

/// A process that ends between opening and reading gives "no such process".
fn is_gone(source: &io::Error) -> bool {
    source.kind() == io::ErrorKind::NotFound || source.raw_os_error() == Some(libc::ESRCH)
}

struct Stat {
    /// It has ended, and its parent has not asked how.
    is_over: bool,
    /// In ticks since the machine started.
    start: u64,
}

/// The name in the second field may hold blanks and brackets, so counting begins after the last one.
fn read_stat(stat: &str) -> Option<Stat> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let start = fields.nth(18)?.parse().ok()?;
    Some(Stat { is_over: matches!(state, "Z" | "X" | "x"), start })
}

fn line_of(path: &str) -> io::Result<String> {
    Ok(fs::read_to_string(path)?.trim().to_owned())
}

/// `pid:[4026531836]`. If it cannot be read, all processes count as one namespace.
fn pid_namespace() -> String {
    fs::read_link("/proc/self/ns/pid").map(|link| link.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_brackets_in_its_name_is_read() {
        let fields: Vec<String> = (3..=52).map(|number| number.to_string()).collect();
        let stat = format!("42 (a) b (c)) {}", fields.join(" ").replacen('3', "Z", 1));
        let found = read_stat(&stat).unwrap();
        assert_eq!((found.is_over, found.start), (true, 22));
    }

    #[test]
    fn this_process_lives_and_its_namesakes_do_not() {
        let here = this_process("a test").unwrap();
        assert_eq!(life_of(&here, &here), Life::Alive);
        let earlier = Owner { process_start: here.process_start - 1, ..here.clone() };
        assert_eq!(life_of(&earlier, &here), Life::Dead);
        let before_the_restart = Owner { boot: "another".into(), ..here.clone() };
        assert_eq!(life_of(&before_the_restart, &here), Life::Dead);
        let elsewhere = Owner { host: "elsewhere".into(), boot: "another".into(), ..here.clone() };
        assert_eq!(life_of(&elsewhere, &here), Life::OutOfSight);
        let in_a_container = Owner { pid_namespace: "pid:[1]".into(), ..here.clone() };
        assert_eq!(life_of(&in_a_container, &here), Life::OutOfSight);
    }

    #[test]
    fn a_process_that_ended_is_dead_even_before_its_parent_asks() {
        let here = this_process("a test").unwrap();
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let start = read_stat(&stat).unwrap().start;
        let owner = Owner { pid: child.id(), process_start: start, ..here.clone() };
        assert_eq!(life_of(&owner, &here), Life::Alive);
        child.kill().unwrap();
        // Until the signal arrived it is alive, and then it is dead without anybody having waited for it.
        while life_of(&owner, &here) == Life::Alive {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert_eq!(life_of(&owner, &here), Life::Dead);
    }
}
