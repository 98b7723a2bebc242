"""What an installed package can add to Phytotron: an environment, a controller, an agent and a weather split."""
