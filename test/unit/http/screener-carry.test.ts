/** The carry of a screened pair is of the legs that the dashboard names and fills in: 1 of the first to h of the second. */
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { getScreener } from '../../../gateway/contract/screener.ts';
import { screenerRoutes } from '../../../gateway/http/routes/screener.ts';
import type { ScreenedPair } from '../../../gateway/market/screener/screener.ts';

/** Yearly rates, as fractions, at one payment an hour. */
const YEARLY: Readonly<Record<string, number>> = { APE: 0.1095, BTC: 0.3358, NEW: Number.NaN };

describe('the carry of a screened pair', () => {
  async function carries(over: readonly Partial<ScreenedPair>[]): Promise<readonly (string | null)[]> {
    const pairs = over.map(
      (one): ScreenedPair => ({
        first: 'APE',
        second: 'BTC',
        observations: 2_160,
        correlation: 0.5,
        hedgeRatio: 1,
        zScore: -2,
        halfLife: 40,
        statistic: -3,
        pValue: 0.05,
        sparkline: [],
        ...one,
      }),
    );
    const [route] = screenerRoutes({
      market: {
        has: () => true,
        instrument: () => undefined,
        stats: () => undefined,
        funding: (_, id) => {
          const rate = YEARLY[id] ?? Number.NaN;
          if (Number.isNaN(rate)) return undefined;
          const [intervalHours, nextFundingTime, updatedAt] = [1, 0, 0];
          return { id, symbol: id, rate: String(rate / 8_760), intervalHours, nextFundingTime, updatedAt };
        },
      },
      screener: {
        of: () => ({
          screen: { asOf: 0, computedAt: 0, instruments: Object.keys(YEARLY), pairs },
          progress: null,
          error: null,
        }),
      },
    });
    const reply = await route?.handle({
      principal: { kind: 'session', userId: 'nobody', sessionId: 'none' },
      account: null,
      params: undefined,
      query: getScreener.query.parse({ connector: 'paper', orderBy: 'carryApr' }),
      body: undefined,
      headers: {},
      peer: 'unknown',
      ip: '127.0.0.1',
      connection: new PassThrough(),
    });
    const answer = getScreener.success[200].parse(reply?.body);
    return answer.pairs.map(({ carryApr }) => carryApr);
  }
  const rounded = async (over: Partial<ScreenedPair>) => Number((await carries([over]))[0]).toFixed(4);

  it('is of 1 of the first to h of the second, on the side that gains when z returns', async () => {
    // Long 1 APE pays 10.95 %, short 0.488 BTC receives 33.58 % on it: (16.387 − 10.95) ÷ 1.488 = 3.654 %.
    expect(await rounded({ hedgeRatio: 0.488 })).to.equal('0.0365');
    expect(await rounded({ hedgeRatio: 0.488, zScore: 2 })).to.equal('-0.0365');
    // (1.679 − 0.1095) ÷ 6
    expect(await rounded({ hedgeRatio: 5 })).to.equal('0.2616');
  });

  it('is of equal legs where h cannot be traded by', async () => {
    // (33.58 − 10.95) ÷ 2
    for (const hedgeRatio of [-0.4, 0.099, 10.01, Number.NaN])
      expect(await rounded({ hedgeRatio }), String(hedgeRatio)).to.equal('0.1132');
    expect(await rounded({ hedgeRatio: 10 })).to.equal('0.2953');
  });

  it('is what the pairs are sorted by, and null while a rate is not known', async () => {
    const [least, more, unknown] = await carries([
      { second: 'NEW' },
      { hedgeRatio: 5 },
      { hedgeRatio: 0.488 },
    ]);
    expect([Number(least).toFixed(4), Number(more).toFixed(4), unknown]).to.deep.equal([
      '0.0365',
      '0.2616',
      null,
    ]);
  });
});
