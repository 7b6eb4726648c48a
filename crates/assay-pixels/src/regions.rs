//! Where two pictures differ.

use crate::Pixels;

/// The side of the squares that pictures are compared by.
const TILE: u32 = 16;
/// A smaller difference of a colour cannot be seen.
const SEEN: u8 = 10;
/// Fewer pixels of a square are the edge of a letter.
const FEWEST: u32 = 3;
/// More regions than these are one large region.
const MOST: usize = 24;

/// A part of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

impl Region {
    /// The smallest region that holds both.
    pub fn with(self, other: Region) -> Region {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let right = (self.left + self.width).max(other.left + other.width);
        let bottom = (self.top + self.height).max(other.top + other.height);
        Region { left, top, width: right - left, height: bottom - top }
    }
}

/// The bounds of what is clearly different, neighbours together. What only the larger picture has differs as well.
pub fn differing_regions(one: &Pixels, other: &Pixels) -> Vec<Region> {
    let (width, height) = (one.width.min(other.width), one.height.min(other.height));
    let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (column * TILE, row * TILE)));
    let mut open: Vec<Option<Region>> =
        squares.map(|(left, top)| differing_in(one, other, (left, top), (width, height))).collect();
    let mut found = Vec::new();
    for start in 0..open.len() {
        let Some(mut bounds) = open[start].take() else { continue };
        let mut around = vec![start as u32];
        while let Some(at) = around.pop() {
            let (row, column) = (at / columns, at % columns);
            for near_row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                for near_column in column.saturating_sub(1)..=(column + 1).min(columns - 1) {
                    let near = near_row * columns + near_column;
                    if let Some(more) = open[near as usize].take() {
                        bounds = bounds.with(more);
                        around.push(near);
                    }
                }
            }
        }
        found.push(bounds);
    }
    let (widest, highest) = (one.width.max(other.width), one.height.max(other.height));
    if widest > width {
        found.push(Region { left: width, top: 0, width: widest - width, height: highest });
    }
    if highest > height {
        found.push(Region { left: 0, top: height, width: widest, height: highest - height });
    }
    match found.len() {
        0..=MOST => found,
        _ => found.into_iter().reduce(Region::with).into_iter().collect(),
    }
}

/// The bounds of what differs in one square.
fn differing_in(
    one: &Pixels,
    other: &Pixels,
    (left, top): (u32, u32),
    (width, height): (u32, u32),
) -> Option<Region> {
    let mut count = 0;
    let mut bounds: Option<Region> = None;
    for y in top..(top + TILE).min(height) {
        for x in left..(left + TILE).min(width) {
            let (Some(a), Some(b)) = (one.at(x, y), other.at(x, y)) else { continue };
            if a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > SEEN) {
                count += 1;
                let pixel = Region { left: x, top: y, width: 1, height: 1 };
                bounds = Some(bounds.map_or(pixel, |bounds| bounds.with(pixel)));
            }
        }
    }
    bounds.filter(|_| count >= FEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    fn with_square(left: i64, top: i64, side: i64, colour: [u8; 3]) -> Pixels {
        let mut pixels = Pixels::plain(200, 100, [255, 255, 255]);
        pixels.fill(left, top, side, side, Colour(colour));
        pixels
    }

    #[test]
    fn regions_hold_what_differs_and_no_more() {
        let white = Pixels::plain(200, 100, [255, 255, 255]);
        let region = |left, top, width, height| Region { left, top, width, height };
        assert_eq!(differing_regions(&white, &white), []);
        assert_eq!(differing_regions(&white, &with_square(40, 20, 30, [9, 9, 9])), [region(40, 20, 30, 30)]);
        let both = differing_regions(&with_square(10, 10, 5, [9, 9, 9]), &with_square(120, 60, 5, [9, 9, 9]));
        assert_eq!(both, [region(10, 10, 5, 5), region(120, 60, 5, 5)]);
        assert_eq!(
            differing_regions(&white, &with_square(40, 20, 30, [250, 250, 250])),
            [],
            "nobody sees that"
        );
        assert_eq!(differing_regions(&white, &with_square(40, 20, 1, [0, 0, 0])), [], "a single pixel");
    }

    #[test]
    fn another_size_is_a_region() {
        let (low, high) = (Pixels::plain(200, 100, [9; 3]), Pixels::plain(210, 120, [9; 3]));
        let found = differing_regions(&low, &high);
        assert_eq!(found[0], Region { left: 200, top: 0, width: 10, height: 120 });
        assert_eq!(found[1], Region { left: 0, top: 100, width: 210, height: 20 });
    }
}
