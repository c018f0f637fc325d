"""Reference values of test/unit/domain/pair-statistics.test.ts, computed from the definitions with numpy (2.4.6), which
solves least squares by a singular value decomposition. Run from this folder: python3 pair-reference.py"""

import csv
import math

import numpy as np

CRITICAL = [(-3.89644, -10.9519, -22.527), (-3.33613, -6.1101, -6.823), (-3.04445, -4.2412, -2.720)]


def closes(symbol):
    with open("candles-1m-btc-eth-sol.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["symbol"] == symbol]
    return [float(row["close"]) for row in sorted(rows, key=lambda row: int(row["t"]))]


def made(phi, count=400):
    """A random walk and a second one that an AR(1) spread ties to it; phi = 1: not tied."""
    state, short, long, level, spread = 12345, [], [], math.log(100), 0.0
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        level += (state / 2**31 - 0.5) * 0.02
        state = (1103515245 * state + 12345) % 2**31
        spread = phi * spread + (state / 2**31 - 0.5) * 0.01
        short.append(math.exp(level))
        long.append(math.exp(0.5 + 1.3 * level + spread))
    return long, short


def statistics(long, short):
    y, x = np.log(long), np.log(short)
    dy, dx = np.diff(y), np.diff(x)
    design = np.column_stack([np.ones_like(x), x])
    hedge = np.linalg.lstsq(design, y, rcond=None)[0]
    e = y - design @ hedge
    de = np.diff(e)
    lag = np.linalg.lstsq(np.column_stack([np.ones(len(de)), e[:-1]]), de, rcond=None)[0][1]
    lags = int(math.floor(round((len(e) - 1) ** (1 / 3), 9)))
    target = de[lags:]
    regressors = np.column_stack([e[lags:-1]] + [de[lags - i : len(de) - i] for i in range(1, lags + 1)])
    fit = np.linalg.lstsq(regressors, target, rcond=None)[0]
    rest = target - regressors @ fit
    variance = rest @ rest / (len(target) - regressors.shape[1])
    error = math.sqrt(variance * np.linalg.inv(regressors.T @ regressors)[0, 0])
    t = len(target)
    return {
        "correlation": np.corrcoef(dx, dy)[0, 1],
        "beta": np.cov(dx, dy)[0, 1] / np.var(dx, ddof=1),
        "intercept": hedge[0],
        "hedgeRatio": hedge[1],
        "spreadDeviation": e.std(ddof=1),
        "zScore": e[-1] / e.std(ddof=1),
        "halfLife": math.log(2) / -math.log1p(lag) if -1 < lag < 0 else None,
        "lags": lags,
        "statistic": fit[0] / error,
        "criticalValues": [b + b1 / t + b2 / t**2 for b, b1, b2 in CRITICAL],
    }


if __name__ == "__main__":
    for long, short in [("ETH", "BTC"), ("SOL", "ETH"), ("BTC", "SOL")]:
        print(long, short, statistics(closes(long), closes(short)))
    for phi in (0.5, 0.93, 1.0):
        print("made", phi, statistics(*made(phi)))
