//! What may be spent. Every call is given a budget, and is refused before it is sent if it could go
//! beyond it.
//!
//! A call reserves the most it can cost, and gives back what it did not use. What nobody can tell, the
//! price of an answer that was cut off, counts as spent: a budget is a promise to whoever pays.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::money::Money;
use crate::usage::Usage;

/// How much of each may be spent. What is not limited is counted all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    pub money: Option<Money>,
    /// Requests sent, those included that failed and were repeated.
    pub calls: Option<u64>,
    /// Tokens of questions and answers together.
    pub tokens: Option<u64>,
}

/// A budget, shared by all who hold a clone of it.
#[derive(Clone)]
pub struct Budget {
    limits: Limits,
    account: Arc<Mutex<Account>>,
    /// What is spent here is spent there, too.
    whole: Option<Box<Budget>>,
}

/// What has been used, and what calls under way may still use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Account {
    spent: Spent,
    reserved: Amount,
}

/// What was spent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub money: Money,
    pub calls: u64,
    pub tokens: u64,
    /// Calls whose price nobody knows: `money` is without them.
    pub calls_without_price: u64,
}

/// The most that a call can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    pub tokens: u64,
    pub money: Money,
}

/// Why a call was not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    #[error("the budget of {limit} does not allow this call: {spent} spent, up to {needed} needed")]
    Money { limit: Money, spent: Money, needed: Money },
    #[error("the budget of {limit} calls is spent")]
    Calls { limit: u64 },
    #[error("the budget of {limit} tokens does not allow this call: {spent} spent, up to {needed} needed")]
    Tokens { limit: u64, spent: u64, needed: u64 },
    /// With a limit in money, a model without a known price cannot be used: nobody could keep the promise.
    #[error("the price of `{model}` is unknown, so a budget in money cannot be enforced")]
    NoPrice { model: String },
}

impl Budget {
    pub fn new(limits: Limits) -> Budget {
        Budget { limits, account: Arc::default(), whole: None }
    }

    /// A part of this budget with limits of its own: a test's part of what a run may spend.
    #[must_use]
    pub fn part(&self, limits: Limits) -> Budget {
        Budget { limits, account: Arc::default(), whole: Some(Box::new(self.clone())) }
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn spent(&self) -> Spent {
        self.account().spent
    }

    /// Sets aside what a call can use at most. `money` is nothing when the price is not known.
    pub fn reserve(
        &self,
        tokens: u64,
        money: Option<Money>,
        model: &str,
    ) -> Result<Reservation, BudgetError> {
        // The whole comes first: what it has set aside is given back if this part refuses.
        let outer = match &self.whole {
            Some(whole) => Some(Box::new(whole.reserve(tokens, money, model)?)),
            None => None,
        };
        match self.set_aside(tokens, money, model) {
            Ok(amount) => Ok(Reservation { budget: self.clone(), amount, settled: false, outer }),
            Err(refused) => {
                if let Some(outer) = outer {
                    outer.take_back();
                }
                Err(refused)
            }
        }
    }

    fn set_aside(&self, tokens: u64, money: Option<Money>, model: &str) -> Result<Amount, BudgetError> {
        let mut account = self.account();
        let Account { spent, reserved } = *account;
        if let Some(limit) = self.limits.calls
            && spent.calls >= limit
        {
            return Err(BudgetError::Calls { limit });
        }
        if let Some(limit) = self.limits.tokens {
            let taken = spent.tokens + reserved.tokens;
            if taken.saturating_add(tokens) > limit {
                return Err(BudgetError::Tokens { limit, spent: taken, needed: tokens });
            }
        }
        if let Some(limit) = self.limits.money {
            let Some(needed) = money else { return Err(BudgetError::NoPrice { model: model.to_string() }) };
            let taken = spent.money + reserved.money;
            if taken + needed > limit {
                return Err(BudgetError::Money { limit, spent: taken, needed });
            }
        }
        let amount = Amount { tokens, money: money.unwrap_or_default() };
        account.reserved.tokens += amount.tokens;
        account.reserved.money += amount.money;
        account.spent.calls += 1;
        if money.is_none() {
            account.spent.calls_without_price += 1;
        }
        Ok(amount)
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Budget").field("limits", &self.limits).field("spent", &self.spent()).finish()
    }
}

/// What one call has set aside. Dropped without a word, all of it counts as spent: a call that was
/// given up half way was still paid for.
#[derive(Debug)]
#[must_use = "what is reserved is spent unless it is settled"]
pub struct Reservation {
    budget: Budget,
    amount: Amount,
    settled: bool,
    outer: Option<Box<Reservation>>,
}

impl Reservation {
    /// The call used this much.
    pub fn settle(mut self, usage: &Usage, money: Option<Money>) {
        if let Some(outer) = self.outer.take() {
            outer.settle(usage, money);
        }
        self.book(Amount { tokens: usage.total(), money: money.unwrap_or_default() });
    }

    /// The provider refused the call, and takes nothing for that.
    pub fn release(mut self) {
        if let Some(outer) = self.outer.take() {
            outer.release();
        }
        self.book(Amount::default());
    }

    /// The call was never made: it does not count at all.
    fn take_back(mut self) {
        if let Some(outer) = self.outer.take() {
            outer.take_back();
        }
        self.book(Amount::default());
        let mut account = self.budget.account();
        account.spent.calls = account.spent.calls.saturating_sub(1);
    }

    fn book(&mut self, used: Amount) {
        self.settled = true;
        let mut account = self.budget.account();
        account.reserved.tokens = account.reserved.tokens.saturating_sub(self.amount.tokens);
        account.reserved.money = account.reserved.money.saturating_sub(self.amount.money);
        account.spent.tokens += used.tokens;
        account.spent.money += used.money;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.settled {
            self.book(self.amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(total: u64) -> Usage {
        Usage { input: total, ..Usage::default() }
    }

    fn cents(count: u32) -> Option<Money> {
        Some(Money::dollars(f64::from(count) / 100.0))
    }

    #[test]
    fn what_is_not_used_is_given_back() {
        let budget = Budget::new(Limits { tokens: Some(100), money: cents(10), calls: None });
        budget.reserve(90, cents(9), "m").unwrap().settle(&usage(20), cents(2));
        budget.reserve(80, cents(8), "m").unwrap().settle(&usage(30), cents(3));
        let spent = budget.spent();
        assert_eq!((spent.tokens, Some(spent.money), spent.calls), (50, cents(5), 2));
    }

    #[test]
    fn a_call_that_could_go_beyond_is_refused() {
        let budget = Budget::new(Limits { tokens: Some(100), ..Limits::default() });
        let _under_way = budget.reserve(60, None, "m").unwrap();
        let refused = budget.reserve(41, None, "m").unwrap_err();
        assert_eq!(refused, BudgetError::Tokens { limit: 100, spent: 60, needed: 41 });
        assert_eq!(budget.spent().calls, 1);
    }

    #[test]
    fn money_and_calls_are_limits_too() {
        let budget = Budget::new(Limits { money: cents(10), calls: Some(1), tokens: None });
        let refused = budget.reserve(1, cents(11), "m").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the budget of $0.10 does not allow this call: $0.00 spent, up to $0.11 needed"
        );
        budget.reserve(1, cents(1), "m").unwrap().release();
        assert_eq!(budget.reserve(1, cents(1), "m").unwrap_err(), BudgetError::Calls { limit: 1 });
    }

    #[test]
    fn an_unknown_price_cannot_be_kept_within_money() {
        let budget = Budget::new(Limits { money: cents(10), ..Limits::default() });
        assert_eq!(budget.reserve(1, None, "m").unwrap_err(), BudgetError::NoPrice { model: "m".into() });
        let unlimited = Budget::new(Limits::default());
        unlimited.reserve(1, None, "m").unwrap().settle(&usage(1), None);
        assert_eq!(unlimited.spent().calls_without_price, 1);
    }

    #[test]
    fn a_part_spends_of_the_whole() {
        let whole = Budget::new(Limits { tokens: Some(100), ..Limits::default() });
        let one = whole.part(Limits { tokens: Some(60), ..Limits::default() });
        one.reserve(50, None, "m").unwrap().settle(&usage(40), None);
        assert_eq!(
            one.reserve(50, None, "m").unwrap_err(),
            BudgetError::Tokens { limit: 60, spent: 40, needed: 50 }
        );
        assert_eq!((whole.spent().tokens, whole.spent().calls), (40, 1), "a call that was refused is none");
        let other = whole.part(Limits::default());
        assert_eq!(
            other.reserve(61, None, "m").unwrap_err(),
            BudgetError::Tokens { limit: 100, spent: 40, needed: 61 }
        );
        assert_eq!(other.spent().calls, 0);
    }

    #[test]
    fn what_is_given_up_counts_as_spent() {
        let budget = Budget::new(Limits { tokens: Some(100), ..Limits::default() });
        drop(budget.reserve(60, None, "m").unwrap());
        assert_eq!(budget.spent().tokens, 60);
        assert!(budget.reserve(60, None, "m").is_err());
    }
}
