"""Reference values of the metrics of an equity marked to market, computed by their definitions in decimals of 60 digits, with
nothing of the gateway's code: python3 equity-references.py > equity-references.json

A history is a capital, and for each day what it realised (net of fees and funding) and the samples of that day: when, what
was paid in so far, what all trading had brought so far (unrealised included), and what of it was unrealised.
  equity of a day    paid in + brought, of its last sample; without one the equity of the day before + what it realised
  growth of a day    equity / equity of the day before. Money that came in between two samples cuts the day: each piece grows
                     from its start to the equity before the money came, and the growths are multiplied. On the first sampled
                     day the piece begins with the equity of the day before + what was unrealised at the first sample.
  return             growth - 1
  index              the growths multiplied; drawdowns are of it
  drawdown in USD    what the days between peak and trough brought, money that came left out
The other metrics are those of portfolio-references.py, of these returns.

By hand, `deposit-at-noon`: 1000; a sample at 1100; 900 come in, equity 2000; a sample at 1800. Day: 1100 / 1000 * 1800 / 2000
= 0.99, a return of -1 %, where 1800 / 1000 would be +80 %. The day before: 1000 / 1000. Brought: 100 - 200 = -100.
"""
import json
from decimal import Decimal as D, getcontext

getcontext().prec = 60
YEAR = D(365)


def growths(capital, days):
    equity, paid, first = capital, None, True
    out = []
    for day in days:
        start, base = equity, equity
        growth, came = D(1), D(0)
        samples = day["samples"]
        if samples:
            if paid is None:
                paid = samples[0]["deposits"]
            if first:
                base += samples[0]["unrealized"]
                first = False
            begin = base
            for sample in samples:
                value = sample["deposits"] + sample["pnl"]
                flow = sample["deposits"] - paid
                if flow != 0:
                    growth *= (value - flow) / base
                    base = value
                    came += flow
                    paid = sample["deposits"]
                equity = value
            growth *= equity / base
            out.append({"equity": equity, "growth": growth, "gain": equity - begin - came, "came": came,
                        "net": day["net"], "unrealized": equity - start - came - day["net"], "basis": "MARKED"})
        else:
            equity = start + day["net"]
            out.append({"equity": equity, "growth": equity / start, "gain": day["net"], "came": D(0),
                        "net": day["net"], "unrealized": D(0), "basis": "REALIZED"})
    return out


def metrics(rows):
    returns = [row["growth"] - 1 for row in rows]
    n = len(returns)
    out = {"sharpe": None, "sortino": None, "calmar": None, "volatility": None, "valueAtRisk95": None,
           "expectedShortfall95": None, "ulcerIndex": None, "maxDrawdown": None}
    mean = sum(returns) / n
    if n >= 2:
        s = (sum((r - mean) ** 2 for r in returns) / (n - 1)).sqrt()
        out["volatility"] = s * YEAR.sqrt()
        out["sharpe"] = mean / s * YEAR.sqrt() if s > 0 else None
        down = (sum(min(r, D(0)) ** 2 for r in returns) / n).sqrt()
        out["sortino"] = mean / down * YEAR.sqrt() if down > 0 else None
    if n >= 20:
        ordered = sorted(returns)
        rank = D("0.05") * (n - 1)
        low = int(rank)
        cut = ordered[low] + (ordered[min(low + 1, n - 1)] - ordered[low]) * (rank - low)
        tail = [r for r in ordered if r <= cut]
        out["valueAtRisk95"] = -cut
        out["expectedShortfall95"] = -sum(tail) / len(tail)
    index, brought, peak, peak_at, falls = D(1), D(0), D(1), (D(0), 0), []
    deepest = None
    curve = []
    for number, row in enumerate(rows):
        index *= row["growth"]
        brought += row["gain"]
        curve.append(index)
        if index > peak:
            peak, peak_at = index, (brought, number)
        share = (peak - index) / peak
        falls.append(share)
        if share > 0 and (deepest is None or share > deepest["share"]):
            deepest = {"share": share, "value": peak_at[0] - brought, "from": peak_at[1], "to": number, "peak": peak}
    out["ulcerIndex"] = (sum((100 * f) ** 2 for f in falls) / n).sqrt()
    out["maxDrawdown"] = {"value": D(0), "pct": D(0), "from": None, "to": None, "recoveredAt": None}
    if deepest is not None:
        back = next((day for day in range(deepest["to"] + 1, n) if curve[day] >= deepest["peak"]), None)
        out["maxDrawdown"] = {"value": deepest["value"], "pct": deepest["share"] * 100, "from": deepest["from"],
                              "to": deepest["to"], "recoveredAt": back}
        if n >= 2:
            out["calmar"] = ((index.ln() * (YEAR / n)).exp() - 1) / deepest["share"]
    return out


def word(value):
    if isinstance(value, D):
        return format(value.quantize(D("1e-14")), "f")
    if isinstance(value, dict):
        return {k: word(v) for k, v in value.items()}
    return [word(v) for v in value] if isinstance(value, list) else value


def exact(value):
    if isinstance(value, D):
        return format(value, "f")
    if isinstance(value, dict):
        return {k: exact(v) for k, v in value.items()}
    return [exact(v) for v in value] if isinstance(value, list) else value


def case(name, capital, days):
    days = [{"net": D(net), "samples": [{"minute": minute, "deposits": D(deposits), "pnl": D(pnl), "unrealized": D(open_)}
                                        for minute, deposits, pnl, open_ in samples]} for net, samples in days]
    rows = growths(D(capital), days)
    series = [{k: row[k] for k in ("equity", "net", "unrealized", "came", "basis")} for row in rows]
    return {"name": name, "capital": capital, "days": exact(days), "series": exact(series),
            "returns": word([row["growth"] - 1 for row in rows]), "expected": word(metrics(rows))}


def draws(seed, count, scale):
    """A linear congruential generator (Numerical Recipes), centred: the same numbers everywhere."""
    state, made = seed, []
    for _ in range(count):
        state = (1664525 * state + 1013904223) % 2 ** 32
        made.append(((D(state) / D(2 ** 32) - D("0.48")) * scale).quantize(D("0.000001")))
    return made


def held(count, deposits_of, sampled_from=0, gaps=()):
    """A trader who is always in the market: an open result that moves every day, a third of it realised now and then."""
    moves, realised, total, open_, days = draws(23, count, 1800), D(0), D(0), D(0), []
    for day, move in enumerate(moves):
        samples = []
        paid_before, paid = deposits_of(day - 1), deposits_of(day)
        early = (move / 3).quantize(D("0.000001"))
        net = D(0)
        for minute, part in ((60, early), (720, D(0)), (1439, move - early)):
            total += part
            open_ += part
            if minute == 1439 and day % 3 == 2:
                taken = (open_ / 3).quantize(D("0.000001"))
                net, open_ = taken, open_ - taken
                realised += taken
            samples.append((minute, str(paid_before if minute < 720 else paid), str(total), str(open_)))
        is_sampled = day >= sampled_from and day not in gaps
        days.append((str(net), samples if is_sampled else []))
    return days


print(json.dumps([
    case("deposit-at-noon", "1000", [
        ("0", [(1439, "1000", "0", "0")]),
        ("0", [(600, "1000", "100", "100"), (720, "1900", "100", "100"), (1439, "1900", "-100", "-100")]),
    ]),
    case("open-results-move-every-day", "100000", held(120, lambda day: 100000)),
    case("deposits-and-withdrawals", "100000",
         held(90, lambda day: 100000 if day < 20 else 150000 if day < 45 else 90000)),
    case("sampling-began-later", "100000", held(60, lambda day: 100000, 25)),
    case("days-without-a-sample", "100000", held(60, lambda day: 100000, 0, (10, 11, 12, 30))),
    # 40,000 lost, then a paper reset: what is left goes out, 100,000 come in.
    case("a-paper-reset", "100000", [
        ("0", [(1439, "100000", "-15000.5", "-15000.5")]),
        ("-40000", [(1200, "100000", "-40000", "0"), (1210, "140000", "-40000", "0"), (1439, "140000", "-39000", "1000")]),
        ("1500", [(1439, "140000", "-38500", "0")]),
    ]),
], separators=(",", ":")))
