/** Value compared by a trigger on the z-score of BTC ÷ ETH, by a test's own arithmetic over its legs' prices. */
import { expect } from 'chai';
import { systemClock } from '../../gateway/system/clock.ts';
import type { Trader } from './trader.ts';

const HOUR_MS = 3_600_000;

/**
 * ln(ratio) less its mean over the hours before this one, in its sample standard deviations.
 * @param ratio left out: that of now
 */
export async function zOfRatio(trader: Trader, hours: number, ratio?: string): Promise<number> {
  const read = async (path: string) => (await trader.call('GET', path)).json;
  const hour = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  const range = `interval=1h&from=${hour - hours * HOUR_MS}&to=${hour}`;
  const logsOf = async (symbol: string): Promise<readonly number[]> =>
    (await read(`/candles?connector=paper&symbol=${symbol}&${range}`)).candles.map(
      ({ close }: { readonly close: string }) => Math.log(Number(close)),
    );
  const [bitcoin, ether] = [await logsOf('BTC-PERP'), await logsOf('ETH-PERP')];
  expect(bitcoin).to.have.length(hours);
  const logs = bitcoin.map((log, at) => log - (ether[at] ?? Number.NaN));
  const mean = logs.reduce((sum, log) => sum + log, 0) / hours;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (hours - 1);
  const now =
    ratio ?? (await read('/analytics/pair/summary?connector=paper&long=BTC-PERP&short=ETH-PERP')).ratio;
  return (Math.log(Number(now)) - mean) / Math.sqrt(variance);
}

/** `−0.34` as a number. */
export const figureOf = (text: string) => Number(text.replace('−', '-'));
