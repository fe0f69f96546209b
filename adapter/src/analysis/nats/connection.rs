//! The way to the server.
use super::NatsError;
use async_nats::{Client, ConnectOptions, jetstream};
use clap::Args;
use std::path::PathBuf;

/// How the server is reached.
#[derive(Debug, Clone, Default, Args)]
pub struct ConnectionOptions {
    /// Servers that share the work out, with JetStream: `nats://HOST:PORT` or, with TLS, `tls://HOST:PORT`; several are separated by commas.
    #[arg(long = "nats", value_name = "URL")]
    pub url: Option<String>,
    /// A file with the credentials: a `.creds` file of NATS, or a line `USER:PASSWORD`, or a token.
    #[arg(long = "nats-creds", value_name = "FILE", requires = "url")]
    pub credentials: Option<PathBuf>,
    /// A file with the certificate of the authority that the server's certificate is signed by, in PEM.
    #[arg(long = "nats-ca", value_name = "FILE", requires = "url")]
    pub authority: Option<PathBuf>,
    /// A file with a certificate of one's own, in PEM.
    #[arg(long = "nats-cert", value_name = "FILE", requires = "key")]
    pub certificate: Option<PathBuf>,
    /// A file with the key to that certificate, in PEM.
    #[arg(long = "nats-key", value_name = "FILE", requires = "certificate")]
    pub key: Option<PathBuf>,
}

impl ConnectionOptions {
    /// Connects, and from then on reconnects for ever. `patient`: waits for a server that is not there yet.
    ///
    /// # Errors
    /// A file cannot be read, or the server not be reached or refuses.
    pub(super) async fn connect(&self, patient: bool) -> Result<jetstream::Context, NatsError> {
        let mut options = ConnectOptions::new().name("sanqi-adapter").max_reconnects(None);
        if let Some(path) = &self.credentials {
            let named = |error: std::io::Error| NatsError::new(format!("{}: {error}", path.display()));
            let text = tokio::fs::read_to_string(path).await.map_err(named)?;
            options = match text.trim().split_once(':') {
                _ if text.contains("BEGIN NATS USER JWT") => options.credentials(&text).map_err(named)?,
                Some((user, password)) => options.user_and_password(user.to_owned(), password.to_owned()),
                None => options.token(text.trim().to_owned()),
            };
        }
        if let Some(path) = &self.authority {
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let (Some(certificate), Some(key)) = (&self.certificate, &self.key) {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        if patient {
            options = options.retry_on_initial_connect();
        }
        let url = self.url.clone().unwrap_or_default();
        let servers: Vec<&str> = url.split(',').map(str::trim).collect();
        let client: Client =
            options.connect(servers).await.map_err(|error| NatsError::new(format!("{url}: {error}")))?;
        Ok(jetstream::new(client))
    }
}
