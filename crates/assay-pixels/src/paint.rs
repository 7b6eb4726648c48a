//! Boxes, frames and numbers, painted onto a picture.

use crate::Pixels;
use crate::font::{HEIGHT, WIDTH, is_inked};

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    pub const WHITE: Colour = Colour([255, 255, 255]);
    pub const BLACK: Colour = Colour([0, 0, 0]);
}

/// Around a number on its plate, in pixels.
const MARGIN: i64 = 2;

impl Pixels {
    /// A full box. What lies outside of the picture is not painted.
    pub fn fill(&mut self, left: i64, top: i64, width: i64, height: i64, colour: Colour) {
        let across = |at: i64| at.clamp(0, i64::from(self.width)) as u32;
        let down = |at: i64| at.clamp(0, i64::from(self.height)) as u32;
        let (from, to) = (across(left), across(left + width));
        for y in down(top)..down(top + height) {
            for x in from..to {
                self.put(x, y, colour.0);
            }
        }
    }

    /// A box of lines, so thick.
    pub fn frame(&mut self, left: i64, top: i64, width: i64, height: i64, thick: i64, colour: Colour) {
        self.fill(left, top, width, thick, colour);
        self.fill(left, top + height - thick, width, thick, colour);
        self.fill(left, top, thick, height, colour);
        self.fill(left + width - thick, top, thick, height, colour);
    }

    /// A number, so many times the size of the font.
    pub fn number(&mut self, left: i64, top: i64, number: u32, times: u32, colour: Colour) {
        for (place, digit) in number.to_string().chars().filter_map(|digit| digit.to_digit(10)).enumerate() {
            let start = left + place as i64 * i64::from((WIDTH + 1) * times);
            for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
                if is_inked(digit, x, y) {
                    let (x, y) = (start + i64::from(x * times), top + i64::from(y * times));
                    self.fill(x, y, i64::from(times), i64::from(times), colour);
                }
            }
        }
    }

    /// A number on a plate of its own, which is kept inside of the picture.
    pub fn plate(&mut self, left: i64, top: i64, number: u32, times: u32, ink: Colour, ground: Colour) {
        let (width, height) = plate_size(number, times);
        let left = left.min(i64::from(self.width) - width).max(0);
        let top = top.min(i64::from(self.height) - height).max(0);
        self.fill(left, top, width, height, ground);
        self.number(left + MARGIN, top + MARGIN, number, times, ink);
    }
}

/// How large a number is on its plate.
fn plate_size(number: u32, times: u32) -> (i64, i64) {
    let digits = number.to_string().len() as u32;
    let width = (digits * (WIDTH + 1) - 1) * times;
    (i64::from(width) + 2 * MARGIN, i64::from(HEIGHT * times) + 2 * MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is painted of a picture, as letters.
    fn drawn(pixels: &Pixels) -> Vec<String> {
        let letter = |x: u32, y: u32| if pixels.at(x, y) == Some([0, 0, 0]) { '#' } else { '.' };
        (0..pixels.height()).map(|y| (0..pixels.width()).map(|x| letter(x, y)).collect()).collect()
    }

    #[test]
    fn numbers_can_be_read() {
        let mut pixels = Pixels::plain(11, 7, [255, 255, 255]);
        pixels.number(0, 0, 42, 1, Colour::BLACK);
        assert_eq!(
            drawn(&pixels),
            [
                "...#...###.",
                "..##..#...#",
                ".#.#......#",
                "#..#....##.",
                "#####..#...",
                "...#..#....",
                "...#..#####",
            ]
        );
    }

    #[test]
    fn frames_and_plates_stay_inside() {
        let mut pixels = Pixels::plain(20, 16, [255, 255, 255]);
        pixels.frame(-5, -5, 10, 10, 1, Colour::BLACK);
        assert_eq!(pixels.at(4, 0), Some([0, 0, 0]));
        assert_eq!(pixels.at(5, 0), Some([255, 255, 255]));
        pixels.plate(500, 500, 7, 1, Colour::WHITE, Colour::BLACK);
        assert_eq!(pixels.at(19, 15), Some([0, 0, 0]));
    }
}
