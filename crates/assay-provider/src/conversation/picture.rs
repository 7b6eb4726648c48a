//! A picture, as it is shown to a model: a PNG whose size is known.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A PNG. Cheap to clone: a conversation holds many and is written again at every turn.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    bytes: Arc<[u8]>,
    width: u32,
    height: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("expected a PNG image, found {length} bytes of something else")]
    NotPng { length: usize },
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

impl Picture {
    /// Takes the bytes of a PNG file. Its size is read from its head; the rest is not looked at.
    pub fn png(bytes: impl Into<Arc<[u8]>>) -> Result<Picture, PictureError> {
        let bytes = bytes.into();
        let not_png = || PictureError::NotPng { length: bytes.len() };
        let number = |at: usize| -> Option<u32> {
            let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_be_bytes(four))
        };
        if !bytes.starts_with(SIGNATURE) || bytes.get(12..16) != Some(b"IHDR") {
            return Err(not_png());
        }
        let (Some(width), Some(height)) = (number(16), number(20)) else { return Err(not_png()) };
        Ok(Picture { width, height, bytes })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }

    pub fn data_url(&self) -> String {
        format!("data:image/png;base64,{}", self.base64())
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Picture({}x{}, {} bytes)", self.width, self.height, self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_read_from_the_head() {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend_from_slice(&[0, 0, 0, 13]);
        bytes.extend_from_slice(b"IHDR\0\0\x05\0\0\0\x03\x20");
        let picture = Picture::png(bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (1280, 800));
    }

    #[test]
    fn what_is_no_png_is_refused() {
        for bytes in [&b""[..], b"\xff\xd8\xff", SIGNATURE, b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0"] {
            assert_eq!(Picture::png(bytes), Err(PictureError::NotPng { length: bytes.len() }));
        }
    }
}
