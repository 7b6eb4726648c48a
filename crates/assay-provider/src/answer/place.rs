//! Where a model points.

/// A point, an element or neither. Each provider counts in its own way, and only whoever knows the
/// size of the picture can turn thousandths into pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum PointerTarget {
    /// Pixels of the picture that the model saw, from its top left.
    Pixel { x: i64, y: i64 },
    /// Thousandths of width and height.
    Thousandth { x: f64, y: f64 },
    /// An element by the reference that a page reading gave it.
    Ref(String),
    /// Where the pointer is.
    Pointer,
}

impl PointerTarget {
    /// The point in a picture of this size, if it is a point. It may lie outside; that is for the caller to judge.
    pub fn in_picture(&self, width: u32, height: u32) -> Option<(f64, f64)> {
        match self {
            PointerTarget::Pixel { x, y } => Some((*x as f64, *y as f64)),
            PointerTarget::Thousandth { x, y } => {
                Some((x / 1000.0 * f64::from(width), y / 1000.0 * f64::from(height)))
            }
            PointerTarget::Ref(_) | PointerTarget::Pointer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_are_of_the_picture() {
        let place = PointerTarget::Thousandth { x: 500.0, y: 250.0 };
        assert_eq!(place.in_picture(1280, 800), Some((640.0, 200.0)));
        assert_eq!(PointerTarget::Pixel { x: 5, y: 7 }.in_picture(1280, 800), Some((5.0, 7.0)));
        assert_eq!(PointerTarget::Ref("ref_7".into()).in_picture(1280, 800), None);
    }
}
