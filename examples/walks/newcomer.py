"""The walk of somebody who has never grown lettuce nor trained an agent: look, run, compare, change a price.

    python examples/walks/newcomer.py FOLDER

It needs `pip install phytotron` alone. The pages that it names are opened in a browser.
"""

from __future__ import annotations

import json

from typed import typed, working_folder

folder = working_folder()

# What is there?
typed("phytotron --version", folder)
typed("phytotron envs", folder)

# Ten days of lettuce under the rules of a grower: the totals, and a page to open.
typed("phytotron run phytotron/Lettuce-v0 --days 10 --output lettuce", folder)

# And if nobody did anything? And if heat cost three times as much?
LETTUCE = "phytotron run phytotron/Lettuce-v0 --days 10 --no-figure --json"
rules = json.loads(typed(f"{LETTUCE} --controller rule-based", folder))
nothing = json.loads(typed(f"{LETTUCE} --controller off", folder))
dear = json.loads(typed(f"{LETTUCE} --controller rule-based --prices heat=0.3843", folder))

print("Profit less the penalty for a climate that lettuce does not like, per square metre:")
print(f"the rules {rules['return']:.2f} €, doing nothing {nothing['return']:.2f} €,")
print(f"the rules where heat costs three times as much {dear['return']:.2f} €.")
print(f"Open {folder / 'lettuce' / 'index.html'}")
