//! The one place that says which library does the cryptography of TLS.

/// Makes encrypted connections possible. May be called any number of times.
///
/// Ring, because it builds in seconds and needs no other tools; the libraries above leave the choice
/// to whoever puts a program together.
pub fn install_tls_provider() {
    // Somebody was first: then there is a provider, which is all that is wanted.
    let _installed = rustls::crypto::ring::default_provider().install_default();
}
