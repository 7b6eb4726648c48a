//! Firefox, and whatever else speaks WebDriver BiDi, over a websocket.

mod driver;

pub use driver::{FirefoxDriver, missing_packages};
