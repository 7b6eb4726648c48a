//! Takes the text of a corpus apart into cases and their sections, without knowing what a section means.
//!
//! ```text
//! # Remarks about the file stand before its first case.
//! === name-of-the-case | class | why it is here, in one line
//! --- section argument
//! the text of the section
//! ```

use super::mistake::{Complaint, CorpusMistake};

/// One case as it is written.
#[derive(Debug)]
pub(super) struct RawCase {
    pub file: &'static str,
    pub line: usize,
    pub name: String,
    pub class: String,
    pub why: String,
    pub sections: Vec<RawSection>,
}

#[derive(Debug)]
pub(super) struct RawSection {
    pub word: String,
    /// What stands after the word: a path, or nothing.
    pub argument: String,
    /// The line of the heading; the text begins on the next.
    pub line: usize,
    pub lines: Vec<&'static str>,
}

impl RawSection {
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    /// Lines that say something, with their numbers in the file.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let lines = self.lines.iter().enumerate().map(|(index, line)| (self.line + 1 + index, line.trim()));
        lines.filter(|(_, line)| !line.is_empty())
    }

    /// The path that this section is about.
    pub fn path(&self, file: &str) -> Result<String, CorpusMistake> {
        if self.argument.starts_with('/') && !self.argument.contains(char::is_whitespace) {
            return Ok(self.argument.clone());
        }
        Err(Complaint::NoPath { found: self.argument.clone() }.at(file, self.line))
    }
}

impl RawCase {
    pub fn mistake(&self, complaint: Complaint) -> CorpusMistake {
        complaint.at(self.file, self.line)
    }

    /// The section of this name and argument. Twice the same is a mistake.
    pub fn section(&self, word: &str, argument: &str) -> Result<Option<&RawSection>, CorpusMistake> {
        let mut found =
            self.sections.iter().filter(|section| section.word == word && section.argument == argument);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some(second) => {
                let section = format!("{word} {argument}").trim_end().to_owned();
                Err(Complaint::Repeated { section }.at(self.file, second.line))
            }
        }
    }

    /// The test of the case, which every case has.
    pub fn test(&self) -> Result<String, CorpusMistake> {
        let missing = || self.mistake(Complaint::Missing { case: self.name.clone(), section: "test" });
        let section = self.section("test", "")?.ok_or_else(missing)?;
        let text = section.text();
        if !text.starts_with("test: ") || !text.contains("\nsteps:\n") {
            return Err(Complaint::NoTest.at(self.file, section.line));
        }
        // There is no parser of YAML here, and a sentence that is read as a mapping is found out only in a run.
        let sentences =
            section.numbered().filter_map(|(number, line)| Some((number, line.strip_prefix("- ")?)));
        for (number, sentence) in sentences {
            if sentence.contains(": ") || sentence.contains(" #") {
                let sentence = sentence.to_owned();
                return Err(Complaint::YamlSign { sentence }.at(self.file, number));
            }
        }
        Ok(text)
    }

    /// Refuses a section with a word that the corpus does not have, so that a slip is not silently left out.
    pub fn only_known(&self, words: &[&str], known: &'static str) -> Result<(), CorpusMistake> {
        match self.sections.iter().find(|section| !words.contains(&section.word.as_str())) {
            None => Ok(()),
            Some(section) => {
                let complaint = Complaint::UnknownSection { section: section.word.clone(), known };
                Err(complaint.at(self.file, section.line))
            }
        }
    }
}

/// Takes one file apart.
pub(super) fn split(file: &'static str, text: &'static str) -> Result<Vec<RawCase>, CorpusMistake> {
    let mut cases: Vec<RawCase> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if let Some(heading) = line.strip_prefix("===") {
            cases.push(case(file, number, heading)?);
            continue;
        }
        let Some(case) = cases.last_mut() else {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            return Err(Complaint::NoHeading { found: line.to_owned() }.at(file, number));
        };
        if let Some(heading) = line.strip_prefix("--- ") {
            let (word, argument) = heading.trim().split_once(' ').unwrap_or((heading.trim(), ""));
            case.sections.push(RawSection {
                word: word.to_owned(),
                argument: argument.trim().to_owned(),
                line: number,
                lines: Vec::new(),
            });
            continue;
        }
        match case.sections.last_mut() {
            Some(section) => section.lines.push(line),
            None if line.trim().is_empty() => {}
            None => return Err(Complaint::StrayText.at(file, number)),
        }
    }
    for section in cases.iter_mut().flat_map(|case| &mut case.sections) {
        while section.lines.last().is_some_and(|line| line.trim().is_empty()) {
            section.lines.pop();
        }
    }
    Ok(cases)
}

fn case(file: &'static str, line: usize, heading: &str) -> Result<RawCase, CorpusMistake> {
    let mut parts = heading.splitn(3, " | ").map(str::trim);
    let (Some(name), Some(class), Some(why)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Complaint::NoHeading { found: format!("==={heading}") }.at(file, line));
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(Complaint::OddName { name: name.to_owned() }.at(file, line));
    }
    Ok(RawCase {
        file,
        line,
        name: name.to_owned(),
        class: class.to_owned(),
        why: why.to_owned(),
        sections: Vec::new(),
    })
}

/// All cases of a corpus, in the order of its files. No two may have the same name.
pub(super) fn read<T>(
    files: &[(&'static str, &'static str)],
    case: impl Fn(&RawCase) -> Result<T, CorpusMistake>,
) -> Result<Vec<T>, CorpusMistake> {
    let mut cases = Vec::new();
    let mut raws = Vec::new();
    for (file, text) in files {
        for raw in split(file, text)? {
            cases.push(case(&raw)?);
            raws.push(raw);
        }
    }
    distinct(raws.iter().map(|raw| (raw.name.as_str(), raw.file, raw.line)))?;
    Ok(cases)
}

/// Refuses a name that two cases of a corpus have.
fn distinct<'c>(names: impl Iterator<Item = (&'c str, &'c str, usize)>) -> Result<(), CorpusMistake> {
    let mut seen = std::collections::HashSet::new();
    for (name, file, line) in names {
        if !seen.insert(name) {
            return Err(Complaint::NameTaken { name: name.to_owned() }.at(file, line));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &'static str, expected: &str) {
        let actual = match split("x.txt", text) {
            Ok(cases) => {
                let sections = |case: &RawCase| {
                    let all = case.sections.iter();
                    all.map(|s| format!("{}({})={}", s.word, s.argument, s.lines.join("/")))
                        .collect::<Vec<_>>()
                };
                let all = cases
                    .iter()
                    .map(|case| format!("{} {}: {}", case.name, case.class, sections(case).join(" ")));
                all.collect::<Vec<_>>().join("; ")
            }
            Err(mistake) => mistake.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn cases_and_sections_are_taken_apart() {
        check(
            "# A remark.\n\n=== one | cosmetic | because\n--- test\na\nb\n\n--- both /x\n<p>\n=== two | defect | why\n",
            "one cosmetic: test()=a/b both(/x)=<p>; two defect: ",
        );
    }

    #[test]
    fn mistakes_have_their_line() {
        check("hello\n", "x.txt:1: expected `=== name | class | why`, found `hello`");
        check(
            "\n=== one | cosmetic\n",
            "x.txt:2: expected `=== name | class | why`, found `=== one | cosmetic`",
        );
        check("=== One | a | b\n", "x.txt:1: a name has small letters, digits and hyphens, found `One`");
        check("=== one | a | b\nstray\n", "x.txt:2: text before the first `--- section` of the case");
    }

    #[test]
    fn a_section_is_there_once() {
        let cases = split("x.txt", "=== one | a | b\n--- test\n--- test\n").unwrap();
        let mistake = cases[0].section("test", "").unwrap_err();
        assert_eq!(mistake.to_string(), "x.txt:3: the section `test` is there twice");
    }

    #[test]
    fn a_name_is_used_once() {
        let mistake =
            distinct([("a", "x.txt", 1), ("b", "x.txt", 2), ("a", "y.txt", 3)].into_iter()).unwrap_err();
        assert_eq!(mistake.to_string(), "y.txt:3: the name `a` is taken by another case");
    }
}
