//! Counts the tokens of one piece by merging its bytes pair by pair.
//!
//! Knows the ranks of the vocabulary. Does not know how a text is cut into pieces,
//! nor that the bytes are text.

use crate::vocabulary::rank_of;

/// How many bytes of a long piece are merged at once. Merging costs the square of this,
/// and it must be several times the length of the longest token.
const WINDOW: usize = 512;

/// The rank of two neighbours that are no token together.
const NO_TOKEN: u32 = u32::MAX;

/// Merges pieces, and keeps its memory from one piece to the next.
#[derive(Default)]
pub struct Merger {
    /// Where the tokens begin, and at last where the final one ends.
    bounds: Vec<usize>,
    /// For each token, the rank of what it would be when merged with the next one.
    ranks: Vec<u32>,
}

impl Merger {
    /// How many tokens a piece has. The piece is not empty.
    pub fn count(&mut self, piece: &[u8]) -> usize {
        if rank_of(piece).is_some() {
            return 1;
        }
        self.count_merged(piece, WINDOW)
    }

    /// Counts with windows of this size, or larger ones if need be.
    fn count_merged(&mut self, piece: &[u8], window: usize) -> usize {
        match self.count_in_windows(piece, window) {
            Some(count) => count,
            None => self.count_merged(piece, window * 2),
        }
    }

    /// Counts a piece window by window, so that neither time nor memory explodes when
    /// a page has a megabyte without a space. `None` when a seam does not hold, which
    /// cannot happen when the window covers the piece.
    ///
    /// Why this is exact: merging always takes the lowest rank, and what it does to two
    /// neighbours depends on nothing beyond them until a merge crosses their outer
    /// borders. So if every two neighbouring tokens of a sequence, merged alone, come
    /// out as these two tokens again, then no merge ever crosses a border and the
    /// sequence is the encoding of the whole. Within a window this is given; between
    /// two windows `seam_holds` asks for it.
    fn count_in_windows(&mut self, piece: &[u8], window: usize) -> Option<usize> {
        let mut total = 0;
        let mut start = 0;
        let mut last_token = 0;
        loop {
            let rest = &piece[start..];
            self.merge(&rest[..rest.len().min(window)]);
            // The tokens near the end of a window would change with the bytes behind it,
            // so they are left to the next window.
            let kept = if rest.len() <= window {
                self.bounds.len() - 1
            } else {
                self.bounds.partition_point(|&bound| bound <= window / 4 * 3) - 1
            };
            let first_end = start + self.bounds[1];
            let next_start = start + self.bounds[kept];
            let next_last_token = start + self.bounds[kept - 1];
            if start > 0 && !self.seam_holds(&piece[last_token..first_end], start - last_token) {
                return None;
            }
            total += kept;
            if next_start == piece.len() {
                return Some(total);
            }
            (start, last_token) = (next_start, next_last_token);
        }
    }

    /// Whether two tokens, side by side, are merged to nothing else than themselves.
    fn seam_holds(&mut self, both: &[u8], seam: usize) -> bool {
        self.merge(both);
        self.bounds == [0, seam, both.len()]
    }

    /// Merges the neighbours with the lowest rank, the leftmost first, until no two
    /// neighbours are a token together. The result is in `bounds`.
    fn merge(&mut self, bytes: &[u8]) {
        let Self { bounds, ranks } = self;
        bounds.clear();
        bounds.extend(0..=bytes.len());
        ranks.clear();
        ranks.extend(bytes.windows(2).map(|pair| rank_of(pair).unwrap_or(NO_TOKEN)));
        ranks.push(NO_TOKEN);
        let rank_at = |bounds: &[usize], left: usize| match bounds.get(left + 2) {
            Some(&end) => rank_of(&bytes[bounds[left]..end]).unwrap_or(NO_TOKEN),
            None => NO_TOKEN,
        };
        // Two passes, one for the value and one for its place, are faster than one for
        // both: the first is done by the compiler many at a time.
        while let Some(lowest) = ranks.iter().copied().min().filter(|&rank| rank != NO_TOKEN)
            && let Some(left) = ranks.iter().position(|&rank| rank == lowest)
        {
            bounds.remove(left + 1);
            ranks.remove(left + 1);
            ranks[left] = rank_at(bounds, left);
            if left > 0 {
                ranks[left - 1] = rank_at(bounds, left - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts in windows of many sizes; whenever the seams hold, the count must be that
    /// of one window over everything.
    #[track_caller]
    fn check_windows(piece: &[u8]) {
        let mut merger = Merger::default();
        let whole = merger.count_in_windows(piece, piece.len());
        assert!(whole.is_some());
        for window in [300, 400, 512, 700, 1000] {
            let counted = merger.count_in_windows(piece, window);
            assert!(counted.is_none() || counted == whole, "window {window}: {counted:?}, not {whole:?}");
        }
    }

    #[test]
    fn a_long_run_of_one_letter_counts_the_same_in_windows() {
        check_windows(&[b'a'; 3001]);
        check_windows(&[b'x'; 2999]);
    }

    #[test]
    fn mixed_letters_count_the_same_in_windows() {
        let mut state = 7_u32;
        let mut letter = |letters: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'a' + ((state >> 16) % letters) as u8
        };
        for letters in [2, 3, 5, 26] {
            let piece: Vec<u8> = (0..3000).map(|_| letter(letters)).collect();
            check_windows(&piece);
        }
    }

    #[test]
    fn a_window_that_is_too_small_is_noticed_and_enlarged() {
        // In this chain of letters each pair has a lower rank than the pair before it, so
        // its end decides how its beginning is merged. No chain of small letters is longer.
        let chain = b"cqyjhgzlwfjmwjbmvnmxlpdmcvuoqaezzujuzyltihrupptrorer";
        let piece = [&[b'q'; 29][..], &chain.repeat(8)].concat();
        let mut merger = Merger::default();
        assert_eq!(merger.count_in_windows(&piece, 184), None);
        let whole = merger.count_in_windows(&piece, piece.len());
        assert_eq!(Some(merger.count_merged(&piece, 184)), whole);
    }

    #[test]
    fn a_seam_that_would_be_merged_does_not_hold() {
        let mut merger = Merger::default();
        assert!(!merger.seam_holds(b"the", 1));
        assert!(merger.seam_holds(b"qqzz", 2));
    }
}
