//! Pages where something is there and yet cannot be seen. Each has a twin where it can: what is not seen proves nothing,
//! and what is seen is found, wherever one has to scroll for it.

use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::engines::{ACTIVE, Session, Window};
use crate::false_passes::{self, FAILED, INCONCLUSIVE, NOT_PASSED, PASSED, Trap, trap};

/// A page with a button `Save`; what a click on it does, what else is on the page, and what is claimed then.
struct Sight {
    name: &'static str,
    click: &'static str,
    page: &'static str,
    claim: &'static str,
    verdict: &'static [&'static str],
}

const fn sight(
    name: &'static str,
    click: &'static str,
    page: &'static str,
    claim: &'static str,
    verdict: &'static [&'static str],
) -> Sight {
    Sight { name, click, page, claim, verdict }
}

const OUT: &str = "<p id=out></p>";
const SAVED: &str = "The text \"All saved\" is shown";
const NO_ERROR: &str = "The text \"Fatal error 7\" is not shown";
const PAY: &str = "The \"Pay\" button is visible";

const WORDS: &[Sight] = &[
    sight("hidden words", "out.innerHTML='<b style=visibility:hidden>All saved</b>'", OUT, SAVED, FAILED),
    sight(
        "words not hidden",
        "out.innerHTML='<b style=visibility:visible>All saved</b>'",
        OUT,
        SAVED,
        PASSED,
    ),
    sight("faint words", "out.innerHTML='<b style=opacity:0.01>All saved</b>'", OUT, SAVED, FAILED),
    sight("pale words", "out.innerHTML='<b style=opacity:0.5>All saved</b>'", OUT, SAVED, PASSED),
    sight(
        "a button in something faint",
        "out.innerHTML='<button>Pay</button>'",
        "<div id=out style=opacity:0></div>",
        PAY,
        FAILED,
    ),
    sight(
        "a button in something pale",
        "out.innerHTML='<button>Pay</button>'",
        "<div id=out style=opacity:0.5></div>",
        PAY,
        PASSED,
    ),
    sight(
        "a heading of faint words",
        "out.innerHTML='<h2><span style=opacity:0>Thanks</span></h2>'",
        OUT,
        "The heading \"Thanks\" is shown",
        FAILED,
    ),
    sight(
        "a heading of words",
        "out.innerHTML='<h2><span>Thanks</span></h2>'",
        OUT,
        "The heading \"Thanks\" is shown",
        PASSED,
    ),
    sight(
        "words that fade away",
        "out.textContent='All saved';out.animate([{opacity:1},{opacity:0}],{duration:4000,fill:'forwards'})",
        OUT,
        SAVED,
        NOT_PASSED,
    ),
    sight(
        "words that fade in",
        "out.textContent='All saved';out.animate([{opacity:0},{opacity:1}],{duration:400,fill:'forwards'})",
        OUT,
        SAVED,
        PASSED,
    ),
    sight(
        "words without colour",
        "out.innerHTML='<b style=color:transparent>All saved</b>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight(
        "words through which a colour shines",
        "out.innerHTML='<b style=\\'color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text\\'>All saved</b>'",
        OUT,
        SAVED,
        PASSED,
    ),
    sight(
        "the end of a long text",
        "out.textContent='lorem ipsum '.repeat(60)+'Fatal error 7'",
        OUT,
        NO_ERROR,
        FAILED,
    ),
    sight("a long text without it", "out.textContent='lorem ipsum '.repeat(60)", OUT, NO_ERROR, PASSED),
    sight(
        "more text than is looked at",
        "out.textContent='lorem ipsum '.repeat(9000)+'Fatal error 7'",
        OUT,
        NO_ERROR,
        INCONCLUSIVE,
    ),
    sight(
        "words below the fold, under a dialog",
        "out.textContent='All saved';box.showModal()",
        "<div style=height:3000px></div><p id=out></p><dialog id=box>Please agree</dialog>",
        SAVED,
        FAILED,
    ),
    sight(
        "words below the fold",
        "out.textContent='All saved'",
        "<div style=height:3000px></div><p id=out></p>",
        SAVED,
        PASSED,
    ),
    sight(
        "words below the fold, under a cover",
        "out.textContent='All saved';box.style.display='block'",
        "<div style=height:3000px></div><p id=out></p><div id=box style='display:none;position:fixed;inset:0;background:#fff'>Please wait</div>",
        SAVED,
        FAILED,
    ),
    sight(
        "entries under a dialog",
        "out.innerHTML='<li>a<li>b';box.style.display='block'",
        "<div style=height:3000px></div><ul id=out></ul><div id=box role=dialog aria-modal=true style='display:none;position:fixed;inset:0;background:#fff'>Please wait</div>",
        "The list has 2 items",
        NOT_PASSED,
    ),
    sight(
        "entries below the fold",
        "out.innerHTML='<li>a<li>b'",
        "<div style=height:3000px></div><ul id=out></ul>",
        "The list has 2 items",
        PASSED,
    ),
    sight(
        "words below the fold, behind a box",
        "out.textContent='All saved'",
        "<div style=height:3000px></div><div style=position:relative><p id=out></p><div style='position:absolute;inset:0;background:#fff'></div></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "words below the fold, before a box",
        "out.textContent='All saved'",
        "<div style=height:3000px></div><div style=position:relative><div style='position:absolute;inset:0;background:#eee'></div><p id=out style=position:relative></p></div>",
        SAVED,
        PASSED,
    ),
    sight(
        "words behind a box that lets clicks through",
        "out.textContent='All saved';box.style.display='block'",
        "<p id=out></p><div id=box style='display:none;position:fixed;inset:0;background:#fff;pointer-events:none'></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "words behind glass that lets clicks through",
        "out.textContent='All saved';box.style.display='block'",
        "<p id=out></p><div id=box style='display:none;position:fixed;inset:0;background:#fff8;pointer-events:none'></div>",
        SAVED,
        PASSED,
    ),
    sight(
        "words beyond the left edge",
        "out.innerHTML='<b style=position:absolute;left:-9999px>All saved</b>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight(
        "words beyond the right edge",
        "out.innerHTML='<b style=position:absolute;left:3000px>All saved</b>'",
        OUT,
        SAVED,
        PASSED,
    ),
    sight(
        "words beyond an edge that does not scroll",
        "out.innerHTML='<b style=position:absolute;left:3000px>All saved</b>'",
        "<style>body{overflow-x:hidden}</style><p id=out></p>",
        SAVED,
        FAILED,
    ),
    sight(
        "a drawer that is shut",
        "out.innerHTML='<button>Pay</button>'",
        "<div id=out style='position:fixed;right:0;top:0;width:300px;transform:translateX(100%)'></div>",
        PAY,
        FAILED,
    ),
    sight(
        "a drawer that is open",
        "out.innerHTML='<button>Pay</button>'",
        "<div id=out style='position:fixed;right:0;top:0;width:300px;transform:translateX(0)'></div>",
        PAY,
        PASSED,
    ),
    sight(
        "words far down in something that scrolls",
        "out.textContent='All saved'",
        "<div style='height:200px;overflow:hidden'><div style='height:100%;overflow:auto'><div style=height:2000px></div><p id=out></p></div></div>",
        SAVED,
        PASSED,
    ),
    sight(
        "words far down in something that does not",
        "out.textContent='All saved'",
        "<div style='height:200px;overflow:hidden'><div style=height:2000px></div><p id=out></p></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "a menu that reaches out of its bar",
        "out.style.display='block'",
        "<div style='position:relative'><div style='height:30px;overflow:hidden'>Bar<div id=out style='display:none;position:absolute;top:40px;left:0'>All saved</div></div></div><p style=margin-top:90px>Below</p>",
        SAVED,
        PASSED,
    ),
    sight(
        "a menu that its bar cuts off",
        "out.style.display='block'",
        "<div style='height:30px;overflow:hidden;position:relative'>Bar<div id=out style='display:none;position:absolute;top:40px;left:0'>All saved</div></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "words without a shape",
        "out.innerHTML='<div style=clip-path:inset(100%)>All saved</div>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight(
        "words in a shape",
        "out.innerHTML='<div style=clip-path:inset(0)>All saved</div>'",
        OUT,
        SAVED,
        PASSED,
    ),
    sight(
        "a line that is cut off",
        "out.innerHTML='First<br>Second<br>All saved'",
        "<div id=out style='height:1.2em;overflow:hidden'></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "a line that is not cut off",
        "out.innerHTML='All saved<br>Second<br>Third'",
        "<div id=out style='height:1.2em;overflow:hidden'></div>",
        SAVED,
        PASSED,
    ),
    sight(
        "the end of a line that is cut off",
        "out.textContent='First words and then All saved'",
        "<div id=out style='width:90px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis'></div>",
        SAVED,
        FAILED,
    ),
    sight(
        "the beginning of a line that is cut off",
        "out.textContent='All saved, and then some more words'",
        "<div id=out style='width:90px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis'></div>",
        SAVED,
        PASSED,
    ),
];

const THINGS: &[Sight] = &[
    sight(
        "a frame without height",
        "out.innerHTML='<iframe style=height:0;border:0 srcdoc=&quot;All saved&quot;></iframe>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight("a frame", "out.innerHTML='<iframe srcdoc=&quot;All saved&quot;></iframe>'", OUT, SAVED, PASSED),
    sight(
        "a frame that does not scroll",
        "out.innerHTML='<iframe height=60 scrolling=no srcdoc=&quot;<p style=margin-top:400px>All saved&quot;></iframe>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight(
        "a frame that scrolls",
        "out.innerHTML='<iframe height=60 srcdoc=&quot;<p style=margin-top:400px>All saved&quot;></iframe>'",
        OUT,
        SAVED,
        PASSED,
    ),
    sight(
        "a frame that is faint",
        "out.innerHTML='<iframe style=opacity:0 srcdoc=&quot;All saved&quot;></iframe>'",
        OUT,
        SAVED,
        FAILED,
    ),
    sight(
        "a frame under a dialog",
        "out.innerHTML='<iframe srcdoc=&quot;All saved&quot;></iframe>';box.showModal()",
        "<p id=out></p><dialog id=box>Please agree</dialog>",
        SAVED,
        NOT_PASSED,
    ),
    sight(
        "a frame that comes late",
        "out.innerHTML='<iframe src=/late-frame></iframe>'",
        OUT,
        NO_ERROR,
        FAILED,
    ),
    sight(
        "a frame in which all is well",
        "out.innerHTML='<iframe src=/frame></iframe>'",
        OUT,
        NO_ERROR,
        PASSED,
    ),
    sight(
        "an entry without height",
        "out.innerHTML='<li>a<li>b<li style=height:0;overflow:hidden>c'",
        "<ul id=out></ul>",
        "The list has 3 items",
        FAILED,
    ),
    sight(
        "entries that can be seen",
        "out.innerHTML='<li>a<li>b<li style=height:0;overflow:hidden>c'",
        "<ul id=out></ul>",
        "The list has 2 items",
        PASSED,
    ),
    sight(
        "faint entries",
        "out.innerHTML='<li>a<li>b<li style=opacity:0>c'",
        "<ul id=out></ul>",
        "The list has 3 items",
        FAILED,
    ),
    sight(
        "entries that only hold a place",
        "out.innerHTML='<li class=skeleton>&nbsp;<li class=skeleton>&nbsp;'",
        "<ul id=out></ul>",
        "The list has 2 items",
        INCONCLUSIVE,
    ),
    sight(
        "an entry that says that there are none",
        "out.innerHTML='<tr><th>Name</tr><tr><td>No orders found</tr>'",
        "<table id=out></table>",
        "The table has 1 row",
        INCONCLUSIVE,
    ),
    sight(
        "an image that does not come",
        "out.innerHTML='<img src=/missing.png alt=Logo width=50 height=50>'",
        OUT,
        "The \"Logo\" image is shown",
        FAILED,
    ),
    sight(
        "an image that comes",
        "out.innerHTML='<img src=/pixel.gif alt=Logo width=50 height=50>'",
        OUT,
        "The \"Logo\" image is shown",
        PASSED,
    ),
    sight(
        "a button that takes no part",
        "out.innerHTML='<div inert><button>Send</button></div>'",
        OUT,
        "The \"Send\" button is enabled",
        FAILED,
    ),
    sight(
        "a link that takes no clicks",
        "out.innerHTML='<a href=# class=disabled style=pointer-events:none>Send</a>'",
        OUT,
        "The \"Send\" link is enabled",
        FAILED,
    ),
    sight(
        "a button that takes part",
        "out.innerHTML='<div><button>Send</button></div>'",
        OUT,
        "The \"Send\" button is enabled",
        PASSED,
    ),
    sight(
        "a button beside one that is disabled",
        "out.disabled=true",
        "<button id=out>Draft</button><button style='pointer-events:none'>Seal</button><button>Send</button>",
        "The \"Send\" button is disabled",
        FAILED,
    ),
    sight(
        "a button that lets all clicks through",
        "out.style.pointerEvents='none'",
        "<button id=out>Seal</button><button>Send</button>",
        "The \"Seal\" button is disabled",
        PASSED,
    ),
    sight(
        "the cell of another column",
        "out.textContent='10'",
        "<table><tr><th colspan=2>Name<th>Stock<th>Price</tr><tr><td>Lamp<td id=out>-<td>3<td>12</tr><tr><td>Cup<td>C<td>3<td>12</tr></table>",
        "The \"Stock\" of the \"Lamp\" row is 10",
        FAILED,
    ),
    sight(
        "the cell of its column",
        "out.textContent='10'",
        "<table><tr><th colspan=2>Name<th>Stock<th>Price</tr><tr><td>Lamp<td>L<td id=out>3<td>12</tr><tr><td>Cup<td>C<td>3<td>12</tr></table>",
        "The \"Stock\" of the \"Lamp\" row is 10",
        PASSED,
    ),
    sight(
        "words of a style sheet",
        "out.className='bad'",
        "<style>.bad::before{content:'Fatal error 7'}</style><p id=out></p>",
        NO_ERROR,
        FAILED,
    ),
    sight(
        "words of a style sheet that are not used",
        "out.className='good'",
        "<style>.bad::before{content:'Fatal error 7'}</style><p id=out></p>",
        NO_ERROR,
        PASSED,
    ),
];

const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

fn path_of(name: &str) -> String {
    format!("/{}", name.replace([' ', ','], "-"))
}

fn site(request: &Request) -> Response {
    match request.path.as_str() {
        "/pixel.gif" => Response::bytes("image/gif", PIXEL),
        "/frame" => Response::html("<!doctype html><p>All is well"),
        "/late-frame" => Response::html("<!doctype html><p>Fatal error 7").delay(Duration::from_millis(1500)),
        path => match WORDS.iter().chain(THINGS).find(|sight| path_of(sight.name) == path) {
            Some(sight) => Response::html(format!(
                "<!doctype html><title>Profile</title><body style='font: 16px sans-serif'><h1>Profile</h1>\
                 <button type=button onclick=\"{}\">Save</button>{}",
                sight.click, sight.page
            )),
            None => Response::status(404),
        },
    }
}

#[test]
fn words_that_are_not_seen_prove_nothing_and_those_that_are_seen_are_found() {
    check(WORDS);
}

#[test]
fn things_that_are_not_seen_prove_nothing_and_those_that_are_seen_are_found() {
    check(THINGS);
}

#[track_caller]
fn check(sights: &[Sight]) {
    let paths: Vec<String> = sights.iter().map(|sight| path_of(sight.name)).collect();
    let claims: Vec<[&str; 1]> = sights.iter().map(|sight| [sight.claim]).collect();
    let tests = sights.iter().zip(&paths).zip(&claims);
    let traps: Vec<Trap> = tests
        .map(|((sight, path), claim)| {
            trap(sight.name, path, &["Click the \"Save\" button"], claim, sight.verdict)
        })
        .collect();
    assert_eq!(false_passes::check(&traps, site), 1);
}

/// Words that are seen begin with a letter of their own, so that one page can hold them all.
const EVERYWHERE: &str = "<!doctype html><title>Sights</title><style>\
    body{overflow-x:hidden} .said::before{content:'seen before'} .gone{opacity:0}</style>\
    <p>seen plain</p><p><b style=visibility:hidden>lost hidden</b> seen beside</p>\
    <div style=visibility:hidden>lost outside <b style=visibility:visible>seen inside</b></div>\
    <div class=gone><p style=opacity:1>lost in faint</p></div><p style=opacity:0.3>seen pale</p>\
    <p style=position:absolute;left:-9999px>lost left</p><p style=position:absolute;left:9999px>lost right</p>\
    <div style=position:fixed;top:-200px>lost above</div><div style=position:fixed;top:0;right:0>seen fixed</div>\
    <div style='position:fixed;top:0;right:0;transform:translateX(100%)'>lost drawer</div>\
    <div style='position:fixed;top:0;right:0;transform:translateX(100%)'><i style=position:absolute>lost within</i></div>\
    <div style=clip-path:inset(50%)>lost shape</div><div style=clip-path:circle(0)>lost circle</div>\
    <div style='position:absolute;clip:rect(0,0,0,0)'>lost clip</div><p style=font-size:0>lost small</p>\
    <p style=color:transparent>lost colour</p><p class=said></p>\
    <div style=height:20px;line-height:20px;overflow:hidden>seen line<br>lost line</div>\
    <div style='width:120px;overflow:hidden;white-space:nowrap'>seen start, lost end of it all</div>\
    <div style='height:60px;overflow:hidden'><div style='height:100%;overflow:auto'><p style=margin-top:900px>seen scrolled</p></div></div>\
    <div style='height:60px;overflow:auto'><p style='position:relative;top:-900px'>lost over</p></div>\
    <div style='height:60px;overflow:auto;display:flex;flex-direction:column-reverse'><p>seen last</p><p style=margin-bottom:900px>seen first</p></div>\
    <div dir=rtl style='width:200px;overflow:auto'><p style='white-space:nowrap;width:900px;text-align:left'>seen far left</p></div>\
    <div style=position:relative><div style=height:10px;overflow:hidden><div style=position:absolute;top:20px>seen menu</div></div></div>\
    <div style=display:contents><p>seen contents</p></div>\
    <iframe style=height:0;border:0 srcdoc='<p>lost flat frame'></iframe><iframe class=gone srcdoc='<p>lost faint frame'></iframe>\
    <iframe height=50 scrolling=no srcdoc='<p>seen frame<p style=margin-top:300px>lost in frame'></iframe>\
    <iframe height=50 srcdoc='<p style=margin-top:300px>seen in frame'></iframe>\
    <embed src='data:text/html,<p>seen in embed' width=200 height=60><div id=root></div>\
    <script>root.attachShadow({mode:'open'}).innerHTML='<iframe srcdoc=\"<p>seen in shadow\"></iframe>'</script>\
    <p style=margin-top:3000px>seen below</p>";

#[test]
fn the_same_is_seen_on_every_engine() {
    check_on_every_engine(EVERYWHERE);
}

/// All words of a page that begin with `seen` are in its scene, and none of those that begin with `lost`.
#[track_caller]
pub fn check_on_every_engine(page: &'static str) {
    let words = |from: &str| -> Vec<String> {
        let mut found: Vec<String> = from
            .split(['<', '>', '\'', '"', '\\'])
            .flat_map(|part| part.split(','))
            .map(|part| part.trim().to_string())
            .filter(|part| part.starts_with("seen ") || part.starts_with("lost "))
            .collect();
        found.sort();
        found.dedup();
        found
    };
    let (seen, lost): (Vec<String>, Vec<String>) =
        words(page).into_iter().partition(|word| word.starts_with("seen "));
    assert!(seen.len() > 10 && lost.len() > 7, "{seen:?} {lost:?}");
    let server = Server::start(move |_| Response::html(page));
    let mut wrong = Vec::new();
    for engine in ACTIVE {
        let session = Session::start(engine, Window::None);
        session.ok(&["go", &server.url("/")]);
        let scene = session.ok(&["scene"]);
        let missing = seen.iter().filter(|words| !scene.contains(words.as_str()));
        wrong.extend(missing.map(|words| format!("{engine} does not see: {words}")));
        let found = lost.iter().filter(|words| scene.contains(words.as_str()));
        wrong.extend(found.map(|words| format!("{engine} sees: {words}")));
        if scene.contains("\"truncated\"") {
            wrong.push(format!("{engine} did not see all"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a field is drawn by need not be the field: it is used all the same.
#[test]
fn a_field_that_is_drawn_by_its_label_can_be_used() {
    const SUBMIT: &[&str] = &["Submit the form"];
    const CHECK: &[&str] = &["Check the \"Remember me\" checkbox"];
    const SENT: &[&str] = &["The text \"Remembered\" is shown"];
    let traps = [
        trap("a box that is faint", "/faint-box", CHECK, SENT, PASSED),
        trap("a box that is put aside", "/box-aside", CHECK, SENT, PASSED),
        trap("a button and no form", "/no-form", SUBMIT, SENT, NOT_PASSED),
        trap("a button in a form", "/form", SUBMIT, SENT, PASSED),
    ];
    let exit = false_passes::check(&traps, |request| {
        let say = "out.textContent='Remembered'";
        let body = match request.path.as_str() {
            "/faint-box" => {
                format!("<label><input type=checkbox style=opacity:0 onchange=\"{say}\"> Remember me</label>")
            }
            "/box-aside" => format!(
                "<input type=checkbox id=b style=position:absolute;left:-9999px onchange=\"{say}\"><label for=b>Remember me</label>"
            ),
            "/no-form" => format!("<button onclick=\"{say}\">Delete account</button>"),
            _ => format!(
                "<form onsubmit=\"{say};return false\"><label>Name <input></label><button>Send</button></form>"
            ),
        };
        Response::html(format!("<!doctype html><title>Profile</title><h1>Profile</h1>{body}<p id=out></p>"))
    });
    assert_ne!(exit, 0);
}
