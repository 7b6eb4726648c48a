//! The page of a comparison: both sides of each difference next to each other. It works from disk, without scripts and
//! without anything beside it.

use std::path::Path;

use assay_pixels::Pixels;
use assay_protocol::Failure;
use assay_twin::{
    APP, Album, Area, Aspect, Finding, PictureSeen, RequestSeen, Seen, StepDifference, StepSeen, TestResult,
    TwinVerdict, Varies,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::carry_out::Pair;
use super::lines::{Row, elements_of, side_by_side, texts_of};
use super::report::{TwinReport, totals, write_whole};

const STYLE: &str = include_str!("page.css");
/// Nothing is fetched: the pictures are in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
/// Of a higher page, the part around the first difference is shown.
const HIGHEST: f64 = 1100.0;
const AROUND: f64 = 220.0;
/// As much as a browser opens at once; later pictures are left out, and the page says so.
const MOST_BYTES: usize = 48 * 1024 * 1024;

pub fn write(report: &TwinReport, rounds: &[Pair], path: &Path) -> Result<(), Failure> {
    let mut page = Page { report, rounds, body: String::new(), picture_bytes: 0 };
    page.head(report);
    for verdict in [TwinVerdict::Different, TwinVerdict::NotComparable, TwinVerdict::Same] {
        page.group(report, verdict);
    }
    page.noise(report);
    let title = escaped(&format!("Twin run · {}", totals(report)));
    let whole = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        page.body
    );
    write_whole(path, whole.as_bytes())
}

struct Page<'a> {
    report: &'a TwinReport,
    rounds: &'a [Pair],
    body: String,
    picture_bytes: usize,
}

impl Page<'_> {
    fn add(&mut self, html: &str) {
        self.body.push_str(html);
        self.body.push('\n');
    }

    fn head(&mut self, report: &TwinReport) {
        let class = class_of(report.verdict);
        self.add(&format!(
            "<header><h1>Twin run <span class=\"verdict {class}\">{}</span></h1>\n<dl class=\"builds\"><div><dt>old</dt><dd>{}</dd></div>\
             <div><dt>new</dt><dd>{}</dd></div></dl>\n<p class=\"totals\">{}</p></header>",
            report.verdict.name(),
            escaped(&report.old),
            escaped(&report.new),
            escaped(&totals(report))
        ));
        for rejected in &report.rejected {
            self.add(&format!("<p class=\"warning\">Not read: {}</p>", escaped(&rejected.message)));
        }
    }

    fn group(&mut self, report: &TwinReport, verdict: TwinVerdict) {
        let tests: Vec<&TestResult> = report.tests.iter().filter(|test| test.verdict == verdict).collect();
        if tests.is_empty() {
            return;
        }
        let title = match verdict {
            TwinVerdict::Different => "Different",
            TwinVerdict::NotComparable => "Not comparable",
            TwinVerdict::Same => "Same",
        };
        self.add(&format!("<section><h2>{title} <span class=\"count\">{}</span></h2>", tests.len()));
        if verdict == TwinVerdict::Same {
            self.add("<ul class=\"same\">");
            for test in tests {
                let steps =
                    if test.steps == 1 { "1 step".to_string() } else { format!("{} steps", test.steps) };
                self.add(&format!("<li>{} <span class=\"quiet\">{steps}</span></li>", escaped(&test.name)));
            }
            self.add("</ul>");
        } else {
            tests.iter().for_each(|test| self.test(test));
        }
        self.add("</section>");
    }

    fn test(&mut self, test: &TestResult) {
        self.add(&format!(
            "<article class=\"{}\"><h3>{}</h3><p class=\"quiet\">{}</p>",
            class_of(test.verdict),
            escaped(&test.name),
            escaped(&test.file)
        ));
        if !test.reason.is_empty() {
            self.add(&format!("<p>{}</p>", escaped(&test.reason)));
        }
        if let Some(first) = &test.first {
            self.step(test, first);
            if !test.later.is_empty() {
                let steps: Vec<String> = test.later.iter().map(usize::to_string).collect();
                self.add(&format!(
                    "<p class=\"quiet\">Later steps that differ too: {}</p>",
                    steps.join(", ")
                ));
            }
        }
        if !test.unsteady.is_empty() {
            let open = if test.first.is_none() { " open" } else { "" };
            self.add(&format!(
                "<details{open}><summary>Not in every round, or not observed on both sides</summary>"
            ));
            for step in &test.unsteady {
                self.step_title(step, test.steps);
                self.add(&format!("<p class=\"quiet\">In {} of {} rounds.</p>", step.rounds, test.rounds));
                self.findings(&step.findings);
            }
            self.add("</details>");
        }
        self.add("</article>");
    }

    fn step_title(&mut self, step: &StepDifference, steps: usize) {
        self.add(&format!(
            "<p class=\"step\"><span class=\"number\">Step {} of {steps}</span> {}</p>",
            step.step,
            escaped(&step.text)
        ));
    }

    fn step(&mut self, test: &TestResult, first: &StepDifference) {
        self.step_title(first, test.steps);
        self.findings(&first.findings);
        let seen = |side: &dyn Fn(&Pair) -> Option<StepSeen>| {
            first.round.checked_sub(1).and_then(|at| side(self.rounds.get(at)?))
        };
        let of = |recording: &assay_twin::Recording| {
            let steps = &recording.test(&test.test)?.steps;
            steps.iter().find(|step| step.number == first.step).cloned()
        };
        let old = seen(&|pair| of(&pair.old.recording));
        let new = seen(&|pair| of(&pair.new.recording));
        let (Some(old), Some(new)) = (old, new) else { return };
        self.pictures(first, &old, &new);
        if let (Seen::There(before), Seen::There(after)) = (&old.page, &new.page) {
            self.diff(
                &test.test,
                "Text",
                &side_by_side(&texts_of(before), &texts_of(after)),
                first,
                Aspect::Text,
            );
            self.diff(
                &test.test,
                "Elements",
                &side_by_side(&elements_of(before), &elements_of(after)),
                first,
                Aspect::Structure,
            );
        }
        if let (Seen::There(before), Seen::There(after)) = (&old.requests, &new.requests) {
            let lines = |requests: &[RequestSeen]| {
                let mut lines: Vec<String> = requests.iter().map(request_line).collect();
                lines.sort();
                lines
            };
            self.diff(
                &test.test,
                "Requests",
                &side_by_side(&lines(before), &lines(after)),
                first,
                Aspect::Requests,
            );
        }
    }

    fn findings(&mut self, findings: &[Finding]) {
        self.add("<table class=\"findings\"><thead><tr><th>differs in</th><th>where</th><th>old</th><th>new</th></tr></thead><tbody>");
        for finding in findings {
            let side = |text: &str, class: &str| match text {
                "" => "<td class=\"quiet\">nothing</td>".to_string(),
                text => format!("<td><span class=\"{class}\">{}</span></td>", escaped(text)),
            };
            self.add(&format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>",
                finding.aspect,
                escaped(&finding.place.shown),
                side(&finding.old, "was"),
                side(&finding.new, "is")
            ));
        }
        self.add("</tbody></table>");
    }

    fn pictures(&mut self, first: &StepDifference, old: &StepSeen, new: &StepSeen) {
        // What a picture shows in another colour is marked where nothing else says where it is.
        let areas = |pick: &dyn Fn(&Finding) -> Vec<Area>| -> Vec<Area> {
            first.findings.iter().flat_map(pick).filter(|area| area[2] > 0.0 && area[3] > 0.0).collect()
        };
        let (old_areas, new_areas) =
            (areas(&|finding| finding.old_areas.clone()), areas(&|finding| finding.new_areas.clone()));
        let top = old_areas.iter().chain(&new_areas).map(|area| area[1]).reduce(f64::min).unwrap_or_default();
        let Some(round) = first.round.checked_sub(1).and_then(|at| self.rounds.get(at)) else { return };
        let figures = [
            self.figure("old", &old.picture, &round.old.album, &old_areas, top),
            self.figure("new", &new.picture, &round.new.album, &new_areas, top),
        ];
        self.picture_bytes += figures.iter().map(String::len).sum::<usize>();
        self.add(&format!("<div class=\"pictures\">{}</div>", figures.concat()));
    }

    fn figure(
        &self,
        side: &str,
        picture: &Seen<PictureSeen>,
        album: &dyn Album,
        areas: &[Area],
        top: f64,
    ) -> String {
        let caption = |text: &str| format!("<figcaption>{side}{}</figcaption>", escaped(text));
        let picture = match picture {
            Seen::There(picture) => picture,
            Seen::Unseen(why) => {
                return format!("<figure>{}</figure>", caption(&format!(": no picture: {why}")));
            }
        };
        if self.picture_bytes > MOST_BYTES {
            return format!(
                "<figure>{}</figure>",
                caption(": left out, because this page would become too large")
            );
        }
        let shown = picture.files.last().ok_or("there is none".to_string()).and_then(|file| album.open(file));
        let shown = shown.and_then(|pixels| Shown::of(&pixels, picture, top));
        match shown {
            Err(why) => format!("<figure>{}</figure>", caption(&format!(": no picture: {why}"))),
            Ok(shown) => {
                let marks: String = areas.iter().filter_map(|area| shown.mark(*area)).collect();
                let of =
                    if shown.is_part { format!(" · from {:.0} px down", shown.from) } else { String::new() };
                format!(
                    "<figure><div class=\"frame\"><img alt=\"{side} build after this step\" src=\"data:image/png;base64,{}\">{marks}</div>{}</figure>",
                    STANDARD.encode(&shown.png),
                    caption(&of)
                )
            }
        }
    }

    fn diff(&mut self, test: &str, title: &str, rows: &[Row], first: &StepDifference, aspect: Aspect) {
        if rows.iter().all(|row| matches!(row, Row::Both(_) | Row::Folded(_))) {
            return;
        }
        let open = if first.findings.iter().any(|finding| finding.aspect == aspect) { " open" } else { "" };
        self.add(&format!("<details{open}><summary>{title}</summary><table class=\"diff\"><tbody>"));
        for row in rows {
            self.add(&match row {
                Row::Both(line) => format!("<tr><td>{0}</td><td>{0}</td></tr>", escaped(line)),
                Row::Changed(old, new) if self.is_noise(test, old, new) => {
                    format!("<tr class=\"noise\"><td>{}</td><td>{}</td></tr>", escaped(old), escaped(new))
                }
                Row::Changed(old, new) => {
                    format!(
                        "<tr><td class=\"was\">{}</td><td class=\"is\">{}</td></tr>",
                        escaped(old),
                        escaped(new)
                    )
                }
                Row::Old(line) => {
                    format!("<tr><td class=\"was\">{}</td><td class=\"none\"></td></tr>", escaped(line))
                }
                Row::New(line) => {
                    format!("<tr><td class=\"none\"></td><td class=\"is\">{}</td></tr>", escaped(line))
                }
                Row::Folded(1) => {
                    "<tr class=\"fold\"><td colspan=\"2\">1 line the same</td></tr>".to_string()
                }
                Row::Folded(count) => {
                    format!("<tr class=\"fold\"><td colspan=\"2\">{count} lines the same</td></tr>")
                }
            });
        }
        self.add("</tbody></table></details>");
    }

    /// Whether such a line is known to vary in this test.
    fn is_noise(&self, test: &str, old: &str, new: &str) -> bool {
        let entries = self.report.noise.noise.entries.iter().filter(|entry| entry.test == test);
        entries.into_iter().any(|entry| match &entry.varies {
            Varies::Says(shapes) => {
                shapes.iter().any(|shape| !shape.is_any_text() && shape.fits(old) && shape.fits(new))
            }
            _ => false,
        })
    }

    fn noise(&mut self, report: &TwinReport) {
        let entries = &report.noise.noise.entries;
        self.add(&format!("<section><h2>Left out <span class=\"count\">{}</span></h2>", entries.len()));
        if entries.is_empty() {
            self.add("<p class=\"quiet\">The old build did not differ from itself anywhere.</p></section>");
            return;
        }
        self.add(
            "<p class=\"quiet\">The old build differs from itself at these places. A difference of the same shape at the same place \
             is not reported; any other is.</p>\n<table class=\"findings\"><thead><tr><th>test</th><th>what varies</th><th>for example</th>\
             </tr></thead><tbody>",
        );
        for entry in entries {
            self.add(&format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&entry.test),
                escaped(&entry.words()),
                escaped(&entry.seen.join(" · "))
            ));
        }
        self.add("</tbody></table></section>");
    }
}

/// A picture as it is shown: all of it, or the part around the first difference.
struct Shown {
    png: Vec<u8>,
    /// In CSS pixels of the page.
    from: f64,
    width: f64,
    height: f64,
    is_part: bool,
}

impl Shown {
    fn of(pixels: &Pixels, picture: &PictureSeen, top: f64) -> Result<Shown, String> {
        let scale = f64::from(pixels.width()) / picture.view_width.max(1.0);
        let whole = f64::from(pixels.height()) / scale;
        let is_part = whole > HIGHEST;
        let from = if is_part { (top - AROUND).clamp(0.0, whole - HIGHEST) } else { 0.0 };
        let height = if is_part { HIGHEST } else { whole };
        let part = pixels.part(0, (from * scale) as u32, pixels.width(), (height * scale) as u32);
        let png = part.to_png().map_err(|err| err.to_string())?;
        Ok(Shown { png, from, width: picture.view_width, height, is_part })
    }

    /// A box over an area. None if it lies outside of what is shown.
    fn mark(&self, [x, y, width, height]: Area) -> Option<String> {
        let y = y - self.from;
        if y + height <= 0.0 || y >= self.height {
            return None;
        }
        let percent = |part: f64, of: f64| 100.0 * part / of.max(1.0);
        Some(format!(
            "<i style=\"left:{:.2}%;top:{:.2}%;width:{:.2}%;height:{:.2}%\"></i>",
            percent(x, self.width),
            percent(y, self.height),
            percent(width, self.width),
            percent(height, self.height)
        ))
    }
}

fn request_line(request: &RequestSeen) -> String {
    let query: Vec<String> = request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let path = request.path.strip_prefix(APP).unwrap_or(&request.path);
    format!("{} {path}{query} → {}", request.method, request.outcome)
}

fn class_of(verdict: TwinVerdict) -> &'static str {
    match verdict {
        TwinVerdict::Same => "same",
        TwinVerdict::Different => "different",
        TwinVerdict::NotComparable => "open",
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}
