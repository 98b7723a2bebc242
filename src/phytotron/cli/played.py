"""`phytotron evaluate --played`: runs an episode that a person played on a page again in JAX."""

from pathlib import Path

from rich.table import Table

from phytotron.cli.console import line, output, print_json


def print_played(path: Path, json: bool) -> None:
    """Replay a file and print the totals of the episode beside those of the page."""
    import jax

    from phytotron.browser.played import read_played, replayed

    played = read_played(path)
    with jax.enable_x64(True):
        found = replayed(played)
    difference = found["return"] - played.total
    if json:
        about = {"environment": dict(played.environment), "start": played.start, "played": str(path)}
        print_json(about | {"measures": found, "return_on_the_page": played.total, "difference": difference})
        return
    line(f"{played.id}, from {played.start}, as played")
    table = Table()
    table.add_column("measure")
    table.add_column("in JAX", justify="right")
    for name, value in found.items():
        table.add_row(name, f"{value:.6g}")
    output.print(table)
    line(f"\nThe page had a return of {played.total:.9g}; the difference is {difference:.1e}.")
