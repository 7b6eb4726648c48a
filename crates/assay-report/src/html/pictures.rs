//! The screenshots of a run for the page: each once, by number.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use assay_protocol::Verdict;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::png_size::{HEAD, size_of_png};
use crate::run_folder::inside;
use crate::summary::Summary;
use crate::test_summary::{AttemptSummary, TestSummary};

use super::{HtmlOptions, PicturesInHtml};

pub struct Gallery {
    run_folder: PathBuf,
    /// From the page to the folder of the run, as an address.
    way: String,
    bytes_left: u64,
    embedded: HashMap<String, PictureData>,
    numbers: HashMap<String, usize>,
    pictures: Vec<PictureData>,
}

/// A picture as the page shows it. The size keeps its place free until it is loaded; without one, a usual one is taken.
#[derive(Debug, PartialEq, Serialize)]
pub struct PictureData {
    src: String,
    width: Option<u32>,
    height: Option<u32>,
}

impl PictureData {
    fn of(src: String, size: Option<(u32, u32)>) -> Self {
        PictureData { src, width: size.map(|(width, _)| width), height: size.map(|(_, height)| height) }
    }
}

impl Gallery {
    pub fn new(options: &HtmlOptions, page: &Path) -> io::Result<Self> {
        let folder_of_page = std::path::absolute(page)?.parent().map(Path::to_owned).unwrap_or_default();
        let way = way_between(&folder_of_page, &std::path::absolute(&options.run_folder)?);
        let bytes_left = match options.pictures {
            PicturesInHtml::Linked => 0,
            PicturesInHtml::Embedded { most_bytes } => most_bytes,
        };
        Ok(Gallery {
            run_folder: options.run_folder.clone(),
            way,
            bytes_left,
            embedded: HashMap::new(),
            numbers: HashMap::new(),
            pictures: Vec::new(),
        })
    }

    /// Takes in what there is room for: first the last pictures of tests that did
    /// not pass, then their other ones, then all the rest.
    pub fn embed_first(&mut self, summary: &Summary) {
        if self.bytes_left == 0 {
            return;
        }
        let (red, green): (Vec<&TestSummary>, Vec<&TestSummary>) =
            summary.tests.iter().partition(|test| test.verdict() != Some(Verdict::Passed));
        for test in &red {
            self.embed(test.pictures().into_iter().rev().take(1));
        }
        for test in red.iter().chain(&green) {
            for attempt in test.attempts.iter().rev() {
                self.embed(pictures_of(attempt));
            }
        }
    }

    fn embed<'a>(&mut self, pictures: impl Iterator<Item = &'a str>) {
        for picture in pictures {
            if self.embedded.contains_key(picture) {
                continue;
            }
            // One that is missing, too large or elsewhere is linked, and the page says that it is not there.
            let Ok(path) = inside(&self.run_folder, picture) else { continue };
            if let Some(taken_in) = taken_in(&path, &mut self.bytes_left) {
                self.embedded.insert(picture.to_owned(), taken_in);
            }
        }
    }

    /// The number under which the page finds the picture; None for one that lies
    /// outside the folder of the run.
    pub fn number(&mut self, picture: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(picture) {
            return Some(*number);
        }
        let path = inside(&self.run_folder, picture).ok()?;
        let shown = self
            .embedded
            .remove(picture)
            .unwrap_or_else(|| PictureData::of(self.address(picture), size_of_file(&path)));
        self.pictures.push(shown);
        self.numbers.insert(picture.to_owned(), self.pictures.len() - 1);
        Some(self.pictures.len() - 1)
    }

    /// From the page to a file in the folder of the run.
    pub fn address(&self, file: &str) -> String {
        format!("{}{}", self.way, address_of(Path::new(file)))
    }

    pub fn pictures(&mut self) -> Vec<PictureData> {
        std::mem::take(&mut self.pictures)
    }
}

/// A screenshot of a run as an address that holds the picture itself. None if it is not there, lies outside the folder of
/// the run, or needs more room than is left.
pub fn picture_address(run_folder: &Path, picture: &str, bytes_left: &mut u64) -> Option<String> {
    taken_in(&inside(run_folder, picture).ok()?, bytes_left).map(|picture| picture.src)
}

/// The screenshot with its bytes, if there is room for them.
fn taken_in(path: &Path, bytes_left: &mut u64) -> Option<PictureData> {
    let fits = std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= *bytes_left);
    let bytes = fits.then(|| std::fs::read(path).ok()).flatten()?;
    *bytes_left = bytes_left.saturating_sub(bytes.len() as u64);
    let address = format!("data:{};base64,{}", media_type(&bytes), STANDARD.encode(&bytes));
    Some(PictureData::of(address, size_of_png(&bytes)))
}

/// A picture that lies anywhere: in the page itself as long as there is room, else beside it.
pub fn picture_in(page: &Path, picture: &Path, bytes_left: &mut u64) -> io::Result<PictureData> {
    if let Some(taken_in) = taken_in(picture, bytes_left) {
        return Ok(taken_in);
    }
    let (page, picture) = (std::path::absolute(page)?, std::path::absolute(picture)?);
    let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let name = address_of(Path::new(picture.file_name().unwrap_or_default()));
    let address = format!("{}{name}", way_between(&folder(&page), &folder(&picture)));
    Ok(PictureData::of(address, size_of_file(&picture)))
}

fn pictures_of(attempt: &AttemptSummary) -> impl Iterator<Item = &str> {
    let at_the_end = attempt.ending.as_ref().and_then(|it| it.last_page.as_ref()?.screenshot.as_deref());
    let of_turns =
        attempt.steps.iter().flat_map(|step| &step.turns).filter_map(|turn| turn.picture.as_deref());
    let of_steps = attempt.steps.iter().flat_map(|step| &step.screenshots).map(String::as_str);
    of_steps.chain(of_turns).chain(at_the_end)
}

fn size_of_file(path: &Path) -> Option<(u32, u32)> {
    let mut head = [0; HEAD];
    File::open(path).ok()?.read_exact(&mut head).ok()?;
    size_of_png(&head)
}

fn media_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', ..] => "image/webp",
        _ => "image/png",
    }
}

/// `../run/`, or nothing where both are one folder.
fn way_between(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let mut way = "../".repeat(from.len() - shared);
    for component in &to[shared..] {
        way += &format!("{}/", address_of(Path::new(component)));
    }
    way
}

/// The path as an address: what means something in addresses is written out.
fn address_of(path: &Path) -> String {
    let mut address = String::new();
    for byte in path.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                address.push(byte.into())
            }
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_leads_from_the_page_to_the_run() {
        let way = |from: &str, to: &str| way_between(Path::new(from), Path::new(to));
        assert_eq!(way("/a/run", "/a/run"), "");
        assert_eq!(way("/a/reports/x", "/a/run #1"), "../../run%20%231/");
        assert_eq!(way("/a", "/a/run"), "run/");
    }

    #[test]
    fn no_picture_leads_out_of_the_run_or_is_a_script() {
        let options = HtmlOptions { run_folder: "/run".into(), pictures: PicturesInHtml::Linked };
        let mut gallery = Gallery::new(&options, Path::new("/run/report.html")).unwrap();
        assert_eq!(gallery.number("../../etc/passwd"), None);
        assert_eq!(gallery.number("/etc/passwd"), None);
        assert_eq!(gallery.number("javascript:alert(1)"), Some(0));
        assert_eq!(gallery.number("https://evil.test/x.png"), Some(1));
        assert_eq!(gallery.number("shots/1.png"), Some(2));
        assert_eq!(gallery.number("shots/1.png"), Some(2));
        let addresses: Vec<String> = gallery.pictures().into_iter().map(|it| it.src).collect();
        assert_eq!(addresses, ["javascript%3Aalert%281%29", "https%3A//evil.test/x.png", "shots/1.png"]);
    }
}
