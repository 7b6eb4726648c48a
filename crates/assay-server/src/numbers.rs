//! What the service counts, for `/metrics`, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assay_coordinator::OrderStatus;
use axum::http::StatusCode;

/// Upper ends of the buckets of answer times, in seconds.
const BUCKETS: [f64; 9] = [0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0];

/// How long answers of a route took to begin.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    /// Answers up to each end that are above the end before.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

pub struct Numbers {
    started_at: f64,
    /// By the name of the route and the status.
    answered: Mutex<BTreeMap<(&'static str, u16), u64>>,
    times: Mutex<BTreeMap<&'static str, Times>>,
    turned_away: Mutex<BTreeMap<u16, u64>>,
    orders_ended: Mutex<BTreeMap<&'static str, u64>>,
}

impl Default for Numbers {
    fn default() -> Numbers {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Numbers {
            started_at: now.as_secs_f64(),
            answered: Mutex::default(),
            times: Mutex::default(),
            turned_away: Mutex::default(),
            orders_ended: Mutex::default(),
        }
    }
}

impl Numbers {
    pub fn answered(&self, route: &'static str, status: StatusCode, time: Duration) {
        *held(&self.answered).entry((route, status.as_u16())).or_default() += 1;
        let mut times = held(&self.times);
        let times = times.entry(route).or_default();
        let seconds = time.as_secs_f64();
        if let Some(bucket) = BUCKETS.iter().position(|end| seconds <= *end) {
            times.buckets[bucket] += 1;
        }
        times.count += 1;
        times.seconds += seconds;
    }

    /// A request that reached no route.
    pub fn turned_away(&self, status: StatusCode) {
        *held(&self.turned_away).entry(status.as_u16()).or_default() += 1;
    }

    pub fn order_ended(&self, status: OrderStatus) {
        *held(&self.orders_ended).entry(status.name()).or_default() += 1;
    }

    pub fn write(&self, out: &mut String) {
        let answered = held(&self.answered).clone();
        head(out, "assay_requests_total", "counter", "Requests that a route answered.");
        for ((route, status), count) in &answered {
            line(out, "assay_requests_total", &format!("route=\"{route}\",status=\"{status}\""), count);
        }
        let times = held(&self.times).clone();
        let name = "assay_request_duration_seconds";
        head(out, name, "histogram", "Time until the answers of a route began.");
        for (route, times) in &times {
            let mut up_to = 0;
            for (end, count) in BUCKETS.iter().zip(times.buckets) {
                up_to += count;
                line(out, &format!("{name}_bucket"), &format!("route=\"{route}\",le=\"{end}\""), up_to);
            }
            line(out, &format!("{name}_bucket"), &format!("route=\"{route}\",le=\"+Inf\""), times.count);
            line(out, &format!("{name}_sum"), &format!("route=\"{route}\""), times.seconds);
            line(out, &format!("{name}_count"), &format!("route=\"{route}\""), times.count);
        }
        let turned = held(&self.turned_away).clone();
        head(out, "assay_requests_turned_away_total", "counter", "Requests that reached no route.");
        for (status, count) in &turned {
            line(out, "assay_requests_turned_away_total", &format!("status=\"{status}\""), count);
        }
        let ended = held(&self.orders_ended).clone();
        head(
            out,
            "assay_orders_ended_total",
            "counter",
            "Orders that this service carried out, by their end.",
        );
        for (status, count) in &ended {
            line(out, "assay_orders_ended_total", &format!("status=\"{status}\""), count);
        }
        self.write_process(out);
    }

    /// Under the names that every client library of Prometheus uses.
    fn write_process(&self, out: &mut String) {
        let name = "process_start_time_seconds";
        head(out, name, "gauge", "Start of the service, in seconds since 1970.");
        line(out, name, "", self.started_at);
        // Pages of memory; SAFETY: reads one number of the system.
        let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let memory = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        if let Some(pages) = memory.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()) {
            let name = "process_resident_memory_bytes";
            head(out, name, "gauge", "Memory of the service itself, without browsers.");
            line(out, name, "", pages * page);
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            head(out, "process_open_fds", "gauge", "Open files and connections of the service.");
            line(out, "process_open_fds", "", open.count());
        }
    }
}

fn held<T>(numbers: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    numbers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a number is.
pub fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a text does not fail.
    let _written = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

pub fn line(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    let _written = writeln!(out, "{name}{labels} {value}");
}
