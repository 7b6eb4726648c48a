//! The program from outside: its first line, its answers and its end.

mod suite;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn it_serves_until_its_input_closes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay-demo"))
        .args(["--port", "0", "--until-eof"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");

    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /login HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    for part in ["<title>Login</title>", ">Email</label>", ">Password</label>", ">Log in</button>"] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }

    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(TcpStream::connect(&address).is_err());
}

#[test]
fn a_mistake_in_the_arguments_is_exit_status_2() {
    let output = Command::new(env!("CARGO_BIN_EXE_assay-demo")).arg("--prot").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: unknown argument `--prot`\n"));
}
