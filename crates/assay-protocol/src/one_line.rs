//! Text for a line of output, and for comparing what a page draws over several lines.

/// The text with single blanks between its words.
pub fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
