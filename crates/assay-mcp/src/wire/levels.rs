//! Levels of log messages as types of the SDK.
#![expect(
    deprecated,
    reason = "the protocol is giving up log messages, and clients with a handshake ask for them"
)]

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, RequestMetaObject, SetLevelRequestParams};
use rmcp::service::{Peer, ServiceError};
use serde_json::Value;

use crate::seam::LogLevel;

/// The level that a request asks for itself.
pub fn level_of_request(meta: &RequestMetaObject) -> Option<LogLevel> {
    meta.log_level().map(read)
}

/// How a client asks for a level, for all that follows.
pub type LevelParams = SetLevelRequestParams;

pub fn level_asked(params: &LevelParams) -> LogLevel {
    read(params.level)
}

pub async fn send_log(peer: &Peer<RoleServer>, level: LogLevel, data: Value) -> Result<(), ServiceError> {
    peer.notify_logging_message(LoggingMessageNotificationParam::new(write(level), data)).await
}

fn read(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info => LogLevel::Info,
        LoggingLevel::Notice => LogLevel::Notice,
        LoggingLevel::Warning => LogLevel::Warning,
        LoggingLevel::Error => LogLevel::Error,
        LoggingLevel::Critical => LogLevel::Critical,
        LoggingLevel::Alert => LogLevel::Alert,
        LoggingLevel::Emergency => LogLevel::Emergency,
    }
}

fn write(level: LogLevel) -> LoggingLevel {
    match level {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Notice => LoggingLevel::Notice,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
        LogLevel::Critical => LoggingLevel::Critical,
        LogLevel::Alert => LoggingLevel::Alert,
        LogLevel::Emergency => LoggingLevel::Emergency,
    }
}
