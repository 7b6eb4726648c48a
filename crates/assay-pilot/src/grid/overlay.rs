//! Numbers on a picture, and what each of them stands for. They are painted onto the picture, never into the page.

use assay_pixels::{Colour, Pixels};
use assay_protocol::{Scene, SceneNode, ViewPoint};

use crate::vision::View;

/// More numbers than these cannot be read apart.
const MOST_MARKS: usize = 80;
/// What is smaller cannot be marked.
const SMALLEST: f64 = 6.0;
const COLUMNS: u32 = 12;
const ROWS: u32 = 8;
/// A cell is looked at closer in so many parts in each direction, which are about as large as what can be clicked.
const PARTS: u32 = 6;

const MARK: Colour = Colour([190, 0, 110]);
const LINE: Colour = Colour([0, 110, 190]);

/// What the numbers on the newest picture stand for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Numbers {
    /// Elements, by their refs.
    Elements(Vec<String>),
    /// Cells of the whole view: they are looked at closer before anything is done there.
    Cells,
    /// Parts of one cell.
    Parts(Area),
}

/// Left, top, width, height, in pixels of the shown picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    fn of(view: &View) -> Area {
        let (width, height) = (f64::from(view.shown.width()), f64::from(view.shown.height()));
        Area { left: 0.0, top: 0.0, width, height }
    }

    /// One of its cells; they are counted from 1, row by row.
    fn cell(self, number: u32, columns: u32, rows: u32) -> Option<Area> {
        let index = number.checked_sub(1).filter(|index| *index < columns * rows)?;
        let (width, height) = (self.width / f64::from(columns), self.height / f64::from(rows));
        let (column, row) = (f64::from(index % columns), f64::from(index / columns));
        Some(Area { left: self.left + column * width, top: self.top + row * height, width, height })
    }

    fn middle(self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }
}

/// The cell of the view with this number.
pub(crate) fn cell(view: &View, number: u32) -> Option<Area> {
    Area::of(view).cell(number, COLUMNS, ROWS)
}

/// The point that a part of a cell stands for.
pub(crate) fn part(view: &View, cell: Area, number: u32) -> Option<ViewPoint> {
    let (x, y) = cell.cell(number, PARTS, PARTS)?.middle();
    // The middle lies between pixels; a pixel's own middle is half a pixel further.
    view.point(x - 0.5, y - 0.5).ok()
}

/// The picture with a number on each element that is seen; none where there is none.
pub(crate) fn marked(view: &View, scene: &Scene) -> Option<(Pixels, Vec<String>)> {
    let is_seen = |node: &&SceneNode| {
        node.role != "text"
            && node.reference.is_some()
            && !node.is("offscreen")
            && !node.is("covered")
            && node.area[2] >= SMALLEST
            && node.area[3] >= SMALLEST
    };
    let nodes: Vec<&SceneNode> = scene.nodes.iter().filter(is_seen).take(MOST_MARKS).collect();
    if nodes.is_empty() {
        return None;
    }
    let (across, down) = view.length(1.0, 1.0);
    let mut picture = view.shown.clone();
    let boxes = nodes.iter().map(|node| {
        let [x, y, width, height] = node.area;
        [x / across, y / down, width / across, height / down].map(|length| length.round() as i64)
    });
    for (number, [left, top, width, height]) in (1..).zip(boxes) {
        picture.frame(left - 1, top - 1, width + 2, height + 2, 2, MARK);
        // On its corner, so that what is written on the element can still be read.
        picture.plate(left - 4, top - 9, number, 2, Colour::WHITE, MARK);
    }
    Some((picture, nodes.iter().filter_map(|node| node.reference.clone()).collect()))
}

/// The picture with a number on each cell.
pub(crate) fn gridded(view: &View) -> Pixels {
    lined(view.shown.clone(), COLUMNS, ROWS)
}

/// One cell, enlarged, with a number on each of its parts.
pub(crate) fn closer(view: &View, cell: Area) -> Option<Pixels> {
    let part = view.part(cell.left, cell.top, cell.left + cell.width, cell.top + cell.height)?;
    Some(lined(part, PARTS, PARTS))
}

fn lined(mut picture: Pixels, columns: u32, rows: u32) -> Pixels {
    let whole = (i64::from(picture.width()), i64::from(picture.height()));
    let across = |column: u32| whole.0 * i64::from(column) / i64::from(columns);
    let down = |row: u32| whole.1 * i64::from(row) / i64::from(rows);
    for column in 1..columns {
        picture.fill(across(column), 0, 1, whole.1, LINE);
    }
    for row in 1..rows {
        picture.fill(0, down(row), whole.0, 1, LINE);
    }
    for row in 0..rows {
        for column in 0..columns {
            picture.plate(
                across(column) + 2,
                down(row) + 2,
                row * columns + column + 1,
                2,
                Colour::WHITE,
                LINE,
            );
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::Limit;
    use assay_provider::formats::FormatName;
    use assay_runner::PageView;

    fn view() -> View {
        let png = Pixels::plain(1200, 800, [255, 255, 255]).to_png().unwrap();
        let page = PageView { png, view: [1200.0, 800.0], scale: 1.0 };
        View::of(&page, Limit::of(FormatName::Chat)).unwrap()
    }

    #[test]
    fn a_part_of_a_cell_is_a_point_of_the_view() {
        let view = view();
        let second = cell(&view, 14).unwrap();
        assert_eq!(second, Area { left: 100.0, top: 100.0, width: 100.0, height: 100.0 });
        let point = part(&view, second, 1).unwrap();
        assert!((point.x - 108.3).abs() < 0.2 && (point.y - 108.3).abs() < 0.2, "{point:?}");
        assert!(cell(&view, 0).is_none() && cell(&view, 97).is_none() && part(&view, second, 37).is_none());
    }

    #[test]
    fn elements_that_are_seen_have_numbers() {
        let node = |reference: &str, state: &str| SceneNode {
            reference: Some(reference.to_string()),
            role: "button".to_string(),
            states: vec![state.to_string()],
            area: [300.0, 200.0, 80.0, 30.0],
            ..SceneNode::default()
        };
        let nodes = vec![node("e1", "offscreen"), node("e2", ""), node("e3", "covered")];
        let scene = Scene { nodes, ..Scene::default() };
        let (picture, refs) = marked(&view(), &scene).unwrap();
        assert_eq!(refs, ["e2"]);
        assert_eq!(picture.at(340, 199), Some(MARK.0), "a frame is painted around it");
        assert!(marked(&view(), &Scene::default()).is_none());
        assert_ne!(gridded(&view()), view().shown);
        assert!(closer(&view(), cell(&view(), 1).unwrap()).is_some_and(|part| part.width() > 700));
    }
}
