//! Firefox over WebDriver BiDi, directly on its websocket: no driver program in between.
//!
//! Whatever else speaks BiDi can be attached to by the same means. `protocol` follows the
//! specification and knows nothing of assay; the other files map it onto the seam.

mod browser;
mod contexts;
mod driver;
mod emulation;
mod fault;
mod find;
mod input;
mod launch;
mod protocol;
mod refusal;
mod surface;
mod values;

pub use driver::FirefoxDriver;
pub use find::missing_packages;
