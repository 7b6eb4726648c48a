//! The seam: whoever has a question asks a `Provider`.

use std::time::Instant;

use crate::answer::ModelAnswer;
use crate::budget::Budget;
use crate::conversation::Question;
use crate::error::ProviderError;
use crate::event::ReplyListener;
use crate::formats::FormatName;
use crate::transport::Reply;

/// The conditions of one question. There is no way to ask without them.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    pub budget: &'a Budget,
    /// For all tries together, waits included.
    pub deadline: Instant,
}

/// A model that can be asked.
///
/// An implementation asks; it does not decide. It makes the same call again only where that is
/// harmless and may help, keeps to the terms, and tells the listener all it does. It never gives
/// back an answer that was not whole.
pub trait Provider: Send + Sync {
    /// Who is asked, for messages: `anthropic`, `ollama`.
    fn name(&self) -> &str;

    fn model(&self) -> &str;

    /// Decides which computer tools a question may have.
    fn format(&self) -> FormatName;

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        terms: Terms<'a>,
        listener: &'a mut dyn ReplyListener,
    ) -> Reply<'a, Result<ModelAnswer, ProviderError>>;
}
