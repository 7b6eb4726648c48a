//! Dates made of several number fields: each part is filled by itself, and the whole is verified at the end.

use assay_dom::{DatePart, Read};
use assay_protocol::{Answer, Change, Effect, ErrorCode, Failure, Selector, ref_name};

use crate::call::Call;
use crate::web::act::Ready;
use crate::web::context::WebContext;
use crate::web::target::named;
use crate::web::verbs::effect_answer;
use crate::web::verbs::keyboard::{begin_filling, fill_ready};
use crate::web::verbs::look::read;

/// Fills the parts of the date that `whole` stands for. An empty text clears them.
pub(super) async fn fill(
    web: &mut WebContext,
    whole: Ready,
    text: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    // The parts are guarded one by one; release the group.
    web.settle(&whole.tab, &whole.frame, call.deadline).await?;
    let Some(group) = whole.begun.element.as_ref() else {
        return Err(Failure::new(ErrorCode::Internal, "internal: a date without an element"));
    };
    let what = named(group);
    let mut effect = Effect::default();
    for DatePart(id, digits) in &whole.begun.parts {
        match fill_part(web, *id, digits, call).await {
            Ok(part) => effect = joined(effect, part),
            Err(failure) => return Err(partly(web, group.id, failure, &what, text, call).await),
        }
    }
    // A part that changes later may have changed the others.
    let expected = whole.begun.expected.as_deref().unwrap_or(text);
    match held(web, group.id, call).await? {
        Some(held) if held != expected => Err(Failure::new(
            ErrorCode::NotAccepted,
            format!("{what} did not take `{text}`: it holds \"{held}\""),
        )),
        _ => {
            let own: Vec<String> =
                whole.begun.parts.iter().map(|part| part.0).chain([group.id]).map(ref_name).collect();
            effect
                .changes
                .retain(|change| change.reference.as_ref().is_none_or(|known| !own.contains(known)));
            Ok(effect_answer(effect))
        }
    }
}

async fn fill_part(web: &mut WebContext, id: u32, digits: &str, call: &Call) -> Result<Effect, Failure> {
    let part = selector(id)?;
    let ready = begin_filling(web, &part, digits, call).await?;
    fill_ready(web, ready, digits, call).await.map(|(_, settled)| settled.effect)
}

/// The later effect, with what the earlier one saw before it.
fn joined(earlier: Effect, mut later: Effect) -> Effect {
    let is_new = |old: &Change| {
        !later.changes.iter().any(|new| new.reference == old.reference && new.role == old.role)
    };
    let before: Vec<Change> = earlier.changes.into_iter().filter(is_new).collect();
    later.changes.splice(0..0, before);
    later.tabs.splice(0..0, earlier.tabs);
    later.downloads.splice(0..0, earlier.downloads);
    later.failed_requests.splice(0..0, earlier.failed_requests);
    later.console_errors.splice(0..0, earlier.console_errors);
    later.notes.splice(0..0, earlier.notes);
    later.requests.splice(0..0, earlier.requests);
    Effect { from: earlier.from.or(later.from), page: later.page.or(earlier.page), ..later }
}

/// A part refused its digits: says what the date holds now, as other parts may have changed.
async fn partly(
    web: &mut WebContext,
    group: u32,
    failure: Failure,
    what: &str,
    text: &str,
    call: &Call,
) -> Failure {
    match held(web, group, call).await {
        Ok(Some(held)) => {
            let message = format!("{what} did not take `{text}`: it holds \"{held}\"; {}", failure.message);
            let code = if failure.code.leaves_it_open() { failure.code } else { ErrorCode::NotAccepted };
            Failure { code, message, ..failure }
        }
        // The page did not answer; the part's own failure says what is known.
        Ok(None) | Err(_) => failure,
    }
}

async fn held(web: &mut WebContext, group: u32, call: &Call) -> Result<Option<String>, Failure> {
    Ok(read(web, Some(&selector(group)?), Read::Value, None, call).await?.text)
}

fn selector(id: u32) -> Result<Selector, Failure> {
    Selector::parse(&ref_name(id))
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("internal: a ref is no selector: {err}")))
}
