//! Remote browsers over classic WebDriver, and finding out what an address speaks.

mod driver;

pub use driver::WebDriverDriver;
