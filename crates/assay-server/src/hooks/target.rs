//! Where messages may go: to the web, as far as the project's policy allows it, and to private addresses only where an
//! admin said so. Names are looked up when a message is sent, and the address that was checked is the one that is used.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::OnceLock;
use std::time::Duration;

use assay_host::check_policy_host;
use assay_suite::PolicySettings;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use crate::problem::Problem;

const CONNECTING: Duration = Duration::from_secs(10);
const ANSWERING: Duration = Duration::from_secs(20);

const USER_AGENT: &str = concat!("assay/", env!("CARGO_PKG_VERSION"));

/// The address of a webhook, if messages may go there.
pub fn check_target(address: &str, may_be_private: bool, policy: &PolicySettings) -> Result<Url, Problem> {
    let url: Url =
        address.parse().map_err(|_| Problem::usage(format!("`{address}` is no address of the web")))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_string();
    if !["http", "https"].contains(&url.scheme()) || host.is_empty() {
        return Err(Problem::usage(format!("expected an http or https address, found `{address}`")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Problem::usage(
            "an address with a user and a password is not taken: messages are signed",
        ));
    }
    check_policy_host(policy, &host)?;
    let is_private = match host.parse::<IpAddr>() {
        Ok(address) => !is_public(address),
        Err(_) => {
            let name = host.trim_end_matches('.').to_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    };
    match is_private && !may_be_private {
        true => Err(Problem::forbidden(private_words(&host))
            .hint("`private_addresses: true` allows it for this webhook")),
        false => Ok(url),
    }
}

fn private_words(host: &str) -> String {
    format!("`{host}` is an address of this machine or of a private network")
}

/// Whether an address is one of the public internet.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        || first >= 224
        // Shared by the customers of a provider, protocol assignments, relays, benchmarks.
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 192 && second == 88 && third == 99)
        || (first == 198 && (second == 18 || second == 19));
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // Addresses of version 4 behind a translator, or in a tunnel.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        [0x2002, high, low, ..] => inner(high, low),
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // All of today's internet begins with 001.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

/// What a target answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetAnswer {
    pub status: u16,
    /// When it wants to be asked again.
    pub retry_after: Option<Duration>,
}

/// The ways out. No proxy is used: it would look names up by itself.
#[derive(Default)]
pub struct Clients {
    public: OnceLock<Client>,
    any: OnceLock<Client>,
}

impl Clients {
    pub async fn post(
        &self,
        url: Url,
        may_be_private: bool,
        headers: &[(&'static str, String)],
        body: Vec<u8>,
    ) -> Result<TargetAnswer, String> {
        let mut sent = HeaderMap::new();
        sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).map_err(|_| format!("`{name}` cannot be sent"))?;
            sent.insert(HeaderName::from_static(name), value);
        }
        let client = self.client(may_be_private).map_err(|err| reason(&err))?;
        let answer = client.post(url).headers(sent).body(body).send().await.map_err(|err| reason(&err))?;
        let seconds = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(TargetAnswer { status: answer.status().as_u16(), retry_after: seconds.map(Duration::from_secs) })
    }

    fn client(&self, may_be_private: bool) -> Result<&Client, reqwest::Error> {
        let place = if may_be_private { &self.any } else { &self.public };
        if let Some(client) = place.get() {
            return Ok(client);
        }
        // If somebody was first, there is a provider, which is all that is wanted.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .redirect(Policy::none())
            .no_proxy()
            // Addresses are checked when a connection is opened.
            .pool_max_idle_per_host(0)
            .connect_timeout(CONNECTING)
            .timeout(ANSWERING);
        let client = match may_be_private {
            true => builder.build()?,
            false => builder.dns_resolver(PublicAddresses).build()?,
        };
        Ok(place.get_or_init(|| client))
    }
}

/// Looks names up, and refuses those that lead to a private address.
struct PublicAddresses;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct PrivateTarget(String);

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| !is_public(address.ip())) {
                return Err(PrivateTarget(private_words(name.as_str())).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The innermost cause: the outer ones only say that a request failed, and quote its address.
fn reason(err: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = err;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if err.is_timeout() { "it did not answer in time".to_string() } else { cause.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, may_be_private: bool, is_allowed: bool) {
        let policy =
            PolicySettings { blocked_domains: vec!["evil.example".to_string()], ..PolicySettings::default() };
        let checked = check_target(address, may_be_private, &policy);
        assert_eq!(checked.is_ok(), is_allowed, "{address}");
    }

    #[test]
    fn messages_go_to_the_web_and_nowhere_else() {
        for address in ["https://hooks.example/x?y=1", "http://8.8.8.8:8080/", "https://[2606:4700::1111]/"] {
            check(address, false, true);
        }
        for address in [
            "ftp://a.example/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "hooks.example/x",
            "",
            "http://",
            "https://user:pass@hooks.example/",
            "https://www.evil.example/",
        ] {
            check(address, false, false);
            check(address, true, false);
        }
    }

    #[test]
    fn private_addresses_need_a_word_of_an_admin() {
        for address in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0.0.0.0/",
            "http://10.0.0.1/",
            "http://172.16.5.4/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data",
            "http://100.64.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://localhost:8080/",
            "http://LOCALHOST./",
            "http://app.localhost/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[2001:db8::1]/",
        ] {
            check(address, false, false);
            check(address, true, true);
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_not_followed() {
        let url: Url = "http://localhost:9/".parse().unwrap();
        let refused = Clients::default().post(url, false, &[], Vec::new()).await;
        assert_eq!(
            refused,
            Err("`localhost` is an address of this machine or of a private network".to_string())
        );
    }
}
