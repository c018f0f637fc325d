"""Reference values of the portfolio metrics, computed by their definitions in decimals of 60 digits, with nothing of the
gateway's code: python3 portfolio-references.py > portfolio-references.json

A history is a capital and what each day brought. Every day from the first with anything to the end counts; the return of
a day is what it brought / equity at its start. n days, mean m, returns r:
  volatility  s * sqrt(365), s = sqrt(sum((r - m)^2) / (n - 1))
  sharpe      m / s * sqrt(365)
  sortino     m / sqrt(sum(min(r, 0)^2) / n) * sqrt(365)
  VaR 95      -(quantile at rank 0.05 * (n - 1) of the sorted returns, linear between ranks), from 20 days on
  ES 95       -(mean of the returns <= that quantile)
  drawdown    (highest equity so far, the capital included - equity) / that highest equity, at the end of a day
  ulcer       sqrt(mean of (100 * drawdown)^2)
  calmar      ((end / capital)^(365 / n) - 1) / deepest drawdown
  beta        sum((r - m)(b - mb)) / sum((b - mb)^2) over the days with a market return b

One of them by hand, `two-days`: capital 1000, +100, -220. Returns 0.1 and -0.2; m = -0.05; s = sqrt(0.0225 + 0.0225)
= 0.2121320; volatility = 0.2121320 * 19.1049732 = 4.0527768; sharpe = -0.05 / 0.2121320 * 19.1049732 = -4.5030853;
downside = sqrt(0.04 / 2) = 0.1414214, sortino = -0.05 / 0.1414214 * 19.1049732 = -6.7546280; peak 1100, trough 880:
drawdown 220 = 20 %; ulcer = sqrt((0 + 400) / 2) = 14.1421356; calmar = (0.88^182.5 - 1) / 0.2 = -4.9999999996.
"""
import json
from decimal import Decimal as D, getcontext

getcontext().prec = 60
YEAR = D(365)


def metrics(capital, nets, market):
    equity, returns, curve = capital, [], []
    for net in nets:
        returns.append(net / equity if equity > 0 else None)
        equity += net
        curve.append(equity)
    known = [r for r in returns if r is not None]
    n = len(known)
    out = {"sharpe": None, "sortino": None, "calmar": None, "volatility": None, "valueAtRisk95": None,
           "expectedShortfall95": None, "beta": None, "ulcerIndex": None, "maxDrawdown": None, "rolling": None}
    if n == 0:
        return out
    mean = sum(known) / n
    spread = sum((r - mean) ** 2 for r in known)
    if n >= 2:
        s = (spread / (n - 1)).sqrt()
        out["volatility"] = s * YEAR.sqrt()
        if s > 0:
            out["sharpe"] = mean / s * YEAR.sqrt()
        down = (sum(min(r, D(0)) ** 2 for r in known) / n).sqrt()
        if down > 0:
            out["sortino"] = mean / down * YEAR.sqrt()
    if n >= 20:
        ordered = sorted(known)
        rank = D("0.05") * (n - 1)
        low = int(rank)
        cut = ordered[low] + (ordered[min(low + 1, n - 1)] - ordered[low]) * (rank - low)
        tail = [r for r in ordered if r <= cut]
        out["valueAtRisk95"] = -cut
        out["expectedShortfall95"] = -sum(tail) / len(tail)
    peak, peak_day, deepest, falls = capital, 0, (D(0), None, None, None), []
    for day, value in enumerate(curve):
        if value > peak:
            peak, peak_day = value, day
        share = (peak - value) / peak
        falls.append(share)
        if share > deepest[0]:
            deepest = (share, peak - value, peak_day, day)
    out["ulcerIndex"] = (sum((100 * f) ** 2 for f in falls) / len(falls)).sqrt()
    share, value, start, end = deepest
    recovered = None
    if start is not None:
        top = curve[end] + value
        recovered = next((day for day in range(end + 1, len(curve)) if curve[day] >= top), None)
        if len(curve) >= 2 and curve[-1] > 0:
            growth = (((curve[-1] / capital).ln()) * (YEAR / len(curve))).exp() - 1
            out["calmar"] = growth / share
    out["maxDrawdown"] = {"value": value or D(0), "pct": share * 100, "from": start, "to": end, "recoveredAt": recovered}
    pairs = [(r, b) for r, b in zip(returns, market) if r is not None and b is not None]
    if len(pairs) >= 2:
        own = sum(r for r, _ in pairs) / len(pairs)
        others = sum(b for _, b in pairs) / len(pairs)
        below = sum((b - others) ** 2 for _, b in pairs)
        if below > 0:
            out["beta"] = sum((r - own) * (b - others) for r, b in pairs) / below
    window = 7
    if n >= window:
        last = known[-window:]
        m = sum(last) / window
        s = (sum((r - m) ** 2 for r in last) / (window - 1)).sqrt()
        down = (sum(min(r, D(0)) ** 2 for r in last) / window).sqrt()
        out["rolling"] = {"sharpe": m / s * YEAR.sqrt() if s > 0 else None,
                          "sortino": m / down * YEAR.sqrt() if down > 0 else None,
                          "volatility": s * YEAR.sqrt()}
    return out


def draws(seed, count, scale):
    """A linear congruential generator (Numerical Recipes), centred: the same numbers everywhere."""
    state, made = seed, []
    for _ in range(count):
        state = (1664525 * state + 1013904223) % 2 ** 32
        made.append((D(state) / D(2 ** 32) - D("0.48")) * scale)
    return [d.quantize(D("0.000001")) for d in made]


def case(name, nets, market=None):
    """The venue says 100,000 after all of it."""
    nets = [D(net) for net in nets]
    market = [None if b is None else D(b) for b in (market or [None] * len(nets))]
    capital = D(100000) - sum(nets)
    return described(name, capital, nets, market)


def described(name, capital, nets, market):
    def word(value):
        if isinstance(value, D):
            return format(value.quantize(D("1e-14")), "f")
        return {k: word(v) for k, v in value.items()} if isinstance(value, dict) else value
    return {"name": name, "capital": format(capital, "f"), "nets": [format(net, "f") for net in nets],
            "market": [None if b is None else format(b, "f") for b in market], "expected": word(metrics(capital, nets, market))}


year = draws(7, 365, 2400)
gaps = ["0"] * 90
gaps[0], gaps[31], gaps[32], gaps[80] = "1250.5", "-3100.25", "40", "2600"
print(json.dumps([
    described("two-days", D(1000), [D(100), D(-220)], [None, None]),
    case("one-winning-trade", ["12.34"]),
    case("one-losing-trade", ["-512.5"]),
    case("all-losing", ["-100", "-250.75", "-31.2", "-900", "-5", "-77.7", "-410.01", "-66", "-1", "-2000"]),
    case("all-winning", ["10", "20", "30", "40", "50", "60", "70", "80"]),
    case("nothing-but-zeros", ["0"] * 25),
    case("recovers", ["500", "-1500", "300", "200", "1100", "-50", "900", "-1"]),
    case("gap-ridden", gaps),
    case("a-year", year, [None if i % 50 == 0 else d / 100000 for i, d in enumerate(draws(11, 365, 3000))]),
    case("loses-everything", ["-60000", "-40000", "25"]),
], indent=1))
