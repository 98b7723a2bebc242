"""Settings of the documentation site, which `make docs` builds with Sphinx."""

from __future__ import annotations

import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "_ext"))
os.environ.pop("MPLBACKEND", None)  # notebooks inherit it, and would show no figures

from phytotron import __version__  # noqa: E402

project = "Phytotron"
author = "The Phytotron developers"
copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "site_pages",  # writes the pages of environments, reference and glossary
    "source_links",  # resolves links to files of the repository
]
exclude_patterns = ["_build", "_data", "_ext"]

# Several records are called State or Parameters, each in its own module. Where a signature names a type by its last
# name only, as type variables do, there is no single target, and the type is shown without a link.
suppress_warnings = ["ref.python"]

# Pages are written in MyST markdown; tutorials are notebooks in the same language, executed once and then cached.
source_suffix = {".md": "myst-nb"}
myst_enable_extensions = ["deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(DOCS / "_build" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

# Docstrings put code between single backticks.
default_role = "literal"
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["pcse", "pettingzoo", "ray", "tensorboardX"]

html_theme = "pydata_sphinx_theme"
html_title = "Phytotron"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Phytotron"},
    "show_prev_next": True,
    "navbar_align": "left",
    "header_links_before_dropdown": 9,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": [], "start": [], "glossary": []}  # sections of one page
