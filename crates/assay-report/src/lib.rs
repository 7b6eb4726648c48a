//! Reports of a run, made from its events only.
