//! How sure a choice must be. `bench/fit/fit.py` tries other values on recorded pages of real applications.

/// Below this nothing is taken, however alone it stands.
pub(crate) const ENOUGH: f64 = 0.5;
/// The best must lead the second by this much.
pub(crate) const LEAD: f64 = 0.1;
