//! Uploads, downloads, pictures, saved logins.

use crate::context::Context;

#[test]
fn files_are_uploaded() {
    let context = Context::on("/upload");
    std::fs::write(context.folder().join("a.txt"), "hello").unwrap();
    std::fs::write(context.folder().join("b.txt"), "hi").unwrap();
    context.ok(&["upload", "#single", "a.txt"]);
    context.ok(&["upload", "#many", "a.txt", "b.txt"]);
    assert!(context.log().contains(&"change many=a.txt:5,b.txt:2".to_string()), "{:?}", context.log());
    let said = context.ok(&["click", "#send"]);
    assert!(said.contains("/upload/done"), "{said}");
    assert!(context.ok(&["text", "#files"]).contains("a.txt (5 bytes)"));
    context.go("/upload");
    assert!(context.fails(1, &["upload", "#single", "a.txt", "b.txt"]).contains("takes one file"));
    assert!(context.fails(2, &["upload", "#single", "missing.txt"]).contains("could not read"));
    assert!(context.fails(1, &["upload", "#comment", "a.txt"]).contains("not a file input"));
}

#[test]
fn downloads_are_told_with_their_path() {
    let context = Context::on("/download");
    let said = context.ok(&["click", "#file"]);
    let path =
        said.lines().find_map(|line| line.strip_prefix("downloaded ")).unwrap_or_else(|| panic!("{said}"));
    assert!(path.ends_with("report.csv"), "{said}");
    assert_eq!(std::fs::read(path).unwrap().len(), 28);
    let said = context.ok(&["click", "#slow"]);
    assert!(said.contains("slow.bin"), "{said}");
    let said = context.ok(&["click", "#file"]);
    assert!(said.contains("report (1).csv"), "{said}");
}

fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(16), number(20))
}

#[test]
fn pictures_have_the_size_they_should() {
    let context = Context::on("/scroll");
    let read = |name: &str| std::fs::read(context.folder().join(name)).unwrap();
    assert!(context.ok(&["screenshot", "-o", "a.png"]).ends_with("a.png"));
    assert_eq!(png_size(&read("a.png")), (1280, 720));
    context.ok(&["screenshot", "-o", "deep/er/full.png", "--full-page"]);
    assert!(png_size(&read("deep/er/full.png")).1 > 1000);
    context.ok(&["viewport", "390", "844", "--scale", "2"]);
    context.ok(&["screenshot", "-o", "phone.png"]);
    assert_eq!(png_size(&read("phone.png")), (780, 1688));
    context.ok(&["screenshot", "#near", "-o", "part.png"]);
    assert!(png_size(&read("part.png")).0 < 780);
    context.ok(&["screenshot", "-o", "a.jpg"]);
    assert_eq!(&read("a.jpg")[..2], b"\xff\xd8");
    context.ok(&["screenshot", "--annotate", "-o", "marks.png"]);
    // The marks are gone again.
    assert_eq!(context.ok(&["eval", "document.documentElement.lastElementChild.localName"]), "body");
    context.ok(&["pdf", "-o", "page.pdf"]);
    assert_eq!(&read("page.pdf")[..5], b"%PDF-");
    assert!(context.fails(2, &["screenshot", "-o", "a.gif"]).contains("expected a file ending in"));
    assert!(context.fails(4, &["screenshot", "-o", "/proc/nowhere/a.png"]).contains("could not write"));
}

#[test]
fn a_login_is_saved_and_restored() {
    let context = Context::on("/list");
    context.ok(&["cookies", "set", "session", "ok"]);
    context.ok(&["eval", "localStorage.setItem('theme', 'dark'); 0"]);
    context.ok(&["storage", "save", "state.json"]);
    context.ok(&["cookies", "clear"]);
    context.ok(&["eval", "localStorage.clear(); 0"]);
    assert_eq!(context.ok(&["cookies"]), "");
    context.ok(&["storage", "load", "state.json"]);
    assert!(context.ok(&["cookies"]).contains("session=ok"));
    assert_eq!(context.ok(&["eval", "localStorage.getItem('theme')"]), "dark");
    std::fs::write(context.folder().join("broken.json"), "{").unwrap();
    assert!(
        context
            .fails(2, &["storage", "load", "broken.json"])
            .contains("expected a file of `assay storage save`")
    );
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(context.folder().join("state.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can read the saved login");
}

#[test]
fn tabs_can_be_isolated() {
    let context = Context::on("/list");
    context.ok(&["cookies", "set", "who", "me"]);
    context.ok(&["tab-new", &context.url("/list"), "--isolated"]);
    assert_eq!(context.ok(&["cookies"]), "");
    context.ok(&["tab-switch", "t1"]);
    assert!(context.ok(&["cookies"]).contains("who=me"));
}
