//! Sums of money, exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// US dollars, counted in millionths of millionths: so a price for a million tokens, in millionths of
/// a dollar, is the price of one token, and no sum is ever rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

const DOLLAR: u64 = 1_000_000_000_000;

impl Money {
    pub const ZERO: Money = Money(0);

    pub fn dollars(dollars: f64) -> Money {
        // More than eighteen million dollars, or less than nothing, is the nearest that can be said.
        Money((dollars.max(0.0) * DOLLAR as f64).round() as u64)
    }

    pub fn as_dollars(self) -> f64 {
        self.0 as f64 / DOLLAR as f64
    }

    pub fn times(self, count: u64) -> Money {
        Money(self.0.saturating_mul(count))
    }

    pub fn saturating_sub(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }

    /// The price of one token, from a text such as `0.125`: dollars for a million tokens.
    pub(crate) fn per_token(text: &str) -> Option<Money> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.len() > 6 {
            return None;
        }
        let whole: u64 = whole.parse().ok()?;
        let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
        Some(Money(whole * 1_000_000 + fraction))
    }

    /// How much less this is than `other`, in whole per cent.
    pub(crate) fn percent_below(self, other: Money) -> Option<u8> {
        let difference = u128::from(other.0.checked_sub(self.0)?);
        let percent = (difference * 100).checked_div(u128::from(other.0))?;
        u8::try_from(percent).ok()
    }
}

impl fmt::Display for Money {
    /// `$0.0123`: two digits at least, six at most.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.as_dollars());
        let mut end = text.len();
        while text[..end].ends_with('0') && text[..end].split('.').nth(1).is_some_and(|it| it.len() > 2) {
            end -= 1;
        }
        write!(out, "${}", &text[..end])
    }
}

impl Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(parts: I) -> Money {
        parts.fold(Money::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_exact() {
        let price = Money::per_token("0.125").unwrap();
        assert_eq!(price.times(8_000_000), Money::dollars(1.0));
        assert_eq!(Money::per_token("3").unwrap().times(1_000_000), Money::dollars(3.0));
        assert_eq!(Money::per_token("0.1234567"), None);
        assert_eq!(Money::per_token("-"), None);
    }

    #[test]
    fn sums_are_shown_short() {
        for (dollars, expected) in [
            (0.0, "$0.00"),
            (1.5, "$1.50"),
            (0.012_3, "$0.0123"),
            (0.000_001_2, "$0.000001"),
            (12.0, "$12.00"),
        ] {
            assert_eq!(Money::dollars(dollars).to_string(), expected);
        }
    }

    #[test]
    fn a_tenth_is_ninety_per_cent_less() {
        assert_eq!(Money::dollars(0.1).percent_below(Money::dollars(1.0)), Some(90));
        assert_eq!(Money::dollars(1.0).percent_below(Money::dollars(0.1)), None);
        assert_eq!(Money::ZERO.percent_below(Money::ZERO), None);
    }
}
