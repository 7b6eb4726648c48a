//! `dialog`: answers alert, confirm and prompt.

use assay_driver::DriverError;
use assay_protocol::{Answer, DialogAnswer, ErrorCode, Failure};

use crate::call::Call;
use crate::policy::shortened;
use crate::web::context::WebContext;
use crate::web::failures::from_driver;
use crate::web::verbs::effect_answer;

pub(crate) async fn dialog(
    web: &mut WebContext,
    answer: Option<&DialogAnswer>,
    call: &Call,
) -> Result<Answer, Failure> {
    let tab = web.any_tab()?;
    let (open, seen) = web.with_tab(&tab, |known| (known.dialog.clone(), known.dialogs)).unwrap_or_default();
    let Some(answer) = answer else { return Ok(Answer::Dialog { open }) };
    let Some(open) = open else {
        return Err(Failure::new(ErrorCode::NoDialog, "no dialog is open"));
    };
    if matches!(answer, DialogAnswer::Accept { .. }) {
        let what = format!("OK on \"{}\"", shortened(&open.message));
        call.policy.check_label(&open.message, &what)?;
    }
    let accept = match answer {
        // Accepted as it stands, as by the Enter key.
        DialogAnswer::Accept { text } => Some(text.clone().or(open.default).unwrap_or_default()),
        DialogAnswer::Dismiss => None,
    };
    match tab.surface.answer_dialog(accept.clone(), call.deadline).await {
        Ok(()) => {}
        Err(DriverError::Refused { .. }) => {
            return Err(Failure::new(ErrorCode::NoDialog, "the dialog was already closed"));
        }
        Err(err) => return Err(from_driver(err, "answering the dialog")),
    }
    if accept.is_none() && open.kind == "beforeunload" {
        // No event reports this: the browser silently drops the navigation.
        web.observer.forget_navigation(&tab.id);
    }
    web.observer
        .until(call.deadline, |state| match state.tab(&tab.id) {
            Some(known) => (known.dialog.is_none() || known.dialogs > seen).then_some(()),
            None => Some(()),
        })
        .await;
    let settled = web.settle(&tab, &tab.surface.main_frame(), call.deadline).await?;
    Ok(effect_answer(settled.effect))
}
