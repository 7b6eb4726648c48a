//! Serves the fixture site until the standard input closes, to look at it by hand.

use std::io::{self, Read};

fn main() -> io::Result<()> {
    let site = assay_testkit::fixture_site();
    println!("{}", site.url("/"));
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
