//! Addresses of every kind, and things that are none of them.

use std::time::Duration;

use assay_driver::Deadline;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;

use super::*;

/// A server that answers each path with what `answers` has for it, and everything else with 404.
async fn server(answers: &'static [(&'static str, u16, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap_or_default();
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default();
            let (_, status, body) =
                answers.iter().find(|(known, ..)| *known == path).copied().unwrap_or(("", 404, "<p>no</p>"));
            let answer = format!(
                "HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _sent = stream.write_all(answer.as_bytes()).await;
        }
    });
    format!("http://{address}")
}

/// A websocket that answers every message with the same text.
async fn websocket(answer: &'static str) -> String {
    use futures_util::{SinkExt, StreamExt};
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { continue };
            while let Some(Ok(_)) = socket.next().await {
                if socket.send(Message::text(answer)).await.is_err() {
                    break;
                }
            }
        }
    });
    format!("ws://{address}/somewhere")
}

async fn found(address: &str) -> Result<Spoken, String> {
    match probe(address, Deadline::after(Duration::from_secs(10))).await {
        Ok(spoken) => Ok(spoken),
        Err(DriverError::ConnectFailed { reason, .. }) => Err(reason),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_browser_with_a_debugging_port_speaks_cdp() {
    let address = server(&[("/json/version", 200, r#"{"webSocketDebuggerUrl":"ws://x"}"#)]).await;
    assert_eq!(found(&address).await, Ok(Spoken::Cdp(address.clone())));
}

#[tokio::test]
async fn a_driver_program_speaks_webdriver_even_when_it_is_not_ready() {
    let address = server(&[("/wd/hub/status", 200, r#"{"value":{"ready":false,"message":"full"}}"#)]).await;
    let hub = format!("{address}/wd/hub?browserName=chrome");
    assert_eq!(found(&hub).await, Ok(Spoken::WebDriver(hub.clone())));
}

#[tokio::test]
async fn firefox_speaks_bidi() {
    let address =
        server(&[("/session", 400, "The handshake request has incorrect Upgrade header: undefined")]).await;
    assert_eq!(found(&address).await, Ok(Spoken::BiDi(format!("{}/session", address.replace("http", "ws")))));
}

#[tokio::test]
async fn json_that_says_nothing_known_is_told() {
    let address =
        server(&[("/json/version", 200, r#"{"hello":"world"}"#), ("/status", 200, "{not json")]).await;
    let reason = found(&address).await.unwrap_err();
    assert_eq!(
        reason,
        "it speaks none of CDP, BiDi and WebDriver: /json/version answers 200 with other JSON, \
         /status answers 200 with text, /session answers 404 with a web page"
    );
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_told() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for address in [format!("http://{closed}"), closed.port().to_string()] {
        assert_eq!(found(&address).await, Err("nothing listens there (connection refused)".to_string()));
    }
    let reason = found(&format!("ws://{closed}/somewhere")).await.unwrap_err();
    assert!(reason.contains("onnection refused"), "{reason}");
}

#[tokio::test]
async fn something_that_never_answers_is_told() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let soon = Deadline::after(Duration::from_millis(300));
    let reason = probe(&address, soon).await.unwrap_err().to_string();
    assert!(reason.contains("no answer within the time allowed"), "{reason}");
}

#[tokio::test]
async fn a_websocket_without_a_telling_path_is_asked() {
    let bidi = websocket(r#"{"type":"success","id":1,"result":{"ready":true,"message":""}}"#).await;
    assert_eq!(found(&bidi).await, Ok(Spoken::BiDi(bidi.clone())));
    let busy = websocket(r#"{"type":"error","id":1,"error":"unknown error","message":"no"}"#).await;
    assert_eq!(found(&busy).await, Ok(Spoken::BiDi(busy.clone())));
    let cdp =
        websocket(r#"{"id":1,"error":{"code":-32601,"message":"'session.status' wasn't found"}}"#).await;
    assert_eq!(found(&cdp).await, Ok(Spoken::Cdp(cdp.clone())));
}
