//! The sessions of clients: each belongs to the caller that opened it, and there are only so many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::pace::Pace;
use crate::access::{Peer, Seen};
use crate::problem::Problem;

/// Sessions of clients who have not said yet who they are, and those of them from one address.
const STRANGERS: usize = 64;
const STRANGERS_OF_AN_ADDRESS: usize = 16;

/// The place of one session. It is let go when the session is gone.
pub struct Place {
    /// Who opened it; none for somebody who shows a token later.
    caller: Option<String>,
    pub peer: Peer,
    is_stranger: AtomicBool,
    pub pace: Arc<Pace>,
}

impl Place {
    /// Somebody showed a token.
    pub fn is_known_now(&self) {
        self.is_stranger.store(false, Ordering::Relaxed);
    }

    /// Clients show who they are when they open a session, and python-engineio only then: later the id of the session is
    /// what they know, from the same address. What they do show has to be the same.
    fn is_of(&self, seen: &Seen, peer: &Peer) -> bool {
        match seen {
            Seen::Shown(caller) => self.caller.as_ref() == Some(&caller.name),
            Seen::OwnUser(_) | Seen::Stranger => address_of(&self.peer) == address_of(peer),
        }
    }
}

fn address_of(peer: &Peer) -> IpAddr {
    peer.address.ip().to_canonical()
}

pub struct Bound {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    places: Vec<Weak<Place>>,
    /// Those that poll or did so, by the id of the session.
    sessions: HashMap<String, Weak<Place>>,
}

impl Bound {
    pub fn new(most: usize) -> Bound {
        Bound { most, open: Mutex::default() }
    }

    /// A place for a new session.
    pub fn place(&self, seen: &Seen, peer: &Peer) -> Result<Arc<Place>, Problem> {
        let caller = match seen {
            Seen::Shown(caller) | Seen::OwnUser(caller) => Some(caller),
            Seen::Stranger => None,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.places.retain(|place| place.strong_count() > 0);
        open.sessions.retain(|_, place| place.strong_count() > 0);
        let places: Vec<Arc<Place>> = open.places.iter().filter_map(Weak::upgrade).collect();
        let is_stranger = |place: &&Arc<Place>| place.is_stranger.load(Ordering::Relaxed);
        let strangers = || places.iter().filter(is_stranger);
        let of_address = || strangers().filter(|place| address_of(&place.peer) == address_of(peer)).count();
        let is_full = match caller {
            Some(_) => places.len() - strangers().count() >= self.most,
            None => strangers().count() >= STRANGERS || of_address() >= STRANGERS_OF_AN_ADDRESS,
        };
        if is_full {
            return Err(Problem::too_many(Duration::from_secs(5)));
        }
        let place = Arc::new(Place {
            caller: caller.map(|caller| caller.name.clone()),
            peer: peer.clone(),
            is_stranger: AtomicBool::new(caller.is_none()),
            pace: Arc::default(),
        });
        open.places.push(Arc::downgrade(&place));
        Ok(place)
    }

    /// The session has this id.
    pub fn name(&self, session: &str, place: &Arc<Place>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.sessions.insert(session.to_string(), Arc::downgrade(place));
    }

    /// The place of a session, if it belongs to who asks.
    pub fn find(&self, session: &str, seen: &Seen, peer: &Peer) -> Option<Arc<Place>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.sessions.get(session).and_then(Weak::upgrade).filter(|place| place.is_of(seen, peer))
    }

    /// How many sessions there are.
    pub fn count(&self) -> usize {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.places.iter().filter(|place| place.strong_count() > 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Caller, Role};

    fn peer(address: &str) -> Peer {
        Peer::new(address.parse().unwrap(), None)
    }

    fn shown(name: &str) -> Seen {
        Seen::Shown(Caller {
            name: name.to_string(),
            role: Role::Read,
            peer: "127.0.0.1:1".parse().unwrap(),
            is_signed_in: false,
        })
    }

    #[test]
    fn a_session_answers_only_who_opened_it() {
        let bound = Bound::new(10);
        let (ci, other) = (shown("token ci"), shown("token other"));
        let here = peer("10.0.0.1:5");
        let place = bound.place(&ci, &here).unwrap();
        bound.name("abc", &place);
        assert!(bound.find("abc", &ci, &peer("10.0.0.2:7")).is_some(), "the token says who it is");
        assert!(bound.find("abc", &other, &here).is_none());
        assert!(bound.find("abc", &Seen::Stranger, &peer("10.0.0.1:6")).is_some(), "it knows the id");
        assert!(bound.find("abc", &Seen::Stranger, &peer("10.0.0.2:5")).is_none());
        assert!(bound.find("abd", &ci, &here).is_none());
        drop(place);
        assert!(bound.find("abc", &ci, &here).is_none());
        assert_eq!(bound.count(), 0);
    }

    #[test]
    fn strangers_do_not_take_the_places_of_others() {
        let bound = Bound::new(1);
        let places: Vec<_> = (0..STRANGERS_OF_AN_ADDRESS)
            .map(|_| bound.place(&Seen::Stranger, &peer("10.0.0.1:5")).unwrap())
            .collect();
        assert!(bound.place(&Seen::Stranger, &peer("10.0.0.1:6")).is_err());
        assert!(bound.place(&Seen::Stranger, &peer("10.0.0.2:6")).is_ok());
        places[0].is_known_now();
        assert!(bound.place(&shown("token ci"), &peer("10.0.0.9:1")).is_err(), "one is the most");
        drop(places);
        assert!(bound.place(&shown("token ci"), &peer("10.0.0.9:1")).is_ok());
    }
}
