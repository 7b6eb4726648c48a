//! Serves all cases of a corpus at once and writes their tests, to run them with `assay run FOLDER`.
//!
//! Prints nothing until its standard input closes, then what each site was asked to change.

use std::io::{self, Read};
use std::path::Path;

use assay_testkit::corpora::{
    CaseSite, HealingCase, ProofCase, SiteVersion, Variant, healing_cases, proof_cases,
};

const USAGE: &str =
    "corpora healing before|after|healed FOLDER, or corpora proof healthy|missed|failing|deaf FOLDER";

/// One test and the site that it runs against.
struct Stand {
    name: String,
    version: SiteVersion,
    test: Box<dyn Fn(&str) -> String>,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, way, folder] = arguments.as_slice() else {
        return Err(io::Error::other(USAGE));
    };
    let stands: Vec<Stand> = match corpus.as_str() {
        "healing" => {
            let cases = healing_cases().map_err(io::Error::other)?;
            cases.into_iter().filter_map(|case| healing(case, way)).collect()
        }
        "proof" => {
            let cases = proof_cases().map_err(io::Error::other)?;
            cases.into_iter().flat_map(|case| proof(case, way)).collect()
        }
        _ => return Err(io::Error::other(USAGE)),
    };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    let mut sites: Vec<(String, CaseSite)> = Vec::new();
    for stand in stands {
        let site = stand.version.serve();
        std::fs::write(folder.join(format!("{}.yaml", stand.name)), (stand.test)(&site.url("")))?;
        sites.push((stand.name, site));
    }
    eprintln!("{} sites are served", sites.len());
    io::stdin().read_to_end(&mut Vec::new())?;
    for (name, site) in &sites {
        for request in site.received() {
            println!("{name}\t{request}\t{}", request.status);
        }
    }
    Ok(())
}

fn healing(case: HealingCase, way: &str) -> Option<Stand> {
    let name = case.name.clone();
    let (before, after) = (case.version(Variant::Before), case.version(Variant::After));
    match way {
        "before" => Some(Stand { name, version: before, test: Box::new(move |url| case.test_at(url)) }),
        "after" => Some(Stand { name, version: after, test: Box::new(move |url| case.test_at(url)) }),
        "healed" => {
            case.healed_test_at("")?;
            let test = move |url: &str| case.healed_test_at(url).unwrap_or_default();
            Some(Stand { name, version: after, test: Box::new(test) })
        }
        _ => None,
    }
}

fn proof(case: ProofCase, way: &str) -> Vec<Stand> {
    let versions: Vec<SiteVersion> = match way {
        "healthy" => vec![case.version()],
        "missed" => case.misses.iter().map(|missed| case.version_with(missed)).collect(),
        "failing" => vec![case.version().with_all_failing_but(&case.harmless)],
        "deaf" => clicked(&case.test_at("")).map(|name| case.version().with_deaf_control(&name)).collect(),
        _ => Vec::new(),
    };
    let several = versions.len() > 1;
    let stands = versions.into_iter().enumerate().map(|(index, version)| {
        let name = if several { format!("{}--{}", case.name, index + 1) } else { case.name.clone() };
        let test = case.test_at("BASE");
        Stand { name, version, test: Box::new(move |url| test.replacen("BASE", url, 1)) }
    });
    stands.collect()
}

/// The quoted names in the steps that click something.
fn clicked(test: &str) -> impl Iterator<Item = String> {
    let steps = test.lines().filter(|line| line.trim_start().starts_with("- Click "));
    steps.filter_map(|line| line.split('"').nth(1)).map(str::to_owned)
}
