//! A case: a page, a few command lines, and what must come of each.
//!
//! Written to be read as data. `{site}` in a line stands for the address of the fixture site, `{other}`
//! for the same site under its other origin, and `{NAME}` for what an earlier step kept by that name.

/// One behaviour that every engine must show.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// A sentence that is true, as the names of tests are.
    pub name: &'static str,
    /// The page that is opened first.
    pub page: &'static str,
    pub steps: &'static [Step],
    /// What is left afterwards would disturb the next case, so that one gets a fresh browser.
    pub untidy: bool,
}

pub const fn case(name: &'static str, page: &'static str, steps: &'static [Step]) -> Case {
    Case { name, page, steps, untidy: false }
}

impl Case {
    pub const fn untidy(mut self) -> Case {
        self.untidy = true;
        self
    }
}

/// One command and what is expected of its reply.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub line: Line,
    pub exit: i32,
    pub checks: [Option<Check>; Step::MOST_CHECKS],
}

#[derive(Debug, Clone, Copy)]
pub enum Line {
    /// Words as they are typed, quotes and all.
    Typed(&'static str),
    /// `eval` of one expression, which is full of quotes by nature.
    Eval(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Check {
    /// Standard output is exactly this.
    Is(&'static str),
    /// Standard output has this in it.
    Has(&'static str),
    /// Standard output does not have this in it.
    Lacks(&'static str),
    /// Standard error has this in it.
    Complains(&'static str),
    /// The reply is JSON and the field at this pointer has this value, written as JSON.
    Field(&'static str, &'static str),
    /// The reply is the page's log and has this line; nothing in it was done by a script.
    Heard(&'static str),
    /// The reply is the page's log and does not have this line.
    Unheard(&'static str),
    /// The reply is the page's log, which ends with this line.
    HeardLast(&'static str),
    /// The word that follows this text in the reply is kept under a name for later steps.
    Keep(&'static str, &'static str),
    /// A PNG of this size was written.
    Png(&'static str, u32, u32),
    /// A file was written that begins with these bytes.
    FileBegins(&'static str, &'static [u8]),
    /// The reply tells of a download whose file name ends so and whose content is this.
    Downloaded(&'static str, &'static str),
}

impl Step {
    const MOST_CHECKS: usize = 4;

    const fn new(line: Line) -> Step {
        Step { line, exit: 0, checks: [None; Step::MOST_CHECKS] }
    }

    pub const fn check(mut self, check: Check) -> Step {
        let mut at = 0;
        while self.checks[at].is_some() {
            at += 1;
        }
        self.checks[at] = Some(check);
        self
    }

    pub const fn exit(mut self, code: i32) -> Step {
        self.exit = code;
        self
    }

    pub const fn is(self, text: &'static str) -> Step {
        self.check(Check::Is(text))
    }

    pub const fn has(self, text: &'static str) -> Step {
        self.check(Check::Has(text))
    }

    pub const fn lacks(self, text: &'static str) -> Step {
        self.check(Check::Lacks(text))
    }

    pub const fn field(self, pointer: &'static str, json: &'static str) -> Step {
        self.check(Check::Field(pointer, json))
    }

    /// Keeps the word that follows `after`; the first word when `after` is empty.
    pub const fn keep(self, name: &'static str, after: &'static str) -> Step {
        self.check(Check::Keep(name, after))
    }
}

/// A command that must work.
pub const fn act(line: &'static str) -> Step {
    Step::new(Line::Typed(line))
}

/// A command that must not work, and what it complains of.
pub const fn refused(code: i32, line: &'static str, complaint: &'static str) -> Step {
    act(line).exit(code).check(Check::Complains(complaint))
}

/// Something done to the page that no user could do.
pub const fn eval(expression: &'static str) -> Step {
    Step::new(Line::Eval(expression))
}

/// An expression in the page has this value.
pub const fn see(expression: &'static str, value: &'static str) -> Step {
    eval(expression).is(value)
}

/// The page's `#status` shows this.
pub const fn says(text: &'static str) -> Step {
    see("document.getElementById('status').textContent", text)
}

const LOG: &str = "JSON.stringify(window.log)";

/// The page recorded this, and nothing that a script made.
pub const fn heard(line: &'static str) -> Step {
    eval(LOG).check(Check::Heard(line))
}

pub const fn unheard(line: &'static str) -> Step {
    eval(LOG).check(Check::Unheard(line))
}

/// The page recorded this last.
pub const fn heard_last(line: &'static str) -> Step {
    eval(LOG).check(Check::HeardLast(line))
}
