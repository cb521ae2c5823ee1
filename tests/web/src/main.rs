//! The command around the web of our own.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use corpulyzer_web::server::Proxy;
use corpulyzer_web::simulate::{crawl, Outcome, Scoring};
use corpulyzer_web::world::{Kind, World};
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
    /// Crawl the web in memory, over its own truth
    Simulate {
        #[command(flatten)]
        web: Web,
        /// Rounds of generate, fetch and update
        #[arg(long, default_value_t = 8)]
        rounds: usize,
        /// Most pages a round; a host has at most a twentieth of them
        #[arg(long, default_value_t = 200)]
        top: usize,
        /// What decides the next batch
        #[arg(long, value_enum, default_value_t = Scoring::Lrl)]
        scoring: Scoring,
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
        Command::Simulate { web, rounds, top, scoring } => {
            simulate(&World::new(web.seed, web.hosts)?, scoring, rounds, top);
            Ok(())
        }
    }
}

fn simulate(world: &World, scoring: Scoring, rounds: usize, top: usize) {
    let outcome = crawl(world, scoring, rounds, top);
    println!("round  fetched  urdu  yield %  new hosts  by kind and, of these, from unknown hosts");
    for (i, r) in outcome.rounds.iter().enumerate() {
        let kinds = Kind::ALL.iter().zip(r.by_kind).zip(r.explored).map(|((k, n), x)| format!("{} {n}/{x}", k.name()));
        let kinds = kinds.collect::<Vec<_>>().join(" ");
        let percent = r.yield_percent();
        println!("{:5} {:8} {:5} {percent:8.1} {:10}  {kinds}", i + 1, r.fetched, r.urdu, r.new_hosts);
    }
    let Outcome { rich_found, rich_discovered, rich, .. } = outcome;
    println!("mean yield {:.1} %", outcome.mean_yield());
    println!("rich hosts found {rich_found} of {rich}, {rich_discovered} of them through links");
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
