use super::*;

/// Each row in one line, or the mistakes.
fn read(file: &str, text: &str) -> String {
    let told = |row: &ImportedRequirement| {
        let change = &row.change;
        let mut line = format!("{}: {} {}", row.line, change.code, change.name.clone().unwrap_or_default());
        for more in [
            change.priority.map(|priority| priority.name().to_string()),
            change.status.map(|status| status.name().to_string()),
            change.category.clone(),
            change.description.clone(),
            change.acceptance_criteria.as_ref().map(|criteria| criteria.join(" / ")),
        ] {
            line += &more.map(|more| format!(" | {more}")).unwrap_or_default();
        }
        line
    };
    match read_requirement_table(file, text.as_bytes()) {
        Ok(table) => {
            let notes = table.notes.iter().map(|note| format!("note: {note}"));
            table.rows.iter().map(told).chain(notes).collect::<Vec<_>>().join("\n")
        }
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[track_caller]
fn check(file: &str, text: &str, expected: &str) {
    assert_eq!(read(file, text), expected);
}

#[test]
fn columns_are_known_by_their_headings() {
    check(
        "r.csv",
        "ID,Requirement,Priority,Status,Module,Owner\nR-1,Pay,Must have,In Progress,Shop,Ann\n",
        "2: R-1 Pay | critical | approved | Shop\nnote: left out: the column `Owner`",
    );
    check("r.csv", "\u{feff}Code;Title\r\nR-1;Pay, and go\r\n", "2: R-1 Pay, and go");
    check("r.tsv", "key\tSummary\nR-1\tPay; now\n", "2: R-1 Pay; now");
    check("r.csv", "sep=;\r\nCode;Name\r\nR-1;\"a;b\"\r\n", "3: R-1 a;b");
    check(
        "r.csv",
        "Code,Name,Acceptance criterion 1,Acceptance criterion 2\nR-1,Pay,\"1. One\n- Two\",Three\n",
        "2: R-1 Pay | One / Two / Three",
    );
}

#[test]
fn titles_empty_rows_and_repeated_headings_are_passed_over() {
    check(
        "r.csv",
        "Requirements of the shop,,\n,,\n,,\nCode,Name,\nR-1,Pay,\n,,\nCode,Name,\nR-2,Go\n",
        "5: R-1 Pay\n8: R-2 Go",
    );
}

#[test]
fn a_bad_row_is_named_by_its_line() {
    check(
        "r.csv",
        "Code,Name,Priority\nR-1,\"Pay\nnow\",low\n,Nameless,\nR-3,,\nR-4,Four,P7\nR-1,Again,\nR-6,a, b, c\n",
        "4: expected a code, found nothing\nline 5: expected a name for `R-3`, found nothing\n\
         line 6: unknown priority `P7`; valid: `critical`, `high`, `medium`, `low`\n\
         line 7: the code `R-1` is already on line 2\nline 8: expected 3 cells, as in the headings, found 4"
            .replacen("4:", "line 4:", 1)
            .as_str(),
    );
    check("r.csv", "Code,Name\nR-1,\"Pay\n", "line 2: expected a closing quote, found the end of the file");
    check(
        "r.csv",
        "Colour,Size\nred,1\n",
        "line 1: expected headings for a code and a name, found `Colour`, `Size`",
    );
    check("r.csv", "", "line 1: expected requirements, found no table with headings for a code and a name");
    check("r.csv", "Code,Name\n", "line 1: expected at least one row below the headings, found none");
}

#[test]
fn markdown_tables_are_read_wherever_they_stand() {
    check(
        "r.md",
        "# Shop\n\n| Colour | Hex |\n|---|---|\n| red | f00 |\n\n| ID | Requirement | Acceptance criteria |\n|:--|---|---|\n\
         | `R-1` | **Pay** \\| go | One<br>Two |\n| [R-2](http://x) | Refund &amp; more |\n\nText.\n",
        "9: R-1 **Pay** | go | One / Two\n10: R-2 Refund & more\n\
         note: line 3: a table without headings for code and name is left out",
    );
    check(
        "r.md",
        "No table.\n",
        "line 1: expected requirements, found no table with headings for a code and a name",
    );
}

#[test]
fn odd_tables_are_read_or_refused_with_a_reason() {
    check("r.md", "> | ID | Name |\n> |---|---|\n> | Q-1 | in a quotation |\n", "3: Q-1 in a quotation");
    check("r.csv", "Code,Name,Name\nD-1,a,b\n", "line 1: expected one column `Name`, found several");
    // Two rows of headings, where cells were merged: the row that is meant is named.
    check(
        "r.csv",
        "Requirement,,Meta,\nID,Text,Priority,Status\nM-1,does it,High,Open\n",
        "line 2: expected headings for a code and a name, found `ID`, `Text`, `Priority`, `Status`",
    );
    check("r.csv", "Code,Name\nA,\0b\n", "line 2: expected text in UTF-8, found other bytes");
    check("r.csv", "Code,Name\r\n\u{200b}Z-1\u{a0},\"\u{200b}zero\twidth\"\r\n", "2: Z-1 zero width");
    check(
        "r.csv",
        "Table 1,,\n\"ID\" , \"Name\" , \"Owner\"\nN-1 , \"x\" , me\n",
        "3: N-1 x\nnote: left out: the column `Owner`",
    );
}

#[test]
fn wide_exports_of_spreadsheets_are_read() {
    let text = "Code\tName\r\nR-1\tÜberweisen\r\n";
    let bytes: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let table = read_requirement_table("r.txt", &bytes).unwrap();
    assert_eq!(table.rows[0].change.name.as_deref(), Some("Überweisen"));
    let old = read_requirement_table("r.csv", b"Code,Name\nR-1,\xdcber\n").unwrap_err();
    assert_eq!(old[0].to_string(), "line 2: expected text in UTF-8, found other bytes");
}
