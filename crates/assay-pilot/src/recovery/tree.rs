//! Tier 3: the model is given the whole page, element by element, in as many pages as it takes; and what an outside
//! server has to say about it, where one is attached.

use std::rc::Rc;
use std::time::Duration;

use assay_prompt::{fenced, harmless, shortened};
use assay_protocol::Scene;
use assay_provider::answer::FunctionCall;
use assay_provider::conversation::{FunctionTool, Part, Question, Tool};
use assay_runner::{Controls, LocalFuture, Pilot, PilotOutcome, PilotRecovery, StepTask};
use serde_json::json;

use super::outside::{Attached, OutsideTools};
use crate::asking::Asking;
use crate::model::{CallOutcome, Extras, fly, question_with};
use crate::tool::tool;

const NAME: &str = "tree";
const MEANS: &str = "a closer look at the page";
/// The tool by which further pages are read.
const TREE_PAGE: &str = "tree_page";
/// A page of the tree, in tokens.
const PAGE_TOKENS: usize = 6000;
/// What an outside server says, in characters: about as much as a page of the tree.
const LONGEST_ANSWER: usize = 24_000;
/// An outside server that takes longer is not waited for: the step has other means.
const PATIENCE: Duration = Duration::from_secs(15);

const RULES: &str = "\n\
- This is the last try: what was tried before did not come to an end. You are given the whole page as a tree, in pages \
that you can read by `tree_page`. Look for what the step means where the short list does not show it: behind a menu, in a \
closed part, under another name.\n\
- Tools whose names begin with `outside_` tell more about the page; they change nothing. Only the other tools act.";

/// Asks a last time, with everything that is known of the page.
pub struct TreePilot {
    asking: Asking,
    outside: Option<Rc<dyn OutsideTools>>,
    /// By which it read the page.
    used_outside: bool,
}

impl TreePilot {
    pub fn new(asking: Asking, outside: Option<Rc<dyn OutsideTools>>) -> TreePilot {
        TreePilot { asking, outside, used_outside: false }
    }
}

impl Pilot for TreePilot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recovery(&self) -> Option<PilotRecovery> {
        let means = if self.used_outside { "an outside server's look at the page" } else { MEANS };
        Some(PilotRecovery { tier: 3, means, trouble: None })
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome> {
        Box::pin(async move {
            let mut tree = Tree { outside: self.outside.clone(), attached: None, used_outside: false };
            let left = fly(&self.asking, &mut tree, task, controls).await;
            self.used_outside = tree.used_outside;
            left
        })
    }
}

struct Tree {
    outside: Option<Rc<dyn OutsideTools>>,
    attached: Option<Box<dyn Attached>>,
    used_outside: bool,
}

impl Tree {
    /// Tools of the outside server, or a line about why there are none.
    async fn attach(
        &mut self,
        task: &StepTask,
        page: &str,
        controls: &dyn Controls,
    ) -> Result<Vec<Tool>, String> {
        let Some(outside) = &self.outside else { return Ok(Vec::new()) };
        let endpoint =
            controls.endpoint().ok_or("this browser has no address that a server could attach to")?;
        let attached = outside.attach(&endpoint, page, task.deadline.at_most(PATIENCE)).await?;
        let tools = attached.tools().iter().map(|tool| {
            Tool::Function(FunctionTool {
                name: outside_name(&tool.name),
                description: shortened(&harmless(&tool.description), 400),
                schema: tool.schema.clone(),
                strict: false,
            })
        });
        let tools = tools.collect();
        self.attached = Some(attached);
        Ok(tools)
    }

    async fn ask_outside(
        &mut self,
        call: &FunctionCall,
        task: &StepTask,
        controls: &mut dyn Controls,
    ) -> CallOutcome {
        let failed = |told: String| CallOutcome::To { told, ok: false };
        let Some(attached) = &mut self.attached else { return failed("no server is attached".to_string()) };
        let known = attached.tools().iter().find(|tool| outside_name(&tool.name) == call.name);
        let Some(name) = known.map(|tool| tool.name.clone()) else {
            return failed(format!("there is no tool `{}`", harmless(&call.name)));
        };
        let Some(input) = call.input.json().cloned() else {
            return failed("the arguments are no JSON".to_string());
        };
        let before = controls.look().await;
        let told = attached.call(&name, input, task.deadline.at_most(PATIENCE)).await;
        // A server that says it only reads is believed as far as the page shows it.
        if let (Ok(before), Ok(after)) = (before, controls.look().await)
            && (before.document != after.document || before.url != after.url)
        {
            self.attached = None;
            return failed("the server changed the page; it is not asked any more".to_string());
        }
        match told {
            Ok(text) => {
                self.used_outside = true;
                let text = shortened(&controls.mask(&text), LONGEST_ANSWER);
                let lines: Vec<String> = text.lines().map(plain).collect();
                CallOutcome::To { told: fenced("as an outside server sees it", &lines.join("\n")), ok: true }
            }
            Err(why) => failed(harmless(&controls.mask(&why))),
        }
    }
}

impl Extras for Tree {
    fn name(&self) -> &'static str {
        NAME
    }

    fn question<'a>(
        &'a mut self,
        task: &'a StepTask,
        scene: &'a Scene,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Result<Question, String>> {
        Box::pin(async move {
            let mut more = vec![tree_page_tool()];
            let mut page = page_of(&pages(scene), 1);
            match self.attach(task, &scene.url, controls).await {
                Ok(tools) => more.extend(tools),
                // The tree is there all the same; that something is missing is told to the model and stands in its answer.
                Err(why) => page.push_str(&format!("\n(No outside server: {})", harmless(&why))),
            }
            Ok(question_with(task, RULES, more, vec![Part::Text(page)]))
        })
    }

    fn answer<'a>(
        &'a mut self,
        call: &'a FunctionCall,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Option<CallOutcome>> {
        Box::pin(async move {
            if call.name.starts_with(OUTSIDE) {
                return Some(self.ask_outside(call, task, controls).await);
            }
            if call.name != TREE_PAGE {
                return None;
            }
            let number = call.input.json().and_then(|input| input["number"].as_u64());
            let scene = match controls.look().await {
                Ok(scene) => scene,
                Err(failure) => return Some(CallOutcome::To { told: harmless(&failure.message), ok: false }),
            };
            let pages = pages(&scene);
            let wanted = number.and_then(|number| usize::try_from(number).ok());
            Some(match wanted.filter(|number| (1..=pages.len()).contains(number)) {
                Some(number) => CallOutcome::To { told: page_of(&pages, number), ok: true },
                None => CallOutcome::To {
                    told: format!("the tree has the pages 1 to {}", pages.len()),
                    ok: false,
                },
            })
        })
    }
}

const OUTSIDE: &str = "outside_";

fn outside_name(name: &str) -> String {
    format!("{OUTSIDE}{name}")
}

fn tree_page_tool() -> Tool {
    tool(
        TREE_PAGE,
        "Shows a page of the tree, as it is now.",
        json!({"number": {"type": "integer", "description": "From 1."}}),
    )
}

fn page_of(pages: &[String], number: usize) -> String {
    let what = format!("whole, {number} of {}", pages.len());
    fenced(&what, pages.get(number - 1).map(String::as_str).unwrap_or_default())
}

/// Every element and text of the page, indented by what they lie in, in pieces of a known size.
fn pages(scene: &Scene) -> Vec<String> {
    let mut pages = vec![format!("address: {}\ntitle: {}", harmless(&scene.url), harmless(&scene.title))];
    let mut spent = assay_tokens::count(&pages[0]);
    let mut depths: Vec<usize> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let depth = node.parent.and_then(|parent| depths.get(parent)).map_or(0, |above| above + 1);
        depths.push(depth);
        let mut line = " ".repeat(depth.min(20));
        line.push_str(node.reference.as_deref().unwrap_or("-"));
        line.push_str(&format!(" {}", node.role));
        if !node.name.trim().is_empty() {
            line.push_str(&format!(" \"{}\"", shortened(&harmless(&node.name), 300)));
        }
        if let Some(value) = node.value.as_deref().filter(|value| !value.is_empty()) {
            line.push_str(&format!(" holds \"{}\"", shortened(&harmless(value), 300)));
        }
        if !node.states.is_empty() {
            line.push_str(&format!(" ({})", node.states.join(", ")));
        }
        for key in ["id", "testid", "placeholder", "title", "href"] {
            if let Some(held) = node.attribute(key).map(harmless).filter(|held| !held.is_empty()) {
                line.push_str(&format!(" {key}=\"{}\"", shortened(&held, 120)));
            }
        }
        let cost = assay_tokens::count(&line) + 1;
        if spent + cost > PAGE_TOKENS {
            pages.push(String::new());
            spent = 0;
        }
        spent += cost;
        if let Some(page) = pages.last_mut() {
            if !page.is_empty() {
                page.push('\n');
            }
            page.push_str(&line);
        }
    }
    if scene.truncated
        && let Some(page) = pages.last_mut()
    {
        page.push_str("\n(there is more on the page than could be taken in)");
    }
    pages
}

/// A line of an outside server, with its indentation and without the marks of the fence.
fn plain(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    format!("{}{}", " ".repeat(indent.min(40)), harmless(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::SceneNode;

    #[test]
    fn a_long_page_is_told_whole_in_pages() {
        let node = |at: usize| SceneNode {
            parent: (at > 0).then_some(0),
            reference: Some(format!("e{at}")),
            role: "button".to_string(),
            name: format!("Entry number {at} of a list that never ends"),
            ..SceneNode::default()
        };
        let scene = Scene { nodes: (0..2000).map(node).collect(), ..Scene::default() };
        let pages = pages(&scene);
        assert!(pages.len() > 3, "{}", pages.len());
        assert!(pages.iter().all(|page| assay_tokens::count(page) <= PAGE_TOKENS + 50));
        let whole = pages.join("\n");
        assert!((0..2000).all(|at| whole.contains(&format!("Entry number {at} of"))));
        assert!(page_of(&pages, 2).starts_with("⟦page whole, 2 of "));
    }
}
