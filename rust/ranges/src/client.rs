//! The client: HTTP/1.1 by ureq (RFC 9110), plain or over TLS, through the proxy that `HTTPS_PROXY`
//! and the like name. It keeps a connection for the next request, because opening one over TLS
//! takes as long as several small ranges.

use crate::{refused, Failure, Passing, Refusal, Trouble};
use rustls::pki_types::CertificateDer;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, NextTimeout, RustlsConnector,
    SocksConnector, TcpConnector, Transport,
};
use ureq::{Agent, Error};
use url::Url;

/// Time to connect, and the time after which a server must have sent enough bytes.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// Fewest bytes of an answer in a second, as a mean over [`TIMEOUT`].
const SLOWEST: u64 = 16 << 10;

/// Time after which a silent server is left alone to look at the stop flag.
const GLANCE: Duration = Duration::from_millis(200);

/// Longest head of a response, in bytes.
const MAX_HEAD: usize = 1 << 16;

/// The certificate authorities of this machine: those of `SSL_CERT_FILE` and `SSL_CERT_DIR` if they
/// are set, otherwise those of the system.
///
/// # Errors
/// Fails if there are none, with the first reason if the system has one.
pub fn authorities() -> Result<Vec<CertificateDer<'static>>, Option<rustls_native_certs::Error>> {
    let found = rustls_native_certs::load_native_certs();
    match found.certs.is_empty() {
        true => Err(found.errors.into_iter().next()),
        false => Ok(found.certs),
    }
}

/// Makes a client that calls itself `name`. A server that sends fewer than [`SLOWEST`] bytes a
/// second in `patience` is left.
pub fn agent(
    name: &str,
    authorities: Vec<CertificateDer<'static>>,
    stop: &Arc<AtomicBool>,
    patience: Duration,
) -> Agent {
    let roots = authorities.iter().map(|one| Certificate::from_der(one).to_owned());
    // The provider is named: a default for the process would be a global state.
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots.collect::<Vec<_>>()))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let settings = Agent::config_builder()
        .user_agent(name)
        .accept_encoding("identity")
        .tls_config(tls)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .max_response_header_size(MAX_HEAD)
        .max_idle_age(TIMEOUT)
        .timeout_connect(Some(TIMEOUT))
        .build();
    // The guard is below TLS, so that it sees a handshake too.
    let connector =
        ().chain(SocksConnector::default())
            .chain(ConnectProxyConnector::default())
            .chain(TcpConnector::default())
            .chain(Guard { stop: Arc::clone(stop), patience })
            .chain(RustlsConnector::default());
    Agent::with_parts(settings, connector, DefaultResolver::default())
}

/// Guards each connection that it gets.
#[derive(Debug)]
struct Guard {
    stop: Arc<AtomicBool>,
    patience: Duration,
}

impl<In: Transport> Connector<In> for Guard {
    type Out = Guarded<In>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        let (stop, patience) = (Arc::clone(&self.stop), self.patience);
        let (since, read) = (Instant::now(), 0);
        Ok(chained.map(|stream| Guarded { stream, stop, patience, since, read }))
    }
}

/// A connection whose reads fail if the server sends less than [`SLOWEST`], or if the work was
/// stopped: a read that waits for single bytes would never end.
#[derive(Debug)]
struct Guarded<T> {
    stream: T,
    stop: Arc<AtomicBool>,
    patience: Duration,
    /// When the bytes began to be counted, and their number.
    since: Instant,
    read: u64,
}

impl<T: Transport> Transport for Guarded<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.stream.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        (self.since, self.read) = (Instant::now(), 0);
        self.stream.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, mut timeout: NextTimeout) -> Result<bool, Error> {
        timeout.after = GLANCE.min(self.patience).into();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(io::Error::other("stopped").into());
            }
            let before = self.stream.buffers().input().len();
            let more = match self.stream.await_input(timeout) {
                Ok(more) => Some(more),
                Err(Error::Timeout(_)) => None,
                Err(error) => return Err(error),
            };
            self.read += self.stream.buffers().input().len().saturating_sub(before) as u64;
            let elapsed = self.since.elapsed();
            if more != Some(false) && elapsed >= self.patience {
                if (self.read as f64) < SLOWEST as f64 * elapsed.as_secs_f64() {
                    let what = format!(
                        "sends fewer than {SLOWEST} bytes a second for {} s",
                        elapsed.as_secs()
                    );
                    return Err(io::Error::new(io::ErrorKind::TimedOut, what).into());
                }
                (self.since, self.read) = (Instant::now(), 0);
            }
            if let Some(more) = more {
                return Ok(more);
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.stream.is_open()
    }
}

/// Trouble that may pass, unless the run was stopped or the certificate is not trusted.
pub fn trouble(url: &Url, stop: &AtomicBool, error: Error) -> Trouble {
    if stop.load(Ordering::Relaxed) {
        return Trouble::Final(Failure::Stopped);
    }
    let passing = match error {
        Error::HostNotFound => Passing::NoAddress,
        Error::Protocol(_) | Error::LargeResponseHeader(..) => Passing::NoHead,
        Error::ConnectProxyFailed(reason) => Passing::Proxy(reason),
        Error::Timeout(_) => Passing::Connection(io::ErrorKind::TimedOut.into()),
        other => {
            let error = other.into_io();
            let tls = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
            if let Some(rustls::Error::InvalidCertificate(why)) = tls {
                return refused(url, Refusal::Certificate(why.clone()));
            }
            Passing::Connection(error)
        }
    };
    Trouble::Passing(passing, None)
}
