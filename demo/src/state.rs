//! What the application remembers: who may log in, who is logged in, and the
//! tickets, settings, cart, orders and people of each workspace.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::accounts::Accounts;
use crate::people::{Person, everybody};
use crate::shop::{Cart, Order};

/// More than any test run needs; the oldest workspaces go first.
const MAX_WORKSPACES: usize = 500;
const MAX_TICKETS: usize = 200;
pub const MAX_TITLE: usize = 80;

/// All state of one running application.
#[derive(Default)]
pub struct State {
    pub accounts: Accounts,
    /// Session id to the email of who is logged in.
    sessions: HashMap<String, String>,
    workspaces: HashMap<String, Workspace>,
    /// Workspace ids, oldest first.
    order: Vec<String>,
    issued: u64,
    randomness: RandomState,
}

/// What belongs to one browser profile. It outlives a logout.
#[derive(Clone)]
pub struct Workspace {
    pub tickets: Vec<Ticket>,
    pub settings: Settings,
    pub cart: Cart,
    pub orders: Vec<Order>,
    pub people: Vec<Person>,
    /// How many boats were counted.
    pub boats: u32,
    next_id: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub id: u32,
    pub title: String,
    pub priority: Priority,
    pub done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    Low,
    Normal,
    High,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub display_name: String,
    pub harbor: String,
    pub theme: Theme,
    pub daily_summary: bool,
    pub push: bool,
    /// From 0 to 100.
    pub foghorn: u32,
    /// As the browser's date field sends it: `2027-03-01`.
    pub inspection: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    System,
    Light,
    Dark,
}

pub const HARBORS: &[&str] = &["Bergen", "Delfzijl", "Lisbon", "Rotterdam"];

/// Why a ticket was not added, as a sentence for the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl State {
    /// Starts a session and returns its id.
    pub fn log_in(&mut self, email: &str) -> String {
        let id = self.fresh_id();
        self.sessions.insert(id.clone(), email.to_owned());
        id
    }

    pub fn log_out(&mut self, session: &str) {
        self.sessions.remove(session);
    }

    /// The email of who this session belongs to.
    pub fn user(&self, session: &str) -> Option<&str> {
        self.sessions.get(session).map(String::as_str)
    }

    pub fn knows_workspace(&self, id: &str) -> bool {
        self.workspaces.contains_key(id)
    }

    pub fn new_workspace(&mut self) -> String {
        let id = self.fresh_id();
        if self.order.len() >= MAX_WORKSPACES {
            let oldest = self.order.remove(0);
            self.workspaces.remove(&oldest);
        }
        self.order.push(id.clone());
        self.workspaces.insert(id.clone(), Workspace::default());
        id
    }

    /// As it was when the application started: all accounts, sessions and workspaces.
    pub fn reset(&mut self) {
        *self = State { issued: self.issued, randomness: self.randomness.clone(), ..State::default() };
    }

    pub fn workspace(&mut self, id: &str) -> Option<&mut Workspace> {
        self.workspaces.get_mut(id)
    }

    /// Hard to guess, which is all a demonstration needs.
    fn fresh_id(&mut self) -> String {
        self.issued += 1;
        let (one, two) =
            (self.randomness.hash_one(self.issued), self.randomness.hash_one((self.issued, "id")));
        format!("{one:016x}{two:016x}")
    }
}

impl Default for Workspace {
    fn default() -> Self {
        use Priority::{High, Low, Normal};
        let tickets = [
            ("Replace the bollard at pier 4", High, false),
            ("Check the life rings on the north quay", High, false),
            ("Repaint the gangway of the Aurora", Normal, false),
            ("Fix the lamp at the ticket office", Normal, false),
            ("Publish the summer timetable", Low, true),
            ("Order new mooring lines", Low, true),
        ];
        let mut workspace = Workspace {
            tickets: Vec::new(),
            settings: Settings {
                display_name: "Test Pilot".to_owned(),
                harbor: "Rotterdam".to_owned(),
                theme: Theme::System,
                daily_summary: true,
                push: false,
                foghorn: 50,
                inspection: String::new(),
            },
            cart: Cart::default(),
            orders: Vec::new(),
            people: everybody(),
            boats: 0,
            next_id: 1,
        };
        for (title, priority, done) in tickets.into_iter().rev() {
            workspace.push(title, priority).done = done;
        }
        workspace
    }
}

impl Workspace {
    pub fn add(&mut self, title: &str, priority: Priority) -> Result<&Ticket, Refusal> {
        let title = title.trim();
        if title.is_empty() {
            return Err(Refusal("Enter a title for the ticket.".to_owned()));
        }
        if title.chars().count() > MAX_TITLE {
            return Err(Refusal(format!("Use at most {MAX_TITLE} characters.")));
        }
        if self.tickets.iter().any(|ticket| ticket.title.eq_ignore_ascii_case(title)) {
            return Err(Refusal("There is already a ticket with this title.".to_owned()));
        }
        if self.tickets.len() >= MAX_TICKETS {
            return Err(Refusal("The list is full. Delete some tickets first.".to_owned()));
        }
        Ok(self.push(title, priority))
    }

    pub fn ticket(&mut self, id: u32) -> Option<&mut Ticket> {
        self.tickets.iter_mut().find(|ticket| ticket.id == id)
    }

    pub fn delete(&mut self, id: u32) -> Option<Ticket> {
        let at = self.tickets.iter().position(|ticket| ticket.id == id)?;
        Some(self.tickets.remove(at))
    }

    /// Removes what is completed and returns how many tickets that were.
    pub fn clear_completed(&mut self) -> usize {
        let before = self.tickets.len();
        self.tickets.retain(|ticket| !ticket.done);
        before - self.tickets.len()
    }

    fn push(&mut self, title: &str, priority: Priority) -> &mut Ticket {
        let ticket = Ticket { id: self.next_id, title: title.to_owned(), priority, done: false };
        self.next_id += 1;
        // The newest comes first, where whoever added it sees it.
        self.tickets.insert(0, ticket);
        &mut self.tickets[0]
    }
}

impl Priority {
    pub fn name(self) -> &'static str {
        match self {
            Priority::Low => "low",
            Priority::Normal => "normal",
            Priority::High => "high",
        }
    }

    /// Anything unknown is normal.
    pub fn parse(name: &str) -> Self {
        [Priority::Low, Priority::High].into_iter().find(|it| it.name() == name).unwrap_or(Priority::Normal)
    }
}

impl Theme {
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// Anything unknown follows the system.
    pub fn parse(name: &str) -> Self {
        [Theme::Light, Theme::Dark].into_iter().find(|it| it.name() == name).unwrap_or(Theme::System)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(title: &str, expected: &str) {
        let refusal = Workspace::default().add(title, Priority::Normal).unwrap_err();
        assert_eq!(refusal.0, expected);
    }

    #[test]
    fn a_ticket_needs_a_title_of_its_own() {
        check_refused("  ", "Enter a title for the ticket.");
        check_refused(&"x".repeat(81), "Use at most 80 characters.");
        check_refused("order NEW mooring lines", "There is already a ticket with this title.");
    }

    #[test]
    fn clearing_removes_what_is_completed_only() {
        let mut workspace = Workspace::default();
        assert_eq!(workspace.clear_completed(), 2);
        assert_eq!(workspace.tickets.len(), 4);
        assert_eq!(workspace.clear_completed(), 0);
    }

    #[test]
    fn ids_are_not_used_twice() {
        let mut workspace = Workspace::default();
        let last = workspace.tickets[0].id;
        workspace.delete(last).unwrap();
        assert_eq!(workspace.add("Another", Priority::Low).unwrap().id, last + 1);
    }

    #[test]
    fn old_workspaces_make_room_for_new_ones() {
        let mut state = State::default();
        let first = state.new_workspace();
        for _ in 0..MAX_WORKSPACES {
            state.new_workspace();
        }
        assert!(!state.knows_workspace(&first));
        assert_eq!(state.workspaces.len(), MAX_WORKSPACES);
    }

    #[test]
    fn a_session_ends_with_logging_out() {
        let mut state = State::default();
        let session = state.log_in("test@example.com");
        assert_eq!(state.user(&session), Some("test@example.com"));
        state.log_out(&session);
        assert_eq!(state.user(&session), None);
    }
}
