//! An image in memory to draw on. Knows PNG and colours; does not know what is drawn.

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

/// Red, green, blue.
pub type Colour = [u8; 3];

/// More than any page shows: a head that claims more is not believed.
const MOST_PIXELS: u64 = 64 * 1024 * 1024;

pub struct Canvas {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and opacity of each pixel.
    pixels: Vec<u8>,
}

/// Left, top, width and height, in pixels. Parts of it may lie outside of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    #[error("cannot read the picture: {0}")]
    Unreadable(#[from] png::DecodingError),
    #[error("the picture is too large: {0} pixels")]
    TooLarge(u64),
    #[error("the picture has an unknown colour type: {0:?}")]
    UnknownColours(ColorType),
    #[error("cannot write the picture: {0}")]
    Unwritable(#[from] png::EncodingError),
}

impl Canvas {
    pub fn from_png(bytes: &[u8]) -> Result<Canvas, CanvasError> {
        let (width, height, colours, data) = decoded(bytes)?;
        let pixels = match colours {
            ColorType::Rgba => data,
            ColorType::Rgb => data.chunks_exact(3).flat_map(|it| [it[0], it[1], it[2], 255]).collect(),
            ColorType::Grayscale => data.iter().flat_map(|it| [*it, *it, *it, 255]).collect(),
            ColorType::GrayscaleAlpha => {
                data.chunks_exact(2).flat_map(|it| [it[0], it[0], it[0], it[1]]).collect()
            }
            ColorType::Indexed => return Err(CanvasError::UnknownColours(colours)),
        };
        Ok(Canvas { width, height, pixels })
    }

    pub fn to_png(&self) -> Result<Vec<u8>, CanvasError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Lays ink over one pixel; `cover` of 255 hides what was there. What is outside of the canvas is left out.
    pub fn ink(&mut self, x: i32, y: i32, colour: Colour, cover: u8) {
        let (Ok(column), Ok(row)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if column >= self.width || row >= self.height {
            return;
        }
        let at = (row as usize * self.width as usize + column as usize) * 4;
        let cover = u32::from(cover);
        for (under, over) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            let mixed = (u32::from(*under) * (255 - cover) + u32::from(over) * cover) / 255;
            *under = mixed as u8;
        }
        self.pixels[at + 3] = self.pixels[at + 3].max(cover as u8);
    }

    pub fn fill(&mut self, rect: Rect, colour: Colour, cover: u8) {
        // Nothing outside is gone through, however large a rectangle claims to be.
        let (left, top) = (rect.x.max(0), rect.y.max(0));
        let right = rect.x.saturating_add(rect.width).min(self.width as i32);
        let bottom = rect.y.saturating_add(rect.height).min(self.height as i32);
        for y in top..bottom {
            for x in left..right {
                self.ink(x, y, colour, cover);
            }
        }
    }

    /// A frame whose lines lie outside of the rectangle.
    pub fn frame(&mut self, inside: Rect, thick: i32, colour: Colour) {
        let outer = inside.grown(thick);
        let across = Rect { height: thick, ..outer };
        let down = Rect { width: thick, ..outer };
        self.fill(across, colour, 255);
        self.fill(Rect { y: inside.y + inside.height, ..across }, colour, 255);
        self.fill(down, colour, 255);
        self.fill(Rect { x: inside.x + inside.width, ..down }, colour, 255);
    }

    /// A ring around a point.
    pub fn ring(&mut self, x: i32, y: i32, radius: i32, thick: i32, colour: Colour) {
        let (inner, outer) = ((radius - thick) * (radius - thick), radius * radius);
        for down in -radius..=radius {
            for across in -radius..=radius {
                let far = across * across + down * down;
                if far <= outer && far >= inner {
                    self.ink(x + across, y + down, colour, 255);
                }
            }
        }
    }

    #[cfg(test)]
    pub fn colour_at(&self, x: u32, y: u32) -> Colour {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    #[cfg(test)]
    pub fn blank(width: u32, height: u32) -> Canvas {
        Canvas { width, height, pixels: vec![255; (width * height * 4) as usize] }
    }
}

impl Rect {
    pub fn grown(self, by: i32) -> Rect {
        Rect { x: self.x - by, y: self.y - by, width: self.width + 2 * by, height: self.height + 2 * by }
    }
}

/// Width, height, the kind of colours and their bytes, eight bits each.
pub fn decoded(bytes: &[u8]) -> Result<(u32, u32, ColorType, Vec<u8>), CanvasError> {
    let mut decoder = Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let (width, height) = (reader.info().width, reader.info().height);
    let count = u64::from(width) * u64::from(height);
    let size = reader.output_buffer_size().filter(|_| count <= MOST_PIXELS);
    let mut data = vec![0; size.ok_or(CanvasError::TooLarge(count))?];
    let frame = reader.next_frame(&mut data)?;
    data.truncate(frame.buffer_size());
    Ok((frame.width, frame.height, frame.color_type, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_read_again() {
        let mut canvas = Canvas::blank(40, 30);
        canvas.frame(Rect { x: 10, y: 10, width: 8, height: 6 }, 2, [200, 0, 0]);
        canvas.fill(Rect { x: -5, y: 25, width: 1000, height: 1000 }, [0, 0, 0], 128);
        let again = Canvas::from_png(&canvas.to_png().unwrap()).unwrap();
        assert_eq!((again.width, again.height), (40, 30));
        assert_eq!(again.colour_at(9, 9), [200, 0, 0]);
        assert_eq!(again.colour_at(12, 12), [255, 255, 255], "inside of the frame nothing is hidden");
        assert_eq!(again.colour_at(0, 29), [127, 127, 127]);
        assert!(Canvas::from_png(b"\x89PNG\r\n\x1a\nnone").is_err());
    }
}
