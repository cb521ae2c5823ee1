"""Changes to the pages that MkDocs makes."""

import posixpath
import re
from urllib.parse import unquote

# The theme loads this script from the network to search without a server. worker.js replaces it.
SHIM = "https://unpkg.com/iframe-worker/shim"

# Pages about decisions, measurements and the code. The search shows them below the pages for users.
BEHIND = ("docs/adr/", "docs/measurements/", "CHANGELOG", "CONTRIBUTING", "rust/", "bench/", "tests/")


def on_page_markdown(markdown, page, config, files):
    """Gives the search less weight for the pages that users look for last."""
    if page.file.src_uri.startswith(BEHIND):
        page.meta["search"] = {"boost": 0.3}


# A link to a file: its path, and the text.
LINK = re.compile(r'<a href="([^"#?:]+)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)


def on_page_content(html, page, config, files):
    """Makes links to files of the repository that are not in the site plain text."""
    known = {file.dest_uri for file in files}
    folder = posixpath.dirname(page.file.dest_uri)

    def shown(link):
        target = posixpath.normpath(posixpath.join(folder, unquote(link[1])))
        return link[0] if target in known else link[2]

    return LINK.sub(shown, html)


def on_post_page(output, page, config):
    """Returns the HTML of a page with our own script instead of the theme's."""
    up = "../" * page.url.count("/")
    return output.replace(SHIM, f"{up}assets/worker.js")


def on_post_build(config):
    """Fails the build if a page still loads the script from the network."""
    import pathlib

    site = pathlib.Path(config.site_dir)
    for path in site.rglob("*.html"):
        if path.name != "404.html" and SHIM in path.read_text("utf-8"):
            raise SystemExit(f"{path} loads {SHIM}; correct docs/site/hooks.py")
