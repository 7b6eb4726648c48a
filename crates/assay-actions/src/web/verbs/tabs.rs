//! Tabs, frames and the size of the view.

use assay_driver::{Capability, SurfaceId, Viewport};
use assay_protocol::{Answer, ErrorCode, Failure, FrameLine, PageLine, TabLine};

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{Interrupted, from_driver};
use crate::web::frames::{PageFrame, frames_of_page};
use crate::web::observer::MOST_TABS;
use crate::web::verbs::navigate;

pub(crate) async fn list(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let current = web.any_tab()?.id;
    let open: Vec<(String, TabHandle, bool)> = {
        let state = web.observer.state();
        state
            .tabs
            .iter()
            .map(|tab| {
                let handle = TabHandle::of(&state, tab);
                (tab.name(), handle, tab.crashed)
            })
            .collect()
    };
    let mut tabs = Vec::new();
    for (name, handle, crashed) in open {
        // List a stuck or crashed tab without its title instead of waiting for it.
        let soon = call.deadline.at_most(std::time::Duration::from_millis(500));
        let document = web.document(&handle, handle.surface.main_frame());
        let title = match web.unless_dialog(&handle, soon, document.page(soon)).await {
            Ok(page) => page.title,
            Err(Interrupted::Dialog(_)) => "(a dialog is open)".to_string(),
            Err(_) if crashed => "(crashed)".to_string(),
            Err(_) => "(not responding)".to_string(),
        };
        tabs.push(TabLine { tab: name, title, url: handle.url.clone(), current: handle.id == current });
    }
    Ok(Answer::Tabs { tabs })
}

pub(crate) async fn open(
    web: &mut WebContext,
    url: Option<&str>,
    isolated: bool,
    call: &Call,
) -> Result<Answer, Failure> {
    if let Some(url) = url {
        call.policy.check(url)?;
    }
    web.need(Capability::Tabs)?;
    if web.observer.tab_count() >= MOST_TABS {
        let message = format!("no more than {MOST_TABS} tabs can be open at the same time");
        return Err(Failure::new(ErrorCode::Usage, message).hint("assay tab close"));
    }
    let failed = |err| from_driver(err, "opening a tab");
    let context = if isolated {
        web.need(Capability::IsolatedContexts)?;
        Some(web.browser.open_context(call.deadline).await.map_err(failed)?)
    } else {
        None
    };
    let id = web.browser.open(context, call.deadline).await.map_err(failed)?;
    web.switch_to(id);
    match url {
        Some(url) => navigate::go(web, url, call).await,
        None => {
            let tab = web.any_tab()?;
            let name = web.with_tab(&tab, |known| known.name()).unwrap_or_default();
            Ok(Answer::Done { summary: name })
        }
    }
}

fn named(web: &WebContext, tab: &str) -> Result<SurfaceId, Failure> {
    let state = web.observer.state();
    let number = tab.strip_prefix('t').unwrap_or(tab).parse::<u32>().ok();
    let found = state.tabs.iter().find(|known| Some(known.number) == number);
    found.map(|known| known.id.clone()).ok_or_else(|| {
        let names: Vec<String> = state.tabs.iter().map(|known| known.name()).collect();
        Failure::new(ErrorCode::NotFound, format!("there is no tab `{tab}`"))
            .detail(format!("open: {}", names.join(", ")))
            .hint("assay tabs")
    })
}

pub(crate) async fn switch(web: &mut WebContext, tab: &str, call: &Call) -> Result<Answer, Failure> {
    let id = named(web, tab)?;
    web.switch_to(id);
    let handle = web.any_tab()?;
    // In front or not, the tab is the current one: a page that hangs must not prevent leaving it.
    let soon = call.deadline.at_most(std::time::Duration::from_secs(1));
    let fronted = web.unless_dialog(&handle, soon, handle.surface.activate(soon)).await;
    let document = web.document(&handle, handle.surface.main_frame());
    let title = match web.unless_dialog(&handle, soon, document.page(soon)).await {
        Ok(page) if fronted.is_ok() => page.title,
        Ok(_) | Err(_) => String::new(),
    };
    Ok(Answer::Page(PageLine { title, url: handle.url, status: None }))
}

pub(crate) async fn close(web: &mut WebContext, tab: Option<&str>, call: &Call) -> Result<Answer, Failure> {
    let id = match tab {
        Some(tab) => named(web, tab)?,
        None => web.any_tab()?.id,
    };
    let (surface, last) = {
        let state = web.observer.state();
        let known =
            state.tab(&id).ok_or_else(|| Failure::new(ErrorCode::NotFound, "the tab is already closed"))?;
        (known.surface.clone(), state.tabs.len() == 1)
    };
    if last {
        // A browser without tabs is useless: an empty tab replaces the last one.
        web.browser
            .open(None, call.deadline)
            .await
            .map_err(|err| from_driver(err, "opening an empty tab"))?;
    }
    surface.close(call.deadline).await.map_err(|err| from_driver(err, "closing the tab"))?;
    web.observer
        .until(call.deadline, |state| state.tab(&id).is_none().then_some(()))
        .await
        .ok_or_else(|| Failure::new(ErrorCode::Timeout, "the tab did not close in time"))?;
    if web.current() == Some(&id) {
        let next = web.observer.state().after(&id).map(|tab| tab.id.clone());
        if let Some(next) = next {
            web.switch_to(next);
        }
    }
    let now = web.any_tab()?;
    Ok(Answer::Page(PageLine { title: String::new(), url: now.url, status: None }))
}

pub(crate) async fn frames(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let tab = web.any_tab()?;
    let frames = frames_of_page(web, &tab, call.deadline).await?;
    let line = |PageFrame { frame, number, depth }: PageFrame| FrameLine {
        frame: format!("f{number}"),
        name: frame.name,
        url: frame.url,
        depth,
    };
    Ok(Answer::Frames { frames: frames.into_iter().map(line).collect() })
}

pub(crate) async fn viewport(
    web: &mut WebContext,
    width: u32,
    height: u32,
    scale: f64,
    call: &Call,
) -> Result<Answer, Failure> {
    let sensible =
        (1..=10_000).contains(&width) && (1..=10_000).contains(&height) && (0.1..=10.0).contains(&scale);
    if !sensible {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!(
                "expected a size from 1 to 10000 and a scale from 0.1 to 10, found {width}x{height} at {scale}"
            ),
        ));
    }
    let tab = web.tab()?;
    web.need(Capability::Viewport)?;
    if scale != 1.0 {
        web.need(Capability::DeviceScale)?;
    }
    let work = tab.surface.set_viewport(Viewport { width, height, scale }, call.deadline);
    super::look::ask(web, &tab, call, "setting the size", work).await?;
    Ok(Answer::Done { summary: String::new() })
}
