"""Reference values of test/unit/market/screener.test.ts: the statistics of all 4,950 pairs of 100 made instruments over
2,160 hours, from numpy (1.24.2) and statsmodels (0.13.5), both of Debian 12. Run from this folder:
python3 screener-reference.py"""

import csv
import math
import warnings

import numpy as np
from statsmodels.tsa.stattools import coint

HOURS, INSTRUMENTS = 2160, 100


class Draws:
    """Park and Miller's generator; test/support/screener-world.ts draws the same."""

    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = self.state * 48271 % 2147483647
        return self.state / 2147483647 - 0.5


def world():
    """ln of the prices: a market, ten groups, and a path of its own that comes back (by how much differs) or does not.
    One has gaps, one is young, one stands still."""
    draws = Draws(20260131)
    levels = [math.log(1 + i) for i in range(INSTRUMENTS)]
    market, groups, own = 0.0, [0.0] * 10, [0.0] * INSTRUMENTS
    columns = np.full((INSTRUMENTS, HOURS), np.nan)
    for hour in range(HOURS):
        market += draws.next() * 0.02
        for g in range(10):
            groups[g] += draws.next() * 0.01
        for i in range(INSTRUMENTS):
            keep = 1.0 if i % 3 == 0 else 0.9 + 0.001 * i
            own[i] = keep * own[i] + draws.next() * 0.01
            columns[i, hour] = levels[i] + (0.5 + 0.01 * i) * market + groups[i % 10] + own[i]
    columns[97, ::7] = np.nan
    columns[98, : HOURS - 500] = np.nan
    columns[99, :] = 0.0
    return columns


def statistics(y, x):
    known = ~np.isnan(y + x)
    y, x = y[known], x[known]
    n = len(y)
    if n < 30 or np.ptp(y) == 0 or np.ptp(x) == 0:
        return [n] + [None] * 6
    design = np.column_stack([np.ones(n), x])
    hedge = np.linalg.lstsq(design, y, rcond=None)[0]
    e = y - design @ hedge
    slope = np.linalg.lstsq(np.column_stack([np.ones(n - 1), e[:-1]]), np.diff(e), rcond=None)[0][1]
    half = math.log(2) / -math.log1p(slope) if -1 < slope < 0 else None
    lags = int(math.floor(round((n - 1) ** (1 / 3), 9)))
    statistic, p, _ = coint(y, x, trend="c", maxlag=lags, autolag=None)
    correlation = np.corrcoef(np.diff(y), np.diff(x))[0, 1]
    return [n, correlation, hedge[1], e[-1] / e.std(ddof=1), half, statistic, p]


warnings.simplefilter("ignore")
columns = world()
with open("screener-reference.csv", "w", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["first", "second", "n", "correlation", "hedge", "z", "halfLife", "statistic", "p"])
    for i in range(INSTRUMENTS):
        for j in range(i + 1, INSTRUMENTS):
            found = statistics(columns[i], columns[j])
            rows.writerow([i, j, found[0]] + ["" if v is None else f"{v:.9g}" for v in found[1:]])
