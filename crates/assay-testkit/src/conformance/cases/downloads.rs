//! Files that the page gives.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, see};

use crate::conformance::Check;

pub const CASES: &[Case] = &[
    case(
        "a_download_by_header_is_told_and_whole",
        "/download",
        &[
            act("click 'Download the report'")
                .check(Check::Downloaded("report.csv", "ship,berth\nAurora,4\nMinke,7\n")),
            heard("click file"),
            act("url").is("{site}/download"),
        ],
    ),
    case(
        "a_download_from_memory_is_told",
        "/download",
        &[act("click 'Download from memory'").check(Check::Downloaded("memory.txt", "made in the page\n"))],
    ),
    case(
        "a_download_by_attribute_has_the_name_of_the_page",
        "/download",
        &[act("click 'Download by attribute'").has("downloaded ").has("echo.json")],
    ),
    case(
        "a_slow_download_is_waited_for",
        "/download",
        &[act("click 'Download slowly'").has("downloaded ").has("slow.bin")],
    ),
    case(
        "a_download_with_an_unusual_name_keeps_it",
        "/download",
        &[act("click #unicode").check(Check::Downloaded("Überfahrt 船.txt", "unusual\n"))],
    ),
    case(
        "a_second_download_of_the_same_name_gets_another",
        "/download",
        &[act("click #file").has("downloaded "), act("click #file").has("report (").has("downloaded ")],
    ),
    case(
        "a_download_that_fails_is_not_told_as_one",
        "/download",
        &[act("click #broken").lacks("downloaded").has("404"), see("document.title", "Not found")],
    ),
];
