//! The generated web as something that can be served.

use crate::html::render;
use crate::server::{Reply, Site};
use crate::world::{Answer, World};
use std::time::Duration;

impl Site for World {
    fn reply(&self, url: &str) -> Reply {
        let Some(mirrored) = self.mirrored(url) else { return reply(self, url) };
        let own =
            |text: &[u8]| replace(text, mirrored.original.as_bytes(), mirrored.mirror.as_bytes());
        let mut reply = reply(self, &mirrored.url);
        reply.body = own(&reply.body);
        reply.location = reply
            .location
            .map(|to| String::from_utf8(own(to.as_bytes())).expect("the parts of a URL are UTF-8"));
        if reply.kind != "robots" {
            reply.kind = "mirror".to_string();
        }
        reply
    }
}

fn reply(world: &World, url: &str) -> Reply {
    let host = world.host_of_url(url).map(|h| &world.hosts[h]);
    let kind = host.map_or("-", |h| h.kind.name());
    let mut reply = match world.resolve(url) {
        Answer::Page(page) => {
            let rendered = render(world, &page);
            Reply {
                status: 200,
                content_type: rendered.content_type.to_string(),
                location: None,
                body: rendered.body,
                language: page.language.to_string(),
                kind: kind.to_string(),
                delay: Duration::ZERO,
            }
        }
        Answer::Redirect(to) => Reply {
            location: Some(to.clone()),
            ..Reply::text(301, kind, format!("Moved to {to}\n"))
        },
        Answer::Robots(text) => Reply::text(200, "robots", text),
        Answer::Missing => Reply::text(404, kind, "No such page.\n"),
        Answer::NoHost => Reply::text(502, "-", "No host of this web has that name and port.\n"),
    };
    reply.delay = Duration::from_millis(host.map_or(0, |h| h.delay_ms));
    reply
}

/// Replaces bytes in a page of any charset; URLs are ASCII in all of them.
fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(from) {
            out.extend_from_slice(to);
            at += from.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}
