//! How a picture looks around a point, in few enough letters to be written down, so that the same place can be known
//! again in another picture.

use crate::Pixels;

/// The area that is looked at, in pixels of the view: wide enough for what is written on a button.
const AREA: (f64, f64) = (192.0, 60.0);
/// It is told in so many columns and rows.
const CELLS: (u32, u32) = (24, 6);
/// Red, green and blue of a cell, each in so many steps, a letter each.
const LETTERS: &[u8; 16] = b"0123456789abcdef";
const COLOURS: usize = 3;
/// So many cells of a place may be different: a browser draws the same thing alike, but a cursor may blink. To take one
/// thing for another would press it; to take the same for another only costs a question.
const MOST_DIFFERENT: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected how a place looks, found `{found}`")]
pub struct LooksError {
    pub found: String,
}

/// How it looks around these points of the view; `scale` is how many pixels of the picture one of the view is.
pub fn looks_at(picture: &Pixels, points: &[(f64, f64)], scale: f64) -> String {
    let told: Vec<String> = points.iter().map(|point| around(picture, *point, scale)).collect();
    told.join(".")
}

/// Whether both are of the same place, looking the same.
pub fn alike(one: &str, other: &str) -> Result<bool, LooksError> {
    let (one, other) = (places(one)?, places(other)?);
    if one.len() != other.len() {
        return Ok(false);
    }
    let pairs = one.iter().zip(&other);
    Ok(pairs.into_iter().all(|(one, other)| is_same_place(one, other)))
}

fn is_same_place(one: &[u8], other: &[u8]) -> bool {
    let cells = one.chunks_exact(COLOURS).zip(other.chunks_exact(COLOURS));
    cells.filter(|(one, other)| one != other).count() <= MOST_DIFFERENT
}

fn around(picture: &Pixels, (x, y): (f64, f64), scale: f64) -> String {
    let edge = |middle: f64, whole: f64, cells: u32, index: u32, most: u32| {
        let at = middle + whole * (f64::from(index) / f64::from(cells) - 0.5);
        (at * scale).round().clamp(0.0, f64::from(most)) as u32
    };
    let across = |index: u32| edge(x, AREA.0, CELLS.0, index, picture.width());
    let down = |index: u32| edge(y, AREA.1, CELLS.1, index, picture.height());
    let mut told = String::new();
    for row in 0..CELLS.1 {
        for column in 0..CELLS.0 {
            // What lies outside of the picture is black in every picture.
            let colours = picture.mean(across(column), down(row), across(column + 1), down(row + 1));
            told.extend(colours.map(|colour| LETTERS[usize::from(colour / 16)] as char));
        }
    }
    told
}

fn places(told: &str) -> Result<Vec<Vec<u8>>, LooksError> {
    let wrong = || LooksError { found: told.chars().take(40).collect() };
    told.split('.')
        .map(|place| {
            let steps: Option<Vec<u8>> = place
                .bytes()
                .map(|letter| LETTERS.iter().position(|known| *known == letter).map(|step| step as u8))
                .collect();
            steps.filter(|steps| steps.len() == (CELLS.0 * CELLS.1) as usize * COLOURS).ok_or_else(wrong)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    /// A button with a sign on it, at a place of a page.
    fn page(button: (i64, i64), colour: Colour, sign: u32) -> Pixels {
        let mut pixels = Pixels::plain(300, 200, [255, 255, 255]);
        pixels.fill(button.0, button.1, 120, 40, colour);
        pixels.number(button.0 + 50, button.1 + 10, sign, 3, Colour::WHITE);
        pixels
    }

    #[test]
    fn the_same_place_is_known_again_and_another_is_not() {
        let green = Colour([26, 127, 55]);
        let told = looks_at(&page((40, 60), green, 7), &[(100.0, 80.0)], 1.0);
        let like = |other: &Pixels| alike(&told, &looks_at(other, &[(100.0, 80.0)], 1.0)).unwrap();
        assert!(like(&page((40, 60), green, 7)));
        assert!(!like(&page((40, 60), green, 1)), "another sign is on it");
        assert!(!like(&page((40, 110), green, 7)), "it has moved away");
        assert!(!like(&page((40, 60), Colour([207, 34, 46]), 7)), "it is as bright, and red");
    }

    #[test]
    fn a_picture_of_twice_the_size_looks_the_same() {
        let page = page((40, 60), Colour([26, 127, 55]), 3);
        let told = looks_at(&page, &[(100.0, 80.0)], 1.0);
        let large = looks_at(&page.scaled(600, 400), &[(100.0, 80.0)], 2.0);
        assert!(alike(&told, &large).unwrap());
    }

    #[test]
    fn places_at_the_edge_are_told_too_and_nonsense_is_refused() {
        let page = page((0, 0), Colour([26, 127, 55]), 3);
        let told = looks_at(&page, &[(1.0, 1.0), (299.0, 199.0)], 1.0);
        assert!(alike(&told, &told).unwrap());
        assert!(alike("xyz", &told).is_err() && alike("", &told).is_err());
        assert!(!alike(&told, &looks_at(&page, &[(1.0, 1.0)], 1.0)).unwrap());
    }
}
