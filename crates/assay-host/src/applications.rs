//! The tests of a project and the applications that they test, without a run.

use std::path::Path;

use assay_protocol::UserInterface;
use assay_suite::{TestCase, load_in};

use crate::context::HostContext;

/// One for each address that tests begin from. The address of the project carries the name of its suite, others that of
/// their host.
pub fn applications(context: &HostContext, folder: &Path) -> Vec<UserInterface> {
    let loaded = load_in(folder, &[], &context.drivers.names(), &*context.variables);
    let mut found: Vec<UserInterface> = Vec::new();
    if let Some(address) = &loaded.project.base_url {
        let browsers = loaded.project.browsers.iter().map(|name| name.as_str().to_string()).collect();
        found.push(interface(loaded.project.suite.clone(), address.clone(), browsers));
    }
    for test in &loaded.tests {
        let Some(address) = &test.base_url else { continue };
        let origin = origin(address);
        let at =
            found.iter().position(|known| self::origin(&known.base_url) == origin).unwrap_or_else(|| {
                let name = origin.split_once("://").map_or(origin.as_str(), |(_, host)| host).to_string();
                found.push(interface(name, address.clone(), Vec::new()));
                found.len() - 1
            });
        let application = &mut found[at];
        application.testcases += 1;
        for browser in &test.browsers {
            if !application.browsers.iter().any(|known| known == browser.as_str()) {
                application.browsers.push(browser.as_str().to_string());
            }
        }
    }
    for application in found.iter_mut().filter(|application| application.browsers.is_empty()) {
        application.browsers.push(context.drivers.default_browser().to_string());
    }
    found
}

/// The tests that can be read, by id and by file as seen from `folder`.
pub fn project_tests(context: &HostContext, folder: &Path) -> Vec<(String, String)> {
    let loaded = load_in(folder, &[], &context.drivers.names(), &*context.variables);
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let named = |test: &TestCase| {
        let file = test.path.strip_prefix(&real).unwrap_or(&test.path);
        (test.id.clone(), file.display().to_string())
    };
    loaded.tests.iter().map(named).collect()
}

fn interface(userinterface: String, base_url: String, browsers: Vec<String>) -> UserInterface {
    UserInterface { userinterface, base_url, platform: "web".to_string(), browsers, testcases: 0 }
}

/// Scheme, host and port.
fn origin(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_string() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    format!("{scheme}://{host}")
}
