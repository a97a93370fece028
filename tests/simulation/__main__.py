"""`python -m tests.simulation SEED [--trace]`: run one seed or a range, and print the trace."""

import argparse
import sys
import time

from tests.simulation.world import World


def main() -> int:
    """Run one seed, or a range of seeds."""
    parser = argparse.ArgumentParser(prog="tests.simulation", description=__doc__)
    parser.add_argument(
        "seed", type=int, nargs="+", help="one seed, or the first and the last of a range"
    )
    parser.add_argument("--trace", action="store_true", help="print everything that happens")
    arguments = parser.parse_args()
    failed = 0
    began = time.process_time()
    seeds = range(arguments.seed[0], arguments.seed[-1] + 1)
    for seed in seeds:
        failed += not run_seed(seed, trace=arguments.trace)
    rate = len(seeds) / (time.process_time() - began)
    print(f"{failed} of {len(seeds)} failed; {rate:.1f} seeds a second of CPU")
    return int(failed > 0)


def run_seed(seed: int, *, trace: bool) -> bool:
    """Run one seed, print its outcome, and return whether it passed."""
    world = World(seed, keep=trace)
    try:
        outcome = world.run()
    except AssertionError as error:
        print("\n".join(world.trace.lines))
        print(f"seed {seed} failed at {world.loop.time():.4f}: {error or type(error)}")
        return False
    print("\n".join(outcome.trace))
    if trace:
        print(outcome.digest)
    return True


if __name__ == "__main__":
    sys.exit(main())
