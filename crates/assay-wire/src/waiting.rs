//! Waiting for a state that another task changes.

use assay_driver::{Deadline, DriverError};
use tokio::sync::Notify;

/// Waits until `holds`. `changed` is notified after each change of the state that `holds` looks at; `check_open` ends
/// the wait with an error where no further change can come.
pub async fn wait_until(
    changed: &Notify,
    mut holds: impl FnMut() -> bool,
    check_open: impl Fn() -> Result<(), DriverError>,
    deadline: Deadline,
) -> Result<(), DriverError> {
    loop {
        let change = changed.notified();
        tokio::pin!(change);
        // Registered before the look, so that no change falls between the two.
        change.as_mut().enable();
        if holds() {
            return Ok(());
        }
        check_open()?;
        tokio::time::timeout_at(deadline.instant(), change).await.map_err(|_| DriverError::Timeout)?;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::*;

    fn soon() -> Deadline {
        Deadline::after(Duration::from_millis(50))
    }

    #[tokio::test]
    async fn a_change_of_another_task_ends_the_wait() {
        let shared = Arc::new((Notify::new(), AtomicBool::new(false)));
        let other = Arc::clone(&shared);
        let change = tokio::spawn(async move {
            other.1.store(true, Ordering::Release);
            other.0.notify_waiters();
        });
        let holds = || shared.1.load(Ordering::Acquire);
        let waited = wait_until(&shared.0, holds, || Ok(()), Deadline::after(Duration::from_secs(20))).await;
        assert!(waited.is_ok());
        change.await.unwrap();
    }

    #[tokio::test]
    async fn a_wait_ends_at_its_deadline_and_where_nothing_can_change() {
        let changed = Notify::new();
        let waited = wait_until(&changed, || false, || Ok(()), soon()).await;
        assert!(matches!(waited, Err(DriverError::Timeout)));
        let waited = wait_until(&changed, || false, || Err(DriverError::Lost), soon()).await;
        assert!(matches!(waited, Err(DriverError::Lost)));
    }
}
