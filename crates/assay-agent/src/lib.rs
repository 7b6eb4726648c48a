//! Agents and their skills.
//!
//! An agent is a list of skills and of the events that wake it; a skill is a handful of tools with a workflow. Both are
//! files. Knows what a request means, what to do about an event, and what the evidence of a run shows. Acts through the
//! catalogue of tools only; does not know who reads the answer.

pub mod goal;
