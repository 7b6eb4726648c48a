//! The files of a new project: a page, a server for it, and a passing test.

/// Paths, relative to the new project, and their contents.
pub fn template() -> Vec<(&'static str, &'static str)> {
    vec![
        ("assay.yaml", include_str!("../template/assay.yaml")),
        ("tests/example.yaml", include_str!("../template/tests/example.yaml")),
        ("site/index.html", include_str!("../template/site/index.html")),
        (".gitignore", include_str!("../template/gitignore")),
    ]
}
