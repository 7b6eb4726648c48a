//! What one call used, counted alike for all providers.

use std::ops::AddAssign;

/// Tokens of one call or of several. The five kinds do not overlap, though providers report them so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of the question, neither read from a cache nor written to one.
    pub input: u64,
    pub cache_read: u64,
    /// Written to a cache that lasts minutes.
    pub cache_written: u64,
    /// Written to a cache that lasts an hour or more, which costs more.
    pub cache_written_long: u64,
    /// Of the answer, thoughts included.
    pub output: u64,
    /// How many of `output` were thoughts.
    pub thinking: u64,
}

impl Usage {
    /// The whole question.
    pub fn question(&self) -> u64 {
        self.input + self.cache_read + self.cache_written + self.cache_written_long
    }

    pub fn total(&self) -> u64 {
        self.question() + self.output
    }

    /// From a provider whose count of the question includes the cached part. A server that reports
    /// more cached tokens than tokens is not believed beyond what the question has.
    pub(crate) fn from_inclusive(
        question: u64,
        read: u64,
        written: u64,
        output: u64,
        thinking: u64,
    ) -> Usage {
        let cache_read = read.min(question);
        let cache_written = written.min(question - cache_read);
        Usage {
            input: question - cache_read - cache_written,
            cache_read,
            cache_written,
            cache_written_long: 0,
            output,
            thinking,
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input += other.input;
        self.cache_read += other.cache_read;
        self.cache_written += other.cache_written;
        self.cache_written_long += other.cache_written_long;
        self.output += other.output;
        self.thinking += other.thinking;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inclusive_counts_are_taken_apart() {
        let usage = Usage::from_inclusive(1834, 1000, 200, 57, 32);
        assert_eq!((usage.input, usage.cache_read, usage.cache_written), (634, 1000, 200));
        assert_eq!((usage.question(), usage.total()), (1834, 1891));
    }

    #[test]
    fn more_cached_than_sent_is_not_believed() {
        let usage = Usage::from_inclusive(10, 500, 500, 1, 0);
        assert_eq!((usage.input, usage.cache_read, usage.cache_written), (0, 10, 0));
    }
}
