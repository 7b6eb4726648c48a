//! `console` and `network`: what the page said and asked for.

use assay_driver::Capability;
use assay_protocol::{Answer, ErrorCode, Failure};

use crate::web::context::WebContext;

pub(crate) fn console(web: &mut WebContext, clear: bool) -> Result<Answer, Failure> {
    web.need(Capability::Console)?;
    let tab = web.any_tab()?;
    let mut state = web.observer.state();
    let known = state.tabs.iter_mut().find(|known| known.id == tab.id).ok_or_else(closed)?;
    let lines = known.console.since(0).cloned().collect();
    if clear {
        known.console.clear();
    }
    Ok(Answer::Console { lines })
}

pub(crate) fn network(web: &mut WebContext, failed: bool, clear: bool) -> Result<Answer, Failure> {
    web.need(Capability::Network)?;
    let tab = web.any_tab()?;
    let mut state = web.observer.state();
    let known = state.tabs.iter_mut().find(|known| known.id == tab.id).ok_or_else(closed)?;
    let requests = known.network.since(0).filter(|line| !failed || line.failed).cloned().collect();
    if clear {
        known.network.clear();
    }
    Ok(Answer::Network { requests })
}

fn closed() -> Failure {
    Failure::new(ErrorCode::NotFound, "the tab is closed").hint("assay tabs")
}
