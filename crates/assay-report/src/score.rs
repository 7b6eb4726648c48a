//! The certainty of a choice, in words.

/// `score 0.97, 0.42 ahead of button "Cancel"`, or `score 1.00, no other candidate`.
pub fn score_words(score: f64, margin: Option<f64>, runner_up: Option<&str>) -> String {
    match (margin, runner_up) {
        (Some(margin), Some(runner_up)) if margin < 0.0 => {
            format!("score {score:.2}, {:.2} behind {runner_up}", -margin)
        }
        (Some(margin), Some(runner_up)) => format!("score {score:.2}, {margin:.2} ahead of {runner_up}"),
        (Some(margin), None) => format!("score {score:.2}, {margin:.2} ahead of the next best"),
        (None, _) => format!("score {score:.2}, no other candidate"),
    }
}

#[cfg(test)]
mod tests {
    use super::score_words;

    #[test]
    fn a_margin_is_told_with_the_one_it_is_over() {
        assert_eq!(
            score_words(0.974, Some(0.42), Some("button \"Cancel\"")),
            "score 0.97, 0.42 ahead of button \"Cancel\""
        );
        assert_eq!(score_words(1.0, None, None), "score 1.00, no other candidate");
        assert_eq!(
            score_words(0.4, Some(-0.1), Some("link \"Save\"")),
            "score 0.40, 0.10 behind link \"Save\""
        );
    }
}
