//! Explores an application: opens and reads pages, but clicks, types and submits nothing.

use std::time::Duration;

use assay_actions::{Call, Policy};
use assay_driver::Deadline;
use assay_planner::{Exclusion, FieldRules, Followable, LinkRules, Linked, PageSeen, followable};
use assay_protocol::{Action, Answer, ErrorCode, Failure, Scene, Selector};
use assay_runner::TestSurface;

/// How far one looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The page that is named; of those it links to, only what they are called.
    Page,
    /// The pages that it links to as well.
    Site,
}

/// The maximum number of links to follow per page.
const MOST_LINKS: usize = 12;
/// The maximum number of pages in a plan.
const MOST_PAGES: usize = 8;
const PAGE_TIME: Duration = Duration::from_secs(30);

pub struct PagesSeen {
    /// The first is the one that was named.
    pub pages: Vec<PageSeen>,
    pub excluded: Vec<Exclusion>,
}

/// Opens the page and follows its links to pages of the same site.
pub async fn look(surface: &mut dyn TestSurface, address: &str, depth: Depth) -> Result<PagesSeen, Failure> {
    let mut looker = Looker { surface, document: None };
    let mut first = match looker.open(address).await? {
        Opened::Page(page) => *page,
        Opened::NoPage => {
            return Err(Failure::new(
                ErrorCode::NavigationFailed,
                format!("{address} is a file, not a page"),
            ));
        }
        Opened::Status(status) => {
            return Err(Failure::new(
                ErrorCode::NavigationFailed,
                format!("{address} answered with status {status}"),
            ));
        }
    };
    looker.look_closer(&mut first).await?;
    let (links, mut excluded) = followable(&first.scene);
    let links = looker.kept(links, &mut excluded).await?;
    let mut others = Vec::new();
    for link in links {
        let outcome = match looker.open(&link.url).await {
            Ok(Opened::Page(page)) if origin(&page.scene.url) == origin(&first.scene.url) => {
                let landing = page.landing();
                others.push(*page);
                Ok(landing)
            }
            Ok(Opened::Page(_)) => Err("it redirects to another site".to_string()),
            Ok(Opened::NoPage) => Err("it leads to a file, not a page".to_string()),
            Ok(Opened::Status(status)) => Err(format!("its page answered with status {status}: check it")),
            Err(failure) if is_of_the_page(failure.code) => Err(failure.message),
            Err(failure) => return Err(failure),
        };
        first.links.push(Linked { name: link.name, outcome });
    }
    let mut pages = vec![first];
    if depth == Depth::Site {
        for page in others {
            if pages.iter().any(|known| known.path() == page.path()) {
                continue;
            }
            if pages.len() == MOST_PAGES {
                excluded
                    .push(Exclusion::new(page.path(), format!("a plan covers at most {MOST_PAGES} pages")));
                continue;
            }
            // Refs are of the document, which is another one by now.
            if let Ok(Opened::Page(mut again)) = looker.open(&page.scene.url).await {
                looker.look_closer(&mut again).await?;
                pages.push(*again);
            }
        }
    }
    Ok(PagesSeen { pages, excluded })
}

/// The whole text of a page, for searching.
pub fn all_text(page: &PageSeen) -> String {
    let texts = page.scene.nodes.iter().map(|node| node.name.as_str()).filter(|name| !name.is_empty());
    std::iter::once(page.title()).chain(texts).collect::<Vec<_>>().join("\n")
}

enum Opened {
    Page(Box<PageSeen>),
    /// The server says that there is none.
    Status(u16),
    /// Nothing is shown: a file that the browser keeps.
    NoPage,
}

struct Looker<'s> {
    surface: &'s mut dyn TestSurface,
    /// The one that was seen last.
    document: Option<u64>,
}

impl Looker<'_> {
    async fn ask(&mut self, action: Action) -> Result<Answer, Failure> {
        let call = Call { deadline: Deadline::after(PAGE_TIME), wait: false, policy: Policy::default() };
        self.surface.perform(&action, &call).await
    }

    async fn open(&mut self, address: &str) -> Result<Opened, Failure> {
        let answer = self.ask(Action::Go { url: address.to_string() }).await?;
        let scene = self.scene().await?;
        let before = self.document.replace(scene.document);
        let Answer::Effect(effect) = &answer else { return Ok(Opened::NoPage) };
        // A file that the browser keeps leaves the page as it was.
        if !effect.downloads.is_empty() || before == Some(scene.document) {
            return Ok(Opened::NoPage);
        }
        match effect.page.as_ref().and_then(|page| page.status) {
            Some(status) if status >= 400 => Ok(Opened::Status(status)),
            _ => Ok(Opened::Page(Box::new(PageSeen { scene, ..PageSeen::default() }))),
        }
    }

    async fn scene(&mut self) -> Result<Scene, Failure> {
        match self.ask(Action::Scene).await? {
            Answer::Scene(scene) => Ok(*scene),
            _ => {
                Err(Failure::new(ErrorCode::Internal, "internal: expected a scene, found a different answer"))
            }
        }
    }

    /// An attribute, where the element is still there.
    async fn attribute(&mut self, reference: &str, name: &str) -> Result<Option<String>, Failure> {
        let target = Selector::parse(reference).map_err(|err| {
            Failure::new(ErrorCode::Internal, format!("internal: invalid element ref: {err}"))
        })?;
        match self.ask(Action::Attr { target, name: name.to_string() }).await {
            Ok(Answer::Value { value }) => Ok(value),
            Ok(_) => Ok(None),
            Err(failure) if is_of_the_page(failure.code) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Attributes of fields and forms that are not in the scene.
    async fn look_closer(&mut self, page: &mut PageSeen) -> Result<(), Failure> {
        for node in page.scene.nodes.clone() {
            let Some(reference) = &node.reference else { continue };
            if node.attribute("tag") == Some("form")
                && self.attribute(reference, "novalidate").await?.is_some()
            {
                page.unchecked_forms.push(reference.clone());
            }
            if !matches!(node.role.as_str(), "textbox" | "searchbox" | "spinbutton") {
                continue;
            }
            let mut rules = FieldRules { reference: reference.clone(), ..FieldRules::default() };
            rules.longest =
                self.attribute(reference, "maxlength").await?.and_then(|text| text.trim().parse().ok());
            rules.shortest =
                self.attribute(reference, "minlength").await?.and_then(|text| text.trim().parse().ok());
            if node.role == "spinbutton" {
                rules.least =
                    self.attribute(reference, "min").await?.and_then(|text| text.trim().parse().ok());
                rules.most =
                    self.attribute(reference, "max").await?.and_then(|text| text.trim().parse().ok());
            }
            page.fields.push(rules);
        }
        Ok(())
    }

    /// The links that are followed: none that downloads or opens a tab, and not too many.
    async fn kept(
        &mut self,
        links: Vec<Followable>,
        excluded: &mut Vec<Exclusion>,
    ) -> Result<Vec<Followable>, Failure> {
        let mut kept = Vec::new();
        for link in links {
            if kept.len() == MOST_LINKS {
                let why = format!("a plan covers at most {MOST_LINKS} links per page");
                excluded.push(Exclusion::new(format!("link \"{}\"", link.name), why));
                continue;
            }
            let rules = LinkRules {
                opens_a_tab: self.attribute(&link.reference, "target").await?.as_deref() == Some("_blank"),
                downloads: self.attribute(&link.reference, "download").await?.is_some(),
            };
            match rules.objection() {
                Some(why) => excluded.push(Exclusion::new(format!("link \"{}\"", link.name), why)),
                None => kept.push(link),
            }
        }
        Ok(kept)
    }
}

fn origin(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    Some((scheme, rest.split(['/', '?', '#']).next()?))
}

/// Whether a failure says something of one page, and the next can be looked at all the same.
fn is_of_the_page(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NotFound
            | ErrorCode::NavigationFailed
            | ErrorCode::Timeout
            | ErrorCode::NotResponding
            | ErrorCode::StaleRef
            | ErrorCode::UnknownRef
            | ErrorCode::DialogOpen
            | ErrorCode::Unreachable
            | ErrorCode::BlockedByPolicy
    )
}
