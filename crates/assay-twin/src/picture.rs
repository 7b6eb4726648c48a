//! Two pictures of a page compared: the regions that look different, and the elements that lie there.

use assay_pixels::{Pixels, differing_regions};

use crate::finding::{Area, Aspect, Change, Finding, Place};
use crate::page::{PageNode, PageSeen, shortened};
use crate::recording::PictureSeen;

/// Opens the pictures of a recording.
pub trait Album {
    fn open(&self, file: &str) -> Result<Pixels, String>;
}

/// The albums of two recordings that are compared.
#[derive(Clone, Copy)]
pub struct Pictures<'a> {
    pub old: &'a dyn Album,
    pub new: &'a dyn Album,
}

/// What moves by itself is elsewhere a moment later, in pixels of the picture.
const MOVES: f64 = 16.0;
/// What is drawn beside a place that varies moves a little with it.
const AROUND: f64 = 8.0;

/// None if they look alike. The areas are in CSS pixels of the picture.
pub(crate) fn compare_pictures(
    old: &PictureSeen,
    new: &PictureSeen,
    pictures: &Pictures<'_>,
) -> Result<Option<Finding>, String> {
    let is_at_rest = old.files.len() == 1 && new.files.len() == 1;
    if old.hash == new.hash && is_at_rest && old.is_whole == new.is_whole {
        return Ok(None);
    }
    let last = |picture: &PictureSeen, album: &dyn Album| {
        let file = picture.files.last().ok_or_else(|| "there is no picture".to_string())?;
        album.open(file)
    };
    let (one, other) = (last(old, pictures.old)?, last(new, pictures.new)?);
    let scale = f64::from(one.width()) / old.view_width.max(1.0);
    // What moves by itself in the old build while the page is looked at says nothing.
    let restless = moving(old, &one, pictures.old)?;
    let regions = regions(&one, &other);
    let areas: Vec<Area> = regions
        .into_iter()
        .filter(|region| !restless.iter().any(|moving| covers(grown(*moving, MOVES), *region)))
        .map(|[x, y, width, height]| [x / scale, y / scale, width / scale, height / scale])
        .collect();
    if areas.is_empty() {
        return Ok(None);
    }
    let place = Place {
        page: String::new(),
        key: "#picture".to_string(),
        new_key: "#picture".to_string(),
        shown: "picture".to_string(),
    };
    let mut finding = Finding::new(Aspect::Picture, Change::Look, place, "", "");
    finding.old_areas = areas.clone();
    finding.new_areas = areas;
    Ok(Some(finding))
}

/// The regions in which two pictures of one page in a row differ.
fn moving(picture: &PictureSeen, last: &Pixels, album: &dyn Album) -> Result<Vec<Area>, String> {
    match picture.files.as_slice() {
        [first, _] => Ok(regions(&album.open(first)?, last)),
        _ => Ok(Vec::new()),
    }
}

/// Where two pictures differ, in their pixels.
fn regions(one: &Pixels, other: &Pixels) -> Vec<Area> {
    let found = differing_regions(one, other).into_iter();
    found.map(|region| [region.left, region.top, region.width, region.height].map(f64::from)).collect()
}

pub(crate) fn joined(one: Area, other: Area) -> Area {
    let (left, top) = (one[0].min(other[0]), one[1].min(other[1]));
    let right = (one[0] + one[2]).max(other[0] + other[2]);
    let bottom = (one[1] + one[3]).max(other[1] + other[3]);
    [left, top, right - left, bottom - top]
}

pub(crate) fn covers(around: Area, inner: Area) -> bool {
    inner[0] >= around[0]
        && inner[1] >= around[1]
        && inner[0] + inner[2] <= around[0] + around[2]
        && inner[1] + inner[3] <= around[1] + around[3]
}

pub(crate) fn touches(one: Area, other: Area) -> bool {
    one[0] < other[0] + other[2]
        && other[0] < one[0] + one[2]
        && one[1] < other[1] + other[3]
        && other[1] < one[1] + one[3]
}

pub(crate) fn grown(area: Area, by: f64) -> Area {
    [area[0] - by, area[1] - by, area[2] + 2.0 * by, area[3] + 2.0 * by]
}

/// The finding without regions that lie in one of `known`. None if nothing is left.
pub(crate) fn without(mut finding: Finding, known: &[Area]) -> Option<Finding> {
    let is_new = |area: &Area| !known.iter().any(|around| covers(grown(*around, AROUND), *area));
    finding.old_areas.retain(is_new);
    finding.new_areas.retain(is_new);
    (!finding.old_areas.is_empty()).then_some(finding)
}

/// Where the text cursor blinks: a thin line in the field that has the focus.
pub(crate) fn is_text_cursor(area: Area, page: &PageSeen, scrolled: [f64; 2]) -> bool {
    area[2] <= 3.0
        && area[3] <= 40.0
        && page.nodes.iter().any(|node| {
            let is_field = matches!(node.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton");
            is_field
                && node.states.iter().any(|state| state == "focused")
                && covers(grown(at_page(node.area, scrolled), 4.0), area)
        })
}

/// An area of the view as one of the whole page.
pub(crate) fn at_page(area: Area, scrolled: [f64; 2]) -> Area {
    [area[0] + scrolled[0], area[1] + scrolled[1], area[2], area[3]]
}

/// Names the elements in the differing regions, so that a picture can be read.
pub(crate) fn describe(finding: &mut Finding, old: (&PageSeen, [f64; 2]), new: (&PageSeen, [f64; 2])) {
    const MOST_NAMED: usize = 4;
    let mut named: Vec<(String, String, String)> = Vec::new();
    for area in finding.old_areas.clone() {
        let Some(told) = told_of(area, old, new) else { continue };
        if !named.contains(&told) {
            named.push(told);
        }
    }
    // What was moved or has another size says more than what only looks different around it.
    if named.iter().any(|(_, was, is)| was != is) {
        named.retain(|(_, was, is)| was != is);
    }
    named.truncate(MOST_NAMED);
    let said = |pick: &dyn Fn(&(String, String, String)) -> String| {
        named.iter().map(pick).collect::<Vec<_>>().join("; ")
    };
    let places = said(&|one| one.0.clone());
    if !places.is_empty() {
        finding.place.shown = format!("picture at {places}");
    }
    (finding.old, finding.new) = if named.iter().any(|(_, was, is)| was != is) {
        (said(&|one| one.1.clone()), said(&|one| one.2.clone()))
    } else {
        let [x, y, width, height] = finding.old_areas.iter().copied().reduce(joined).unwrap_or_default();
        let region = format!("{width:.0}×{height:.0} at {x:.0},{y:.0}");
        (format!("region {region}"), "looks different there".to_string())
    };
}

/// The element in a region: its words, and its place and size on both sides.
fn told_of(
    area: Area,
    old: (&PageSeen, [f64; 2]),
    new: (&PageSeen, [f64; 2]),
) -> Option<(String, String, String)> {
    let size = |node: &PageNode| node.area[2] * node.area[3];
    let in_region = |page: &PageSeen, scrolled: [f64; 2]| -> Vec<usize> {
        let mut inside: Vec<usize> = (0..page.nodes.len())
            .filter(|at| {
                let node = &page.nodes[*at];
                let is_nameless = node.role == "generic" && node.name.is_empty();
                !is_nameless && size(node) > 0.0 && touches(at_page(node.area, scrolled), area)
            })
            .collect();
        inside.sort_by(|one, other| size(&page.nodes[*one]).total_cmp(&size(&page.nodes[*other])));
        inside
    };
    let candidates = in_region(old.0, old.1);
    let said = |area: Area| format!("{:.0}×{:.0} at {:.0},{:.0}", area[2], area[3], area[0], area[1]);
    for at in &candidates {
        let node = &old.0.nodes[*at];
        let (area, other) = (
            at_page(node.area, old.1),
            counterpart(old.0, *at, new.0).map(|other| at_page(other.area, new.1)),
        );
        if let Some(other) = other.filter(|other| is_elsewhere(area, *other))
            && !node.is_text()
        {
            return Some((node_words(old.0, *at), said(area), said(other)));
        }
    }
    // Of those that lie in it, the smallest that holds all of it; else the smallest of all.
    let holding =
        candidates.iter().find(|at| covers(grown(at_page(old.0.nodes[**at].area, old.1), 2.0), area));
    let at = holding.or(candidates.first())?;
    Some((node_words(old.0, *at), String::new(), String::new()))
}

fn node_words(page: &PageSeen, at: usize) -> String {
    let node = &page.nodes[at];
    match node.is_text() {
        true => format!("text \"{}\"", shortened(&node.name, 40)),
        false => node.words(),
    }
}

/// The same element of the other page, if it is plain which one that is.
fn counterpart<'a>(page: &PageSeen, at: usize, other: &'a PageSeen) -> Option<&'a PageNode> {
    let node = &page.nodes[at];
    let is_alike =
        |one: &&PageNode| one.role == node.role && one.name == node.name && one.anchor == node.anchor;
    let nth = page.nodes[..at].iter().filter(|one| is_alike(one)).count();
    let here = page.nodes.iter().filter(is_alike).count();
    let there: Vec<&PageNode> = other.nodes.iter().filter(is_alike).collect();
    (there.len() == here).then(|| there[nth])
}

fn is_elsewhere(one: Area, other: Area) -> bool {
    one.iter().zip(other).any(|(one, other)| (one - other).abs() >= 1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shelf(Vec<(&'static str, Pixels)>);

    impl Album for Shelf {
        fn open(&self, file: &str) -> Result<Pixels, String> {
            let found = self.0.iter().find(|(name, _)| *name == file);
            found.map(|(_, pixels)| pixels.clone()).ok_or_else(|| format!("no {file}"))
        }
    }

    fn with_square(left: u32, top: u32, side: u32) -> Pixels {
        let mut pixels = Pixels::plain(200, 100, [255, 255, 255]);
        pixels.fill(
            i64::from(left),
            i64::from(top),
            i64::from(side),
            i64::from(side),
            assay_pixels::Colour([200, 0, 0]),
        );
        pixels
    }

    fn seen(files: &[&str], hash: u64) -> PictureSeen {
        PictureSeen {
            files: files.iter().map(|file| (*file).to_string()).collect(),
            hash,
            is_whole: true,
            scrolled: [0.0, 0.0],
            view_width: 100.0,
        }
    }

    #[test]
    fn the_differing_regions_are_found_in_pixels_of_the_page() {
        let shelf = Shelf(vec![
            ("plain", Pixels::plain(200, 100, [255, 255, 255])),
            ("square", with_square(40, 20, 20)),
        ]);
        let pictures = Pictures { old: &shelf, new: &shelf };
        let found =
            compare_pictures(&seen(&["plain"], 1), &seen(&["square"], 2), &pictures).unwrap().unwrap();
        assert_eq!(
            found.old_areas,
            [[20.0, 10.0, 10.0, 10.0]],
            "the picture has two pixels for each of the page"
        );
        assert_eq!(without(found.clone(), &[[20.0, 10.0, 10.0, 10.0]]), None);
        assert!(without(found, &[[80.0, 10.0, 10.0, 10.0]]).is_some());
        assert_eq!(compare_pictures(&seen(&["plain"], 1), &seen(&["plain"], 1), &pictures), Ok(None));
        assert!(compare_pictures(&seen(&["gone"], 1), &seen(&["plain"], 2), &pictures).is_err());
    }

    #[test]
    fn what_moves_by_itself_is_no_difference() {
        let shelf = Shelf(vec![
            ("one", with_square(40, 20, 20)),
            ("two", with_square(44, 20, 20)),
            ("far", with_square(120, 20, 20)),
        ]);
        let pictures = Pictures { old: &shelf, new: &shelf };
        let compare = |old: &PictureSeen, new: &PictureSeen| compare_pictures(old, new, &pictures).unwrap();
        assert_eq!(compare(&seen(&["one", "two"], 2), &seen(&["two", "one"], 1)), None);
        assert!(compare(&seen(&["one", "two"], 2), &seen(&["far"], 3)).is_some());
        assert!(compare(&seen(&["two"], 2), &seen(&["two", "far"], 3)).is_some(), "only the new build moves");
    }

    #[test]
    fn another_height_is_a_difference() {
        let shelf =
            Shelf(vec![("low", Pixels::plain(200, 100, [9; 3])), ("high", Pixels::plain(200, 120, [9; 3]))]);
        let pictures = Pictures { old: &shelf, new: &shelf };
        let found = compare_pictures(&seen(&["low"], 1), &seen(&["high"], 2), &pictures).unwrap().unwrap();
        assert_eq!(found.old_areas, [[0.0, 50.0, 100.0, 10.0]]);
    }

    #[test]
    fn a_moved_button_is_named_with_both_places() {
        let page = |left: f64| PageSeen {
            nodes: vec![PageNode {
                role: "button".to_string(),
                name: "Pay".to_string(),
                area: [left, 10.0, 30.0, 10.0],
                ..PageNode::default()
            }],
            ..PageSeen::default()
        };
        let place = Place { shown: "picture".to_string(), ..Place::default() };
        let mut finding = Finding::new(Aspect::Picture, Change::Look, place, "", "");
        finding.old_areas = vec![[10.0, 10.0, 60.0, 10.0]];
        describe(&mut finding, (&page(10.0), [0.0, 5.0]), (&page(40.0), [0.0, 5.0]));
        assert_eq!(finding.words(), "picture at button \"Pay\": `30×10 at 10,15` → `30×10 at 40,15`");
        describe(&mut finding, (&page(10.0), [0.0, 5.0]), (&page(10.0), [0.0, 5.0]));
        assert_eq!(
            finding.words(),
            "picture at button \"Pay\": `region 60×10 at 10,10` → `looks different there`"
        );
    }

    #[test]
    fn a_text_cursor_blinks() {
        let mut field =
            PageNode { role: "textbox".to_string(), area: [10.0, 10.0, 100.0, 30.0], ..PageNode::default() };
        field.states = vec!["focused".to_string()];
        let page = PageSeen { nodes: vec![field], ..PageSeen::default() };
        assert!(is_text_cursor([30.0, 15.0, 1.0, 18.0], &page, [0.0, 0.0]));
        assert!(!is_text_cursor([30.0, 15.0, 9.0, 18.0], &page, [0.0, 0.0]));
        assert!(!is_text_cursor([300.0, 15.0, 1.0, 18.0], &page, [0.0, 0.0]));
    }
}
