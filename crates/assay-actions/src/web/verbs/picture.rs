//! `screenshot`, `pdf`, `highlight`.

use std::path::Path;

use assay_dom::Read;
use assay_driver::{Capability, Capture, ImageFormat, Rect};
use assay_protocol::{Answer, ErrorCode, Failure, Selector};

use crate::call::Call;
use crate::replace;
use crate::web::act::TargetedAct;
use crate::web::context::WebContext;
use crate::web::target::{frame_for, refusal};
use crate::web::verbs::look::ask;

pub(crate) struct PictureRequest<'a> {
    pub path: &'a str,
    pub full_page: bool,
    pub annotate: bool,
    pub target: Option<&'a Selector>,
}

pub(crate) async fn screenshot(
    web: &mut WebContext,
    shot: PictureRequest<'_>,
    call: &Call,
) -> Result<Answer, Failure> {
    let format = format_of(shot.path)?;
    if shot.full_page {
        web.need(Capability::FullPageScreenshot)?;
    }
    match format {
        ImageFormat::Png => {}
        ImageFormat::Jpeg => web.need(Capability::JpegScreenshot)?,
        ImageFormat::Webp => web.need(Capability::WebpScreenshot)?,
    }
    let tab = web.tab()?;
    let main = tab.surface.main_frame();
    let mut clip = None;
    if let Some(target) = shot.target {
        let frame = frame_for(web, &tab, target, "read", call.deadline, call.wait).await?;
        let document = web.document(&tab, frame.clone());
        let work = document.read(Some(target), Read::Box, None, false, call.deadline);
        let report = ask(web, &tab, call, "measuring the element", work).await?;
        web.note_refs(&tab, &frame, report.next);
        let report = report.outcome.map_err(|why| refusal(target, &why, &tab.url))?;
        let Some([x, y, width, height]) = report.area else {
            let message = format!("`{target}`: the page script answered without a box");
            return Err(Failure::new(ErrorCode::Internal, message));
        };
        if width < 1.0 || height < 1.0 {
            return Err(Failure::new(
                ErrorCode::NotActionable,
                format!("`{target}` has no size, so there is nothing to capture"),
            ));
        }
        clip = Some(Rect { x, y, width, height });
    }
    if shot.annotate {
        let document = web.document(&tab, main.clone());
        let next =
            ask(web, &tab, call, "marking the elements", document.annotate(shot.full_page, call.deadline))
                .await?;
        web.note_refs(&tab, &main, next);
    }
    let capture = Capture { format, full_page: shot.full_page, clip };
    let bytes =
        ask(web, &tab, call, "taking the screenshot", tab.surface.capture(capture, call.deadline)).await;
    if shot.annotate {
        let document = web.document(&tab, main);
        ask(web, &tab, call, "removing the marks", document.remove_marks(call.deadline)).await?;
    }
    write(shot.path, &bytes?)
}

pub(crate) async fn pdf(web: &mut WebContext, path: &str, call: &Call) -> Result<Answer, Failure> {
    web.need(Capability::Pdf)?;
    let tab = web.tab()?;
    let bytes = ask(web, &tab, call, "printing the page", tab.surface.pdf(call.deadline)).await?;
    write(path, &bytes)
}

pub(crate) async fn highlight(
    web: &mut WebContext,
    target: &Selector,
    call: &Call,
) -> Result<Answer, Failure> {
    const SHOWN_MS: u64 = 3000;
    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "scroll", "highlighted") };
    let ready = web.begin(&intent, call).await?;
    let element = ready.begun.element.as_ref().map(|element| element.id).unwrap_or_default();
    let document = web.document(&ready.tab, ready.frame.clone());
    ask(web, &ready.tab, call, "highlighting", document.highlight(element, SHOWN_MS, call.deadline)).await?;
    let line = ready.begun.element.as_ref().map(assay_dom::to_element_line);
    Ok(Answer::Elements { elements: line.into_iter().collect(), total: 1 })
}

fn format_of(path: &str) -> Result<ImageFormat, Failure> {
    let extension = Path::new(path).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("png") => Ok(ImageFormat::Png),
        Some("jpg" | "jpeg") => Ok(ImageFormat::Jpeg),
        Some("webp") => Ok(ImageFormat::Webp),
        _ => Err(Failure::new(
            ErrorCode::Usage,
            format!("expected a file ending in .png, .jpg or .webp, found `{path}`"),
        )),
    }
}

/// Writes beside the target first, so that a full disk never leaves half a picture under its name.
fn write(path: &str, bytes: &[u8]) -> Result<Answer, Failure> {
    let target = Path::new(path);
    let failed = |err: std::io::Error| Failure::new(ErrorCode::Io, format!("could not write {path}: {err}"));
    if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    replace::write(target, bytes).map_err(failed)?;
    Ok(Answer::File { path: path.to_string(), bytes: bytes.len() })
}
