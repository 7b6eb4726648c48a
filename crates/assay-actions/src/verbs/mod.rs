//! The handlers: one function an action, by family.

mod choose;
mod dialog;
mod keyboard;
mod log;
mod look;
mod navigate;
mod picture;
mod pointer;
mod raw;
mod scene;
mod scroll;
mod storage;
mod tabs;
mod upload;
mod wait;

pub use raw::{looks_of, looks_otherwise};

use assay_protocol::{Action, Answer, Effect, Failure};

use crate::session::{Call, Session};

pub(crate) fn effect_answer(effect: Effect) -> Answer {
    Answer::Effect(Box::new(effect))
}

pub(crate) async fn dispatch(session: &mut Session, action: &Action, call: &Call) -> Result<Answer, Failure> {
    match action {
        Action::Go { url } => navigate::go(session, url, call).await,
        Action::Back => navigate::step(session, -1, call).await,
        Action::Forward => navigate::step(session, 1, call).await,
        Action::Reload => navigate::reload(session, call).await,
        Action::Url => look::url(session),
        Action::Title => look::title(session, call).await,
        Action::Text { target } => look::text(session, target.as_ref(), call).await,
        Action::Html { target } => look::html(session, target.as_ref(), call).await,
        Action::Value { target } => look::value(session, target, call).await,
        Action::Attr { target, name } => look::attr(session, target, name, call).await,
        Action::Map { target, all } => look::map(session, target.as_ref(), *all, call).await,
        Action::Scene => scene::scene(session, call).await,
        Action::Find { target } => look::find(session, target, call).await,
        Action::FindAll { target, limit } => look::find_all(session, target, *limit, call).await,
        Action::Diff => look::diff(session, call).await,
        Action::Count { target } => look::count(session, target, call).await,
        Action::Is { state, target } => look::is(session, *state, target, call).await,
        Action::Click { target, button, modifiers } => {
            pointer::click(session, target, *button, modifiers, call).await
        }
        Action::Dblclick { target } => pointer::double_click(session, target, call).await,
        Action::Hover { target } => pointer::hover(session, target, call).await,
        Action::Drag { from, to } => pointer::drag(session, from, to, call).await,
        Action::Type { target, text } => keyboard::type_text(session, target.as_ref(), text, call).await,
        Action::Fill { target, text } => keyboard::fill(session, target, text, call).await,
        Action::Clear { target } => keyboard::clear(session, target, call).await,
        Action::Press { keys, target } => keyboard::press(session, keys, target.as_ref(), call).await,
        Action::Focus { target } => keyboard::focus(session, target, call).await,
        Action::Select { target, options } => choose::select(session, target, options, call).await,
        Action::Check { target } => choose::set_checked(session, target, true, call).await,
        Action::Uncheck { target } => choose::set_checked(session, target, false, call).await,
        Action::Scroll { to } => scroll::scroll(session, to, call).await,
        Action::Upload { target, files } => upload::upload(session, target, files, call).await,
        Action::At { point } => raw::at(session, *point, call).await,
        Action::Raw { input, place } => raw::raw(session, input, place, call).await,
        Action::Dialog { answer } => dialog::dialog(session, answer.as_ref(), call).await,
        Action::Wait { until } => wait::wait(session, until, call).await,
        Action::Screenshot { path, full_page, annotate, target } => {
            let shot = picture::PictureRequest {
                path,
                full_page: *full_page,
                annotate: *annotate,
                target: target.as_ref(),
            };
            picture::screenshot(session, shot, call).await
        }
        Action::Pdf { path } => picture::pdf(session, path, call).await,
        Action::Highlight { target } => picture::highlight(session, target, call).await,
        Action::Eval { expression } => look::eval(session, expression, call).await,
        Action::Tabs => tabs::list(session, call).await,
        Action::TabNew { url, isolated } => tabs::open(session, url.as_deref(), *isolated, call).await,
        Action::TabSwitch { tab } => tabs::switch(session, tab, call).await,
        Action::TabClose { tab } => tabs::close(session, tab.as_deref(), call).await,
        Action::Frames => tabs::frames(session, call).await,
        Action::Cookies { operation } => storage::cookies(session, operation, call).await,
        Action::Storage { operation } => storage::storage(session, operation, call).await,
        Action::Viewport { width, height, scale } => {
            tabs::viewport(session, *width, *height, *scale, call).await
        }
        Action::Console { clear } => log::console(session, *clear),
        Action::Network { failed, clear } => log::network(session, *failed, *clear),
    }
}

#[cfg(test)]
mod tests {
    use assay_driver::Capability;
    use assay_protocol::actions::ACTIONS;

    #[test]
    fn every_capability_of_the_catalogue_is_one_of_drivers() {
        let known: Vec<String> = Capability::SHOWN.iter().map(|known| format!("{known:?}")).collect();
        for entry in ACTIONS {
            let is_known = entry.capability.is_none_or(|name| known.iter().any(|known| known == name));
            assert!(is_known, "{}: {:?}", entry.name(), entry.capability);
        }
    }
}
