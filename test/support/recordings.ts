/** The recorded candles that stand beside a checkout (`shared/data`), where there are any. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const ROOT = resolve(import.meta.dirname, '..', '..');
const PLACES = ['..', '../..'].map((up) => resolve(ROOT, up, 'shared', 'data', 'hyperliquid-perps'));

/** null: there are none on this machine. */
export function recordingsFolder(): string | null {
  return PLACES.find((place) => existsSync(resolve(place, 'calibration.json'))) ?? null;
}

/** Logarithms of the closes of each instrument, in the order of the tickers. */
export async function recordedLogs(
  file: string,
  tickers: readonly string[],
): Promise<readonly Float64Array[]> {
  const rows = gunzipSync(await readFile(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  const logs = new Map<string, { readonly at: number; readonly log: number }[]>();
  for (const row of rows) {
    const [symbol = '', at, , , , close] = row.split(',');
    const known = logs.get(symbol) ?? [];
    known.push({ at: Number(at), log: Math.log(Number(close)) });
    logs.set(symbol, known);
  }
  return tickers.map((ticker) => {
    const known = logs.get(ticker) ?? [];
    return Float64Array.from(
      known.sort((a, b) => a.at - b.at),
      ({ log }) => log,
    );
  });
}
