//! The target of an act, for marks on screenshots. It needs no separate query: the page script includes it in answers
//! that are needed anyway.

use assay_dom::{Begun, SettleReport};
use assay_driver::Point;
use assay_protocol::{MarkedPicture, TargetMark};

/// Anything smaller is invisible on a screenshot.
const SMALLEST: f64 = 1.0;
/// An element that moved by less is still in its place.
const SAME: f64 = 2.0;

/// The aim of the action under way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Aim {
    mark: Option<TargetMark>,
    /// As the document of the target itself counts.
    area: [f64; 4],
    /// The page is not as it was when the action began: it was scrolled, or waited for.
    stirred: bool,
}

/// The way from a document to the surface: how large its pixels are there, and how much of it is seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    pub across: f64,
    pub down: f64,
    pub view: [f64; 2],
}

impl Scale {
    /// Of the document that fills the surface.
    pub fn of_page(begun: &Begun) -> Scale {
        Scale { across: 1.0, down: 1.0, view: begun.view }
    }
}

impl Aim {
    /// The target was not ready at once, so earlier screenshots may be outdated.
    pub fn stir(&mut self) {
        self.stirred = true;
    }

    /// `at` is the point of the target on the surface, and stands for the point `begun` names in its document.
    pub fn take(&mut self, begun: &Begun, at: Point, scale: Scale) {
        self.stirred |= begun.moved;
        self.mark = None;
        let Some(area @ [x, y, width, height]) = begun.area else { return };
        let [view_width, view_height] = scale.view;
        if width < SMALLEST || height < SMALLEST || view_width < SMALLEST || view_height < SMALLEST {
            return;
        }
        self.area = area;
        let points = begun.x != 0.0 || begun.y != 0.0;
        let pixels = |length: f64| length.round() as i32;
        self.mark = Some(TargetMark {
            x: pixels(at.x + (x - begun.x) * scale.across),
            y: pixels(at.y + (y - begun.y) * scale.down),
            width: pixels(width * scale.across),
            height: pixels(height * scale.down),
            at_x: points.then(|| pixels(at.x)),
            at_y: points.then(|| pixels(at.y)),
            view_width: pixels(view_width),
            view_height: pixels(view_height),
            on: MarkedPicture::Before,
        });
    }

    /// A point of the surface at which no element is meant.
    pub fn point(&mut self, at: Point, view: [f64; 2]) {
        const AROUND: f64 = 12.0;
        let pixels = |length: f64| length.round() as i32;
        self.mark = Some(TargetMark {
            x: pixels(at.x - AROUND),
            y: pixels(at.y - AROUND),
            width: pixels(2.0 * AROUND),
            height: pixels(2.0 * AROUND),
            at_x: Some(pixels(at.x)),
            at_y: Some(pixels(at.y)),
            view_width: pixels(view[0]),
            view_height: pixels(view[1]),
            on: MarkedPicture::Before,
        });
    }

    /// A target that was scrolled into view can only be marked on a later screenshot, if it is still there.
    pub fn settle(&mut self, report: Option<&SettleReport>) {
        if !self.stirred {
            return;
        }
        let now = report.and_then(|report| report.area);
        let stayed =
            now.is_some_and(|now| now.iter().zip(self.area).all(|(now, then)| (now - then).abs() < SAME));
        match &mut self.mark {
            Some(mark) if stayed => mark.on = MarkedPicture::After,
            _ => self.mark = None,
        }
    }

    /// The mark, where a picture can have it.
    pub fn mark(&self) -> Option<TargetMark> {
        self.mark.filter(|mark| !self.stirred || mark.on == MarkedPicture::After)
    }
}
