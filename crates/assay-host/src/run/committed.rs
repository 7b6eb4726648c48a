//! The committing acts of a test that came to no result: submitted, paid, deleted. They are not repeated without being asked.

use assay_protocol::{RunEvent, RunFact};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Committed {
    pub done: Vec<String>,
    /// Begun, with an unknown outcome.
    pub doubtful: Vec<String>,
}

impl Committed {
    /// Over all attempts that came to no result: a second life of the run must not forget the first.
    pub fn by(test_id: &str, events: &[RunEvent]) -> Committed {
        let mut committed = Committed::default();
        let mut begun: Option<&str> = None;
        for event in events {
            match &event.what {
                // A user who allows retries accepts repeated acts.
                RunFact::TestFinished { test, will_retry: true, .. } if test == test_id => {
                    committed = Committed::default();
                    begun = None;
                }
                RunFact::TestStarted { test, .. } if test == test_id => committed.doubt(begun.take()),
                RunFact::CommandStarted { test, command, commits: true, .. } if test == test_id => {
                    committed.doubt(begun.replace(command));
                }
                RunFact::Command { test, record, .. }
                    if test == test_id && begun == Some(record.command.as_str()) =>
                {
                    begun = None;
                    match record.code {
                        None if record.ok => committed.done.push(record.command.clone()),
                        Some(code) if code.leaves_it_open() => committed.doubt(Some(&record.command)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        committed.doubt(begun);
        committed
    }

    pub fn is_empty(&self) -> bool {
        self.done.is_empty() && self.doubtful.is_empty()
    }

    /// Each act, and whether it happened: "`click e5` was done".
    pub fn words(&self) -> Vec<String> {
        let done = self.done.iter().map(|command| format!("`{command}` was done"));
        done.chain(self.doubtful.iter().map(|command| format!("`{command}` may have been done"))).collect()
    }

    fn doubt(&mut self, command: Option<&str>) {
        self.doubtful.extend(command.map(str::to_string));
    }
}
