//! A client for the project's MCP server: started for one step, attached to its browser, and ended with it. It may only
//! read pages; assay ignores its other tools.

mod reading;

use std::path::PathBuf;
use std::rc::Rc;

use assay_daemon::OwnedGroup;
use assay_driver::Deadline;
use assay_mcp::{Client, ClientOptions, Opening, ServerProcess};
use assay_pilot::{Attached, OutsideTool, OutsideTools};
use assay_runner::LocalFuture;
use assay_suite::McpCommand;
use serde_json::{Map, Value, json};

use crate::run::LentBrowsers;

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
        let mut process = ServerProcess::start(&command, &self.folder).map_err(|err| err.to_string())?;
        let group = process.group().map(|group| self.surface.lender.own_group(group));
        let options = ClientOptions {
            name: "assay".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            opening: Opening::Either,
            user: None,
        };
        let client = Client::of_process(&mut process, options, deadline.remaining()).await;
        let server =
            Server { client: client.map_err(|err| err.to_string())?, _group: group, _process: process };
        let offered = server.client.tools(deadline.remaining()).await.map_err(|err| err.to_string())?;
        if offered.iter().any(|tool| tool.name == TABS) {
            server.choose_tab(page, deadline).await?;
        }
        let tools: Vec<OutsideTool> =
            offered.iter().filter_map(|tool| reading::taken(tool, &self.tools)).collect();
        if tools.is_empty() {
            return Err("the MCP server offers no read-only tools".to_string());
        }
        Ok(Reader { server, tools })
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
    server: Server,
    tools: Vec<OutsideTool>,
}

/// A server and all that it started.
struct Server {
    client: Client,
    /// Ends before the process is let go of: until then its number is its own.
    _group: Option<OwnedGroup>,
    _process: ServerProcess,
}

impl Server {
    /// The texts of a tool's answer.
    async fn call(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        deadline: Deadline,
    ) -> Result<String, String> {
        let called =
            self.client.call(name, arguments, deadline.remaining()).await.map_err(|err| err.to_string())?;
        if called.is_error {
            Err(format!("the MCP server reported an error: {}", called.text))
        } else {
            Ok(called.text)
        }
    }

    /// A browser has more tabs than the one of the test: the server must read that one and no other.
    async fn choose_tab(&self, page: &str, deadline: Deadline) -> Result<(), String> {
        let list = self.call(TABS, fields(json!({"action": "list"})), deadline).await?;
        let index = reading::tab_showing(&list, page)
            .ok_or_else(|| "the MCP server does not say which tab shows the page".to_string())?;
        self.call(TABS, fields(json!({"action": "select", "index": index})), deadline).await?;
        Ok(())
    }
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
            self.server.call(name, fields(input), deadline).await
        })
    }
}

fn fields(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
