//! Counts that were compared with tiktoken 0.14.0 and gpt-tokenizer 4.0.0.

use assay_tokens::{count, fits};

#[track_caller]
fn check(text: &str, expected: usize) {
    assert_eq!(count(text), expected, "{text:?}");
    assert!(fits(text, expected), "{text:?}");
    assert!(expected == 0 || !fits(text, expected - 1), "{text:?}");
}

#[test]
fn plain_sentences_are_counted() {
    check("", 0);
    check("a", 1);
    check("Hello, world!", 4);
    check("The quick brown fox jumps over the lazy dog.", 10);
    check("Antidisestablishmentarianism and pneumonoultramicroscopicsilicovolcanoconiosis", 20);
}

#[test]
fn contractions_are_counted() {
    check("I'm sure they'll say we've won, but it's what you'd expect.", 13);
    check("DON'T SHOUT, THEY'RE ASLEEP", 10);
    check("x'ſy o'clock 'tis rock 'n' roll", 13);
}

#[test]
fn capitals_are_counted() {
    check("camelCaseAndHTTPServerName", 6);
    check("ΑΒΓδεζ ЖУКИ жуки ǅungla ẞß", 20);
    check("日本ABC日本abc", 4);
}

#[test]
fn numbers_are_counted() {
    check("0 12 345 6789 1234567890", 13);
    check("3.14159, 2026-11-15T03:35:00Z, 1,000,000", 26);
    check("٣٤٥٦ १२३४ ⅧⅨ ①② ½¼ x² 𝟘𝟙𝟚𝟛", 34);
}

#[test]
fn source_text_is_counted() {
    check("fn main() {\n    println!(\"{}\", 1 << 4);\n}\n", 14);
    check("<button class=\"btn btn-primary\" disabled>Sign in</button>", 14);
    check("{\"id\":42,\"tags\":[\"a\",\"b\"],\"ok\":true}", 16);
    check("https://example.com/a/b?c=d&e=%20f#g", 14);
    check("/* ===== */ // ----- ______ ...... ////\n///", 10);
}

#[test]
fn white_space_is_counted() {
    check("one\r\ntwo\r\n\r\n\r\nthree\r", 6);
    check("a  b   c    d     e\t\tf \t g", 13);
    check("   \n\n   \t\n  x", 5);
    check("trailing   ", 3);
    check("\u{a0}\u{a0}x\u{3000}\u{3000}y\u{2028}z", 8);
}

// Here gpt-tokenizer counts otherwise: in JavaScript the byte order mark is white space
// and U+0085 is not. Tiktoken follows Unicode, and so does this crate.
#[test]
fn white_space_is_what_unicode_says_it_is() {
    check("\u{feff}q \u{feff}\u{feff} 1\u{85}2", 9);
}

#[test]
fn other_scripts_are_counted() {
    check("مرحبا بالعالم، كيف حالك اليوم؟", 10);
    check("人工智能正在改变世界。你好吗？", 9);
    check("नमस्ते दुनिया, आप कैसे हैं?", 10);
    check("สวัสดีชาวโลก วันนี้เป็นอย่างไรบ้าง", 13);
    check("Καλημέρα κόσμε, τι κάνεις;", 11);
    check("안녕하세요 세계, 오늘은 어떠세요?", 10);
    check("こんにちは世界、カタカナとひらがな。", 13);
    check("שלום עולם", 2);
    check("Привет, мир! Как дела?", 8);
    check("Xin chào thế giới, Žluťoučký kůň, naïve façade", 19);
}

#[test]
fn emoji_are_counted() {
    check("👩\u{200d}🚀 👨\u{200d}👩\u{200d}👧\u{200d}👦", 16);
    check("❤\u{fe0f} 🏳\u{fe0f}\u{200d}🌈 👍🏽 1\u{fe0f}\u{20e3}", 14);
    check("🙂🙂🙂 ok🙂ok", 6);
}

#[test]
fn marks_are_counted() {
    check("e\u{301}a\u{308} \u{301}A !\u{301} \u{301}'s Z\u{351}\u{36b}\u{343}a\u{360}lgo", 24);
}

#[test]
fn special_tokens_are_plain_text() {
    check("<|endoftext|> and <|im_start|>user<|im_sep|>", 21);
}

#[test]
fn unassigned_and_private_characters_are_counted() {
    check("\u{378}\u{e000}\u{10ffff}\0\u{7f}\u{200b}", 11);
}

#[test]
fn a_megabyte_of_one_letter_is_counted() {
    assert_eq!(count(&"a".repeat(1_000_000)), 125_000);
}

#[test]
fn a_megabyte_of_mixed_letters_is_counted() {
    let mut state = 1_u32;
    let mut next_letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + ((state >> 16) % 26) as u8)
    };
    let letters: String = (0..1_000_000).map(|_| next_letter()).collect();
    assert_eq!(count(&letters), 518_830);
}

#[test]
fn a_very_long_run_of_spaces_is_counted() {
    assert_eq!(count(&" ".repeat(100_000)), 782);
}
