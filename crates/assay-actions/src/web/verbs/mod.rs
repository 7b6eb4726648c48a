//! The handlers: one function per action, by family.

mod choose;
mod date_parts;
mod dialog;
mod drawn_list;
mod emulation;
mod keyboard;
mod load;
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

use crate::call::Call;
use crate::web::context::WebContext;

pub(crate) fn effect_answer(effect: Effect) -> Answer {
    Answer::Effect(Box::new(effect))
}

pub(crate) async fn dispatch(web: &mut WebContext, action: &Action, call: &Call) -> Result<Answer, Failure> {
    match action {
        Action::Go { url } => navigate::go(web, url, call).await,
        Action::Back => navigate::step(web, -1, call).await,
        Action::Forward => navigate::step(web, 1, call).await,
        Action::Reload => navigate::reload(web, call).await,
        Action::Url => look::url(web),
        Action::Title => look::title(web, call).await,
        Action::Text { target } => look::text(web, target.as_ref(), call).await,
        Action::Html { target } => look::html(web, target.as_ref(), call).await,
        Action::Value { target } => look::value(web, target, call).await,
        Action::Attr { target, name } => look::attr(web, target, name, call).await,
        Action::Map { target, all } => look::map(web, target.as_ref(), *all, call).await,
        Action::Scene => scene::scene(web, call).await,
        Action::Find { target } => look::find(web, target, call).await,
        Action::FindAll { target, limit } => look::find_all(web, target, *limit, call).await,
        Action::Diff => look::diff(web, call).await,
        Action::Count { target } => look::count(web, target, call).await,
        Action::Is { state, target } => look::is(web, *state, target, call).await,
        Action::Click { target, button, modifiers } => {
            pointer::click(web, target, *button, modifiers, call).await
        }
        Action::Dblclick { target } => pointer::double_click(web, target, call).await,
        Action::Hover { target } => pointer::hover(web, target, call).await,
        Action::Drag { from, to, side } => pointer::drag(web, from, to, *side, call).await,
        Action::Type { target, text } => keyboard::type_text(web, target.as_ref(), text, call).await,
        Action::Fill { target, text } => keyboard::fill(web, target, text, call).await,
        Action::Clear { target } => keyboard::clear(web, target, call).await,
        Action::Press { keys, target } => keyboard::press(web, keys, target.as_ref(), call).await,
        Action::Focus { target } => keyboard::focus(web, target, call).await,
        Action::Select { target, options } => choose::select(web, target, options, call).await,
        Action::Check { target } => choose::set_checked(web, target, true, call).await,
        Action::Uncheck { target } => choose::set_checked(web, target, false, call).await,
        Action::Scroll { to } => scroll::scroll(web, to, call).await,
        Action::Upload { target, files } => upload::upload(web, target, files, call).await,
        Action::At { point } => raw::at(web, *point, call).await,
        Action::Raw { input, place } => raw::raw(web, input, place, call).await,
        Action::Dialog { answer } => dialog::dialog(web, answer.as_ref(), call).await,
        Action::Wait { until } => wait::wait(web, until, call).await,
        Action::Screenshot { path, full_page, annotate, target } => {
            let shot = picture::PictureRequest {
                path,
                full_page: *full_page,
                annotate: *annotate,
                target: target.as_ref(),
            };
            picture::screenshot(web, shot, call).await
        }
        Action::Pdf { path } => picture::pdf(web, path, call).await,
        Action::Highlight { target } => picture::highlight(web, target, call).await,
        Action::Eval { expression } => look::eval(web, expression, call).await,
        Action::Tabs => tabs::list(web, call).await,
        Action::TabNew { url, isolated } => tabs::open(web, url.as_deref(), *isolated, call).await,
        Action::TabSwitch { tab } => tabs::switch(web, tab, call).await,
        Action::TabClose { tab } => tabs::close(web, tab.as_deref(), call).await,
        Action::Frames => tabs::frames(web, call).await,
        Action::Cookies { operation } => storage::cookies(web, operation, call).await,
        Action::Storage { operation } => storage::storage(web, operation, call).await,
        Action::Emulate { change } => emulation::emulate(web, change, call).await,
        Action::Route { pattern, method, reply } => {
            emulation::route(web, pattern, method.as_deref(), reply, call).await
        }
        Action::Routes => emulation::routes(web),
        Action::Unroute { pattern } => emulation::unroute(web, pattern.as_deref(), call).await,
        Action::Viewport { width, height, scale } => tabs::viewport(web, *width, *height, *scale, call).await,
        Action::Console { clear } => log::console(web, *clear),
        Action::Network { failed, clear } => log::network(web, *failed, *clear),
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
