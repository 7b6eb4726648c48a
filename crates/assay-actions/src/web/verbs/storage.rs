//! `cookies` and `storage`: saves and restores the data of a site.

use assay_dom::StoreItem;
use assay_protocol::{Answer, CookieInfo, CookieOperation, ErrorCode, Failure, StorageOperation};
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::web::context::WebContext;
use crate::web::verbs::look::ask;
use crate::web::verbs::navigate;

/// The file of `storage save`. The shape is the one that other tools of the field write and read.
#[derive(Debug, Serialize, Deserialize)]
struct StoredState {
    cookies: Vec<CookieInfo>,
    #[serde(default)]
    origins: Vec<StoredOrigin>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredOrigin {
    origin: String,
    local_storage: Vec<StoreItem>,
}

pub(crate) async fn cookies(
    web: &mut WebContext,
    operation: &CookieOperation,
    call: &Call,
) -> Result<Answer, Failure> {
    let tab = web.any_tab()?;
    match operation {
        CookieOperation::List => {
            let work = tab.surface.cookies(call.deadline);
            Ok(Answer::Cookies { cookies: ask(web, &tab, call, "reading cookies", work).await? })
        }
        CookieOperation::Clear => {
            let work = tab.surface.clear_cookies(call.deadline);
            ask(web, &tab, call, "clearing cookies", work).await?;
            Ok(Answer::Done { summary: String::new() })
        }
        CookieOperation::Set { name, value } => {
            let Some(domain) = host_of(&tab.url) else {
                return Err(Failure::new(
                    ErrorCode::NotActionable,
                    format!("a cookie needs a site; the page is {}", tab.url),
                )
                .hint("assay go ADDRESS first"));
            };
            let cookie = CookieInfo {
                name: name.clone(),
                value: value.clone(),
                domain,
                path: "/".to_string(),
                expires: -1.0,
                http_only: false,
                secure: tab.url.starts_with("https:"),
                same_site: None,
            };
            let work = tab.surface.set_cookies(vec![cookie], call.deadline);
            ask(web, &tab, call, "setting the cookie", work).await?;
            Ok(Answer::Done { summary: String::new() })
        }
    }
}

fn host_of(url: &str) -> Option<String> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host =
        if host.starts_with('[') { host.split_inclusive(']').next()? } else { host.split(':').next()? };
    (!host.is_empty()).then(|| host.to_string())
}

pub(crate) async fn storage(
    web: &mut WebContext,
    operation: &StorageOperation,
    call: &Call,
) -> Result<Answer, Failure> {
    match operation {
        StorageOperation::Save { path } => save(web, path, call).await,
        StorageOperation::Load { path } => load(web, path, call).await,
    }
}

async fn save(web: &mut WebContext, path: &str, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    let cookies = ask(web, &tab, call, "reading cookies", tab.surface.cookies(call.deadline)).await?;
    let document = web.document(&tab, tab.surface.main_frame());
    // A page without an origin (about:blank) has no storage of its own.
    let origins = if host_of(&tab.url).is_some() {
        let store =
            ask(web, &tab, call, "reading the storage", document.local_store(None, call.deadline)).await?;
        vec![StoredOrigin { origin: store.origin, local_storage: store.items }]
    } else {
        Vec::new()
    };
    let state = StoredState { cookies, origins };
    let text = serde_json::to_string_pretty(&state)
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("could not write the storage: {err}")))?;
    write_private(path, &text)
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not write {path}: {err}")))?;
    let count =
        state.cookies.len() + state.origins.iter().map(|origin| origin.local_storage.len()).sum::<usize>();
    Ok(Answer::Done { summary: format!("{count} entries to {path}") })
}

/// Cookies are keys to accounts: only their owner may read the file.
fn write_private(path: &str, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// The origin whose storage the current page would write to; none for an empty page.
async fn origin_now(web: &mut WebContext, call: &Call) -> Result<Option<String>, Failure> {
    let tab = web.tab()?;
    if host_of(&tab.url).is_none() {
        return Ok(None);
    }
    let document = web.document(&tab, tab.surface.main_frame());
    let store =
        ask(web, &tab, call, "reading the storage", document.local_store(None, call.deadline)).await?;
    Ok(Some(store.origin))
}

async fn load(web: &mut WebContext, path: &str, call: &Call) -> Result<Answer, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|err| Failure::new(ErrorCode::Usage, format!("could not read {path}: {err}")))?;
    let state: StoredState = serde_json::from_str(&text).map_err(|err| {
        Failure::new(
            ErrorCode::Usage,
            format!("expected a file of `assay storage save`, found {path}: {err}"),
        )
    })?;
    let tab = web.tab()?;
    let count =
        state.cookies.len() + state.origins.iter().map(|origin| origin.local_storage.len()).sum::<usize>();
    let work = tab.surface.set_cookies(state.cookies, call.deadline);
    ask(web, &tab, call, "setting cookies", work).await?;
    for origin in &state.origins {
        // Storage can only be written from a page of its origin.
        if origin_now(web, call).await?.as_deref() != Some(origin.origin.as_str()) {
            navigate::go(web, &origin.origin, call).await?;
            let now = origin_now(web, call).await?.unwrap_or_default();
            if now != origin.origin {
                return Err(Failure::new(
                    ErrorCode::NavigationFailed,
                    format!("could not restore the storage of {}: its page is {now}", origin.origin),
                ));
            }
        }
        let tab = web.tab()?;
        let document = web.document(&tab, tab.surface.main_frame());
        let work = document.local_store(Some(&origin.local_storage), call.deadline);
        ask(web, &tab, call, "writing the storage", work).await?;
    }
    Ok(Answer::Done { summary: format!("{count} entries from {path}") })
}
