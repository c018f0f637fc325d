/**
 * A stop-loss at a ratio of several legs while the weights of its position change: its distance to the ratio stays, so that
 * what stands still closes nothing, and what moves as far as was asked closes.
 */
import { expect } from 'chai';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { weightRatioOf } from '../support/stop-model.ts';
import { usd } from '../support/trader.ts';

const PAIR = [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')];

describe('a stop-loss at a ratio of several legs', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));

  async function protectedPair(): Promise<string> {
    const { id } = await desk.openedByUser(PAIR);
    const value = String(Number((weightRatioOf(await desk.position(id)) * 0.95).toPrecision(8)));
    const stopLoss = { type: 'WEIGHTED_RATIO', value };
    await desk.expect('user', 'PUT', `/positions/${id}/brackets`, { stopLoss });
    return id;
  }
  async function ordered(body: object, path = '/trade/open'): Promise<void> {
    await desk.expect('user', 'POST', path, body, 202);
    await guarded.gateway.pass();
  }
  function isFivePercentAway(position: Json): void {
    expect(position.status).to.equal('OPEN');
    const [{ now, firesAt }] = position.protection;
    expect(Number(now)).to.be.closeTo(weightRatioOf(position), 1e-6 * Number(now));
    expect(Number(firesAt) / Number(now)).to.be.closeTo(0.95, 0.002);
    expect(Number(position.stopLoss.level)).to.equal(Number(firesAt));
  }

  const CHANGES: readonly (readonly [what: string, change: (id: string) => Promise<void>])[] = [
    [
      'less of the long leg is added',
      () => ordered({ type: 'MARKET', legs: [usd('BTC', 'BUY', '50'), PAIR[1]] }),
    ],
    [
      'less of the short leg is added',
      () => ordered({ type: 'MARKET', legs: [PAIR[0], usd('ETH', 'SELL', '50')] }),
    ],
    [
      'some of one leg is closed',
      async (id) => {
        const [{ quantity }] = (await desk.position(id)).legs;
        const targets = [{ symbol: 'BTC-PERP', quantity: (Number(quantity) * 0.6).toFixed(5) }];
        await ordered({ intent: 'REDUCE', targets }, `/positions/${id}/adjust`);
      },
    ],
  ];
  for (const [what, change] of CHANGES)
    it(`keeps its distance where ${what}, and fires after it`, async () => {
      const id = await protectedPair();
      await change(id);
      isFivePercentAway(await desk.position(id));
      await guarded.gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.8);
      for (let looks = 0; looks < 20; looks += 1) await guarded.gateway.pass();
      expect((await desk.position(id)).status).to.equal('CLOSED');
      await guarded.gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.25);
    });

  for (const transform of ['SPREAD', 'Z_SCORE'])
    it(`of a transform (${transform}) watches the ratio of its first weights, whatever is added`, async () => {
      const { id } = await desk.openedByUser(PAIR);
      const value = async () => {
        await guarded.gateway.pass();
        const { stopLoss } = await desk.position(id);
        return Number((await desk.user('GET', `/triggers/${stopLoss.triggerId}`)).json.lastValue);
      };
      const protect = async (level: number) => {
        const stopLoss = { type: 'WEIGHTED_RATIO', transform, lookback: 24, value: String(level) };
        await desk.expect('user', 'PUT', `/positions/${id}/brackets`, { stopLoss });
      };
      await protect(-90);
      const before = await value();
      await protect(Number((before - 0.05).toFixed(4)));
      for (const [long, short] of [
        ['480', '12'],
        ['12', '970'],
        ['12', '970'],
      ] as const) {
        await ordered({ type: 'MARKET', legs: [usd('BTC', 'BUY', long), usd('ETH', 'SELL', short)] });
        expect(await value()).to.be.closeTo(before, 0.02);
        expect((await desk.position(id)).status).to.equal('OPEN');
      }
    });

  it('is at the asked distance where lots make other weights of an order', async () => {
    const legs = [usd('BTC', 'BUY', '12'), usd('ETH', 'SELL', '10.9')];
    const { markets } = (await desk.user('GET', '/markets?connector=paper&limit=200')).json;
    const asked = weightRatioOf({
      legs: legs.map(({ symbol, side, amount }) => ({
        ...{ side, quantity: '1', entryPrice: amount },
        markPrice: markets.find((market: Json) => market.id === symbol).price,
      })),
    });
    const stopLoss = { type: 'WEIGHTED_RATIO', value: String(Number((asked * 0.95).toPrecision(8))) };
    const shown = (await desk.user('POST', '/trade/open', { type: 'MARKET', legs, stopLoss, dryRun: true }))
      .json;
    const { id } = await desk.openedByUser(legs, { stopLoss });
    const position = await desk.position(id);
    isFivePercentAway(position);
    expect(Number(shown.protection[0].firesAt)).to.be.closeTo(Number(position.protection[0].firesAt), 0.01);
  });
});
