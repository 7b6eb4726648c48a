//! Pictures in another size.

use crate::Pixels;

impl Pixels {
    /// In another size. Each new pixel is the mean of those that it stands for, so that thin lines are not lost; where it
    /// stands for less than one, it is that one.
    #[must_use]
    pub fn scaled(&self, width: u32, height: u32) -> Pixels {
        if (width, height) == (self.width, self.height) || self.width == 0 || self.height == 0 {
            return self.clone();
        }
        let columns = spans(self.width, width);
        let rows = spans(self.height, height);
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for (top, bottom) in &rows {
            for (left, right) in &columns {
                rgb.extend_from_slice(&self.mean(*left, *top, *right, *bottom));
            }
        }
        Pixels { width, height, rgb }
    }

    /// The mean colour of an area; its ends are not part of it.
    pub(crate) fn mean(&self, left: u32, top: u32, right: u32, bottom: u32) -> [u8; 3] {
        let mut sums = [0u64; 3];
        for y in top..bottom {
            let row = y as usize * self.width as usize;
            let pixels = &self.rgb[(row + left as usize) * 3..(row + right as usize) * 3];
            for pixel in pixels.chunks_exact(3) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += u64::from(*value);
                }
            }
        }
        let count = (u64::from(right - left) * u64::from(bottom - top)).max(1);
        sums.map(|sum| ((sum + count / 2) / count) as u8)
    }
}

/// Which old pixels each new one stands for.
fn spans(old: u32, new: u32) -> Vec<(u32, u32)> {
    let at = |index: u32| (u64::from(index) * u64::from(old) / u64::from(new.max(1))) as u32;
    (0..new)
        .map(|index| {
            let start = at(index).min(old - 1);
            (start, at(index + 1).clamp(start + 1, old))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_pictures_mix_and_larger_ones_repeat() {
        let mut pixels = Pixels::plain(4, 2, [0, 0, 0]);
        pixels.put(0, 0, [200, 0, 0]);
        let half = pixels.scaled(2, 1);
        assert_eq!((half.at(0, 0), half.at(1, 0)), (Some([50, 0, 0]), Some([0, 0, 0])));
        let double = pixels.scaled(8, 4);
        assert_eq!((double.at(1, 1), double.at(2, 0)), (Some([200, 0, 0]), Some([0, 0, 0])));
        assert_eq!(pixels.scaled(4, 2), pixels);
    }
}
