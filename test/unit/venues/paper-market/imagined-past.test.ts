/** Prices imagined by the paper venues for times that nobody recorded: one path through the known prices. */
import { expect } from 'chai';
import type { Candle } from '../../../../gateway/domain/candle.ts';
import { imaginedPast } from '../../../../gateway/venues/paper/market/imagined-past.ts';
import { paperInstruments } from '../../../../gateway/venues/paper/market/instruments.ts';
import {
  priceGridOf,
  roundNearest,
  unitsAbove,
  unitsText,
} from '../../../../gateway/venues/paper/market/price-grid.ts';
import { PriceProcess, STEP_MS } from '../../../../gateway/venues/paper/market/price-process.ts';
import { UNDERLYINGS } from '../../../../gateway/venues/paper/market/underlyings.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const END = Date.UTC(2026, 0, 31);
const instruments = paperInstruments('paper');

const market = (seed: number) => imaginedPast({ seed, instruments, parameters: UNDERLYINGS, startAt: END });

describe('the imagined past', () => {
  const imagine = market(7);
  const btc = {
    symbol: 'BTC-PERP',
    interval: '1m',
    before: null,
    after: { at: END, price: '117571' },
  } as const;
  const logs = (candles: readonly Candle[]) => candles.map(({ close }) => Math.log(Number(close)));
  const returns = (candles: readonly Candle[]) => {
    const all = logs(candles);
    return all.slice(1).map((value, index) => value - (all[index] ?? 0));
  };
  const deviation = (values: readonly number[]) =>
    Math.sqrt(values.reduce((total, value) => total + value * value, 0) / values.length);

  it('is one path, in whatever pieces it is asked for', () => {
    const whole = imagine({ ...btc, from: END - 6 * 3_600_000, to: END });
    const pieces = [5, 4, 3, 2, 1, 0].flatMap((ago) =>
      imagine({ ...btc, from: END - (ago + 1) * 3_600_000, to: END - ago * 3_600_000 }),
    );
    expect(pieces).to.deep.equal(whole);
    expect(whole).to.have.length(360);
  });

  it('has no steps: each candle begins where the last one ended', () => {
    const minutes = imagine({ ...btc, from: END - DAY_MS, to: END });
    for (const [index, candle] of minutes.slice(1).entries())
      expect(candle.open).to.equal(minutes[index]?.close);
    expect(minutes.at(-1)?.close).to.equal('117571');
  });

  it('goes from the known price before to the known price after', () => {
    const from = END - 8 * 3_600_000;
    const gap = imagine({ ...btc, from, to: END, before: { at: from, price: '110000' } });
    expect(gap[0]?.open).to.equal('110000');
    expect(gap.at(-1)?.close).to.equal('117571');
  });

  it('moves as much as the market that it stands for, and together with it', () => {
    const from = END - 5 * DAY_MS;
    const eth = imagine({ ...btc, symbol: 'ETH-PERP', after: { at: END, price: '3742.9' }, from, to: END });
    const own = returns(imagine({ ...btc, from, to: END }));
    const other = returns(eth);
    const [btcSigma, ethSigma, beta] = [
      UNDERLYINGS[0]?.sigma ?? 0,
      UNDERLYINGS[1]?.sigma ?? 0,
      UNDERLYINGS[1]?.beta ?? 0,
    ];
    expect(deviation(other) / deviation(own) / (ethSigma / btcSigma)).to.be.within(0.9, 1.1);
    const covariance =
      own.reduce((total, value, index) => total + value * (other[index] ?? 0), 0) / own.length;
    expect(covariance / deviation(own) ** 2 / beta).to.be.within(0.95, 1.05);
  });

  it('is where the live market was going, before it and after it', () => {
    const live = new PriceProcess(UNDERLYINGS, 7, END);
    const logs: number[] = [];
    const minutes = 90;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let at = STEP_MS; at <= MINUTE_MS; at += STEP_MS) live.step(END + minute * MINUTE_MS + at);
      logs.push(live.logPrice[0] ?? 0);
    }
    const before = { at: END, price: '117571' };
    const to = END + minutes * MINUTE_MS;
    const after = { at: to, price: String(Math.exp(logs.at(-1) ?? 0)) };
    const gap = imagine({ ...btc, from: END, to, before, after });
    // Prices of BTC are whole dollars.
    for (const [k, { close }] of gap.entries())
      expect(Number(close)).to.be.closeTo(Math.exp(logs[k] ?? 0), 0.51);
  });

  it('has prices that the instrument can have', () => {
    for (const instrument of instruments) {
      const price = UNDERLYINGS.find(({ ticker }) => ticker === instrument.symbol)?.price ?? 1;
      const candles = imagine({
        symbol: instrument.id,
        interval: '5m',
        from: END - 3_600_000,
        to: END,
        before: null,
        after: { at: END, price: String(price) },
      });
      expect(candles).to.have.length(12);
      const grid = priceGridOf(instrument);
      for (const { open, high, low, close } of candles) {
        for (const value of [open, high, low, close]) {
          const units = unitsAbove(value, grid.decimals);
          expect(unitsText(roundNearest(grid, units), grid.decimals)).to.equal(value);
        }
      }
    }
  });

  it('is another one with another seed, and nothing for an instrument that is not listed', () => {
    const range = { from: END - 3_600_000, to: END };
    expect(market(8)({ ...btc, ...range })).to.not.deep.equal(imagine({ ...btc, ...range }));
    expect(imagine({ ...btc, ...range, symbol: 'NOPE-PERP' })).to.deep.equal([]);
    expect(imagine({ ...btc, from: END, to: END })).to.deep.equal([]);
  });
});
