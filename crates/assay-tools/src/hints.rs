//! What a client should know of a tool before it calls it.
//!
//! The effects of a tool are those of its usual call, and agents decide by them. A client of another program decides by
//! the hints whether its user is asked, so they speak of all that some arguments can do.

use crate::tool::{Effects, Tool};

/// They look, and some arguments write a file, forget what was logged, or mark the page.
const CAN_WRITE: &[&str] = &["screenshot", "capture_screenshot", "pdf", "highlight", "console", "network"];

/// Some arguments pay, delete, log out, overwrite or run code. A run of tests does what their files say, in a browser of
/// its own.
const CAN_DESTROY: &[&str] = &[
    "do",
    "type",
    "dialog",
    "cookies",
    "storage",
    "route",
    "save_testcase",
    "execute_script",
    "unlink_testcase_from_requirement",
];

impl Tool {
    /// Of everything that a call can do.
    pub fn hints(&self) -> Effects {
        let can_write = CAN_WRITE.contains(&self.name);
        Effects {
            reads_only: self.effects.reads_only && !can_write,
            destroys: self.effects.destroys || CAN_DESTROY.contains(&self.name),
            ..self.effects
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{catalogue, find_tool};

    #[test]
    fn hints_promise_no_more_than_a_call_keeps() {
        for tool in catalogue() {
            let hints = tool.hints();
            assert!(!(hints.reads_only && hints.destroys), "{}", tool.name);
            // A call that looks takes no file to write, and clears nothing.
            let takes =
                |name: &str| tool.input.get("properties").is_some_and(|known| known.get(name).is_some());
            let is_load = tool.name == "load_testcase";
            assert!(!hints.reads_only || !takes("clear"), "{}", tool.name);
            assert!(!hints.reads_only || !takes("path") || is_load, "{}", tool.name);
        }
        for name in super::CAN_WRITE {
            assert!(!find_tool(name).unwrap().hints().reads_only, "{name}");
        }
        for name in super::CAN_DESTROY.iter().chain(&["delete_node", "delete_edge", "delete_tree", "eval"]) {
            assert!(find_tool(name).unwrap().hints().destroys, "{name}");
        }
    }
}
