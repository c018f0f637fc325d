/** A liquidation that comes near is told once a crossing: of a basket, an isolated leg, what was traded outside Tandem. */

import { expect } from 'chai';
import { fail, ok } from '../../../gateway/domain/result.ts';
import type { Venue, VenuePosition } from '../../../gateway/engine/ports/venue.ts';
import { LiquidationWatch } from '../../../gateway/engine/safety/liquidation-watch.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const RATE = 0.0125;
const LONG = [leg('AAA', 'BUY', '10', 'BASE')];
const PAIR = [leg('AAA', 'BUY', '10', 'BASE'), leg('BBB', 'SELL', '10', 'BASE')];

describe('a liquidation that comes near', () => {
  const desk = engineDeskForEachTest();
  let watch: LiquidationWatch;
  let equity = '1000000';
  let held: VenuePosition[] | null = null;
  let asked = 0;
  let stream: 'none' | 'silent' = 'none';
  let answers = true;

  beforeEach(async () => {
    [equity, held, asked, stream, answers] = ['1000000', null, 0, 'none', true];
    begin();
  });
  afterEach(async () => {
    watch.stop();
  });

  function begin(): void {
    const { venue } = desk;
    const info = { ...venue.info, capabilities: [...venue.info.capabilities, 'margin_change' as const] };
    const at: Venue = {
      ...venue,
      info,
      ...(stream === 'silent' ? { accountState: () => null } : {}),
      async balances(account) {
        asked += 1;
        if (!answers) return fail({ kind: 'unknown', message: 'no answer' });
        const answer = await venue.balances(account);
        return answer.ok ? ok({ ...answer.value, equity }) : answer;
      },
      positions: async (account) => (held === null ? venue.positions(account) : ok(held)),
    };
    const venues = { get: () => at, all: () => [at] };
    watch = new LiquidationWatch({ ...desk.engine.accept, venues }, () => [desk.account]);
    watch.start();
  }
  async function restart(): Promise<void> {
    watch.stop();
    await desk.start();
    begin();
  }
  /** Sets the distance to liquidation of ten AAA at 100 with cross margin, for two checks. */
  async function distance(fraction: number, ms = 2_100): Promise<void> {
    equity = String(1_000 * (fraction + (1 - fraction) * RATE));
    await desk.pass(ms);
  }
  const told = () => notificationsOf(desk);
  const distances = async () => (await told()).map(({ parameters }) => parameters.distance);

  it('is told with the account, the basket, what goes first, how far it is and what helps', async () => {
    const { positionId } = await desk.opened(LONG);
    await distance(0.3);
    expect(await told()).to.deep.equal([]);
    await distance(0.085);
    const [notification, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(notification).to.include({ category: 'LIQUIDATION_NEAR', isRead: false });
    expect(notification?.parameters).to.deep.equal({
      type: 'liquidation_near',
      tradeAccountId: desk.account.id,
      connector: 'scripted',
      positionId,
      legs: [{ id: 'AAA-PERP', symbol: 'AAA', side: 'BUY' }],
      instrument: { id: 'AAA-PERP', symbol: 'AAA' },
      distance: notification?.parameters.distance,
      reason: 'Cross margin, AAA first: price 8.5 % from liquidation. Reduce the position',
    });
    expect(Number(notification?.parameters.distance)).to.be.closeTo(0.085, 1e-6);
    const unit = desk.commits.find(({ unit }) => unit.notifications !== undefined)?.unit;
    expect(unit?.cursors).to.have.length(1);
    expect(unit?.events?.map(({ event }) => event)).to.deep.equal(['notification.created']);
  });

  it('of a pair is told as the move of its ratio, and once for the account however many baskets are near', async () => {
    await desk.opened(PAIR);
    await desk.opened([leg('CCC', 'BUY', '0.1', 'BASE')]);
    equity = '120';
    await desk.pass(2_100);
    const [notification, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(notification?.parameters.legs).to.have.length(2);
    expect(notification?.parameters.reason).to.match(/: price ratio 9\.\d % from liquidation/);
  });

  it('is told once a crossing, and again only after it was two points above the threshold', async () => {
    await desk.opened(LONG);
    for (const fraction of [0.2, 0.09, 0.11, 0.09, 0.04, 0.06, 0.04, 0.13, 0.09]) await distance(fraction);
    const told = (await distances()).map((text) => Number(text).toFixed(2));
    expect(told).to.deep.equal(['0.09', '0.04', '0.09']);
  });

  it('is told at the prices of now, not at those of the moment in which the venue told the equity', async () => {
    await desk.opened(LONG);
    await distance(0.3);
    const price = (1_000 * (1 - 0.3 - 0.7 * RATE)) / (10 * (1 - RATE));
    desk.venue.setMark('AAA-PERP', String(price / (1 - 0.08)));
    await desk.pass(2_100);
    const [text, ...more] = await distances();
    expect(more).to.deep.equal([]);
    expect(Number(text)).to.be.closeTo(0.08, 1e-6);
  });

  it('is not told twice over a restart', async () => {
    await desk.opened(LONG);
    await distance(0.09);
    await restart();
    await distance(0.085);
    expect(await distances()).to.have.length(1);
    await distance(0.04);
    await restart();
    await distance(0.045);
    expect(await distances()).to.have.length(2);
  });

  it('is told after a restart where the process died before it was written', async () => {
    await desk.opened(LONG);
    desk.storeRefuses = ({ notifications }) => notifications !== undefined;
    await distance(0.09);
    expect(desk.refused).to.be.greaterThan(0);
    expect(await told()).to.deep.equal([]);
    await restart();
    desk.storeRefuses = () => false;
    await distance(0.09);
    expect(await told()).to.have.length(1);
  });

  it('at prices of before is not told, nor is it forgotten what was', async () => {
    await desk.opened(LONG);
    desk.venue.setStale('AAA-PERP', true);
    await distance(0.04);
    expect(await told()).to.deep.equal([]);
    desk.venue.setStale('AAA-PERP', false);
    await distance(0.04);
    desk.venue.setStale('AAA-PERP', true);
    await distance(0.5);
    desk.venue.setStale('AAA-PERP', false);
    await distance(0.04);
    expect(await told()).to.have.length(1);
  });

  it('for a moment only, as while the legs of a basket fill, is no news', async () => {
    await desk.opened(LONG);
    await distance(0.3);
    await distance(0.04, 1_000);
    await distance(0.3);
    expect(await told()).to.deep.equal([]);
    await distance(0.09);
    await distance(0.3, 1_000);
    await distance(0.09);
    expect(await told()).to.have.length(1);
  });

  it('is told of an account whose state is known every few seconds only', async () => {
    await desk.opened(LONG);
    await distance(0.3);
    for (let reading = 0; reading < 2; reading += 1) {
      await distance(0.09, 1_000);
      answers = false;
      await desk.pass(4_000);
      answers = true;
    }
    await distance(0.09, 1_000);
    expect(await told()).to.have.length(1);
  });

  it('is not told by two looks between which nothing was known for long', async () => {
    await desk.opened(LONG);
    await distance(0.3);
    await distance(0.09, 1_000);
    answers = false;
    await distance(0.3, 12_000);
    answers = true;
    await distance(0.09, 1_000);
    await distance(0.3);
    expect(await told()).to.deep.equal([]);
    await distance(0.09);
    expect(await told()).to.have.length(1);
  });

  it('of a position that was closed and opened anew is told anew', async () => {
    const { positionId } = await desk.opened(LONG);
    await distance(0.09);
    await desk.ended(await desk.close(positionId ?? ''));
    await desk.pass(2_100);
    await desk.opened(LONG);
    await distance(0.09);
    expect(await told()).to.have.length(2);
  });

  it('of isolated legs is told of each, and the near one hides nothing of the account', async () => {
    await desk.opened(LONG);
    held = [at('AAA-PERP', '10'), at('BBB-PERP', '-10', 70), at('CCC-PERP', '10', 500)];
    // The margin of the isolated ones is no part of what backs the cross position.
    equity = String(570 + 1_000 * (0.09 + 0.91 * RATE));
    await desk.pass(2_100);
    const rows = (await told()).map(({ parameters: { instrument, legs, positionId, reason } }) => ({
      ...{ first: instrument?.symbol, legs: legs?.map(({ symbol, side }) => `${side} ${symbol}`) },
      ...{ isOfBasket: positionId !== undefined, reason },
    }));
    expect(rows).to.deep.equal([
      {
        ...{ first: 'AAA', legs: ['BUY AAA'], isOfBasket: true },
        reason: 'Cross margin, AAA first: price 9.0 % from liquidation. Reduce the position',
      },
      {
        ...{ first: 'BBB', legs: ['SELL BBB'], isOfBasket: false },
        reason: 'BBB: price 5.6 % from liquidation. Add margin or reduce',
      },
    ]);
  });

  it('asks nothing of the venue while nothing is held, and never of one that keeps the account itself', async () => {
    await desk.pass(5_000);
    expect(asked).to.equal(0);
    await desk.opened(LONG);
    watch.stop();
    stream = 'silent';
    asked = 0;
    begin();
    await distance(0.04);
    expect(asked).to.equal(0);
    expect(await told()).to.deep.equal([]);
  });
});

function at(symbol: string, quantity: string, isolatedMargin?: number): VenuePosition {
  return {
    symbol,
    quantity,
    entryPrice: '100',
    leverage: 5,
    marginMode: isolatedMargin === undefined ? 'cross' : 'isolated',
    marginUsed: String(isolatedMargin ?? 200),
    unrealizedPnl: '0',
    liquidationPrice: null,
  };
}
