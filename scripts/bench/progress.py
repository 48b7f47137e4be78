"""What the benchmark prints while it works."""

from collections.abc import Mapping

from scripts.bench.builds import Build


def say(step: str) -> None:
    """Begin a step."""
    print(f"bench: {step} ...", flush=True)


def say_nodes(build: Build) -> None:
    """Print what a build took, and its slowest nodes."""
    print(f"    {build.seconds:.1f} s, heap {build.heap} MiB", flush=True)
    say_slowest(build.nodes)


def say_slowest(nodes: Mapping[str, float]) -> None:
    """Print the eight that took the most seconds."""
    slow = sorted(nodes.items(), key=lambda one: -one[1])[:8]
    print("    " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in slow), flush=True)
