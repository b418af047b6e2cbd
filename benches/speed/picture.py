"""The growths as one picture: a panel each, both axes logarithmic, readable on a light and on a dark page."""

import math

from .figures import FOLLOWED, GROWTHS, exponent

WIDTH, HEIGHT, LEFT, TOP, GAP, PLOT_WIDTH, PLOT_HEIGHT = 1000, 372, 56, 48, 68, 262, 232
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .quiet { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 } .page { fill: #ffffff }
  .s0 { stroke: #0550ae; fill: #0550ae } .s1 { stroke: #6e7781; fill: #6e7781 }
  .s2 { stroke: #bc4c00; fill: #bc4c00 } .s3 { stroke: #1a7f37; fill: #1a7f37 }
  .s4 { stroke: #8250df; fill: #8250df }
  path.line { fill: none; stroke-width: 2 } .s0.line { stroke-width: 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d } .page { fill: #0d1117 }
    .s0 { stroke: #58a6ff; fill: #58a6ff } .s1 { stroke: #9198a1; fill: #9198a1 }
    .s2 { stroke: #f0883e; fill: #f0883e } .s3 { stroke: #3fb950; fill: #3fb950 }
    .s4 { stroke: #ab7df8; fill: #ab7df8 }
  }
"""


def draw(figures):
    """Returns the picture as SVG."""
    series = {growth: {peer: figures.series(growth, peer) for peer in FOLLOWED} for growth in GROWTHS}
    times = [time for peers in series.values() for points in peers.values() for _, time in points]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        "<title>How the cost of an edit grows</title>",
        f'<style>{STYLE}</style>\n<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
    ]
    for index, (growth, peers) in enumerate(series.items()):
        parts += panel(LEFT + index * (PLOT_WIDTH + GAP), growth, peers, low, high)
    parts += legend()
    return "\n".join([*parts, "</svg>\n"])


def panel(left, growth, peers, low, high):
    sizes = [size for points in peers.values() for size, _ in points]
    first, last = math.log10(min(sizes)), math.log10(max(sizes))

    def at(size, time):
        x = left + (math.log10(size) - first) / (last - first) * PLOT_WIDTH
        return x, TOP + PLOT_HEIGHT - (math.log10(time) - low) / (high - low) * PLOT_HEIGHT

    title, _, what = growth.partition(" (")
    parts = [f'<text x="{left}" y="20" font-weight="600">{title}</text>']
    parts.append(f'<text class="quiet" x="{left}" y="36">{what.rstrip(")")}</text>')
    for power in range(low, high + 1):
        _, y = at(10**first, 10**power)
        parts.append(f'<path class="grid" d="M{left} {y:.1f}h{PLOT_WIDTH}"/>')
        parts.append(f'<text class="quiet" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{duration(power)}</text>')
    for size in sorted(set(sizes)):
        x, _ = at(size, 1)
        anchor = "start" if math.log10(size) == first else "end" if math.log10(size) == last else "middle"
        bottom = TOP + PLOT_HEIGHT
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(f'<text class="quiet" x="{x:.1f}" y="{bottom + 18}" text-anchor="{anchor}">{size:,}</text>')
    for index, (peer, points) in enumerate(peers.items()):
        places = [at(size, time) for size, time in points]
        if not places:
            continue
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        slope = exponent(points)
        said = f"<title>{peer}: exponent {slope:.2f}</title>" if slope is not None else ""
        parts.append(f'<path class="line s{index}" d="M{line}">{said}</path>')
        parts += [marker(index, x, y) for x, y in places]
    return parts


def duration(power):
    return f"{10 ** (power - 3):,} s" if power >= 3 else f"{10**power} ms" if power >= 0 else f"{10.0**power:g} ms"


def marker(index, x, y):
    """Returns a mark of the series' own shape, for those who do not see its colour."""
    shapes = (
        f'<circle class="s{index}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
        f'<path class="s{index}" d="M{x - 4:.1f} {y - 4:.1f}h8v8h-8z"/>',
        f'<path class="s{index}" d="M{x:.1f} {y - 5:.1f}l5 9h-10z"/>',
        f'<path class="s{index}" d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"/>',
        f'<path class="s{index}" d="M{x:.1f} {y + 5:.1f}l5 -9h-10z"/>',
    )
    return shapes[index]


def legend():
    parts, x = [], LEFT
    names = ("git segedit", "floor (libgit2 alone)", "git apply + commit", "ast-grep + commit", "git segedit, in a clone")
    for index, name in enumerate(names):
        y = HEIGHT - 22
        parts.append(f'<path class="line s{index}" d="M{x} {y}h28"/>' + marker(index, x + 14, y))
        parts.append(f'<text x="{x + 36}" y="{y + 4}">{name}</text>')
        x += 186
    return parts
