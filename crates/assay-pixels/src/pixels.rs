//! A picture as rows of pixels, from a PNG and back to one.

use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Transformations};

/// Red, green and blue, a byte each, row after row. Pictures of pages have nothing behind them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum PixelError {
    #[error("a picture cannot be read: {0}")]
    Unreadable(#[from] png::DecodingError),
    #[error("a picture of {width}x{height} pixels is too large")]
    TooLarge { width: u32, height: u32 },
    #[error("expected a picture in colours or greys, found one of {samples} samples a pixel")]
    OtherColours { samples: usize },
    #[error("a picture cannot be written: {0}")]
    Unwritable(#[from] png::EncodingError),
}

impl Pixels {
    /// All of one colour.
    pub fn plain(width: u32, height: u32, colour: [u8; 3]) -> Pixels {
        let rgb = colour.repeat(width as usize * height as usize);
        Pixels { width, height, rgb }
    }

    pub fn from_png(bytes: &[u8]) -> Result<Pixels, PixelError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width, reader.info().height);
        let size = reader.output_buffer_size().ok_or(PixelError::TooLarge { width, height })?;
        let mut raw = vec![0; size];
        let frame = reader.next_frame(&mut raw)?;
        raw.truncate(frame.buffer_size());
        let rgb = match frame.color_type {
            ColorType::Rgb => raw,
            ColorType::Rgba => raw.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
            ColorType::Grayscale => raw.iter().flat_map(|grey| [*grey; 3]).collect(),
            ColorType::GrayscaleAlpha => raw.chunks_exact(2).flat_map(|pixel| [pixel[0]; 3]).collect(),
            other @ ColorType::Indexed => return Err(PixelError::OtherColours { samples: other.samples() }),
        };
        Ok(Pixels { width, height, rgb })
    }

    pub fn to_png(&self) -> Result<Vec<u8>, PixelError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(bytes)
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// None outside of the picture.
    pub fn at(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let start = self.start(x, y)?;
        Some([self.rgb[start], self.rgb[start + 1], self.rgb[start + 2]])
    }

    pub(crate) fn put(&mut self, x: u32, y: u32, colour: [u8; 3]) {
        if let Some(start) = self.start(x, y) {
            self.rgb[start..start + 3].copy_from_slice(&colour);
        }
    }

    fn start(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then_some((y as usize * self.width as usize + x as usize) * 3)
    }

    /// A part of it; what would lie outside is left out.
    pub fn part(&self, left: u32, top: u32, width: u32, height: u32) -> Pixels {
        let (left, top) = (left.min(self.width), top.min(self.height));
        let (width, height) = (width.min(self.width - left), height.min(self.height - top));
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for y in top..top + height {
            let start = (y as usize * self.width as usize + left as usize) * 3;
            rgb.extend_from_slice(&self.rgb[start..start + width as usize * 3]);
        }
        Pixels { width, height, rgb }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_written_and_read_again() {
        let mut pixels = Pixels::plain(7, 5, [255, 255, 255]);
        pixels.put(6, 4, [1, 2, 3]);
        pixels.put(7, 4, [9, 9, 9]);
        let again = Pixels::from_png(&pixels.to_png().unwrap()).unwrap();
        assert_eq!(again, pixels);
        assert_eq!((again.at(6, 4), again.at(7, 4)), (Some([1, 2, 3]), None));
        assert!(Pixels::from_png(b"no picture").is_err());
    }

    #[test]
    fn a_part_ends_where_the_picture_ends() {
        let mut pixels = Pixels::plain(4, 4, [0, 0, 0]);
        pixels.put(3, 3, [5, 5, 5]);
        let part = pixels.part(2, 3, 10, 10);
        assert_eq!((part.width(), part.height(), part.at(1, 0)), (2, 1, Some([5, 5, 5])));
        assert_eq!(pixels.part(9, 9, 1, 1).width(), 0);
    }
}
