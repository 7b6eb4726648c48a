//! `assay-demo [--port N] [--until-eof]`: serves Harbor Tickets on 127.0.0.1.

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: assay-demo [--port N] [--until-eof]

Serves Harbor Tickets, a small web application to try assay on, and prints its
address. Log in as test@example.com with the password secret123.

  --port N      listen on this port of 127.0.0.1 (default: 0, any free one)
  --until-eof   stop when the standard input closes
";

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(mistake) => {
            eprint!("error: {mistake}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match serve(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("error: cannot serve on port {}: {err}", options.port);
            ExitCode::from(4)
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    port: u16,
    until_eof: bool,
}

impl Options {
    /// None when help was asked for.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--port" => {
                    let value = arguments.next().ok_or("`--port` needs a number")?;
                    options.port = value.parse().map_err(|_| format!("`{value}` is not a port number"))?;
                }
                "--until-eof" => options.until_eof = true,
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("unknown argument `{argument}`")),
            }
        }
        Ok(Some(options))
    }
}

fn serve(options: &Options) -> io::Result<()> {
    let server = assay_demo::start(options.port)?;
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", server.url(""))?;
    stdout.flush()?;
    if options.until_eof {
        io::copy(&mut io::stdin(), &mut io::sink())?;
        return Ok(());
    }
    loop {
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: &str, expected: Result<Option<Options>, &str>) {
        let actual = Options::parse(arguments.split_whitespace().map(str::to_owned));
        assert_eq!(actual, expected.map_err(str::to_owned));
    }

    #[test]
    fn arguments_are_understood() {
        check("", Ok(Some(Options::default())));
        check("--port 8080 --until-eof", Ok(Some(Options { port: 8080, until_eof: true })));
        check("--help", Ok(None));
    }

    #[test]
    fn mistakes_are_named() {
        check("--port", Err("`--port` needs a number"));
        check("--port 99999", Err("`99999` is not a port number"));
        check("serve", Err("unknown argument `serve`"));
    }
}
