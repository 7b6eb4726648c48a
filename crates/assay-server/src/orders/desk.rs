//! The desk: takes orders in turn and has them carried out, so many at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_coordinator::{AgentSessionId, Order, OrderStatus};
use assay_protocol::{ErrorCode, Failure, TaskMessage, TaskStatus};
use serde_json::json;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

use super::document::{PLANS, RUNS, TURNS, Wish};
use super::plan;
use super::turn::{Turn, take_turn};
use crate::log::Field;
use crate::seams::RunWork;
use crate::service::Service;

/// How often the desk looks whether another process has accepted something.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// How often runs are told to pause when the service stops.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// So many conversations at the same time.
const CONVERSATIONS: usize = 4;

/// So many plans at the same time: each has a browser.
const PLANS_AT_ONCE: usize = 1;

pub struct Desk {
    runs: Lane,
    turns: Lane,
    plans: Lane,
    /// The runs that are carried out here, by name.
    under_way: Mutex<Vec<String>>,
}

/// Orders that wait for each other.
struct Lane {
    kinds: &'static [&'static str],
    places: Arc<Semaphore>,
    /// There may be another order.
    news: Notify,
}

impl Lane {
    fn new(kinds: &'static [&'static str], places: usize) -> Lane {
        Lane { kinds, places: Arc::new(Semaphore::new(places.max(1))), news: Notify::new() }
    }
}

impl Desk {
    pub fn new(runs: usize) -> Desk {
        Desk {
            runs: Lane::new(RUNS, runs),
            turns: Lane::new(TURNS, CONVERSATIONS),
            plans: Lane::new(PLANS, PLANS_AT_ONCE),
            under_way: Mutex::default(),
        }
    }

    /// An order was accepted.
    pub fn wake(&self) {
        self.runs.news.notify_one();
        self.turns.news.notify_one();
        self.plans.news.notify_one();
    }

    pub fn under_way(&self) -> Vec<String> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Works until the service stops. Runs under way are paused then.
pub async fn work(service: Arc<Service>) {
    let (mut runs, mut turns, mut plans) = (JoinSet::new(), JoinSet::new(), JoinSet::new());
    tokio::join!(
        take_in_turn(&service, &service.desk.runs, &mut runs),
        take_in_turn(&service, &service.desk.turns, &mut turns),
        take_in_turn(&service, &service.desk.plans, &mut plans),
    );
    let over = async {
        while runs.join_next().await.is_some() {}
        while turns.join_next().await.is_some() {}
        while plans.join_next().await.is_some() {}
    };
    // A run that was being prepared begins meanwhile, so they are told more than once.
    let told = async {
        loop {
            let held = Arc::clone(&service);
            let _paused = tokio::task::spawn_blocking(move || pause_all(&held)).await;
            tokio::time::sleep(TELL_EVERY).await;
        }
    };
    let ended = async {
        tokio::select! {
            () = over => {}
            () = told => {}
        }
    };
    if tokio::time::timeout(service.options.limits.stopping, ended).await.is_err() {
        service.log.warn("service.work_left", &[("runs", json!(service.desk.under_way()))]);
    }
}

/// Begins the orders of a lane, one after the other, until the service stops.
async fn take_in_turn(service: &Arc<Service>, lane: &Lane, under_way: &mut JoinSet<()>) {
    loop {
        let place = tokio::select! {
            () = service.stop.cancelled() => return,
            place = Arc::clone(&lane.places).acquire_owned() => place,
        };
        // The semaphore is never closed.
        let Ok(place) = place else { return };
        let (coordinator, kinds) = (service.coordinator.clone(), lane.kinds);
        let next = tokio::task::spawn_blocking(move || coordinator.begin_next_order(kinds)).await;
        match next {
            Ok(Ok(Some(order))) => {
                let held = Arc::clone(service);
                under_way.spawn(async move {
                    let done = tokio::task::spawn_blocking(move || carry_out(&held, &order)).await;
                    drop((place, done));
                });
                while under_way.try_join_next().is_some() {}
                continue;
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => no_order(service, &error),
            Err(error) => no_order(service, &error),
        }
        drop(place);
        tokio::select! {
            () = service.stop.cancelled() => return,
            () = lane.news.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

fn no_order(service: &Service, why: &dyn std::fmt::Display) {
    service.log.error("order.not_taken", &[("why", json!(why.to_string()))]);
}

fn pause_all(service: &Service) {
    for run in service.desk.under_way() {
        let Ok(record) = service.coordinator.run_named(&run) else { continue };
        if record.status == TaskStatus::Running {
            let reason = "the service was stopped".to_string();
            // One that is over by now needs no pause.
            let _over = service.coordinator.handle(TaskMessage::PauseTask { task: record.task, reason });
        }
    }
}

fn carry_out(service: &Service, order: &Order) {
    let wish = serde_json::from_value::<Wish>(order.body.clone());
    let run = wish.as_ref().map_or(order.name.as_str(), |wish| wish.run(&order.name)).to_string();
    let done = match &wish {
        Ok(wish) => {
            under_way(service, |runs| runs.push(run.clone()));
            service.log.info("order.begun", &about(order, &run));
            let done = start(service, order, wish);
            under_way(service, |runs| runs.retain(|known| *known != run));
            done
        }
        Err(err) => Err(Failure::new(ErrorCode::Internal, format!("the order cannot be read: {err}"))),
    };
    let (status, trouble) = match &done {
        Ok(()) if service.stop.is_cancelled() && is_unfinished(service, &run) => {
            (OrderStatus::Interrupted, "the service was stopped before it was done".to_string())
        }
        Ok(()) => (OrderStatus::Ended, String::new()),
        Err(failure) => (OrderStatus::Failed, failure.to_text()),
    };
    let mut fields = about(order, &run).to_vec();
    fields.push(("status", json!(status.name())));
    fields.push(("code", json!(done.as_ref().err().map(|failure| failure.code.name()))));
    match done {
        Ok(()) => service.log.info("order.ended", &fields),
        Err(_) => service.log.error("order.ended", &fields),
    }
    service.numbers.order_ended(status);
    if let Err(error) = service.coordinator.end_order(order.number, status, &trouble) {
        let fields = [("order", json!(order.number)), ("why", json!(error.to_string()))];
        service.log.error("order.end_not_recorded", &fields);
    }
    service.feeds.wake();
}

/// An order in the log.
fn about(order: &Order, run: &str) -> [Field<'static>; 4] {
    [
        ("order", json!(order.number)),
        ("kind", json!(order.kind)),
        ("run", json!(run)),
        ("by", json!(order.by)),
    ]
}

fn is_unfinished(service: &Service, run: &str) -> bool {
    let run = service.coordinator.run_named(run);
    run.is_ok_and(|run| run.status == TaskStatus::Paused)
}

fn under_way(service: &Service, change: impl FnOnce(&mut Vec<String>)) {
    change(&mut service.desk.under_way.lock().unwrap_or_else(PoisonError::into_inner));
}

fn start(service: &Service, order: &Order, wish: &Wish) -> Result<(), Failure> {
    let note = |line: &str| {
        // A note is worth less than the run.
        let _unsaid = service.coordinator.note_order(order.number, line);
        service.feeds.wake();
    };
    let (words, resuming) = match wish {
        Wish::Run { words } => (words, None),
        Wish::Resume { words, order, .. } => (words, Some(order.as_resume())),
        Wish::Plan { words, .. } => return plan::carry_out(service, &order.name, words, &note),
        Wish::Turn { session, page, .. } => {
            let turn =
                Turn { session: AgentSessionId(*session), page: page.as_deref(), words: &wish.words() };
            return take_turn(service, &turn, &note);
        }
    };
    let run = wish.run(&order.name);
    service.seams.runs.carry_out(&RunWork { name: run, words, resuming, note: &note })
}
