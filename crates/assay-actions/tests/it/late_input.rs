//! Input that takes longer than anyone expects.

use crate::on_every_engine;
use crate::test_bench::Bench;

on_every_engine! {
    a_press_is_given_once_however_long_the_page_takes
}

async fn a_press_is_given_once_however_long_the_page_takes(bench: &mut Bench) {
    bench.go("/busy").await;
    bench.click("#count").await;
    assert_eq!(bench.text("#out").await, "1");
}
