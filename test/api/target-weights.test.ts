/** Target weights over HTTP: quantities that the trader names, and what a rebalance then proposes. */
import { expect } from 'chai';
import { base, ClosingDesk } from '../support/closing-desk.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';

describe('target weights over HTTP', () => {
  const desk = openForSuite(
    () => ClosingDesk.open(),
    ({ gateway }) => gateway.close(),
  );
  let position: string;

  before(async () => {
    position = await desk.basket([base('BTC', 'BUY', '0.1'), base('ETH', 'SELL', '2')]);
  });

  async function adjust(intent: 'INCREASE' | 'REDUCE', symbol: string, quantity: string): Promise<Json> {
    const body = { intent, targets: [{ symbol, quantity }] };
    const { execution } = await desk.post(`/positions/${position}/adjust`, body);
    const ended = await desk.bot.ended(execution.id);
    expect(ended.status, JSON.stringify(ended)).to.equal('COMPLETED');
    return ended;
  }

  /** Largest distance of a leg from its target weight, and whether a rebalance would trade anything. */
  async function plan(): Promise<{ readonly drift: number; readonly trades: boolean }> {
    const { drift, legs } = await desk.post(`/positions/${position}/rebalance/plan`, {}, 200);
    return { drift: Number(drift), trades: legs.some(({ skipped }: Json) => !skipped) };
  }

  for (const [intent, symbol, quantity] of [
    ['REDUCE', 'ETH-PERP', '1'],
    ['INCREASE', 'BTC-PERP', '0.4'],
  ] as const)
    it(`those of an adjustment become the targets: ${intent}`, async () => {
      await adjust(intent, symbol, quantity);
      const { drift, trades } = await plan();
      expect(drift).to.be.below(0.001);
      expect(trades).to.equal(false);
    });
});
