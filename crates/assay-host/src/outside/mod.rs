//! A client for the project's MCP server: started for one step, attached to its browser, and ended with it. It may only
//! read pages; assay ignores its other tools.

mod connection;
mod reading;

use std::path::PathBuf;
use std::rc::Rc;

use assay_driver::Deadline;
use assay_pilot::{Attached, OutsideTool, OutsideTools};
use assay_runner::LocalFuture;
use assay_suite::McpCommand;
use serde_json::{Value, json};

use crate::run::LentBrowsers;
use connection::Connection;

/// Stands for the address of the browser in a command.
const ENDPOINT: &str = "{endpoint}";
/// By which a server of Playwright's kind tells and changes which tab it reads.
const TABS: &str = "browser_tabs";

pub struct McpServer {
    command: Vec<String>,
    tools: Vec<String>,
    folder: PathBuf,
    /// Whose guard ends the server, should we be killed.
    surface: Rc<LentBrowsers>,
}

impl McpServer {
    pub fn new(server: &McpCommand, folder: PathBuf, surface: Rc<LentBrowsers>) -> McpServer {
        McpServer { command: server.command.clone(), tools: server.tools.clone(), folder, surface }
    }

    async fn start(&self, endpoint: &str, page: &str, deadline: Deadline) -> Result<Reader, String> {
        let command: Vec<String> = self.command.iter().map(|word| word.replace(ENDPOINT, endpoint)).collect();
        let own = |group| self.surface.lender.own_group(group);
        let mut connection = Connection::start(&command, &self.folder, own)?;
        connection.shake_hands(deadline).await?;
        let offered = connection.tools(deadline).await?;
        if offered.iter().any(|tool| tool["name"] == TABS) {
            choose_tab(&mut connection, page, deadline).await?;
        }
        let tools: Vec<OutsideTool> =
            offered.iter().filter_map(|tool| reading::taken(tool, &self.tools)).collect();
        if tools.is_empty() {
            return Err("the MCP server offers no read-only tools".to_string());
        }
        Ok(Reader { connection, tools })
    }
}

impl OutsideTools for McpServer {
    fn attach<'a>(
        &'a self,
        endpoint: &'a str,
        page: &'a str,
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<Box<dyn Attached>, String>> {
        Box::pin(async move {
            let reader = self.start(endpoint, page, deadline).await?;
            Ok(Box::new(reader) as Box<dyn Attached>)
        })
    }
}

struct Reader {
    connection: Connection,
    tools: Vec<OutsideTool>,
}

impl Attached for Reader {
    fn tools(&self) -> &[OutsideTool] {
        &self.tools
    }

    fn call<'a>(
        &'a mut self,
        name: &'a str,
        input: Value,
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<String, String>> {
        Box::pin(async move {
            let known = self.tools.iter().find(|tool| tool.name == name);
            let tool =
                known.ok_or_else(|| format!("assay does not use the tool `{name}` of the MCP server"))?;
            // Only offered tools pass, whatever the model wrote.
            reading::check(&input, tool)?;
            self.connection.call(name, input, deadline).await
        })
    }
}

/// A browser has more tabs than the one of the test: the server must read that one and no other.
async fn choose_tab(connection: &mut Connection, page: &str, deadline: Deadline) -> Result<(), String> {
    let list = connection.call(TABS, json!({"action": "list"}), deadline).await?;
    let index = reading::tab_showing(&list, page)
        .ok_or_else(|| "the MCP server does not say which tab shows the page".to_string())?;
    connection.call(TABS, json!({"action": "select", "index": index}), deadline).await?;
    Ok(())
}
