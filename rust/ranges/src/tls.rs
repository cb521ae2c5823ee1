//! TLS connections of the client for byte ranges (RFC 8446), by rustls.
//!
//! A client of rustls works on memory: this file moves its records to and from the socket, one read
//! of the socket per call. So the caller can check its time limit and its stop flag between any two
//! reads, also in the handshake.

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// Returns a configuration that trusts the certificate authorities of this machine: those of
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` if they are set, otherwise those of the system.
///
/// # Errors
/// Fails if there are none, with the first reason if the system has one.
pub fn configuration() -> Result<Arc<ClientConfig>, Option<rustls_native_certs::Error>> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (taken, _) = roots.add_parsable_certificates(found.certs);
    if taken == 0 {
        return Err(found.errors.into_iter().next());
    }
    Ok(trusting(roots))
}

/// Returns a configuration that trusts these certificate authorities.
pub fn trusting(roots: RootCertStore) -> Arc<ClientConfig> {
    // The provider is named: a default for the process would be a global state.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has the cipher suites of TLS 1.2 and 1.3");
    Arc::new(builder.with_root_certificates(roots).with_no_client_auth())
}

/// The client's side of a TLS connection.
#[derive(Debug)]
pub struct Tls {
    session: ClientConnection,
    socket: TcpStream,
}

impl Tls {
    /// Creates the client's side. The handshake begins with the first read.
    ///
    /// # Errors
    /// Fails if `host` is neither a name nor an address.
    pub fn new(
        configuration: Arc<ClientConfig>,
        host: &str,
        socket: TcpStream,
    ) -> io::Result<Self> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let session = ClientConnection::new(configuration, name).map_err(io::Error::other)?;
        Ok(Self { session, socket })
    }

    fn send(&mut self) -> io::Result<()> {
        while self.session.wants_write() {
            self.session.write_tls(&mut self.socket)?;
        }
        Ok(())
    }
}

impl Write for Tls {
    /// Keeps the bytes until the handshake is done.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.session.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Tls {
    /// Reads the socket at most once. Fails with `WouldBlock` if no text is complete yet, and with
    /// `InvalidData` around a `rustls::Error` if the server breaks the protocol or its certificate
    /// is refused.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.send()?;
        match self.session.reader().read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            result => return result,
        }
        let read = self.session.read_tls(&mut self.socket)?;
        let state = self.session.process_new_packets();
        // The answer to a handshake message, or the alert that tells the server what is wrong.
        let sent = self.send();
        state.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        sent?;
        match read {
            0 if self.session.is_handshaking() => Err(io::ErrorKind::UnexpectedEof.into()),
            0 => self.session.reader().read(buffer),
            _ => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}
