//! A request as words: contractions written out, quotes kept together, names left whole.

/// A word or a mark of punctuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// In lower case; slips of the finger may be mended.
    pub text: String,
    /// As it was written.
    pub raw: String,
    /// Where it is in the request, in bytes.
    pub start: usize,
    pub end: usize,
    pub is_mark: bool,
    /// The number of the quotation that it is in.
    pub quote: Option<usize>,
}

impl Token {
    pub fn is(&self, word: &str) -> bool {
        self.text == word
    }

    pub fn stem(&self) -> String {
        stem(&self.text)
    }
}

pub(super) fn tokens(request: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut quotes = 0;
    let mut word_start: Option<usize> = None;
    let letters: Vec<(usize, char)> = request.char_indices().collect();
    for (place, (at, letter)) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).map(|place| letters[place].1);
        let after = letters.get(place + 1).map(|(_, letter)| *letter);
        let opens = matches!(letter, '"' | '“' | '”' | '`')
            || letter == '\''
                && (quote.is_some_and(|(mark, _)| mark == '\'') || before.is_none_or(char::is_whitespace));
        let closes_word = letter == '\'' && after.is_some_and(char::is_alphanumeric);
        if opens && !(quote.is_some() && closes_word) {
            end_word(request, &mut word_start, at, quote, &mut found);
            quote = match quote {
                Some(_) => None,
                None => {
                    quotes += 1;
                    Some((letter, quotes))
                }
            };
            continue;
        }
        let is_inner = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        let belongs = letter.is_alphanumeric()
            || matches!(letter, '_' | '/' | '@' | '%' | '&' | '#' | '+')
            || letter == ':' && (is_inner || after == Some('/'))
            || matches!(letter, '.' | '\'' | '’' | '-') && is_inner
            || letter == '?' && is_inner;
        if belongs {
            word_start.get_or_insert(at);
            continue;
        }
        end_word(request, &mut word_start, at, quote, &mut found);
        let is_dash =
            matches!(letter, '–' | '—') || letter == '-' && before == Some(' ') && after == Some(' ');
        if is_dash || matches!(letter, '.' | '!' | '?' | ';' | ',' | ':' | '=' | '\n' | '(' | ')') {
            let text = match letter {
                '!' | '?' | ';' | '\n' => '.',
                '(' | ')' => ',',
                _ if is_dash => '-',
                _ => letter,
            };
            found.push(Token {
                text: text.to_string(),
                raw: letter.to_string(),
                start: at,
                end: at + letter.len_utf8(),
                is_mark: true,
                quote: quote.map(|(_, number)| number),
            });
        }
    }
    end_word(request, &mut word_start, request.len(), quote, &mut found);
    found
}

fn end_word(
    request: &str,
    start: &mut Option<usize>,
    end: usize,
    quote: Option<(char, usize)>,
    found: &mut Vec<Token>,
) {
    let Some(begin) = start.take() else { return };
    let raw = &request[begin..end];
    for part in written_out(&raw.to_lowercase().replace('’', "'")) {
        found.push(Token {
            text: part,
            raw: raw.to_string(),
            start: begin,
            end,
            is_mark: false,
            quote: quote.map(|(_, number)| number),
        });
    }
}

/// `shouldnt`, as people type it.
const NEGATED_WITHOUT_A_MARK: &[&str] =
    &["is", "are", "was", "were", "did", "should", "would", "could", "must", "need", "has", "have", "had"];

/// `don't` is `do not`, `what's` is `what is`; short forms of chats are words.
fn written_out(word: &str) -> Vec<String> {
    let whole = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect();
    match word {
        "dont" => return whole(&["do", "not"]),
        "doesnt" => return whole(&["does", "not"]),
        "can't" | "cant" | "cannot" => return whole(&["can", "not"]),
        "won't" | "wont" => return whole(&["will", "not"]),
        "whats" => return whole(&["what", "is"]),
        "wheres" => return whole(&["where", "is"]),
        "hows" => return whole(&["how", "is"]),
        "lemme" => return whole(&["let", "me"]),
        "gimme" => return whole(&["give", "me"]),
        "wanna" => return whole(&["want", "to"]),
        "u" => return whole(&["you"]),
        "ur" => return whole(&["your"]),
        "w/" => return whole(&["with"]),
        "ppl" => return whole(&["people"]),
        "pls" | "plz" | "plse" => return whole(&["please"]),
        "wich" | "whcih" | "whih" => return whole(&["which"]),
        "waht" | "wat" => return whole(&["what"]),
        "shwo" => return whole(&["show"]),
        "teh" => return whole(&["the"]),
        "smth" => return whole(&["something"]),
        "ls" => return whole(&["list"]),
        "&" => return whole(&["and"]),
        "prio" => return whole(&["priority"]),
        _ => {}
    }
    if let Some(verb) = word.strip_suffix("n't") {
        return whole(&[verb, "not"]);
    }
    if let Some(verb) = word.strip_suffix("nt").filter(|verb| NEGATED_WITHOUT_A_MARK.contains(verb)) {
        return whole(&[verb, "not"]);
    }
    if let Some((stem, ending)) = word.split_once('\'') {
        let more = match ending {
            "s" if matches!(stem, "what" | "how" | "where" | "who" | "there" | "it" | "that") => Some("is"),
            "d" => Some("would"),
            "ll" => Some("will"),
            "ve" => Some("have"),
            "m" | "re" => Some("is"),
            _ => None,
        };
        return match more {
            Some(more) => whole(&[stem, more]),
            None if ending == "s" || ending.is_empty() => whole(&[stem]),
            None => whole(&[word]),
        };
    }
    whole(&[word])
}

/// A word without its endings: `running` and `runs` are `run`.
pub(crate) fn stem(word: &str) -> String {
    let mut stem = word.to_string();
    let long = |stem: &str, ending: &str| stem.len() > ending.len() + 2 && stem.ends_with(ending);
    if long(&stem, "'s") {
        stem.truncate(stem.len() - 2);
    }
    if long(&stem, "ies") {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if stem.ends_with("sses")
        || stem.ends_with("ches")
        || stem.ends_with("shes")
        || stem.ends_with("xes")
    {
        stem.truncate(stem.len() - 2);
    } else if long(&stem, "s") && !stem.ends_with("ss") && !stem.ends_with("us") && !stem.ends_with("is") {
        stem.pop();
    }
    for ending in ["ing", "ed"] {
        if stem.len() > ending.len() + 2
            && stem.ends_with(ending)
            && has_vowel(&stem[..stem.len() - ending.len()])
        {
            stem.truncate(stem.len() - ending.len());
            let bytes = stem.as_bytes();
            if let [.., one, other] = bytes
                && one == other
                && !matches!(other, b'l' | b's' | b'z')
            {
                stem.pop();
            }
            break;
        }
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

fn has_vowel(text: &str) -> bool {
    text.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// The words of a name: `login_valid-credentials` has three.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    name.to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let found: Vec<String> = tokens(request).into_iter().map(|token| token.text).collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn requests_are_words() {
        check("Don't run, what's up?", "do not run , what is up .");
        check("open http://127.0.0.1:8410/a?b=1 now", "open http://127.0.0.1:8410/a?b = 1 now");
        check("file season.csv, --older_than=5", "file season.csv , older_than = 5");
        check("run \"Search, twice\" pls", "run search , twice please");
        assert!(tokens("run \"Search\"")[1].quote.is_some());
    }

    #[test]
    fn endings_fall() {
        for (one, other) in [
            ("running", "run"),
            ("executing", "execute"),
            ("devices", "device"),
            ("searching", "search"),
            ("checks", "check"),
            ("coverages", "coverage"),
            ("queries", "query"),
            ("linked", "link"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}");
        }
    }
}
