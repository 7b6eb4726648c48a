//! The engines there are, and the one that a command line asks for. The one place that names drivers.

use std::sync::Arc;

use assay_driver::{Capability, Driver};
use assay_driver_chromium::ChromiumDriver;
use assay_driver_firefox::FirefoxDriver;
use assay_driver_webkit::{Surroundings, WebKitDriver};
use assay_protocol::{BrowserSettings, ErrorCode, Failure};
use assay_wire::Package;

use crate::environment;
use crate::remote::RemoteDriver;

/// An engine that can be asked for by name.
pub struct Engine {
    pub name: &'static str,
    /// The variable that names its program.
    pub variable: &'static str,
    pub driver: fn() -> Arc<dyn Driver>,
    /// The packages it needs and this system does not have.
    pub missing: fn() -> Vec<Package>,
}

pub const ENGINES: &[Engine] = &[
    Engine {
        name: "chromium",
        variable: "ASSAY_CHROMIUM",
        driver: || Arc::new(ChromiumDriver),
        missing: assay_driver_chromium::missing_packages,
    },
    Engine {
        name: "firefox",
        variable: "ASSAY_FIREFOX",
        driver: || Arc::new(FirefoxDriver),
        missing: assay_driver_firefox::missing_packages,
    },
    Engine {
        name: "webkit",
        variable: "ASSAY_WEBKIT",
        driver: || Arc::new(WebKitDriver { surroundings: surroundings() }),
        missing: assay_driver_webkit::missing_packages,
    },
];

fn surroundings() -> Surroundings {
    Surroundings {
        display: environment::display(),
        language: environment::language(),
        is_painting_chosen: environment::is_painting_chosen(),
    }
}

/// What tests and command lines may call a browser.
pub fn names() -> Vec<&'static str> {
    ENGINES.iter().map(|engine| engine.name).collect()
}

/// The engine of this name; the first one when none is given.
pub fn engine(name: Option<&str>) -> Result<&'static Engine, Failure> {
    let Some(name) = name else { return Ok(&ENGINES[0]) };
    ENGINES.iter().find(|engine| engine.name == name).ok_or_else(|| {
        let names = names();
        Failure::new(ErrorCode::Usage, format!("expected a browser, found `{name}`"))
            .hint(format!("there are {}", names.join(", ")))
    })
}

pub fn driver(settings: &BrowserSettings) -> Result<Arc<dyn Driver>, Failure> {
    let engine = engine(settings.engine.as_deref())?;
    match settings.connect {
        Some(_) => Ok(Arc::new(RemoteDriver::new(settings)?)),
        None => Ok((engine.driver)()),
    }
}

/// What each engine can do, as Markdown.
pub fn table() -> String {
    let drivers: Vec<Arc<dyn Driver>> = ENGINES.iter().map(|engine| (engine.driver)()).collect();
    let names = names();
    let mut text = format!("| can it … | {} |\n|---|{}\n", names.join(" | "), ":-:|".repeat(names.len()));
    for capability in Capability::SHOWN {
        let can =
            drivers.iter().map(|driver| if driver.capabilities().contains(capability) { "yes" } else { "–" });
        text.push_str(&format!("| {capability} | {} |\n", can.collect::<Vec<_>>().join(" | ")));
    }
    text
}
