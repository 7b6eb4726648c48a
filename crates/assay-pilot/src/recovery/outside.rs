//! An outside server that can tell more about a page. It reads and never acts: what it offers beside that is not taken.

use assay_driver::Deadline;
use assay_runner::LocalFuture;
use serde_json::Value;

/// A server that can be attached to a browser.
pub trait OutsideTools {
    /// Attaches to the browser at `endpoint`, in which `page` is shown. The server ends with what is given back.
    fn attach<'a>(
        &'a self,
        endpoint: &'a str,
        page: &'a str,
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<Box<dyn Attached>, String>>;
}

/// A server that is attached.
pub trait Attached {
    /// Only those that read.
    fn tools(&self) -> &[OutsideTool];

    /// What it says, as text, or why not.
    fn call<'a>(
        &'a mut self,
        name: &'a str,
        input: Value,
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<String, String>>;
}

/// One thing that can be asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct OutsideTool {
    pub name: String,
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
}
