//! The command around the web of our own.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use corpulyzer_web::hostile::Hostile;
use corpulyzer_web::recorded::{index_shared, Pages};
use corpulyzer_web::server::{Proxy, Site};
use corpulyzer_web::simulate::{crawl_for, Outcome, Scoring};
use corpulyzer_web::stats::Stats;
use corpulyzer_web::world::{Kind, World};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A deterministic web for tests, served as an HTTP proxy on loopback.
#[derive(Parser)]
#[command(name = "corpulyzer-web", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Args, Clone)]
struct Web {
    /// Seed of the web. The same number gives the same web
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 320)]
    hosts: usize,
    /// Rich hosts that have a calendar without end
    #[arg(long, default_value_t = 0)]
    calendars: usize,
    /// Rich hosts that have three mirrors each
    #[arg(long, default_value_t = 0)]
    mirrors: usize,
    /// Languages of the rich, mixed and junk hosts, ISO 639-3, separated by commas
    #[arg(long, default_value = "urd", value_delimiter = ',')]
    languages: Vec<String>,
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
        /// File for the list of seeds, one URL per line
        #[arg(long)]
        seeds_out: Option<PathBuf>,
        /// Also serve hosts that attack the crawler. Folder for attacks.tsv and attacked.tsv
        #[arg(long)]
        hostile: Option<PathBuf>,
    },
    /// Write pages as files, spread evenly over the web, with an index of URL, file, content type,
    /// true language and kind
    Dump {
        #[command(flatten)]
        web: Web,
        /// Folder for the pages and index.tsv
        #[arg(long)]
        out: PathBuf,
        /// Most pages
        #[arg(long, default_value_t = 1000)]
        limit: usize,
    },
    /// Print how many hosts of each kind the web has
    Hosts {
        #[command(flatten)]
        web: Web,
    },
    /// Print what the web is like: hosts, pages, links between kinds, near duplicates
    Stats {
        #[command(flatten)]
        web: Web,
    },
    /// Serve recorded pages under their own addresses
    ServePages {
        /// A line a page: URL, file, content type, and if known the language, separated by tabs
        #[arg(long)]
        index: PathBuf,
        /// Folder that the files are relative to
        #[arg(long)]
        root: PathBuf,
        #[command(flatten)]
        listen: Listen,
        /// File for the addresses, one URL per line, all of them http
        #[arg(long)]
        seeds_out: Option<PathBuf>,
    },
    /// Write the index of a shared folder's pages; their root is its data/pages
    IndexPages {
        /// The folder that has data/pages/{aeb,wild}/index.tsv
        #[arg(long)]
        shared: PathBuf,
        /// File for the index
        #[arg(long)]
        out: PathBuf,
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
        /// Score that selects the next batch
        #[arg(long, value_enum, default_value_t = Scoring::Lrl)]
        scoring: Scoring,
        /// Bytes to reach in each language; a language that lacks less weighs less
        #[arg(long)]
        quota: Option<f64>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Serve { web, listen, seeds_out, hostile: None } => {
            let world = web.world()?;
            write_seeds(seeds_out, world.seeds())?;
            serve(&listen, world)
        }
        Command::Serve { web, listen, seeds_out, hostile: Some(folder) } => {
            let site = Hostile::new(web.world()?, &folder)?;
            write_seeds(seeds_out, site.seeds())?;
            serve(&listen, site)
        }
        Command::Dump { web, out, limit } => dump(&web.world()?, &out, limit),
        Command::Hosts { web } => {
            let world = web.world()?;
            for kind in Kind::ALL {
                let hosts = world.hosts.iter().filter(|host| host.kind == kind).count();
                println!("{} {hosts}", kind.name());
            }
            Ok(())
        }
        Command::Stats { web } => {
            stats(&web.world()?);
            Ok(())
        }
        Command::ServePages { index, root, listen, seeds_out } => {
            let pages = Pages::read(&index, &root)?;
            write_seeds(seeds_out, pages.urls().collect())?;
            serve(&listen, pages)
        }
        Command::IndexPages { shared, out } => std::fs::write(&out, index_shared(&shared)?)
            .with_context(|| format!("cannot write {}", out.display())),
        Command::Simulate { web, rounds, top, scoring, quota } => {
            simulate(
                &web.world()?,
                &web.languages,
                quota.unwrap_or(f64::INFINITY),
                scoring,
                rounds,
                top,
            );
            Ok(())
        }
    }
}

impl Web {
    fn world(&self) -> Result<World> {
        let languages: Vec<&str> = self.languages.iter().map(String::as_str).collect();
        Ok(World::in_languages(self.seed, self.hosts, &languages)?
            .with_calendars(self.calendars)
            .with_mirrors(self.mirrors))
    }
}

fn write_seeds(path: Option<PathBuf>, seeds: Vec<String>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    std::fs::write(&path, seeds.join("\n") + "\n")
        .with_context(|| format!("cannot write the seeds {}", path.display()))
}

fn dump(world: &World, out: &Path, limit: usize) -> Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut index = String::new();
    for (number, url) in world.sample(limit).enumerate() {
        let reply = world.reply(&url);
        let file = format!("{number:05}.html");
        std::fs::write(out.join(&file), &reply.body)?;
        index +=
            &format!("{url}\t{file}\t{}\t{}\t{}\n", reply.content_type, reply.language, reply.kind);
    }
    std::fs::write(out.join("index.tsv"), index)
        .with_context(|| format!("cannot write to {}", out.display()))
}

fn stats(world: &World) {
    let stats = Stats::of(world);
    println!(
        "kind        hosts  pages  links of a page  to {}",
        Kind::ALL.map(Kind::name).join(" ")
    );
    for (kind, s) in Kind::ALL.iter().zip(&stats.kinds) {
        let sums = s.links.map(|n| {
            format!("{:.1}%", 100.0 * n as f64 / s.links.iter().sum::<usize>().max(1) as f64)
        });
        let mean = s.all_links as f64 / s.sampled.max(1) as f64;
        println!("{:10} {:6} {:6} {mean:16.1}  {}", kind.name(), s.hosts, s.pages, sums.join(" "));
    }
    println!(
        "(shares: links to other hosts, counted over at most {} pages a host)",
        corpulyzer_web::stats::SAMPLE
    );
    println!(
        "near duplicates among the {} Urdu pages: {:.1} %",
        stats.urdu_pages, stats.near_duplicate_percent
    );
}

fn simulate(
    world: &World,
    languages: &[String],
    quota: f64,
    scoring: Scoring,
    rounds: usize,
    top: usize,
) {
    let codes: Vec<&str> = languages.iter().map(String::as_str).collect();
    let outcome = crawl_for(world, &codes, quota, scoring, rounds, top);
    println!("round  fetched  hits  yield %  new hosts  by kind and, of these, from unknown hosts");
    for (i, r) in outcome.rounds.iter().enumerate() {
        let kinds = Kind::ALL
            .iter()
            .zip(r.by_kind)
            .zip(r.explored)
            .map(|((k, n), x)| format!("{} {n}/{x}", k.name()));
        let kinds = kinds.collect::<Vec<_>>().join(" ");
        let percent = r.yield_percent();
        println!(
            "{:5} {:8} {:5} {percent:8.1} {:10}  {kinds}",
            i + 1,
            r.fetched,
            r.relevant,
            r.new_hosts
        );
    }
    for (language, pages) in &outcome.pages {
        println!("{language}: {pages} pages");
    }
    let Outcome { rich_found, rich_discovered, rich, .. } = outcome;
    println!("mean yield {:.1} %", outcome.mean_yield());
    println!("rich hosts found {rich_found} of {rich}, {rich_discovered} of them through links");
}

fn serve(listen: &Listen, site: impl Site) -> Result<()> {
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
