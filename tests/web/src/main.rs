//! The command around the web of our own.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use corpulyzer_web::server::Proxy;
use corpulyzer_web::world::World;
use std::io::{Read, Write};
use std::path::PathBuf;

/// A deterministic web for tests, served as an HTTP proxy on loopback.
#[derive(Parser)]
#[command(name = "corpulyzer-web", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Args, Clone, Copy)]
struct Web {
    /// What the whole web is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 320)]
    hosts: usize,
}

#[derive(clap::Args)]
struct Listen {
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// A line a request: milliseconds, URL, status, true language, kind of host, bytes
    #[arg(long)]
    log: PathBuf,
    /// End when standard input does
    #[arg(long)]
    until_stdin_closes: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the web
    Serve {
        #[command(flatten)]
        web: Web,
        #[command(flatten)]
        listen: Listen,
        /// Where the seed list goes, a URL a line
        #[arg(long)]
        seeds_out: Option<PathBuf>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Serve { web, listen, seeds_out } => {
            let world = World::new(web.seed, web.hosts)?;
            if let Some(path) = seeds_out {
                let seeds = world.seeds().join("\n") + "\n";
                std::fs::write(&path, seeds).with_context(|| format!("cannot write the seeds {}", path.display()))?;
            }
            serve(&listen, world)
        }
    }
}

fn serve(listen: &Listen, site: impl corpulyzer_web::server::Site) -> Result<()> {
    let proxy = Proxy::start(listen.port, &listen.log, site)?;
    println!("listening on {}", proxy.address());
    std::io::stdout().flush()?;
    if listen.until_stdin_closes {
        let mut sink = [0; 512];
        while std::io::stdin().read(&mut sink)? > 0 {}
    } else {
        proxy.wait();
    }
    Ok(())
}
