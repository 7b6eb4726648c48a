//! What only real browsers show, on every engine: one integration binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod element_faults;
mod emulation;
mod floods;
mod late_input;
mod network_faults;
mod routes;
mod test_bench;
mod text_faults;

/// The same tests for every engine, each in a module that is named after it.
macro_rules! on_every_engine {
    ($($test:ident)*) => {
        on_every_engine!(@engine chromium Chromium $($test)*);
        on_every_engine!(@engine firefox Firefox $($test)*);
        on_every_engine!(@engine webkit WebKit $($test)*);
    };
    (@engine $module:ident $engine:ident $($test:ident)*) => {
        mod $module {
            $(
                #[tokio::test]
                async fn $test() {
                    let mut bench = crate::test_bench::Bench::open(crate::test_bench::Engine::$engine).await;
                    super::$test(&mut bench).await;
                    bench.close().await;
                }
            )*
        }
    };
}
pub(crate) use on_every_engine;
