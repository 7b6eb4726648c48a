//! Who may log in. Shared by all browsers: an account is a fact about the application.

use std::collections::HashMap;

/// More than any suite makes; beyond it new ones are refused.
const MAX_ACCOUNTS: usize = 1000;

pub struct Accounts {
    by_email: HashMap<String, Account>,
}

#[derive(Clone)]
struct Account {
    email: String,
    password: String,
    standing: Standing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Active,
    Expired,
    Locked,
}

/// What comes of an attempt to log in.
#[derive(Debug, PartialEq, Eq)]
pub enum Entrance {
    /// The email as it was registered.
    Open(String),
    WrongEmailOrPassword,
    Expired,
    Locked,
}

impl Default for Accounts {
    fn default() -> Self {
        let mut accounts = Accounts { by_email: HashMap::new() };
        for (email, standing) in [
            ("test@example.com", Standing::Active),
            ("expired@example.com", Standing::Expired),
            ("locked@example.com", Standing::Locked),
        ] {
            accounts.put(email, "secret123", standing);
        }
        accounts
    }
}

impl Accounts {
    /// Makes the account, or gives an existing one this password and standing,
    /// so that a test may ask for it whatever ran before. False when there is no room.
    pub fn put(&mut self, email: &str, password: &str, standing: Standing) -> bool {
        let key = email.to_lowercase();
        if self.by_email.len() >= MAX_ACCOUNTS && !self.by_email.contains_key(&key) {
            return false;
        }
        self.by_email
            .insert(key, Account { email: email.to_owned(), password: password.to_owned(), standing });
        true
    }

    /// Only who knows the password learns that an account has expired.
    pub fn enter(&self, email: &str, password: &str) -> Entrance {
        match self.by_email.get(&email.to_lowercase()).filter(|account| account.password == password) {
            None => Entrance::WrongEmailOrPassword,
            Some(account) => match account.standing {
                Standing::Active => Entrance::Open(account.email.clone()),
                Standing::Expired => Entrance::Expired,
                Standing::Locked => Entrance::Locked,
            },
        }
    }
}

impl Standing {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "" | "active" => Some(Standing::Active),
            "expired" => Some(Standing::Expired),
            "locked" => Some(Standing::Locked),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_decides_before_the_standing() {
        let accounts = Accounts::default();
        assert_eq!(
            accounts.enter("TEST@example.com", "secret123"),
            Entrance::Open("test@example.com".into())
        );
        assert_eq!(accounts.enter("expired@example.com", "secret123"), Entrance::Expired);
        assert_eq!(accounts.enter("expired@example.com", "x"), Entrance::WrongEmailOrPassword);
        assert_eq!(accounts.enter("nobody@example.com", "secret123"), Entrance::WrongEmailOrPassword);
    }

    #[test]
    fn an_account_can_be_made_twice() {
        let mut accounts = Accounts::default();
        assert!(accounts.put("ada@example.com", "one", Standing::Active));
        assert!(accounts.put("ada@example.com", "two", Standing::Active));
        assert_eq!(accounts.enter("ada@example.com", "two"), Entrance::Open("ada@example.com".into()));
    }
}
