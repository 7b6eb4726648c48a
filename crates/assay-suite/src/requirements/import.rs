//! Requirements from a table of another tool. The columns are known by their headings.

use assay_protocol::{Priority, RequirementStatus};

use super::read::code_mistake;
use super::table::{self, Row, trimmed};
use super::write::RequirementChange;

/// What a table says of its requirements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequirementTable {
    pub rows: Vec<ImportedRequirement>,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// One row. Cells that are empty say nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedRequirement {
    pub line: usize,
    pub change: RequirementChange,
}

/// Why a row cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ImportMistake {
    pub line: usize,
    pub message: String,
    pub hint: Option<String>,
}

impl ImportMistake {
    pub(super) fn new(line: usize, message: impl Into<String>) -> ImportMistake {
        ImportMistake { line, message: message.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> ImportMistake {
        ImportMistake { hint: Some(hint.into()), ..self }
    }
}

/// Reads a table: Markdown by the ending of its file, any other as CSV. All its mistakes, or all its rows.
pub fn read_requirement_table(file: &str, bytes: &[u8]) -> Result<RequirementTable, Vec<ImportMistake>> {
    let text = table::decoded(bytes).map_err(|mistake| vec![mistake])?;
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "md" | "markdown" => of_markdown(&text),
        _ => of_csv(&text),
    }
}

fn of_markdown(text: &str) -> Result<RequirementTable, Vec<ImportMistake>> {
    let mut found = RequirementTable::default();
    let mut mistakes = Vec::new();
    let mut has_table = false;
    for table in table::markdown(text) {
        let Some((head, rows)) = table.split_first() else { continue };
        match Columns::of(head) {
            Some(columns) => {
                has_table = true;
                columns.note(&mut found.notes);
                columns.read(rows, MARKDOWN_BAR, &mut found.rows, &mut mistakes);
            }
            None => found
                .notes
                .push(format!("line {}: a table without headings for code and name is left out", head.line)),
        }
    }
    if !has_table {
        mistakes.push(no_headings(1, None));
    }
    finished(found, mistakes)
}

/// What helps when a row has too many cells.
const CSV_QUOTES: &str = "put a cell that holds the separator in double quotes";
const MARKDOWN_BAR: &str = "write \\| for a bar inside a cell";

/// How far down the headings may stand: titles and merged cells come first.
const HEAD_ROWS: usize = 20;

fn of_csv(text: &str) -> Result<RequirementTable, Vec<ImportMistake>> {
    let told = text
        .lines()
        .next()
        .and_then(|line| trimmed(line).trim_matches('"').strip_prefix("sep=")?.chars().next());
    let separators = match told {
        Some(told) => vec![told],
        None => vec![',', ';', '\t', '|'],
    };
    let mut best: Option<(Columns, Vec<Row>)> = None;
    let mut trouble = None;
    for separator in separators {
        let rows = match table::csv(text, separator) {
            Ok(rows) => rows,
            Err(mistake) => {
                trouble = trouble.or(Some((mistake, separator)));
                continue;
            }
        };
        let head = rows.iter().take(HEAD_ROWS).position(|row| Columns::of(row).is_some());
        let Some((at, columns)) = head.and_then(|at| Some((at, Columns::of(&rows[at])?))) else { continue };
        let count = |columns: &Columns| columns.of_fields.len();
        if best.as_ref().is_none_or(|(known, _)| count(known) < count(&columns)) {
            best = Some((columns, rows[at + 1..].to_vec()));
        }
    }
    let Some((columns, rows)) = best else {
        return Err(vec![match trouble {
            Some((mistake, _)) => mistake,
            None => no_headings(1, nearest_to_headings(text)),
        }]);
    };
    let mut found = RequirementTable::default();
    let mut mistakes = Vec::new();
    columns.note(&mut found.notes);
    columns.read(&rows, CSV_QUOTES, &mut found.rows, &mut mistakes);
    finished(found, mistakes)
}

/// The row that looks most like headings, with any separator; else the first that says something.
fn nearest_to_headings(text: &str) -> Option<Row> {
    let tables = [',', ';', '\t', '|'].into_iter().filter_map(|separator| table::csv(text, separator).ok());
    let mut best: Option<(usize, Row)> = None;
    for row in tables.flat_map(|rows| rows.into_iter().take(HEAD_ROWS)).filter(|row| !row.is_blank()) {
        let known = fields_of(&row).len();
        if best.as_ref().is_none_or(|(most, _)| *most < known) {
            best = Some((known, row));
        }
    }
    best.map(|(_, row)| row)
}

fn no_headings(line: usize, found: Option<Row>) -> ImportMistake {
    let found = match found {
        Some(row) => {
            let cells: Vec<String> =
                row.cells.iter().map(|cell| format!("`{}`", one_line(cell))).take(8).collect();
            return ImportMistake::new(
                row.line,
                format!("expected headings for a code and a name, found {}", cells.join(", ")),
            )
            .hint(known_headings());
        }
        None => "no table with headings for a code and a name",
    };
    ImportMistake::new(line, format!("expected requirements, found {found}")).hint(known_headings())
}

fn known_headings() -> String {
    "headings such as `ID`, `Code` or `Key`, and `Name`, `Title`, `Summary` or `Requirement` are known"
        .to_string()
}

fn finished(
    mut found: RequirementTable,
    mut mistakes: Vec<ImportMistake>,
) -> Result<RequirementTable, Vec<ImportMistake>> {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for row in &found.rows {
        match seen.iter().find(|(code, _)| *code == row.change.code) {
            Some((code, first)) => mistakes
                .push(ImportMistake::new(row.line, format!("the code `{code}` is already on line {first}"))),
            None => seen.push((row.change.code.clone(), row.line)),
        }
    }
    if found.rows.is_empty() && mistakes.is_empty() {
        mistakes.push(ImportMistake::new(1, "expected at least one row below the headings, found none"));
    }
    mistakes.sort_by_key(|mistake| mistake.line);
    found.notes.dedup();
    if mistakes.is_empty() { Ok(found) } else { Err(mistakes) }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Code,
    Name,
    Description,
    Priority,
    Category,
    Status,
    Criteria,
}

/// Headings without blanks and marks, in small letters. Of two that are there, the first of the list counts.
const HEADINGS: &[(Field, &[&str])] = &[
    (
        Field::Code,
        &[
            "code",
            "requirementcode",
            "reqcode",
            "requirementid",
            "reqid",
            "issuekey",
            "id",
            "key",
            "requirementno",
            "requirementnumber",
            "reqno",
            "reference",
            "ref",
            "number",
            "no",
            "nr",
        ],
    ),
    (
        Field::Name,
        &[
            "name",
            "title",
            "requirementname",
            "requirementtitle",
            "summary",
            "requirement",
            "userstory",
            "story",
        ],
    ),
    (
        Field::Description,
        &["description", "details", "detail", "text", "requirementdescription", "requirementtext"],
    ),
    (Field::Priority, &["priority", "prio", "importance", "moscow"]),
    (Field::Category, &["category", "area", "module", "component", "components", "feature", "epic", "group"]),
    (Field::Status, &["status", "state"]),
    (
        Field::Criteria,
        &["acceptancecriteria", "acceptancecriterion", "criteria", "acceptance", "definitionofdone"],
    ),
];

fn folded(heading: &str) -> String {
    heading.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The columns that are known.
fn fields_of(head: &Row) -> Vec<(Field, usize)> {
    let names: Vec<String> = head.cells.iter().map(|cell| folded(cell)).collect();
    let mut of_fields = Vec::new();
    for (field, known) in HEADINGS {
        // Criteria are often spread: `Acceptance criterion 1`, `Acceptance criterion 2`.
        if *field == Field::Criteria {
            let bare =
                |name: &String| name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_string();
            let all = names.iter().enumerate().filter(|(_, name)| known.contains(&bare(name).as_str()));
            of_fields.extend(all.map(|(at, _)| (*field, at)));
            continue;
        }
        let at = known.iter().find_map(|known| names.iter().position(|name| name == known));
        of_fields.extend(at.map(|at| (*field, at)));
    }
    of_fields
}

/// Which column is what.
struct Columns {
    head: Row,
    of_fields: Vec<(Field, usize)>,
    ignored: Vec<String>,
}

impl Columns {
    /// None where no column is a code, or none a name.
    fn of(head: &Row) -> Option<Columns> {
        let of_fields = fields_of(head);
        let has = |field: Field| of_fields.iter().any(|(known, _)| *known == field);
        if !has(Field::Code) || !has(Field::Name) {
            return None;
        }
        let is_ignored = |at: usize| !of_fields.iter().any(|(_, known)| *known == at);
        let ignored = head.cells.iter().enumerate();
        let ignored = ignored.filter(|(at, cell)| is_ignored(*at) && !trimmed(cell).is_empty());
        let ignored = ignored.map(|(_, cell)| one_line(cell)).collect();
        Some(Columns { head: head.clone(), of_fields, ignored })
    }

    fn note(&self, notes: &mut Vec<String>) {
        if !self.ignored.is_empty() {
            let names: Vec<String> = self.ignored.iter().map(|name| format!("`{name}`")).collect();
            let columns = if names.len() == 1 { "column" } else { "columns" };
            notes.push(format!("left out: the {columns} {}", names.join(", ")));
        }
    }

    /// A code or a name that two columns claim to be. Nobody can say which one is meant.
    fn ambiguous(&self) -> Option<ImportMistake> {
        let twice = self.of_fields.iter().filter(|(field, _)| matches!(field, Field::Code | Field::Name));
        let twice = twice
            .map(|(_, at)| &self.head.cells[*at])
            .find(|cell| self.head.cells.iter().filter(|other| folded(other) == folded(cell)).count() > 1)?;
        let message = format!("expected one column `{0}`, found several", one_line(twice));
        Some(ImportMistake::new(self.head.line, message).hint("rename the one that is not meant"))
    }

    /// `help` is for rows with too many cells.
    fn read(
        &self,
        rows: &[Row],
        help: &str,
        found: &mut Vec<ImportedRequirement>,
        mistakes: &mut Vec<ImportMistake>,
    ) {
        mistakes.extend(self.ambiguous());
        for row in rows.iter().filter(|row| !row.is_blank()) {
            // Documents repeat the headings on each page.
            if row.cells.iter().map(|cell| folded(cell)).eq(self.head.cells.iter().map(|cell| folded(cell))) {
                continue;
            }
            match self.row(row, help) {
                Ok(change) => found.push(ImportedRequirement { line: row.line, change }),
                Err(mistake) => mistakes.push(mistake),
            }
        }
    }

    fn row(&self, row: &Row, help: &str) -> Result<RequirementChange, ImportMistake> {
        let wrong = |message: String| ImportMistake::new(row.line, message);
        let width = self.head.cells.len();
        if row.cells.iter().skip(width).any(|cell| !trimmed(cell).is_empty()) {
            let message = format!("expected {width} cells, as in the headings, found {}", row.cells.len());
            return Err(wrong(message).hint(help));
        }
        let mut change = RequirementChange::default();
        for (field, at) in &self.of_fields {
            let cell = row.cells.get(*at).map_or("", |cell| trimmed(cell));
            if cell.is_empty() {
                continue;
            }
            match field {
                Field::Code => change.code = one_line(cell),
                Field::Name => change.name = Some(one_line(cell)),
                Field::Description => change.description = Some(clean_lines(cell)),
                Field::Category => change.category = Some(one_line(cell)),
                Field::Criteria => change.acceptance_criteria.get_or_insert_default().extend(criteria(cell)),
                Field::Priority => {
                    change.priority =
                        Some(word("priority", cell, &Priority::ALL, PRIORITY_WORDS).map_err(wrong)?);
                }
                Field::Status => {
                    change.status =
                        Some(word("status", cell, &RequirementStatus::ALL, STATUS_WORDS).map_err(wrong)?);
                }
            }
        }
        if change.code.is_empty() {
            return Err(wrong("expected a code, found nothing".to_string())
                .hint("cells that are merged over several rows have to be filled in"));
        }
        if let Some(expected) = code_mistake(&change.code) {
            return Err(wrong(format!("expected {expected}, found `{}`", change.code)));
        }
        if change.name.is_none() {
            return Err(wrong(format!("expected a name for `{}`, found nothing", change.code)));
        }
        Ok(change)
    }
}

/// What other tools call them.
const PRIORITY_WORDS: &[(Priority, &[&str])] = &[
    (Priority::Critical, &["highest", "blocker", "must", "musthave", "p0", "urgent"]),
    (Priority::High, &["major", "should", "shouldhave", "p1"]),
    (Priority::Medium, &["normal", "moderate", "could", "couldhave", "p2"]),
    (Priority::Low, &["lowest", "minor", "trivial", "wont", "wonthave", "p3"]),
];
const STATUS_WORDS: &[(RequirementStatus, &[&str])] = &[
    (RequirementStatus::Draft, &["new", "open", "proposed", "todo", "backlog"]),
    (RequirementStatus::Approved, &["accepted", "active", "agreed", "inprogress", "ready"]),
    (RequirementStatus::Implemented, &["done", "closed", "released", "resolved", "verified"]),
    (
        RequirementStatus::Retired,
        &["obsolete", "deprecated", "rejected", "cancelled", "canceled", "withdrawn"],
    ),
];

fn word<T: Copy + PartialEq>(
    what: &str,
    cell: &str,
    own: &[(&'static str, T)],
    others: &[(T, &[&str])],
) -> Result<T, String> {
    let said = folded(cell);
    let known = own.iter().find(|(name, _)| *name == said).map(|(_, value)| *value);
    let other = others.iter().find(|(_, words)| words.contains(&said.as_str())).map(|(value, _)| *value);
    known.or(other).ok_or_else(|| {
        let valid: Vec<String> = own.iter().map(|(name, _)| format!("`{name}`")).collect();
        format!("unknown {what} `{}`; valid: {}", one_line(cell), valid.join(", "))
    })
}

/// One criterion a line, without bullets and numbers.
fn criteria(cell: &str) -> Vec<String> {
    let without_mark = |line: &str| {
        let line = trimmed(line);
        let bare = line.strip_prefix(['-', '*', '•', '–', '·']).map(str::to_string).or_else(|| {
            let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let rest = (rest.len() < line.len()).then_some(rest)?;
            rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ')).map(str::to_string)
        });
        trimmed(&bare.unwrap_or_else(|| line.to_string())).to_string()
    };
    cell.lines().map(without_mark).filter(|line| !line.is_empty()).map(|line| one_line(&line)).collect()
}

fn one_line(text: &str) -> String {
    let visible =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>();
    trimmed(&visible).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn clean_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(one_line).collect();
    lines.join("\n").trim().to_string()
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
