"""The report of an arena as one HTML file: no scripts, no external files, light and dark."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any, Final

from cosca.arena.figures import Json
from cosca.arena.plots import Scale, heat_cell, histogram, interval_plot, scale
from cosca.catalog import find
from cosca.words import say, sentences, spoken

WIDE: Final = ("results", "cross", "variants")
"""The sections with tables too wide for a phone."""
MOST_ROWS: Final = 15
"""The most rows about what decided games; the JSON has all."""


def arena_page(report: Json, rules: Mapping[str, Sequence[str]]) -> str:
    """Return the report of bots against bots."""
    body = _section("results", _results(report))
    body += _section("ratings", _ratings(report))
    if len(report["bots"]) > 1:
        body += _section("cross", _cross(report))
    return _page(report, _say("title", title=_title(report)), body + _table_parts(report, rules))


def balance_page(reports: Mapping[str, Json], rules: Mapping[str, Sequence[str]]) -> str:
    """Return the report that compares house rules."""
    first = next(iter(reports.values()))
    body = _section("variants", _variants(reports))
    for name, report in reports.items():
        body += (
            f"<details><summary>{_variant(report['game'], name)}</summary>"
            f'<div id="{escape(name)}">{_table_parts(report, rules)}</div></details>\n'
        )
    return _page(first, _say("balance_title", title=_title(first)), body)


def _page(report: Json, title: str, body: str) -> str:
    style = (resources.files("cosca.arena") / "report.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{_played(report)}\n{body}</main>\n</body>\n</html>\n"
    )


def _say(key: str, **params: int | str) -> str:
    """Return a sentence of the report, escaped for HTML."""
    return escape(say(f"arena.page.{key}", params))


def _title(report: Json) -> str:
    return find(report["game"]).title


def _section(key: str, content: str) -> str:
    """Return a section with its heading and how to read it."""
    title = _say(f"{key}.title")
    text = f'<h2>{title}</h2><p class="faint">{_say(f"{key}.how")}</p>'
    if key in WIDE:  # it may scroll, so the keyboard must reach it
        content = (
            f'<div class="wide" tabindex="0" role="group" aria-label="{title}">{content}</div>'
        )
    return f"<section>{text}{content}</section>\n"


def _played(report: Json) -> str:
    """Return what was played."""
    game = find(report["game"])
    plain = game.settings(report["edition"]) if report["edition"] in game.editions else {}
    changed = {key: value for key, value in report["options"].items() if plain.get(key) != value}
    rules = ", ".join(f"{key}={value}" for key, value in changed.items())
    text = _say(
        "played",
        edition=report["edition"],
        seats=report["seats"],
        deals=report["deals"],
        games=report["games"],
        seed=str(report["seed"]),
    )
    bots = ", ".join(bot["name"] for bot in report["bots"])
    text += " " + (_say("rotated") if len(report["bots"]) > 1 else _say("mirrored", bot=bots))
    return f"<p>{text}</p>" + (f'<p class="faint">{_say("set", rules=rules)}</p>' if rules else "")


# --- Numbers as text ------------------------------------------------------------------------------


def percent(interval: Mapping[str, float]) -> str:
    """Return a share with its interval, in percent."""
    value, low, high = (f"{100 * interval[key]:.1f}" for key in ("value", "low", "high"))
    return f"{value} % <small>{_say('from_to', low=low, high=high)}</small>"


def number(interval: Mapping[str, float]) -> str:
    """Return a mean with its interval."""
    digits = 1 if abs(interval["value"]) >= 10 else 2
    value, low, high = (
        f"{interval[key]:.{digits}f}".replace("-", "\N{MINUS SIGN}")
        for key in ("value", "low", "high")
    )
    return f"{value} <small>{_say('from_to', low=low, high=high)}</small>"


def duration(seconds: float) -> str:
    """Return a thinking time with its unit."""
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _table(caption: str, headings: Iterable[str], rows: Iterable[str], kind: str = "") -> str:
    head = "".join(headings)
    return (
        f'<table class="{kind}" aria-label="{caption}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _headings(keys: Sequence[str], numbers: Sequence[str] = ()) -> list[str]:
    kinds = ["number" if key in numbers else key for key in keys]
    return [
        f'<th scope="col" class="{kind}">{_say(f"column.{key}")}</th>'
        for key, kind in zip(keys, kinds, strict=True)
    ]


# --- Bots against bots ----------------------------------------------------------------------------


def _results(report: Json) -> str:
    keys = ["bot", "win_share", "mean_rank", "margin", "time", "seat_games"]
    ordered = sorted(report["bots"], key=lambda bot: -bot["win_share"]["value"])
    rows = []
    for bot in ordered:
        seconds = report["time"]["seconds_per_move"][bot["name"]]
        text = [percent(bot["win_share"]), number(bot["mean_rank"]), number(bot["margin"])]
        text += [duration(seconds), f"{bot['games']:,}"]
        cells = "".join(f'<td class="number">{cell}</td>' for cell in text)
        rows.append(f'<tr><th scope="row">{escape(bot["name"])}</th>{cells}</tr>')
    table = _table(_say("results.title"), _headings(keys, keys[1:]), rows)
    speed = f"{report['time']['decisions_per_second']:,.0f}"
    par = f"{100 / report['seats']:.1f}"
    return table + f'<p class="faint">{_say("speed", par=par, rate=speed)}</p>'


def _ratings(report: Json) -> str:
    ordered = sorted(report["bots"], key=lambda bot: -bot["rating"]["value"])
    on = scale([bot["rating"] for bot in ordered], 25.0)
    rows = [(escape(bot["name"]), bot["rating"], number(bot["rating"])) for bot in ordered]
    return _dots("ratings", "bot", rows, on, 25.0)


def _dots(
    key: str,
    first: str,
    rows: Iterable[tuple[str, dict[str, float], str]],
    on: Scale,
    par: float | None,
) -> str:
    """Return a table with a plot in the middle of each row."""
    text = [
        f'<tr><th scope="row">{name}</th><td class="plot">{interval_plot(interval, on, par)}</td>'
        f'<td class="number">{text}</td></tr>'
        for name, interval, text in rows
    ]
    return _table(_say(f"{key}.title"), _headings([first, "plot", "value"], ["value"]), text)


def _cross(report: Json) -> str:
    names = [bot["name"] for bot in report["bots"]]
    headings = [f'<th scope="col">{_say("column.above")}</th>']
    headings += [f'<th scope="col">{escape(name)}</th>' for name in names]
    rows = []
    for name, line in zip(names, report["cross"], strict=True):
        cells = "".join(
            "<td></td>" if cell is None else f"<td {heat_cell(cell['value'])}>{percent(cell)}</td>"
            for cell in line
        )
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return _table(_say("cross.title"), headings, rows, "heat")


# --- Figures about the game ----------------------------------------------------------------------


def _table_parts(report: Json, rules: Mapping[str, Sequence[str]]) -> str:
    seats, lengths = _seats(report), _lengths(report)
    pair = _section("seat_advantage", seats) + _section("length", lengths)
    course = _section("course", _course(report)) + _section("endings", _endings(report))
    decided = _section("decided_by", _decided_by(report, rules))
    decided += _section("decided_with", _decided_with(report))
    return "".join(f'<div class="pair">{parts}</div>' for parts in (pair, course, decided))


def _seats(report: Json) -> str:
    game = report["game"]
    par = 1 / report["seats"]
    on = scale([*report["by_order"], *report["by_seat"]], par)
    rows = [
        (_say("place", place=place + 1), share, percent(share))
        for place, share in enumerate(report["by_order"])
    ]
    rows += [
        (escape(say(f"{game}.seat.{seat}", {})), share, percent(share))
        for seat, share in enumerate(report["by_seat"])
    ]
    return _dots("seat_advantage", "seat", rows, on, par)


def _lengths(report: Json) -> str:
    what = say(f"{report['game']}.about.round", {})
    text = ""
    for key, name in (("rounds", _say("rounds", what=what)), ("decisions", _say("decisions"))):
        figures = report[key]
        middle = _say(
            "tenths", tenth=figures["tenth"], median=figures["median"], ninth=figures["ninth"]
        )
        text += f"<h3>{name}: {number(figures['mean'])}</h3>"
        text += f'<p class="faint">{middle}</p>{histogram(figures["bars"], name)}'
    return text


def _course(report: Json) -> str:
    figures = [
        ("comebacks", percent),
        ("half_time_leader", percent),
        ("lead_changes", number),
        ("decided_after", percent),
        ("shared", percent),
    ]
    rows = [
        f'<tr><th scope="row">{_say(f"course.{key}")}</th>'
        f'<td class="number">{format_value(report[key])}</td></tr>'
        for key, format_value in figures
    ]
    return _table(_say("course.title"), _headings(["figure", "value"], ["value"]), rows)


def _endings(report: Json) -> str:
    rows = [(_spaced(ending), share, percent(share)) for ending, share in report["endings"].items()]
    return _dots("endings", "ending", rows, Scale(0.0, 1.0), None)


def _decided_by(report: Json, rules: Mapping[str, Sequence[str]]) -> str:
    rows = [
        f'<tr><th scope="row">{_spaced(key)}</th>'
        f"<td>{escape(', '.join(rules.get(key, ())))}</td>"
        f'<td class="number">{percent(share)}</td></tr>'
        for key, share in list(report["decided_by"].items())[:MOST_ROWS]
    ]
    headings = _headings(["event", "rules", "value"], ["value"])
    return _table(_say("decided_by.title"), headings, rows)


def _decided_with(report: Json) -> str:
    known = sentences()
    rows = []
    for thing, share in list(report["decided_with"].items())[:MOST_ROWS]:
        name, _, value = thing.partition("=")
        word = known.get(f"{report['game']}.{name}.{value}", value)
        rows.append(
            f'<tr><th scope="row">{escape(word)}</th><td>{_spaced(name)}</td>'
            f'<td class="number">{percent(share)}</td></tr>'
        )
    headings = _headings(["thing", "kind", "value"], ["value"])
    return _table(_say("decided_with.title"), headings, rows)


def _spaced(key: str) -> str:
    return escape(key.replace("_", " "))


# --- House rules against house rules --------------------------------------------------------------


def _variants(reports: Mapping[str, Json]) -> str:
    """Return a row for each variant: what a host wants to see before choosing."""
    keys = ["rules", "first", "rounds", "comebacks", "half_time_leader", "lead_changes"]
    keys += ["decided_after", "shared"]
    rows = []
    for name, report in reports.items():
        text = [percent(report["by_order"][0]), number(report["rounds"]["mean"])]
        text += [percent(report["comebacks"]), percent(report["half_time_leader"])]
        text += [number(report["lead_changes"]), percent(report["decided_after"])]
        text += [percent(report["shared"])]
        cells = "".join(f'<td class="number">{cell}</td>' for cell in text)
        link = f'<a href="#{escape(name)}">{escape(name)}</a>'
        words = f"<small>{_variant(report['game'], name)}</small>"
        rows.append(f'<tr><th scope="row">{link} {words}</th>{cells}</tr>')
    return _table(_say("variants.title"), _headings(keys, keys[1:]), rows, "variants")


def _variant(game: str, name: str) -> str:
    """Return house rules in words: an edition, or an option with its value."""
    key, changed, value = name.partition("=")
    if not changed:
        return _say("edition", edition=name)
    known: Mapping[str, Any] = sentences()
    option = known.get(f"{game}.option.{key}.name", key)
    return escape(f"{option}: {known.get(f'{game}.option.{key}.{value}', value)}")
