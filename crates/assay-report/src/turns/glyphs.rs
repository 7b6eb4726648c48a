//! Letters for labels on pictures: one size, one width, as they are in `glyphs/glyphs.png`.

use super::canvas::{Canvas, CanvasError, Colour, decoded};

pub const WIDTH: i32 = 9;
pub const HEIGHT: i32 = 18;
const IN_A_ROW: usize = 64;
/// Stands for letters that are not there.
const UNKNOWN: char = '▯';

/// How much of each pixel of each letter is ink.
pub struct Glyphs {
    letters: Vec<char>,
    across: usize,
    coverage: Vec<u8>,
}

impl Glyphs {
    pub fn load() -> Result<Glyphs, CanvasError> {
        let (width, _, _, coverage) = decoded(include_bytes!("glyphs/glyphs.png"))?;
        let letters = include_str!("glyphs/letters.txt").chars().collect();
        Ok(Glyphs { letters, across: width as usize, coverage })
    }

    /// Writes one line. `scale` is how many pixels of the picture one of a letter takes.
    pub fn write(&self, canvas: &mut Canvas, text: &str, (x, y): (i32, i32), scale: i32, colour: Colour) {
        for (place, letter) in (0..).zip(text.chars()) {
            let Some(number) = self.number(letter) else { continue };
            let (column, row) = (number % IN_A_ROW * WIDTH as usize, number / IN_A_ROW * HEIGHT as usize);
            for down in 0..HEIGHT * scale {
                for across in 0..WIDTH * scale {
                    let at =
                        (row + (down / scale) as usize) * self.across + column + (across / scale) as usize;
                    let cover = self.coverage.get(at).copied().unwrap_or_default();
                    if cover > 0 {
                        canvas.ink(x + place * WIDTH * scale + across, y + down, colour, cover);
                    }
                }
            }
        }
    }

    fn number(&self, letter: char) -> Option<usize> {
        let place = |wanted: char| self.letters.iter().position(|known| *known == wanted);
        place(letter).or_else(|| place(UNKNOWN))
    }
}

/// How wide a text becomes.
pub fn width_of(text: &str, scale: i32) -> i32 {
    text.chars().count() as i32 * WIDTH * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_told_apart_and_unknown_ones_are_shown() {
        let glyphs = Glyphs::load().unwrap();
        let drawn = |text: &str| {
            let mut canvas = Canvas::blank(20, 20);
            glyphs.write(&mut canvas, text, (1, 1), 1, [0, 0, 0]);
            (0..400).map(|at| canvas.colour_at(at % 20, at / 20)[0]).collect::<Vec<u8>>()
        };
        assert_ne!(drawn("e"), drawn("c"));
        assert_ne!(drawn("Ж"), drawn("X"));
        assert_ne!(drawn("猫"), drawn(" "), "what cannot be written leaves a sign");
        assert_eq!(drawn("猫"), drawn("▯"));
        assert_eq!(width_of("añ", 2), 36);
    }
}
