//! Pages that are made to believe something of the world around them.

use assay_driver::Capability;
use assay_protocol::{
    Action, ClockOperation, ColorScheme, Device, Emulation, ErrorCode, Geolocation, NetworkCondition,
    ReducedMotion,
};

use crate::on_every_engine;
use crate::test_bench::{Bench, soon};

on_every_engine! {
    pages_see_the_wanted_colours_and_motion
    pages_speak_the_language_and_live_in_the_time_zone
    pages_are_where_they_are_told
    a_lost_connection_is_lost_until_it_is_back
    a_device_is_its_size_its_touch_screen_and_its_name
    a_clock_of_its_own_can_be_set_and_advanced
    a_window_that_a_link_opens_believes_it_from_the_start
    a_page_hears_of_the_window_that_it_opened
    what_a_browser_cannot_do_is_refused_and_changes_nothing
    an_isolated_tab_believes_nothing_of_it
}

const IN_2031: i64 = 1_925_000_000_000;

/// Whether it can be tried here. Where it cannot, the refusal has been seen, and the page is as it was.
async fn emulates(bench: &mut Bench, emulation: Emulation, needs: &[Capability]) -> bool {
    let can = needs.iter().all(|need| bench.can(*need));
    let done = bench.session.emulate(&emulation, soon()).await;
    match &done {
        Ok(()) => assert!(can, "a capability is missing from the list"),
        Err(failure) => assert!(!can && failure.code == ErrorCode::Unsupported, "{failure:?}"),
    }
    can
}

async fn pages_see_the_wanted_colours_and_motion(bench: &mut Bench) {
    let dark = Emulation {
        color_scheme: Some(ColorScheme::Dark),
        reduced_motion: Some(ReducedMotion::Reduce),
        ..Emulation::default()
    };
    bench.go("/world").await;
    if !emulates(bench, dark, &[Capability::MediaFeatures]).await {
        return;
    }
    assert_eq!(bench.said("getComputedStyle(document.body).backgroundColor").await, "rgb(0, 0, 0)");
    bench.go("/world").await;
    assert_eq!(bench.said("first.dark + ' ' + first.still").await, "true true");
    bench.click("#popup").await;
    bench.perform(Action::TabSwitch { tab: "t2".to_string() }).await.unwrap();
    bench.settled("typeof first").await;
    assert_eq!(bench.said("first.dark + ' ' + first.still").await, "true true", "in a popup, from the start");
    bench.session.emulate(&Emulation::default(), soon()).await.unwrap();
    bench.go("/world").await;
    assert_eq!(bench.said("first.dark + ' ' + first.still").await, "false false");
}

async fn pages_speak_the_language_and_live_in_the_time_zone(bench: &mut Bench) {
    let madrid = Emulation {
        locale: Some("de-DE".to_string()),
        timezone: Some("Asia/Tokyo".to_string()),
        ..Emulation::default()
    };
    bench.go("/world").await;
    if !emulates(bench, madrid, &[Capability::Locale, Capability::TimeZone]).await {
        return;
    }
    bench.go("/world").await;
    assert_eq!(
        bench.said("[first.zone, first.language, first.number].join(' ')").await,
        "Asia/Tokyo de-DE 1.234,5"
    );
    bench.session.emulate(&Emulation::default(), soon()).await.unwrap();
    bench.go("/world").await;
    assert_ne!(bench.said("first.zone").await, "Asia/Tokyo");
    let nowhere = Emulation { timezone: Some("Middle/Earth".to_string()), ..Emulation::default() };
    let failure = bench.session.emulate(&nowhere, soon()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::Usage, "{failure:?}");
    assert_eq!(bench.session.emulation().unwrap(), Emulation::default());
}

async fn pages_are_where_they_are_told(bench: &mut Bench) {
    let place = Geolocation { latitude: 36.5, longitude: -6.25, accuracy: 10.0 };
    bench.go("/world").await;
    let there = Emulation { geolocation: Some(place), ..Emulation::default() };
    if !emulates(bench, there, &[Capability::Geolocation]).await {
        return;
    }
    let asked = "new Promise((told) => navigator.geolocation.getCurrentPosition(\
                 (at) => told([at.coords.latitude, at.coords.longitude].join(' ')), (no) => told('no ' + no.message)))";
    assert_eq!(bench.said(asked).await, "36.5 -6.25");
    bench.go("/world?again").await;
    assert_eq!(bench.said(asked).await, "36.5 -6.25");
}

async fn a_lost_connection_is_lost_until_it_is_back(bench: &mut Bench) {
    bench.go("/world").await;
    let lost = Emulation { network: Some(NetworkCondition::Offline), ..Emulation::default() };
    if !emulates(bench, lost, &[Capability::Offline]).await {
        return;
    }
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "broken");
    assert_eq!(bench.said("String(navigator.onLine)").await, "false");
    bench.session.emulate(&Emulation::default(), soon()).await.unwrap();
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "200 taken");
}

async fn a_device_is_its_size_its_touch_screen_and_its_name(bench: &mut Bench) {
    bench.go("/world").await;
    let phone = Emulation { device: Device::named("pixel 9").cloned(), ..Emulation::default() };
    let needs = [Capability::DeviceScale, Capability::Touch, Capability::UserAgent];
    if !emulates(bench, phone, &needs).await {
        return;
    }
    bench.go("/small").await;
    let told = bench.said("[innerWidth, devicePixelRatio, navigator.maxTouchPoints > 0].join(' ')").await;
    assert_eq!(told, "412 2.625 true");
    assert!(bench.said("navigator.userAgent").await.contains("Android"));
    bench.click("#stay").await;
    assert_eq!(bench.outcome().await, "stayed");
    // A page that says nothing of phones is laid out wider than the screen, and clicks must still arrive.
    bench.go("/world").await;
    bench.click("#stay").await;
    assert_eq!(bench.outcome().await, "stayed");
    bench.session.emulate(&Emulation::default(), soon()).await.unwrap();
    bench.go("/world").await;
    assert_eq!(bench.said("[innerWidth, devicePixelRatio].join(' ')").await, "1000 1");
}

async fn a_clock_of_its_own_can_be_set_and_advanced(bench: &mut Bench) {
    bench.go("/world").await;
    let failure = bench.session.clock(ClockOperation::Advance { ms: 1 }, soon()).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::Usage);
    assert_eq!(failure.hint.as_deref(), Some("assay emulate clock install 2027-03-01"));
    bench.session.clock(ClockOperation::Install { at: IN_2031 }, soon()).await.unwrap();
    assert_eq!(bench.said("String(new Date().getFullYear())").await, "2031", "in the page that is there");
    bench.go("/world").await;
    assert_eq!(bench.said("String(first.year)").await, "2031", "for the first script of a page");
    let before: f64 = bench.said("String(performance.now())").await.parse().unwrap();
    bench.session.clock(ClockOperation::Advance { ms: 3_600_000 }, soon()).await.unwrap();
    assert_eq!(bench.text("#late").await, "an hour later");
    let after: f64 = bench.said("String(performance.now())").await.parse().unwrap();
    assert!(after - before >= 3_600_000.0, "{before} {after}");
    let now: i64 = bench.said("String(Date.now())").await.parse().unwrap();
    assert!((3_600_000..3_700_000).contains(&(now - IN_2031)), "{now}");
    // Short waits of the page, and our own, go on as in real time.
    bench.evaluate("setTimeout(() => { out.textContent = 'soon' }, 30)").await;
    assert_eq!(bench.outcome().await, "soon");
    bench.evaluate("requestAnimationFrame(() => { out.textContent = 'painted' })").await;
    assert_eq!(bench.outcome().await, "painted");
    bench.click("#stay").await;
    assert_eq!(bench.outcome().await, "stayed");
    bench.session.clock(ClockOperation::Set { at: 0 }, soon()).await.unwrap();
    assert_eq!(bench.said("new Date().toISOString().slice(0, 4)").await, "1970");
    bench.session.clock(ClockOperation::Remove, soon()).await.unwrap();
    bench.go("/world").await;
    assert_ne!(bench.said("String(first.year)").await, "1970");
}

async fn a_window_that_a_link_opens_believes_it_from_the_start(bench: &mut Bench) {
    bench.go("/world").await;
    bench.session.clock(ClockOperation::Install { at: IN_2031 }, soon()).await.unwrap();
    bench.click("#link").await;
    bench.perform(Action::TabSwitch { tab: "t2".to_string() }).await.unwrap();
    bench.settled("typeof first").await;
    assert_eq!(bench.said("String(first.year)").await, "2031");
    assert_eq!(bench.said("document.referrer").await, bench.url("/world"));
    assert_eq!(bench.said("String(window.opener)").await, "null");
}

async fn a_page_hears_of_the_window_that_it_opened(bench: &mut Bench) {
    bench.go("/world").await;
    bench.session.clock(ClockOperation::Install { at: IN_2031 }, soon()).await.unwrap();
    bench.click("#watched").await;
    assert_eq!(bench.outcome().await, "loaded 2031");
}

async fn what_a_browser_cannot_do_is_refused_and_changes_nothing(bench: &mut Bench) {
    bench.go("/world").await;
    let before = bench.session.emulation().unwrap();
    let slow = Emulation { network: Some(NetworkCondition::Slow3g), ..Emulation::default() };
    if emulates(bench, slow, &[Capability::SlowNetwork]).await {
        return;
    }
    assert_eq!(bench.session.emulation().unwrap(), before);
    let beyond = Geolocation { latitude: 91.0, longitude: 0.0, accuracy: 1.0 };
    let beyond = Emulation { geolocation: Some(beyond), ..Emulation::default() };
    assert_eq!(bench.session.emulate(&beyond, soon()).await.unwrap_err().code, ErrorCode::Usage);
}

async fn an_isolated_tab_believes_nothing_of_it(bench: &mut Bench) {
    if !bench.can(Capability::IsolatedContexts) {
        return;
    }
    bench.go("/world").await;
    bench.session.clock(ClockOperation::Install { at: 0 }, soon()).await.unwrap();
    let url = Some(bench.url("/world"));
    bench.perform(Action::TabNew { url, isolated: true }).await.unwrap();
    assert_ne!(bench.said("String(first.year)").await, "1970");
    assert_eq!(bench.session.emulation().unwrap(), Emulation::default());
    let url = Some(bench.url("/world"));
    bench.perform(Action::TabSwitch { tab: "t1".to_string() }).await.unwrap();
    bench.perform(Action::TabNew { url, isolated: false }).await.unwrap();
    let year = bench.said("String(first.year)").await;
    assert!(["1969", "1970"].contains(&year.as_str()), "a tab of the same context: {year}");
}
