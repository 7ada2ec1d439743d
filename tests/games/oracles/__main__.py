"""Many games against the oracles: python -m tests.games.oracles --games 400 --seed 1"""

import argparse
import sys
import time

from tests.games.oracles.judge import GAMES, judge


def main() -> int:
    """Print each disagreement and the counts; 1 if there is a disagreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=tuple(GAMES), help="only this one")
    options = parser.parse_args()
    wrong = False
    for name in [options.game] if options.game else list(GAMES):
        began = time.process_time()
        found = judge(name, options.games, options.seed)
        for kind, disagreements in found.disagreements.items():
            print(f"{len(disagreements)} times {kind}, first:\n{disagreements[0]}\n")
        print(
            f"{name}: {found.steps} steps, {found.tried} other actions ({found.refused} refused by both), "
            f"{sum(map(len, found.disagreements.values()))} disagreements, {time.process_time() - began:.0f} s"
        )
        print("  " + ", ".join(f"{verb} {number}" for verb, number in sorted(found.chosen.items())))
        wrong |= bool(found.disagreements)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
