"""`python -m phytotron` is the command line."""

from phytotron.cli import main

main()
