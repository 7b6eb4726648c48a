//! A model that is asked and waited for, until a user wants no answer any more.

use std::time::Duration;

use assay_provider::answer::ModelAnswer;
use assay_provider::conversation::Question;
use assay_provider::formats::FormatName;
use assay_provider::{Provider, ProviderError, ReplyListener, Terms};

/// How often it looks whether the answer is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A model for code that waits.
pub struct AskedModel {
    provider: Box<dyn Provider>,
    runtime: tokio::runtime::Runtime,
}

impl AskedModel {
    pub fn new(provider: Box<dyn Provider>) -> std::io::Result<AskedModel> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(AskedModel { provider, runtime })
    }

    pub fn model(&self) -> &str {
        self.provider.model()
    }

    /// `anthropic/claude-sonnet-5-5`
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.provider.name(), self.provider.model())
    }

    pub fn format(&self) -> FormatName {
        self.provider.format()
    }

    /// None: the answer is not wanted any more.
    pub fn ask(
        &self,
        question: &Question,
        terms: Terms<'_>,
        listener: &mut dyn ReplyListener,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<ModelAnswer>, ProviderError> {
        self.runtime.block_on(async {
            let mut asking = self.provider.ask(question, terms, listener);
            loop {
                match tokio::time::timeout(LOOK_EVERY, &mut asking).await {
                    Ok(answer) => return answer.map(Some),
                    Err(_) if is_stopped() => return Ok(None),
                    Err(_) => {}
                }
            }
        })
    }
}
