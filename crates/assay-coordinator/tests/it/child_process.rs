//! The test binary, started again as another process that plays a part.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::{agent_sessions, bus, copies, crash, device_lock, lock, migration, service, storage_failures};

const PART: &str = "ASSAY_COORDINATOR_TEST_PART";
const FOLDER: &str = "ASSAY_COORDINATOR_TEST_FOLDER";

/// What the child says is told from the words of the test harness by this.
const MARK: &str = "@ ";

/// Does nothing, unless this process was started to play a part.
#[test]
fn plays_its_part() {
    let (Ok(part), Ok(folder)) = (std::env::var(PART), std::env::var(FOLDER)) else { return };
    // The harness may have left its line open.
    println!();
    let folder = Path::new(&folder);
    match part.as_str() {
        "an agent" => agent_sessions::begin_a_call(folder),
        "contend" => lock::contend(folder),
        "wait for a device" => device_lock::wait_for_device(folder),
        "handle events" => bus::handle_until_killed(folder),
        "serve" => service::serve_until_killed(folder),
        "record" => crash::record_until_killed(folder),
        "open" => migration::open_once(folder),
        "replace" => copies::replace(folder),
        "fill" => storage_failures::fill_the_disk(folder),
        "limited" => storage_failures::write_up_to_the_limit(folder),
        other => panic!("there is no part `{other}`"),
    }
}

pub fn say(text: &str) {
    println!("{MARK}{text}");
}

/// A process that plays a part. It is ended when it is dropped.
pub struct Actor {
    pub child: Child,
    pub input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Actor {
    pub fn start(part: &str, folder: &Path) -> Actor {
        Actor::start_by(Command::new(std::env::current_exe().unwrap()), part, folder)
    }

    pub fn start_by(mut command: Command, part: &str, folder: &Path) -> Actor {
        command.args(["--exact", "child_process::plays_its_part", "--nocapture"]);
        command.env(PART, part).env(FOLDER, folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Actor { child, input, output }
    }

    pub fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next thing it says, None when it is over.
    pub fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // Half a line is the last word of one that was killed.
            if let Some(said) = line.strip_prefix(MARK).and_then(|said| said.strip_suffix('\n')) {
                return Some(said.to_owned());
            }
        }
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        // It may be gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
