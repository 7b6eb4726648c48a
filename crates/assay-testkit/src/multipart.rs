//! Reads a `multipart/form-data` body: the fields and files of a posted form.
//!
//! Meant for forms that browsers send. Nested multiparts and transfer encodings
//! of single parts, which browsers do not send, are not read.

use crate::Params;

/// A file that came with a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The name of the form field.
    pub field: String,
    /// The name of the file, without a folder. Empty when no file was chosen.
    pub file_name: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

impl Upload {
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// The boundary of a multipart body, from its content type. None for any other type.
pub(crate) fn boundary(content_type: &str) -> Option<&str> {
    let mut parts = content_type.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    parts.find_map(|part| part.strip_prefix("boundary=")).map(|value| value.trim_matches('"'))
}

/// Splits a body into its plain fields and its files. Parts that cannot be read are left out.
pub(crate) fn parse(body: &[u8], boundary: &str) -> (Params, Vec<Upload>) {
    let (mut fields, mut uploads) = (Params::default(), Vec::new());
    for part in parts(body, boundary) {
        let Some(end) = find(part, b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&part[..end]);
        let bytes = &part[end + 4..];
        let Some(disposition) = header(&head, "content-disposition") else { continue };
        let Some(field) = attribute(disposition, "name") else { continue };
        match attribute(disposition, "filename") {
            Some(file_name) => uploads.push(Upload {
                field,
                file_name: file_name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
                content_type: header(&head, "content-type").unwrap_or_default().to_owned(),
                bytes: bytes.to_vec(),
            }),
            None => fields.push(field, String::from_utf8_lossy(bytes).into_owned()),
        }
    }
    (fields, uploads)
}

/// What stands between the boundary lines.
fn parts<'a>(body: &'a [u8], boundary: &str) -> Vec<&'a [u8]> {
    let first = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut found = Vec::new();
    let Some(mut rest) = find(body, first.as_bytes()).map(|at| &body[at + first.len()..]) else {
        return found;
    };
    // After a boundary comes either a line end and a part, or `--` and the end.
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        let Some(end) = find(part, between.as_bytes()) else { break };
        found.push(&part[..end]);
        rest = &part[end + between.len()..];
    }
    found
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}

/// The value of `name="value"`. Browsers write a quote inside a value as `%22`.
fn attribute(disposition: &str, name: &str) -> Option<String> {
    let start = format!("{name}=\"");
    disposition.split("; ").find_map(|part| {
        let value = part.trim().strip_prefix(&start)?;
        Some(value.strip_suffix('"')?.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let (fields, uploads) = parse(body.as_bytes(), "XX");
        let mut seen: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        seen.extend(uploads.iter().map(|file| format!("{}:{}:{}", file.field, file.file_name, file.size())));
        assert_eq!(seen.join(" "), expected);
    }

    #[test]
    fn fields_and_files_are_told_apart() {
        check(
            "--XX\r\nContent-Disposition: form-data; name=\"who\"\r\n\r\nAda\r\n\
             --XX\r\nContent-Disposition: form-data; name=\"doc\"; filename=\"a.txt\"\r\n\
             Content-Type: text/plain\r\n\r\nhello\r\n--XX--\r\n",
            "who=Ada doc:a.txt:5",
        );
    }

    #[test]
    fn line_ends_inside_a_file_belong_to_it() {
        check(
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\r\n\r\n\r\n--X\r\n\r\n--XX--",
            "f:b:7",
        );
    }

    #[test]
    fn a_folder_in_a_file_name_is_dropped() {
        check(
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"../../etc/x\"\r\n\r\n1\r\n--XX--",
            "f:x:1",
        );
    }

    #[test]
    fn a_body_that_is_cut_off_gives_what_was_complete() {
        check("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX\r\nContent-Dis", "a=1");
        check("nothing of the kind", "");
    }

    #[test]
    fn the_boundary_is_read_from_the_content_type() {
        assert_eq!(boundary("multipart/form-data; boundary=\"a b\""), Some("a b"));
        assert_eq!(boundary("multipart/form-data; charset=x; boundary=----q"), Some("----q"));
        assert_eq!(boundary("application/x-www-form-urlencoded"), None);
    }
}
