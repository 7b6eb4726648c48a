//! Pictures, their sizes, and the size of the view.

use crate::conformance::Case;
use crate::conformance::case::{act, case, see};

use crate::conformance::Check;

pub const CASES: &[Case] = &[
    case(
        "a_picture_has_the_size_of_the_view",
        "/scroll",
        &[act("viewport 1280 720"), act("screenshot -o view.png").check(Check::Png("view.png", 1280, 720))],
    ),
    case(
        "a_picture_of_a_phone_has_its_size",
        "/forms",
        &[
            act("viewport 390 844"),
            see("innerWidth + 'x' + innerHeight", "390x844"),
            act("screenshot -o phone.png").check(Check::Png("phone.png", 390, 844)),
            act("viewport 1280 720"),
        ],
    ),
    case(
        "a_picture_at_ratio_2_has_twice_the_size",
        "/forms",
        &[
            act("viewport 390 844 --scale 2"),
            see("devicePixelRatio", "2"),
            act("screenshot -o twice.png").check(Check::Png("twice.png", 780, 1688)),
            act("viewport 1280 720"),
        ],
    ),
    case(
        "a_picture_at_ratio_one_and_a_half_has_its_size",
        "/forms",
        &[
            act("viewport 400 600 --scale 1.5"),
            see("devicePixelRatio", "1.5"),
            act("screenshot -o half.png").check(Check::Png("half.png", 600, 900)),
            act("viewport 1280 720"),
        ],
    ),
    case(
        "a_picture_of_an_element_has_its_size",
        "/hits",
        &[act("screenshot #far -o far.png").check(Check::Png("far.png", 61, 31))],
    ),
    case(
        "a_picture_of_a_whole_page_is_as_long_as_the_page",
        "/hits",
        &[
            act("screenshot --full-page -o whole.png"),
            see("document.documentElement.scrollHeight", "4000"),
            act("screenshot --full-page -o whole.png").check(Check::FileBegins("whole.png", b"\x89PNG")),
        ],
    ),
    case(
        "a_picture_leaves_the_page_where_it_was",
        "/scroll",
        &[
            act("scroll down 400"),
            act("screenshot --full-page -o moved.png"),
            see("Math.round(scrollY)", "400"),
        ],
    ),
    case(
        "a_picture_is_taken_as_jpeg",
        "/forms",
        &[act("screenshot -o view.jpg").check(Check::FileBegins("view.jpg", b"\xff\xd8\xff"))],
    ),
    case(
        "a_picture_is_taken_as_webp",
        "/forms",
        &[act("screenshot -o view.webp").check(Check::FileBegins("view.webp", b"RIFF"))],
    ),
    case(
        "marks_are_gone_after_the_picture",
        "/forms",
        &[
            act("screenshot --annotate -o marks.png").check(Check::FileBegins("marks.png", b"\x89PNG")),
            see("document.documentElement.lastElementChild.localName", "body"),
        ],
    ),
    case(
        "a_page_is_printed",
        "/table",
        &[act("pdf -o page.pdf").check(Check::FileBegins("page.pdf", b"%PDF-"))],
    ),
    case(
        "a_page_follows_a_change_of_the_view",
        "/forms",
        &[
            act("eval \"window.addEventListener('resize', () => record('resize ' + innerWidth)); 0\""),
            act("viewport 600 500"),
            see("innerWidth + 'x' + innerHeight", "600x500"),
            see("matchMedia('(max-width: 700px)').matches", "true"),
            act("viewport 1280 720"),
        ],
    ),
    case(
        "a_view_stays_over_a_navigation",
        "/forms",
        &[
            act("viewport 640 480"),
            act("go {site}/list"),
            see("innerWidth + 'x' + innerHeight", "640x480"),
            act("viewport 1280 720"),
        ],
    ),
    case(
        "highlighting_changes_nothing_for_the_page",
        "/forms",
        &[act("highlight #submit"), act("click #submit").has("Saved:")],
    ),
];
