//! The cost of models: in one step, in one test, in a run.

use assay_protocol::{CallUsage, ModelCall};
use serde::Serialize;

use crate::time::duration_words;

/// Sums over questions to models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spending {
    pub calls: usize,
    pub tokens: u64,
    /// Of those, read from a cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_read: u64,
    /// In US dollars, of the calls whose price is known.
    pub money: f64,
    /// Calls with an unknown price.
    #[serde(skip_serializing_if = "is_none")]
    pub calls_without_price: usize,
}

impl Spending {
    pub fn of<'a>(calls: impl IntoIterator<Item = &'a ModelCall>) -> Spending {
        let mut sum = Spending::default();
        for call in calls {
            sum.add(call);
        }
        sum
    }

    pub(crate) fn add(&mut self, call: &ModelCall) {
        self.calls += 1;
        self.tokens += call.usage.tokens();
        self.cache_read += call.usage.cache_read;
        match call.usage.money {
            Some(money) => self.money += money,
            // An unanswered call does not count as unknown: its failure says enough.
            None if call.failure.is_none() => self.calls_without_price += 1,
            None => {}
        }
    }

    /// `3 calls, 4321 tokens, $0.0123`; empty without calls.
    pub fn words(&self) -> Option<String> {
        if self.calls == 0 {
            return None;
        }
        let calls = if self.calls == 1 { "1 call".to_owned() } else { format!("{} calls", self.calls) };
        let cached = match self.cache_read {
            0 => String::new(),
            read => format!(" ({read} from cache)"),
        };
        let unknown = match self.calls_without_price {
            0 => String::new(),
            1 => " plus 1 call of unknown price".to_owned(),
            count => format!(" plus {count} calls of unknown price"),
        };
        Some(format!("{calls}, {} tokens{cached}, {}{unknown}", self.tokens, dollars(self.money)))
    }
}

/// The usage of one call: `1834 tokens (900 from cache), $0.0059`.
pub(crate) fn usage_words(usage: &CallUsage) -> String {
    let cached = match usage.cache_read {
        0 => String::new(),
        read => format!(" ({read} from cache)"),
    };
    let money = usage.money.map(|money| format!(", {}", dollars(money))).unwrap_or_default();
    format!("{} tokens{cached}{money}", usage.tokens())
}

/// One call in a line: `anthropic/claude-sonnet-5-5: act … (1834 tokens, $0.0059, 1.2s)`.
pub(crate) fn call_words(call: &ModelCall) -> String {
    let came = call.failure.as_deref().map_or_else(|| call.decided.clone(), |why| format!("failed: {why}"));
    let money = call.usage.money.map(|money| format!(", {}", dollars(money))).unwrap_or_default();
    let took = duration_words(call.duration_ms);
    format!("{} {}: {came} ({} tokens{money}, {took})", call.pilot, call.model, call.usage.tokens())
}

/// `$0.0123`: two digits at least, six at most.
fn dollars(money: f64) -> String {
    let text = format!("{money:.6}");
    let kept = text.trim_end_matches('0');
    let digits = kept.split('.').nth(1).map_or(0, str::len);
    if digits >= 2 { format!("${kept}") } else { format!("${money:.2}") }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_none(number: &usize) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(money: Option<f64>, failure: Option<&str>) -> ModelCall {
        let usage = CallUsage { input: 100, cache_read: 900, output: 23, money, ..CallUsage::default() };
        ModelCall { usage, failure: failure.map(str::to_owned), ..ModelCall::default() }
    }

    #[test]
    fn sums_are_told_in_one_line() {
        assert_eq!(Spending::default().words(), None);
        let one = Spending::of([&call(Some(0.0123), None)]);
        assert_eq!(one.words().as_deref(), Some("1 call, 1023 tokens (900 from cache), $0.0123"));
        let more = Spending::of([&call(Some(1.5), None), &call(None, None), &call(None, Some("down"))]);
        assert_eq!(
            more.words().as_deref(),
            Some("3 calls, 3069 tokens (2700 from cache), $1.50 plus 1 call of unknown price")
        );
    }
}
