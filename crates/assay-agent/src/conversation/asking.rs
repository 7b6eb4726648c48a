//! One question to the model, within what is left of the budgets, and what it used.

use assay_coordinator::AgentUse;
use assay_provider::answer::ModelAnswer;
use assay_provider::conversation::{Caching, Question};
use assay_provider::{Budget, Event, Limits, Money, ProviderError, Terms, Usage};

use super::ConversationError;
use super::prompts::Prefix;
use super::turn::{TIME_IS_OVER, Work};
use crate::{EventMetrics, budget_of};

/// The most that an answer may have.
const MOST_OUTPUT: u32 = 2_048;

/// The most that a choice of a skill may have.
const MOST_OF_A_CHOICE: u32 = 256;

impl Work<'_> {
    /// One question. The error in the answer is why the turn ends.
    pub fn ask(
        &mut self,
        prefix: &Prefix,
        skill: Option<&str>,
        broad: u64,
    ) -> Result<Result<ModelAnswer, String>, ConversationError> {
        let Some(request) = self.history.request else { return Ok(Err("there is no request".to_string())) };
        let calls = self.turn.used_for(request)?.len();
        let limits = match self.limits(calls) {
            Ok(limits) => limits,
            Err(why) => return Ok(Err(why)),
        };
        let most = if skill.is_some() { MOST_OUTPUT } else { MOST_OF_A_CHOICE };
        let mut question = Question::new(prefix.system.clone(), most);
        question.tools = prefix.tools.clone();
        question.messages = self.history.messages();
        question.caching = Caching::Marked(self.talk.terms.cache);
        question.asked_for = Some(format!("assay-{}-{}", self.talk.agent.id, skill.unwrap_or("choosing")));
        let budget = Budget::new(limits);
        let mut heard = Vec::new();
        let mut listen = |event: Event| match event {
            Event::CacheCreated { .. } | Event::CacheRead { .. } => heard.push(event.to_string()),
            Event::Retrying { .. } | Event::Pacing { .. } | Event::Note(_) => {
                heard.push(event.to_string());
            }
            Event::Text(_)
            | Event::Thinking(_)
            | Event::CallBegun { .. }
            | Event::Taken { .. }
            | Event::Used { .. } => {}
        };
        let terms = Terms { budget: &budget, deadline: self.deadline };
        let asked = self
            .talk
            .model
            .ask(&question, terms, &mut listen, &|| self.is_late() || self.is_stopped().unwrap_or(true));
        for line in heard {
            (self.talk.note)(&line);
        }
        let answer = match asked {
            Ok(Some(answer)) => answer,
            // However the question ended: nobody waits for longer.
            Ok(None) | Err(_) if self.is_late() => return Ok(Err(TIME_IS_OVER.to_string())),
            Ok(None) => return Ok(Err("stopped by the user".to_string())),
            Err(ProviderError::Budget(spent)) => return Ok(Err(format!("the budget is spent: {spent}"))),
            Err(error) => return Err(error.into()),
        };
        let usage = answer.usage.unwrap_or_default();
        self.turn.used(&AgentUse {
            request,
            skill: skill.map(str::to_string),
            model: self.talk.model.full_name(),
            tools: prefix.tools.len() as u64,
            prefix: prefix.tokens,
            broad,
            input: usage.input,
            cache_read: usage.cache_read,
            cache_written: usage.cache_written + usage.cache_written_long,
            output: usage.output,
            billed: billed(&usage),
            dollars: answer.cost.map(Money::as_dollars),
        })?;
        Ok(Ok(answer))
    }

    /// What is left of the budgets: of the agent, for the whole conversation; of the user.
    fn limits(&self, calls: usize) -> Result<Limits, String> {
        let budget = budget_of(self.talk.agent, self.talk.terms.is_trusted);
        let own = &self.talk.terms.limits;
        let most_calls = own.calls.map_or(u64::from(budget.turns), |calls| calls.min(budget.turns.into()));
        if calls as u64 >= most_calls {
            return Err(format!("the budget of {most_calls} calls of the model in one turn is spent"));
        }
        let used =
            self.talk.coordinator.agent_session(self.turn.session()).map_err(|err| err.to_string())?.used;
        let tokens = used.input + used.cache_read + used.cache_written + used.output;
        let most_tokens = own.tokens.map_or(budget.tokens, |tokens| tokens.min(budget.tokens));
        // A limit that nobody set by hand does not keep a model of unknown price from being used.
        let agents_money = self.talk.terms.has_price.then(|| Money::dollars(budget.money));
        let money = [agents_money, own.money].into_iter().flatten().min();
        Ok(Limits {
            tokens: Some(most_tokens.saturating_sub(tokens)),
            money: money.map(|limit| limit.saturating_sub(Money::dollars(used.dollars))),
            // Counted above, over the processes of a turn; repeats of one question are no calls of the agent.
            calls: None,
        })
    }

    pub fn metrics(&self) -> Result<EventMetrics, ConversationError> {
        let used = match self.history.request {
            Some(request) => self.turn.used_for(request)?,
            None => Vec::new(),
        };
        let sum = |of: fn(&AgentUse) -> u64| used.iter().map(of).sum();
        Ok(EventMetrics {
            duration_ms: self.begun.elapsed().as_millis() as u64,
            input_tokens: sum(|one| one.input),
            output_tokens: sum(|one| one.output),
            cache_read_tokens: sum(|one| one.cache_read),
            cache_write_tokens: sum(|one| one.cache_written),
        })
    }
}

/// The tokens of a question at the price of plain ones, as the prices of most models are.
fn billed(usage: &Usage) -> f64 {
    usage.input as f64
        + usage.cache_read as f64 * 0.1
        + usage.cache_written as f64 * 1.25
        + usage.cache_written_long as f64 * 2.0
}
