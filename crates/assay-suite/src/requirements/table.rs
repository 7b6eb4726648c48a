//! Tables as spreadsheets and documents write them: CSV with any of the usual separators, and Markdown.

use super::import::ImportMistake;

/// One row, with the line that it begins on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub line: usize,
    pub cells: Vec<String>,
}

impl Row {
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| trimmed(cell).is_empty())
    }
}

/// Without blanks, and without the invisible letters that spreadsheets and web pages leave.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| {
        letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}')
    })
}

/// The text of a file: UTF-8, or UTF-16 with its mark, as spreadsheets export it.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, ImportMistake> {
    let wide = |read: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16(&units).ok().filter(|_| bytes.len().is_multiple_of(2))
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        bytes => String::from_utf8(bytes.to_vec()).ok(),
    };
    text.filter(|text| !text.contains('\0')).ok_or_else(|| {
        let valid = std::str::from_utf8(bytes).map_or_else(|err| err.valid_up_to(), str::len);
        let valid = bytes.iter().position(|byte| *byte == 0).map_or(valid, |zero| zero.min(valid));
        let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        ImportMistake::new(line, "expected text in UTF-8, found other bytes")
            .hint("save the table as `CSV UTF-8`")
    })
}

/// The records of a CSV text. The line `sep=;` that spreadsheets write names the separator; the caller knows it otherwise.
pub(super) fn csv(text: &str, separator: char) -> Result<Vec<Row>, ImportMistake> {
    let mut letters = text.chars().peekable();
    let (mut rows, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut first_line) = (1, 1);
    // In quotes since this line.
    let mut quoted: Option<usize> = None;
    let mut was_quoted = false;
    while let Some(letter) = letters.next() {
        let is_end = match letter {
            '\r' => letters.next_if_eq(&'\n').is_some() || quoted.is_none() || letters.peek() != Some(&'\n'),
            letter => letter == '\n',
        };
        line += usize::from(is_end);
        if quoted.is_some() {
            match letter {
                '"' if letters.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' => (quoted, was_quoted) = (None, true),
                '\r' => cell.push('\n'),
                letter => cell.push(letter),
            }
            continue;
        }
        match letter {
            '"' if trimmed(&cell).is_empty() && !was_quoted => {
                cell.clear();
                quoted = Some(line);
            }
            letter if letter == separator || is_end => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
                if is_end {
                    rows.push(Row { line: first_line, cells: std::mem::take(&mut cells) });
                    first_line = line;
                }
            }
            blank if was_quoted && blank.is_whitespace() => {}
            _ if was_quoted => {
                return Err(ImportMistake::new(
                    line,
                    "expected the end of the cell after its closing quote, found more text",
                )
                .hint("write a quote inside a quoted cell twice"));
            }
            letter => cell.push(letter),
        }
    }
    if let Some(line) = quoted {
        return Err(ImportMistake::new(line, "expected a closing quote, found the end of the file"));
    }
    if !cell.is_empty() || !cells.is_empty() || was_quoted {
        cells.push(cell);
        rows.push(Row { line: first_line, cells });
    }
    Ok(rows)
}

/// The tables of a Markdown text, each with its head first. What stands in a fence of code is no table.
pub(super) fn markdown(text: &str) -> Vec<Vec<Row>> {
    // A table may stand in a quotation.
    let lines: Vec<&str> =
        text.lines().map(|line| line.trim_start_matches(['>', ' ', '\t']).trim_end()).collect();
    let mut tables = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let is_head =
            fence.is_none() && line.contains('|') && lines.get(at + 1).is_some_and(|next| is_rule(next));
        if !is_head {
            at += 1;
            continue;
        }
        let mut table = vec![Row { line: at + 1, cells: markdown_cells(line) }];
        at += 2;
        while let Some(line) = lines.get(at).filter(|line| line.contains('|')) {
            table.push(Row { line: at + 1, cells: markdown_cells(line) });
            at += 1;
        }
        tables.push(table);
    }
    tables
}

/// `|---|:--:|`, below the head of a table.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' ' | '\t'))
}

fn markdown_cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.next_if_eq(&'|').is_some() => cell.push('|'),
            '|' => cells.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    // The closing mark of the row begins no cell.
    if !cell.trim().is_empty() || cells.is_empty() {
        cells.push(cell);
    }
    cells.iter().map(|cell| plain(cell)).collect()
}

/// The words of a cell without their looks: emphasis, code, links, entities.
fn plain(cell: &str) -> String {
    let mut text = cell.trim().to_string();
    for newline in ["<br>", "<br/>", "<br />", "<BR>"] {
        text = text.replace(newline, "\n");
    }
    text = without_links(&text);
    for mark in ["**", "__", "`", "*", "_", "~~"] {
        let inner = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        if let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains(mark)) {
            text = inner.to_string();
        }
    }
    for (entity, letter) in [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
    {
        text = text.replace(entity, letter);
    }
    text.trim().to_string()
}

/// `[words](address)` becomes its words.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let link = rest[start..].find("](").and_then(|middle| {
            let end = rest[start + middle..].find(')')?;
            Some((start + middle, start + middle + end))
        });
        let Some((middle, end)) = link else { break };
        plain.push_str(&rest[..start]);
        plain.push_str(&rest[start + 1..middle]);
        rest = &rest[end + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str, separator: char) -> Vec<Vec<String>> {
        csv(text, separator).unwrap().into_iter().map(|row| row.cells).collect()
    }

    #[test]
    fn quoted_cells_hold_separators_lines_and_quotes() {
        assert_eq!(
            cells("a,\"b, \"\"c\"\"\r\nd\",e\r\nf,,\r\n", ','),
            [vec!["a", "b, \"c\"\nd", "e"], vec!["f", "", ""]]
        );
        assert_eq!(cells("a; \"b;c\" ;d", ';'), [["a", "b;c", "d"]]);
        assert_eq!(cells("5\" screen,\"\"\n", ','), [["5\" screen", ""]]);
        assert_eq!(cells("a\tb\rc\td", '\t'), [["a", "b"], ["c", "d"]]);
    }

    #[test]
    fn a_row_knows_the_line_it_begins_on() {
        let rows = csv("a\n\"b\nb\r\nb\"\n\nc\n", ',').unwrap();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2, 5, 6]);
        assert_eq!(csv("a\n\"b\nc\n", ',').unwrap_err().line, 2);
        assert_eq!(csv("a\n\"b\" c\n", ',').unwrap_err().line, 2);
    }

    #[test]
    fn markdown_tables_are_found_outside_code() {
        let text = "# Head\n\n```\n| x | y |\n|---|---|\n```\n\n| ID | Name |\n|:---|:-:|\n| `R-1` | **Pay \\| go** |\nR-2 | [Refund](http://a/b) |\n\ntext | more\n";
        let tables = markdown(text);
        assert_eq!(tables.len(), 1);
        let found: Vec<_> = tables[0].iter().map(|row| (row.line, row.cells.join("/"))).collect();
        assert_eq!(
            found,
            [(8, "ID/Name".into()), (10, "R-1/Pay | go".into()), (11, "R-2/Refund".to_string())]
        );
    }

    #[test]
    fn text_is_read_in_the_encodings_of_spreadsheets() {
        assert_eq!(decoded(b"\xef\xbb\xbfa").unwrap(), "a");
        assert_eq!(decoded(b"\xff\xfea\0\xe9\0").unwrap(), "aé");
        assert_eq!(decoded(b"a\nb\xe9").unwrap_err().line, 2);
    }
}
