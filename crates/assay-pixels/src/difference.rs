//! What is different between two pictures.

use crate::Pixels;

/// Less cannot be seen, and browsers do not draw the same letter twice alike.
const SEEN: u8 = 24;

/// How many pixels are clearly of another colour. Pictures of different sizes differ everywhere.
pub fn differing(one: &Pixels, other: &Pixels) -> usize {
    if (one.width, one.height) != (other.width, other.height) {
        return (one.width as usize * one.height as usize).max(1);
    }
    let pairs = one.rgb.chunks_exact(3).zip(other.rgb.chunks_exact(3));
    pairs
        .filter(|(one, other)| one.iter().zip(*other).any(|(one, other)| one.abs_diff(*other) > SEEN))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_seen_is_different() {
        let white = Pixels::plain(10, 10, [255, 255, 255]);
        let mut other = white.clone();
        assert_eq!(differing(&white, &other), 0);
        other.put(1, 1, [250, 250, 250]);
        assert_eq!(differing(&white, &other), 0);
        other.put(2, 2, [255, 200, 255]);
        assert_eq!(differing(&white, &other), 1);
        assert_eq!(differing(&white, &white.part(0, 0, 5, 5)), 100);
    }
}
