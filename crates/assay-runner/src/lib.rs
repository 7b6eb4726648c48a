//! Carries out suites: steps, recovery, workers; tells it all as events.
