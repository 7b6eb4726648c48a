//! Digits, five pixels wide and seven high: enough for marks, and no font to carry along.

pub(crate) const WIDTH: u32 = 5;
pub(crate) const HEIGHT: u32 = 7;

/// A row of a digit is five bits, the leftmost first.
const DIGITS: [[u8; HEIGHT as usize]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// Whether the digit is inked there.
pub(crate) fn is_inked(digit: u32, x: u32, y: u32) -> bool {
    let rows = DIGITS.get(digit as usize);
    let row = rows.and_then(|rows| rows.get(y as usize)).copied().unwrap_or_default();
    x < WIDTH && row & (1 << (WIDTH - 1 - x)) != 0
}
