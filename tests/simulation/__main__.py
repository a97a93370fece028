"""`python -m tests.simulation SEED [--trace]`: what came of a seed, and its whole story."""

import argparse
import sys
import time

from tests.simulation.world import World


def main() -> int:
    """Let one seed happen, or several."""
    parser = argparse.ArgumentParser(prog="tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int, nargs="+", help="one, or a first and a last")
    parser.add_argument("--trace", action="store_true", help="tell everything that happens")
    asked = parser.parse_args()
    failed = 0
    began = time.process_time()
    seeds = range(asked.seed[0], asked.seed[-1] + 1)
    for seed in seeds:
        failed += not lived(seed, trace=asked.trace)
    rate = len(seeds) / (time.process_time() - began)
    print(f"{failed} of {len(seeds)} failed; {rate:.1f} seeds a second of CPU")
    return int(failed > 0)


def lived(seed: int, *, trace: bool) -> bool:
    """Let one seed happen, and tell of it."""
    world = World(seed, keep=trace)
    try:
        outcome = world.run()
    except AssertionError as error:
        print("\n".join(world.story.told))
        print(f"seed {seed} failed at {world.loop.time():.4f}: {error or type(error)}")
        return False
    print("\n".join(outcome.story))
    if trace:
        print(outcome.digest)
    return True


if __name__ == "__main__":
    sys.exit(main())
