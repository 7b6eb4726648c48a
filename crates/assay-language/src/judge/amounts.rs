//! The amount of a record that has only one: "the balance of "Savings"", whatever the page calls it, if at all.

use crate::ground::view::View;

/// Words for an amount that pages seldom write beside it.
const AMOUNTS: &[&str] = &["balance", "amount", "price", "cost"];

/// The part of a record that is its only amount, for a word that means one.
pub(super) fn only_amount(view: &View, entry: usize, column: &str) -> Option<usize> {
    if !AMOUNTS.contains(&column) {
        return None;
    }
    // A record with others inside shows their amounts too.
    if view
        .inside(entry)
        .any(|inner| inner != entry && view.is_entry(inner) && view.node(inner).role == view.node(entry).role)
    {
        return None;
    }
    // A record of nothing but a name and an amount. With more in it, the amount may be one of something else.
    let texts: Vec<usize> = view.inside(entry).filter(|at| view.node(*at).role == "text").collect();
    let is_headed = view.inside(entry).any(|at| view.node(at).attribute("column").is_some());
    if is_headed || texts.len() > 2 {
        return None;
    }
    let is_amount = |at: &usize| starts_with_amount(view.text(*at));
    let mut amounts = texts.into_iter().filter(is_amount);
    amounts.next().filter(|_| amounts.next().is_none())
}

/// "12.40", "€ 3,50", "+232.00 EUR": with cents or a currency. A date, a version and a bare number are none.
fn starts_with_amount(text: &str) -> bool {
    let first = text.trim_start_matches(|sign: char| sign.is_whitespace() || "+-−€$£¥".contains(sign));
    let has_sign = text.trim_start_matches(['+', '-', '−', ' ']).starts_with(['€', '$', '£', '¥']);
    let digits: &str = first
        .split(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','))
        .next()
        .unwrap_or("");
    let rest = &first[digits.len()..];
    let cents = digits.rsplit(['.', ',']).next().filter(|_| digits.contains(['.', ',']));
    let is_whole = rest.is_empty() || rest.starts_with([' ', '\u{a0}', '€', '$', '£']);
    let has_cents = cents.is_some_and(|cents| cents.len() == 2) && digits.matches(['.', ',']).count() <= 3;
    digits.starts_with(|digit: char| digit.is_ascii_digit()) && is_whole && (has_cents || has_sign)
}

#[cfg(test)]
mod tests {
    use super::starts_with_amount;

    #[test]
    fn amounts_have_cents_or_a_currency() {
        for amount in ["12.40", "12.40 (6.20 each)", "+232.00", "€ 3", "1.250,00 €", "$5", "-76.30"] {
            assert!(starts_with_amount(amount), "{amount}");
        }
        for other in ["2024-06-16", "12", "1.2.3", "17:53", "v1.20", "12.40.2", "3 items", ""] {
            assert!(!starts_with_amount(other), "{other}");
        }
    }
}
