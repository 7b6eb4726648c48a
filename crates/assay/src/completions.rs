//! Completions for shells, made from the catalogue.

use std::process::ExitCode;

use assay_protocol::actions::{Flag, SHARED_FLAGS};
use assay_protocol::{ErrorCode, Failure};

use crate::catalogue::syntaxes;
use crate::output::{print_failure, print_line};

pub fn print(shell: &str) -> ExitCode {
    let text = match shell {
        "bash" => bash(),
        "zsh" => zsh(),
        "fish" => fish(),
        other => {
            let failure = Failure::new(
                ErrorCode::Usage,
                format!("expected a shell (bash, zsh, fish), found `{other}`"),
            );
            return print_failure(&failure, false);
        }
    };
    print_line(text.trim_end());
    ExitCode::SUCCESS
}

fn verb_names() -> String {
    syntaxes().map(|verb| verb.name).collect::<Vec<_>>().join(" ")
}

fn flag_names(own: &[Flag]) -> String {
    own.iter().chain(SHARED_FLAGS).map(|flag| format!("--{}", flag.name)).collect::<Vec<_>>().join(" ")
}

fn bash() -> String {
    let mut text =
        String::from("# bash completion for assay: eval \"$(assay completions bash)\"\n_assay() {\n");
    text.push_str("  local word=\"${COMP_WORDS[COMP_CWORD]}\" verb=\"${COMP_WORDS[1]}\"\n");
    text.push_str(&format!(
        "  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\")); return; fi\n",
        verb_names()
    ));
    text.push_str("  case \"$verb\" in\n");
    for verb in syntaxes().filter(|verb| !verb.flags.is_empty()) {
        text.push_str(&format!(
            "    {}) COMPREPLY=($(compgen -W \"{}\" -f -- \"$word\"));;\n",
            verb.name,
            flag_names(verb.flags)
        ));
    }
    text.push_str(&format!("    *) COMPREPLY=($(compgen -W \"{}\" -f -- \"$word\"));;\n", flag_names(&[])));
    text.push_str("  esac\n}\ncomplete -F _assay assay\n");
    text
}

fn zsh() -> String {
    let mut text = String::from("#compdef assay\n_assay() {\n  local -a verbs\n  verbs=(\n");
    for verb in syntaxes() {
        text.push_str(&format!(
            "    '{}:{}'\n",
            verb.name,
            verb.summary.replace('\'', "'\\''").replace(':', "\\:")
        ));
    }
    text.push_str(
        "  )\n  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n  case \"$words[2]\" in\n",
    );
    for verb in syntaxes().filter(|verb| !verb.flags.is_empty()) {
        text.push_str(&format!("    {}) compadd -- {}; _files;;\n", verb.name, flag_names(verb.flags)));
    }
    text.push_str(&format!(
        "    *) compadd -- {}; _files;;\n  esac\n}}\ncompdef _assay assay\n",
        flag_names(&[])
    ));
    text
}

fn fish() -> String {
    let mut text = String::from("# fish completion for assay: assay completions fish | source\n");
    for verb in syntaxes() {
        let summary = verb.summary.replace('\'', "\\'");
        text.push_str(&format!(
            "complete -c assay -f -n __fish_use_subcommand -a {} -d '{summary}'\n",
            verb.name
        ));
        for flag in verb.flags {
            text.push_str(&fish_flag(&format!("-n '__fish_seen_subcommand_from {}' ", verb.name), flag));
        }
    }
    for flag in SHARED_FLAGS {
        text.push_str(&fish_flag("", flag));
    }
    text
}

fn fish_flag(condition: &str, flag: &Flag) -> String {
    let short = flag.short.map(|short| format!("-s {short} ")).unwrap_or_default();
    let value = if flag.value.is_some() { "-r " } else { "" };
    format!(
        "complete -c assay {condition}{short}-l {} {value}-d '{}'\n",
        flag.name,
        flag.help.replace('\'', "\\'")
    )
}
