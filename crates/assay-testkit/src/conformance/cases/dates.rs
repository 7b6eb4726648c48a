//! Fields for dates, times, numbers on a line, and colours.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see};

pub const CASES: &[Case] = &[
    case(
        "a_date_is_filled",
        "/forms",
        &[act("fill Departure 1990-12-24"), see("date.value", "1990-12-24"), heard("input date=1990-12-24")],
    ),
    case(
        "a_time_is_filled",
        "/forms",
        &[
            act("fill 'Boarding time' 13:45"),
            see("time.value", "13:45"),
            act("focus #text"),
            heard("change time=13:45"),
        ],
    ),
    case(
        "a_time_with_seconds_is_filled",
        "/inputs",
        &[act("fill Time 06:07:08"), see("time.value", "06:07:08")],
    ),
    case(
        "a_date_and_a_time_as_people_write_them_are_filled",
        "/inputs",
        &[
            act("fill Date 05/31/2026"),
            see("date.value", "2026-05-31"),
            act("fill Date 31.05.2026"),
            see("date.value", "2026-05-31"),
            refused(2, "fill Date 31/31/2026", "expected a date like `2026-05-31`"),
            act("fill Moment 2026-05-31T09:30"),
        ],
    ),
    case("a_month_is_filled", "/inputs", &[act("fill Month 2026-05"), see("month.value", "2026-05")]),
    case("a_week_is_filled", "/inputs", &[act("fill Week 2026-W07"), see("week.value", "2026-W07")]),
    case(
        "a_moment_is_filled",
        "/inputs",
        &[
            act("fill Moment 2026-05-31T09:30"),
            see("moment.value", "2026-05-31T09:30"),
            act("focus #auto"),
            heard("change moment=2026-05-31T09:30"),
        ],
    ),
    case(
        "a_date_is_cleared",
        "/inputs",
        &[act("fill Date 2026-05-31"), act("clear Date"), see("date.value", "")],
    ),
    case(
        "what_is_no_date_is_refused",
        "/forms",
        &[refused(2, "fill #date tomorrow", "expected a date like `2026-05-31`"), see("date.value", "")],
    ),
    case(
        "a_range_is_set",
        "/forms",
        &[act("fill Volume 7"), see("range.value", "7"), heard("input range=7"), heard("change range=7")],
    ),
    case("a_range_with_fine_steps_is_set", "/inputs", &[act("fill Fine 0.35"), see("fine.value", "0.35")]),
    case("a_range_below_zero_is_set", "/inputs", &[act("fill Depth -15"), see("depth.value", "-15")]),
    case(
        "a_number_outside_a_range_is_refused",
        "/forms",
        &[refused(2, "fill #range 900", "expected a number from"), see("range.value", "5")],
    ),
    case(
        "a_range_follows_the_arrow_keys",
        "/keyboard",
        &[
            act("press ArrowRight ArrowRight ArrowLeft --on #level"),
            see("level.value", "6"),
            heard("change level=6"),
        ],
    ),
    case(
        "a_number_follows_the_arrow_keys_in_its_steps",
        "/keyboard",
        &[
            act("press ArrowUp --on #amount"),
            see("amount.value", "6"),
            act("press ArrowDown ArrowDown --on #amount"),
            see("amount.value", "2"),
        ],
    ),
    case(
        "a_colour_field_is_refused_with_the_reason",
        "/inputs",
        &[refused(4, "fill #colour #ff0000", "a colour field"), see("colour.value", "#336699")],
    ),
    case(
        "a_date_made_of_parts_is_filled",
        "/parts",
        &[
            act("map").has("date \"Delivery date\" = \"2026-01-10\""),
            act("fill 'Delivery date' 2026-02-14"),
            says("2026 2 14"),
            act("value 'Delivery date'").is("2026-02-14"),
        ],
    ),
    case(
        "a_day_that_only_the_new_month_has_is_filled",
        "/parts",
        &[
            act("fill 'Delivery date' 2026-02-28"),
            act("fill 'Delivery date' 2028-02-29"),
            says("2028 2 29"),
            act("fill 'Delivery date' 2027-01-31"),
            says("2027 1 31"),
        ],
    ),
    case(
        "a_part_of_a_date_is_filled_by_its_name",
        "/parts",
        &[
            act("fill 'spinbutton \"year, Delivery date\"' 2027"),
            says("2027 1 10"),
            act("fill 'spinbutton \"month, Delivery date\"' 3"),
            says("2027 3 10"),
            act("fill 'spinbutton \"day, Delivery date\"' 31"),
            says("2027 3 31"),
        ],
    ),
    case(
        "a_date_made_of_parts_refuses_what_is_no_date",
        "/parts",
        &[
            refused(2, "fill 'Delivery date' 14.2.2026", "expected a date like"),
            refused(2, "fill 'Delivery date' 2026-02-30", "expected a date like"),
            refused(2, "fill 'spinbutton \"month, Delivery date\"' 13", "expected a number from 1 to 12"),
            says("2026 1 10"),
        ],
    ),
    case(
        "a_date_made_of_parts_is_cleared",
        "/parts",
        &[act("clear 'Delivery date'"), act("value 'Delivery date'").is("")],
    ),
    case(
        "sentences_set_a_date_made_of_parts",
        "/parts",
        &[
            act("do 'Set the delivery date to 2026-02-14'"),
            says("2026 2 14"),
            act("do 'Set the \"year, Delivery date\" field to 2028'"),
            says("2028 2 14"),
        ],
    ),
];
