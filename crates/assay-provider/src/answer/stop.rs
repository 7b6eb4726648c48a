//! Why a model stopped.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It said what it had to say.
    Finished,
    /// It waits for the results of its calls.
    Calls,
    /// The answer reached `max_output_tokens`, and is not whole.
    OutputLimit,
    /// Question and answer together are more than the model can hold.
    ContextFull,
    /// A tool of the provider is still at work: send the conversation again as it is.
    Paused,
    /// The provider or the model will not answer this. The verdict is an error, never a failed test.
    Refused { category: Option<String>, explanation: Option<String> },
    /// The model tried to call something and did it wrongly; asking once more may help.
    MalformedCall,
    /// A reason that this version does not know.
    Unknown(String),
}
