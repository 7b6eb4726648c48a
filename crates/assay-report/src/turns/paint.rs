//! Marks a model's act on the screenshot of the page: a box around the target, a ring at the pointer, the act in a few
//! words, and at the bottom the turn and the answer.

use assay_protocol::{ActOutcome, PilotTurn, TargetMark, TurnAct};

use super::canvas::{Canvas, CanvasError, Colour, Rect};
use super::glyphs::{Glyphs, HEIGHT, width_of};

/// The colours of the marks in the HTML report.
const DONE: Colour = [0xd6, 0x00, 0x6c];
const NOT_DONE: Colour = [0xb9, 0x23, 0x23];
const LIGHT: Colour = [0xff, 0xff, 0xff];
const DARK: Colour = [0x1b, 0x22, 0x30];

/// The picture with its marks, as large as it was.
pub fn marked(png: &[u8], turn: &PilotTurn, foot: &str) -> Result<Vec<u8>, CanvasError> {
    let mut painter = Painter { canvas: Canvas::from_png(png)?, glyphs: Glyphs::load()?, scale: 1 };
    let view = turn.acts.iter().find_map(|act| act.target).map_or(0, |mark| mark.view_width);
    if view > 0 {
        // On a screen with small pixels, lines and letters take more of them.
        painter.scale = (painter.canvas.width as i32 / view).clamp(1, 4);
    }
    for act in &turn.acts {
        painter.act(act, turn.acts.len() == 1);
    }
    painter.foot(foot);
    painter.canvas.to_png()
}

struct Painter {
    canvas: Canvas,
    glyphs: Glyphs,
    scale: i32,
}

impl Painter {
    fn act(&mut self, act: &TurnAct, is_only_one: bool) {
        let colour = if act.outcome == ActOutcome::Done { DONE } else { NOT_DONE };
        let label = match act.outcome {
            ActOutcome::Done => act.label.clone(),
            ActOutcome::Failed => format!("failed: {}", act.label),
            ActOutcome::Refused => format!("refused: {}", act.label),
            ActOutcome::Stopped => format!("stopped: {}", act.label),
        };
        let Some(mark) = act.target else {
            // Without a place on the page it is said at the top, where several would hide each other.
            if is_only_one {
                self.label(&label, (6 * self.scale, 6 * self.scale), colour);
            }
            return;
        };
        let target = self.on_picture(&mark);
        let thick = 3 * self.scale;
        let around = target.grown(2 * self.scale);
        self.canvas.frame(around.grown(thick), self.scale, LIGHT);
        self.canvas.frame(around, thick, colour);
        if let (Some(x), Some(y)) = (mark.at_x, mark.at_y) {
            let at = self.on_picture(&TargetMark { x, y, width: 0, height: 0, ..mark });
            self.canvas.ring(at.x, at.y, 11 * self.scale, 2 * self.scale, LIGHT);
            self.canvas.ring(at.x, at.y, 10 * self.scale, 2 * self.scale, colour);
        }
        // Below the box, or above it where there is no room below.
        let room = self.label_height() + 2 * self.scale;
        let bottom = around.y + around.height + thick + 2 * self.scale;
        let fits_below = bottom + room + self.label_height() <= self.canvas.height as i32;
        let top = if fits_below { bottom } else { (around.y - thick - room).max(0) };
        let widest = self.canvas.width as i32 - self.label_width(&label);
        self.label(&label, (around.x.clamp(0, widest.max(0)), top), colour);
    }

    /// Which turn and answer it is, in the lower left corner.
    fn foot(&mut self, text: &str) {
        let top = self.canvas.height as i32 - self.label_height();
        self.label(text, (0, top.max(0)), DARK);
    }

    fn label(&mut self, text: &str, (x, y): (i32, i32), colour: Colour) {
        let back = Rect { x, y, width: self.label_width(text), height: self.label_height() };
        self.canvas.fill(back, colour, 235);
        let pad = 3 * self.scale;
        self.glyphs.write(&mut self.canvas, text, (x + 2 * pad, y + pad), self.scale, LIGHT);
    }

    fn label_width(&self, text: &str) -> i32 {
        width_of(text, self.scale) + 12 * self.scale
    }

    fn label_height(&self) -> i32 {
        (HEIGHT + 6) * self.scale
    }

    /// From pixels of the view to pixels of the picture.
    fn on_picture(&self, mark: &TargetMark) -> Rect {
        let across = f64::from(self.canvas.width) / f64::from(mark.view_width.max(1));
        let down = f64::from(self.canvas.height) / f64::from(mark.view_height.max(1));
        let pixels = |length: i32, scale: f64| (f64::from(length) * scale).round().clamp(-1e5, 1e5) as i32;
        Rect {
            x: pixels(mark.x, across),
            y: pixels(mark.y, down),
            width: pixels(mark.width, across),
            height: pixels(mark.height, down),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::MarkedPicture;

    fn turn(outcome: ActOutcome) -> PilotTurn {
        let target = TargetMark {
            x: 100,
            y: 80,
            width: 60,
            height: 20,
            at_x: Some(130),
            at_y: Some(90),
            view_width: 400,
            view_height: 300,
            on: MarkedPicture::Before,
        };
        let act =
            TurnAct { label: "click \"Save\"".into(), outcome, target: Some(target), ..TurnAct::default() };
        PilotTurn { turn: 1, acts: vec![act], ..PilotTurn::default() }
    }

    fn painted(scale: u32, turn: &PilotTurn) -> Canvas {
        let page = Canvas::blank(400 * scale, 300 * scale).to_png().unwrap();
        Canvas::from_png(&marked(&page, turn, "turn 1").unwrap()).unwrap()
    }

    #[test]
    fn the_target_is_boxed_and_the_picture_keeps_its_size() {
        let picture = painted(1, &turn(ActOutcome::Done));
        assert_eq!((picture.width, picture.height), (400, 300));
        assert_eq!(picture.colour_at(130, 76), DONE, "above the target");
        assert_eq!(picture.colour_at(105, 85), LIGHT, "what is in the box can be read");
        assert_eq!(picture.colour_at(139, 90), DONE, "where the pointer went");
        assert_ne!(picture.colour_at(101, 110), LIGHT, "the label below it");
        assert_ne!(picture.colour_at(1, 299), LIGHT, "which turn it is");
    }

    #[test]
    fn small_pixels_are_reckoned_with() {
        let picture = painted(2, &turn(ActOutcome::Refused));
        assert_eq!((picture.width, picture.height), (800, 600));
        assert_eq!(picture.colour_at(260, 152), NOT_DONE);
    }

    #[test]
    fn what_lies_at_the_edge_or_outside_is_no_trouble() {
        let mut turn = turn(ActOutcome::Stopped);
        for (x, y, width, height) in [(390, 295, 60, 20), (-20, -30, 5000, 5000), (i32::MAX / 2, 0, 9, 9)] {
            let mark = turn.acts[0].target.as_mut().unwrap();
            (mark.x, mark.y, mark.width, mark.height) = (x, y, width, height);
            assert_eq!(painted(1, &turn).width, 400);
        }
        turn.acts[0].target = None;
        assert_ne!(painted(1, &turn).colour_at(8, 8), LIGHT, "said at the top");
    }
}
