//! The page as a picture, in a size that a model takes unscaled, and the way from its pixels to points of the view.
//!
//! The size of the view in CSS pixels is the one that counts. A screen with two pixels for one makes a picture twice as
//! large; it is shown in the size of the view, so that models and acts count alike. A view that is larger than a
//! provider takes is shown smaller, and points are scaled back.

use assay_pixels::{PixelError, Pixels};
use assay_protocol::ViewPoint;
use assay_provider::conversation::{Picture, PictureError};
use assay_provider::formats::FormatName;
use assay_runner::PageView;

/// Models miss the edge by a pixel or two; further out is no slip.
const SLIP: f64 = 4.0;
/// A zoom is shown at least so wide, where the screen has the pixels or not.
const ZOOM_WIDTH: u32 = 1024;

/// The largest picture that a provider takes as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limit {
    pub longest: u32,
    /// Side of a patch, and how many of them.
    pub patches: Option<(u32, u32)>,
    pub pixels: u64,
}

impl Limit {
    pub fn of(format: FormatName) -> Limit {
        match format {
            FormatName::Anthropic => Limit { longest: 1568, patches: Some((28, 1568)), pixels: u64::MAX },
            FormatName::Responses => Limit { longest: u32::MAX, patches: None, pixels: 10_000_000 },
            FormatName::Gemini => Limit { longest: 3072, patches: None, pixels: u64::MAX },
            FormatName::Chat => Limit { longest: 1568, patches: None, pixels: u64::MAX },
        }
    }

    fn takes(&self, width: u32, height: u32) -> bool {
        let patches = self.patches.is_none_or(|(side, most)| {
            u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side)) <= u64::from(most)
        });
        patches && width.max(height) <= self.longest && u64::from(width) * u64::from(height) <= self.pixels
    }

    /// The largest size of these proportions.
    fn fitted(&self, width: u32, height: u32) -> (u32, u32) {
        let mut size = (width.max(1), height.max(1));
        let mut percent = 100u64;
        while !self.takes(size.0, size.1) && percent > 1 {
            percent -= 1;
            let part = |length: u32| ((u64::from(length) * percent / 100) as u32).max(1);
            size = (part(width), part(height));
        }
        size
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ViewError {
    #[error(transparent)]
    Pixels(#[from] PixelError),
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// What is seen now.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// As the screen has it.
    taken: Pixels,
    /// As it is shown.
    pub shown: Pixels,
    /// Width and height in CSS pixels.
    pub size: [f64; 2],
}

impl View {
    pub fn of(page: &PageView, limit: Limit) -> Result<View, ViewError> {
        let taken = Pixels::from_png(&page.png)?;
        let [width, height] = page.view.map(|length| length.round().max(1.0) as u32);
        let (width, height) = limit.fitted(width, height);
        Ok(View { shown: taken.scaled(width, height), taken, size: page.view })
    }

    pub fn picture(&self) -> Result<Picture, ViewError> {
        Ok(Picture::png(self.shown.to_png()?)?)
    }

    /// The point of the view that a pixel of the shown picture stands for.
    pub fn point(&self, x: f64, y: f64) -> Result<ViewPoint, String> {
        let (width, height) = (f64::from(self.shown.width()), f64::from(self.shown.height()));
        let is_near = |at: f64, length: f64| at.is_finite() && at >= -SLIP && at <= length + SLIP;
        if !is_near(x, width) || !is_near(y, height) {
            return Err(format!("the point {x}, {y} is outside of the picture, which is {width} x {height}"));
        }
        // The middle of the pixel: at its corner lies the neighbour.
        let scaled = |at: f64, shown: f64, real: f64| {
            let at = (at.clamp(0.0, shown - 1.0) + 0.5) * real / shown;
            (at.min(real - 0.5) * 10.0).round() / 10.0
        };
        Ok(ViewPoint { x: scaled(x, width, self.size[0]), y: scaled(y, height, self.size[1]) })
    }

    /// So many pixels of the shown picture, in CSS pixels.
    pub fn length(&self, x: f64, y: f64) -> (f64, f64) {
        let (width, height) = (f64::from(self.shown.width()), f64::from(self.shown.height()));
        (x * self.size[0] / width, y * self.size[1] / height)
    }

    /// A part of it by the pixels of the shown picture, as sharp as the screen has it.
    pub fn part(&self, left: f64, top: f64, right: f64, bottom: f64) -> Option<Pixels> {
        let (across, down) = (
            f64::from(self.taken.width()) / f64::from(self.shown.width()),
            f64::from(self.taken.height()) / f64::from(self.shown.height()),
        );
        let pixel = |at: f64, times: f64| (at.max(0.0) * times).round() as u32;
        let (left, top) = (pixel(left, across), pixel(top, down));
        let (right, bottom) = (pixel(right, across), pixel(bottom, down));
        let part = self.taken.part(left, top, right.checked_sub(left)?, bottom.checked_sub(top)?);
        if part.width() == 0 || part.height() == 0 {
            return None;
        }
        let times = (ZOOM_WIDTH / part.width()).clamp(1, 8);
        Some(part.scaled(part.width() * times, part.height() * times))
    }

    /// Whether it is another picture than that one, as far as people would say so.
    pub fn differs_from(&self, other: &View) -> bool {
        /// A cursor that blinks is smaller.
        const NOTABLE: usize = 50;
        assay_pixels::differing(&self.shown, &other.shown) > NOTABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(pixels: (u32, u32), size: [f64; 2], format: FormatName) -> View {
        let png = Pixels::plain(pixels.0, pixels.1, [255, 255, 255]).to_png().unwrap();
        let scale = f64::from(pixels.0) / size[0];
        View::of(&PageView { png, view: size, scale }, Limit::of(format)).unwrap()
    }

    #[track_caller]
    fn check(view: &View, point: (f64, f64), expected: Result<(f64, f64), &str>) {
        let actual = view.point(point.0, point.1).map(|point| (point.x, point.y));
        assert_eq!(actual, expected.map_err(str::to_string));
    }

    #[test]
    fn a_sharp_screen_is_shown_in_the_size_of_the_view() {
        let view = view((2560, 1440), [1280.0, 720.0], FormatName::Responses);
        assert_eq!((view.shown.width(), view.shown.height()), (1280, 720));
        check(&view, (140.0, 150.0), Ok((140.5, 150.5)));
        assert_eq!(view.part(0.0, 0.0, 128.0, 72.0).unwrap().width(), 1024);
    }

    #[test]
    fn a_view_that_is_too_large_is_shown_smaller_and_points_are_scaled_back() {
        let view = view((3000, 1500), [3000.0, 1500.0], FormatName::Anthropic);
        assert!(view.shown.width() <= 1568, "{}", view.shown.width());
        let (width, height) = (f64::from(view.shown.width()), f64::from(view.shown.height()));
        let middle = view.point(width / 2.0, height / 2.0).unwrap();
        assert!((middle.x - 1500.0).abs() < 3.0 && (middle.y - 750.0).abs() < 3.0, "{middle:?}");
        let (x, _) = view.length(width, 0.0);
        assert!((x - 3000.0).abs() < 0.01);
    }

    #[test]
    fn a_slip_over_the_edge_is_clipped_and_more_is_told() {
        let view = view((100, 50), [100.0, 50.0], FormatName::Gemini);
        check(&view, (100.0, 50.0), Ok((99.5, 49.5)));
        check(&view, (-2.0, 0.0), Ok((0.5, 0.5)));
        let told = "the point 400, 5 is outside of the picture, which is 100 x 50";
        check(&view, (400.0, 5.0), Err(told));
        assert!(view.point(f64::NAN, 1.0).is_err());
    }
}
