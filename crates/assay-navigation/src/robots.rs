//! The rules of a site for programs that follow its links (RFC 9309).

/// The name that a site may give its rules to.
const OWN_NAME: &str = "assay";

/// Whether it allows, and the pattern of a path.
type Rule = (bool, String);

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<Rule>,
}

impl Robots {
    /// The rules for us in the text of `robots.txt`: those that name us, else those for all.
    pub fn parse(text: &str) -> Robots {
        let mut groups: Vec<(Vec<String>, Vec<Rule>)> = Vec::new();
        let mut is_open = false;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key.trim().to_lowercase().as_str() {
                "user-agent" => {
                    if !is_open {
                        groups.push((Vec::new(), Vec::new()));
                    }
                    is_open = true;
                    if let Some((names, _)) = groups.last_mut() {
                        names.push(value.to_lowercase());
                    }
                }
                key @ ("allow" | "disallow") => {
                    is_open = false;
                    if let Some((_, rules)) = groups.last_mut()
                        && !value.is_empty()
                    {
                        rules.push((key == "allow", value.to_string()));
                    }
                }
                _ => {}
            }
        }
        let of = |name: &str| -> Option<Vec<Rule>> {
            let mut named =
                groups.iter().filter(|(names, _)| names.iter().any(|known| known == name)).peekable();
            named.peek()?;
            Some(named.flat_map(|(_, rules)| rules.clone()).collect())
        };
        Robots { rules: of(OWN_NAME).or_else(|| of("*")).unwrap_or_default() }
    }

    /// The longest rule that fits decides.
    pub fn allow(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(_, pattern)| fits(pattern, path));
        fitting.max_by_key(|(allows, pattern)| (pattern.len(), *allows)).is_none_or(|(allows, _)| *allows)
    }
}

fn fits(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('$') {
        Some(whole) => assay_protocol::fits_glob(whole, path),
        None => assay_protocol::fits_glob(&format!("{pattern}*"), path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides() {
        let robots = Robots::parse(
            "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /private/ # not ours\nAllow: /private/open\nDisallow: /*.cgi$\n",
        );
        assert!(robots.allow("/") && robots.allow("/private/open/x"));
        assert!(!robots.allow("/private/x") && !robots.allow("/a/b.cgi") && robots.allow("/a/b.cgi?x"));
        let named = Robots::parse("User-agent: assay\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n");
        assert!(named.allow("/y") && !named.allow("/x"));
        assert!(Robots::parse("").allow("/x"));
    }
}
