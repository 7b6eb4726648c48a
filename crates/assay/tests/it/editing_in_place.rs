//! Steps that refer to what was acted on before. They mean that thing or nothing: never the only field of the page.

use assay_testkit::{Request, Response};

use crate::false_passes::{self, NOT_PASSED, PASSED, trap};

/// A list of notes with a field for new ones. A double click on a note opens an editor in its place, or does nothing.
fn notes(request: &Request) -> Response {
    let edit = "const i=document.createElement('input');i.type='text';i.value=this.textContent;this.replaceWith(i);i.focus();\
                i.onkeydown=e=>{if(e.key==='Enter'){const s=document.createElement('span');s.textContent=i.value;i.replaceWith(s)}}";
    let edit = if request.param("works") == Some("yes") { edit } else { "" };
    Response::html(format!(
        "<!doctype html><title>Notes</title><style>span{{display:block}}</style><h1>Notes</h1>\
         <input type=text placeholder='Write a note' onkeydown=\"if(event.key==='Enter'){{list.insertAdjacentHTML('beforeend','<li><span>'+this.value+'</span></li>');this.value=''}}\">\
         <ul id=list><li><span ondblclick=\"{edit}\">Buy milk</span></li><li><span>Call Ada</span></li></ul>"
    ))
}

const OPEN: &str = "Double-click \"Buy milk\"";
const EXPECTED: &[&str] = &["The list contains \"Buy oat milk\""];

#[test]
fn text_goes_to_what_was_double_clicked_or_nowhere() {
    const CHANGE: &[&str] = &[OPEN, "Change the text to \"Buy oat milk\"", "Press Enter"];
    const TYPE: &[&str] = &[OPEN, "Type \"Buy oat milk\" and press Enter"];
    const AT_ONCE: &[&str] =
        &["Double-click \"Buy milk\" and change its text to \"Buy oat milk\"", "Press Enter"];
    let traps = [
        trap("a text to change and no editor", "/?works=no", CHANGE, EXPECTED, NOT_PASSED),
        trap("a text to change in its editor", "/?works=yes", CHANGE, EXPECTED, PASSED),
        trap("a text to type and no editor", "/?works=no", TYPE, EXPECTED, NOT_PASSED),
        trap("a text to type in its editor", "/?works=yes", TYPE, EXPECTED, PASSED),
        trap("its text and no editor", "/?works=no", AT_ONCE, EXPECTED, NOT_PASSED),
        trap("its text in its editor", "/?works=yes", AT_ONCE, EXPECTED, PASSED),
    ];
    assert_ne!(false_passes::check(&traps, notes), 0);
}
