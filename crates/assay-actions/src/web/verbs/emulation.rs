//! `emulate`, `route`, `routes` and `unroute`.

use std::path::Path;

use assay_protocol::{
    Answer, ClockOperation, EmulationChange, ErrorCode, Failure, Route, RouteAnswer, RouteReply, UrlPattern,
};

use crate::call::Call;
use crate::web::context::WebContext;

pub(crate) async fn emulate(
    web: &mut WebContext,
    change: &EmulationChange,
    call: &Call,
) -> Result<Answer, Failure> {
    if let EmulationChange::Clock(operation) = change {
        let operation = match *operation {
            // A clock that is set for the first time is installed.
            ClockOperation::Set { at } if !has_clock(web) => ClockOperation::Install { at },
            other => other,
        };
        web.clock(operation, call.deadline).await?;
        return Ok(done());
    }
    let before = web.emulation().unwrap_or_default();
    let after = change.apply(&before).ok_or_else(|| {
        Failure::new(ErrorCode::Usage, format!("expected a device, found {change:?}"))
            .hint("assay emulate --help")
    })?;
    web.emulate(&after, call.deadline).await?;
    Ok(done())
}

fn has_clock(web: &mut WebContext) -> bool {
    // Without a tab nothing is emulated yet.
    web.emulation().unwrap_or_default().clock.is_some()
}

pub(crate) async fn route(
    web: &mut WebContext,
    pattern: &str,
    method: Option<&str>,
    reply: &RouteReply,
    call: &Call,
) -> Result<Answer, Failure> {
    let answer = match reply {
        RouteReply::Abort => RouteAnswer::Abort,
        RouteReply::Answer { status, body, content_type } => {
            let text = match body {
                None => String::new(),
                Some(path) => std::fs::read_to_string(path).map_err(|err| {
                    Failure::new(ErrorCode::Usage, format!("could not read the body from {path}: {err}"))
                })?,
            };
            let content_type = content_type.clone().unwrap_or_else(|| type_of(body.as_deref()).to_string());
            RouteAnswer::Fulfill { status: *status, body: text, content_type }
        }
    };
    let route = Route { pattern: pattern_of(pattern)?, method: method.map(str::to_string), answer };
    web.route(&route, call.deadline).await?;
    Ok(done())
}

pub(crate) fn routes(web: &mut WebContext) -> Result<Answer, Failure> {
    let texts = web.routes()?.into_iter().map(|known| {
        let Route { pattern, method, answer } = &known.route;
        let method = method.as_ref().map(|method| format!("{method} ")).unwrap_or_default();
        let answer = match answer {
            RouteAnswer::Fulfill { status, .. } => format!("answers {status}"),
            RouteAnswer::Abort => "aborts".to_string(),
        };
        let times = if known.struck == 1 { "once".to_string() } else { format!("{} times", known.struck) };
        format!("{method}{pattern} {answer}, {times}")
    });
    Ok(Answer::Texts { texts: texts.collect() })
}

pub(crate) async fn unroute(
    web: &mut WebContext,
    pattern: Option<&str>,
    call: &Call,
) -> Result<Answer, Failure> {
    let pattern = pattern.map(pattern_of).transpose()?;
    let ended = web.unroute(pattern.as_ref(), call.deadline).await?;
    match (ended, pattern) {
        (0, Some(pattern)) => {
            Err(Failure::new(ErrorCode::NotFound, format!("there is no route `{pattern}`"))
                .hint("assay routes"))
        }
        _ => Ok(done()),
    }
}

fn pattern_of(text: &str) -> Result<UrlPattern, Failure> {
    UrlPattern::new(text).ok_or_else(|| {
        Failure::new(ErrorCode::Usage, "expected a pattern, found nothing")
            .hint("assay route '**/api/cart' --status 500")
    })
}

/// By the name of the file; plain text where there is none that says more.
fn type_of(path: Option<&str>) -> &'static str {
    let extension =
        path.and_then(|path| Path::new(path).extension()).and_then(|extension| extension.to_str());
    match extension {
        Some("json") => "application/json",
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("xml") => "application/xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

fn done() -> Answer {
    Answer::Done { summary: String::new() }
}
