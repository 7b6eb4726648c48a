//! Files given to the page.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, heard, heard_last, refused, see};

pub const CASES: &[Case] = &[
    case(
        "a_file_is_uploaded_and_received",
        "/upload",
        &[
            act("upload 'One file' a.txt"),
            heard("change single=a.txt:5"),
            act("click Send").has("/upload/done"),
            act("text #files").has("single: a.txt (5 bytes)"),
        ],
    ),
    case(
        "several_files_are_uploaded",
        "/upload",
        &[act("upload #many a.txt b.txt"), heard("change many=a.txt:5,b.txt:2")],
    ),
    case(
        "a_second_upload_replaces_the_first",
        "/upload",
        &[
            act("upload #single a.txt"),
            act("upload #single b.txt"),
            heard_last("change single=b.txt:2"),
            see("single.files.length", "1"),
        ],
    ),
    case(
        "a_file_with_an_unusual_name_is_uploaded",
        "/upload",
        &[
            act("upload #single 'Überfahrt 船.txt'"),
            see("single.files[0].name.normalize()", "Überfahrt 船.txt"),
            see("single.files[0].text().then(t => t.trim())", "unusual"),
        ],
    ),
    case(
        "an_empty_file_is_uploaded",
        "/upload",
        &[act("upload #single empty.bin"), heard("change single=empty.bin:0")],
    ),
    case(
        "a_file_input_that_is_not_shown_takes_a_file",
        "/upload",
        &[act("upload #hidden a.txt"), heard("change hidden=a.txt:5")],
    ),
    case(
        "one_file_only_goes_where_one_is_taken",
        "/upload",
        &[refused(1, "upload #single a.txt b.txt", "takes one file"), see("single.files.length", "0")],
    ),
    case(
        "a_file_that_is_not_there_is_refused",
        "/upload",
        &[refused(2, "upload #single missing.txt", "could not read"), see("log.length", "0")],
    ),
    case(
        "what_is_no_file_input_takes_no_file",
        "/upload",
        &[refused(1, "upload #comment a.txt", "not a file input")],
    ),
    case(
        "the_content_of_a_file_is_read_by_the_page",
        "/upload",
        &[
            act("upload #many a.txt b.txt"),
            see("Promise.all([...many.files].map(f => f.text())).then(t => t.join('|'))", "hello|hi"),
        ],
    ),
    case(
        "a_file_input_added_later_takes_a_file",
        "/upload",
        &[
            eval(
                "const i = document.createElement('input'); i.type = 'file'; i.id = 'fresh'; i.onchange = () => record('fresh ' + i.files[0].name); document.body.append(i); 0",
            ),
            act("upload #fresh b.txt"),
            heard("fresh b.txt"),
        ],
    ),
];
