//! The quoted values of a sentence, by number, so its resolution can be reused with other values.

use crate::read::tokens;

/// The texts in quotation marks, in order.
pub fn quotations(sentence: &str) -> Vec<String> {
    let tokens = tokens(sentence).unwrap_or_default();
    tokens.into_iter().filter(|token| token.is_quoted()).map(|token| token.text).collect()
}

/// How the quotation with this number, from 1, is referred to.
pub fn quotation_mark(number: usize) -> String {
    format!("⟦{number}⟧")
}

/// The sentence with references in place of the quotations with these numbers.
pub fn with_marks(sentence: &str, numbers: &[usize]) -> String {
    let mut text = String::with_capacity(sentence.len());
    let mut at = 0;
    let quoted = tokens(sentence).unwrap_or_default().into_iter().filter(|token| token.is_quoted());
    for (number, token) in (1..).zip(quoted) {
        if numbers.contains(&number) {
            text.push_str(&sentence[at..token.from]);
            text.push_str(&format!("\"{}\"", quotation_mark(number)));
            at = token.to;
        }
    }
    text.push_str(&sentence[at..]);
    text
}

/// The numbers of the quotations that stand in a sentence as references.
pub fn marks_in(sentence: &str) -> Vec<usize> {
    let parts = sentence.split('⟦').skip(1);
    parts.filter_map(|part| part.split_once('⟧')?.0.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_replaced_by_their_numbers() {
        let sentence = "Enter “Ada” in the \"First name\" field and 'x' in the other";
        assert_eq!(quotations(sentence), ["Ada", "First name", "x"]);
        let marked = with_marks(sentence, &[1, 3]);
        assert_eq!(marked, "Enter \"⟦1⟧\" in the \"First name\" field and \"⟦3⟧\" in the other");
        assert_eq!(marks_in(&marked), [1, 3]);
        assert_eq!(with_marks(sentence, &[]), sentence);
    }
}
