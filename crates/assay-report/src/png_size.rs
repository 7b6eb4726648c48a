//! How large a picture is.

/// Width and height stand first in the first block of every PNG.
pub fn size_of_png(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |from: usize| Some(u32::from_be_bytes(bytes.get(from..from + 4)?.try_into().ok()?));
    bytes.starts_with(b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some((number(16)?, number(20)?))
}

/// As much of a PNG as tells its size.
pub const HEAD: usize = 24;
