//! `dialog`: what alert, confirm and prompt ask.

use crate::verbs::effect_answer;
use assay_driver::DriverError;
use assay_protocol::{Answer, DialogAnswer, ErrorCode, Failure};

use crate::session::{Call, Session, from_driver};

pub(crate) async fn dialog(
    session: &mut Session,
    answer: Option<&DialogAnswer>,
    call: &Call,
) -> Result<Answer, Failure> {
    let tab = session.any_tab()?;
    let open = session.with_tab(&tab, |known| known.dialog.clone()).flatten();
    let Some(answer) = answer else { return Ok(Answer::Dialog { open }) };
    let Some(open) = open else {
        return Err(Failure::new(ErrorCode::NoDialog, "no dialog is open"));
    };
    let accept = match answer {
        // Accepted as it stands, as by the Enter key.
        DialogAnswer::Accept { text } => Some(text.clone().or(open.default).unwrap_or_default()),
        DialogAnswer::Dismiss => None,
    };
    let closed = session.with_tab(&tab, |known| known.dialogs_closed).unwrap_or_default();
    match tab.surface.answer_dialog(accept, call.deadline).await {
        Ok(()) => {}
        Err(DriverError::Refused { .. }) => {
            return Err(Failure::new(ErrorCode::NoDialog, "the dialog was closed already"));
        }
        Err(err) => return Err(from_driver(err, "answering the dialog")),
    }
    session
        .observer
        .until(call.deadline, |state| match state.tab(&tab.id) {
            Some(known) => (known.dialog.is_none() || known.dialogs_closed > closed).then_some(()),
            None => Some(()),
        })
        .await;
    let settled = session.settle(&tab, &tab.surface.main_frame(), call.deadline).await?;
    Ok(effect_answer(settled.effect))
}
