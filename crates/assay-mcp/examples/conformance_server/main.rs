//! A server with the fixtures that the official conformance tests ask for by name, behind both doors.
//!
//! `conformance_server stdio` serves the standard streams. `conformance_server http` serves a free port of this machine,
//! prints its address as one line, and ends with its standard input.

mod asking;
mod fixtures;
mod library;
mod observing;
mod telling;

use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

use assay_mcp::{HttpOptions, HttpServer, serve_stdio};
use tokio_util::sync::CancellationToken;

use fixtures::Fixtures;

#[tokio::main]
async fn main() -> ExitCode {
    let service = Arc::new(Fixtures::default());
    let served = match std::env::args().nth(1).as_deref() {
        Some("stdio") => serve_stdio(service).await.map_err(|err| err.to_string()),
        Some("http") => http(service).await,
        _ => Err("usage: conformance_server stdio|http".to_string()),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

async fn http(service: Arc<Fixtures>) -> Result<(), String> {
    let server = HttpServer::bind(service, HttpOptions::default()).await.map_err(|err| err.to_string())?;
    println!("http://{}/mcp", server.address());
    let stop = CancellationToken::new();
    let input_ended = stop.clone();
    std::thread::spawn(move || {
        // Whoever started us holds the other end, also when it is killed.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        input_ended.cancel();
    });
    server.serve(stop).await.map_err(|err| err.to_string())
}
