/**
 * Whatever an agent calls, over REST and MCP, in any order: where its user has to be asked about orders, where it is
 * suspended, or where it manages only what it placed itself, no position loses more at its stop-loss than before, and nothing
 * that protects or reduces ends, unless the user approved it. Beside a position of its user it changes nothing of it, and it
 * opens no more than its limit. What a stop-loss is worth is computed by a model of its own (`support/stop-model.ts`).
 */
import Big from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { BASKETS, bracket, Life, step, stopOf } from '../support/agent-life.ts';
import { type GuardedDesk, GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { lost } from '../support/lost-protection.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { forAllAsync, propertyRuns } from '../support/property-runs.ts';
import { UsersPart } from '../support/stop-model.ts';

const LIMIT = '150';

/** Bounds of the agent. */
const BOUND = {
  above: (desk: GuardedDesk) => desk.asksWhen('above'),
  always: (desk: GuardedDesk) => desk.asksWhen('always'),
  suspended(desk: GuardedDesk) {
    desk.asksWhen('never');
    desk.suspend();
  },
  own(desk: GuardedDesk) {
    desk.asksWhen('never');
    desk.bind({ manage: 'OWN' });
  },
} as const;

describe('protection, whatever an agent calls', () => {
  const guarded = openForSuite(() => GuardedGateway.open());

  /** USD that the program has opened. */
  async function opened(desk: GuardedDesk): Promise<Big> {
    const path = '/executions?limit=200&includeTriggers=true&includeSchedule=true';
    const { executions } = (await desk.user('GET', path)).json;
    // The close of a reversal opens nothing, although it is not reduce-only where the venue holds more of the other side.
    return executions
      .filter(({ authority }: Json) => authority?.kind === 'api_key')
      .filter(({ intent }: Json) => intent === 'OPEN' || intent === 'ADJUST')
      .flatMap(({ orders }: Json) => orders)
      .filter(({ reduceOnly }: Json) => !reduceOnly)
      .reduce(
        (sum: Big, { filledQuantity, averagePrice }: Json) =>
          sum.plus(new Big(filledQuantity).mul(averagePrice ?? 0)),
        new Big(0),
      );
  }

  /** Settings of a user's position, which a program that manages its own may not change. */
  const settingsOf = ({ takeProfit, stopLoss, autoRebalance, legs }: Json) => ({
    brackets: [takeProfit?.triggerId, takeProfit?.status, stopLoss?.triggerId, stopLoss?.status],
    autoRebalance,
    margins: legs.map(({ symbol, leverage, marginMode }: Json) => [symbol, leverage, marginMode]),
  });

  it('is not made smaller without its user', async function () {
    // All runs take some minutes.
    this.timeout(3_000_000);
    let tightened = 0;
    let approvedCount = 0;
    let besideCount = 0;
    await forAllAsync(
      [
        fc.constantFrom(...(Object.keys(BOUND) as (keyof typeof BOUND)[])),
        fc.constantFrom(...(Object.keys(BASKETS) as (keyof typeof BASKETS)[])),
        bracket,
        fc.array(step, { minLength: 3, maxLength: 10 }),
        fc.boolean(),
      ],
      propertyRuns(1_000, 15),
      async (mode, basket, first, steps, isIsolated) => {
        const desk = await guarded.desk({ manage: 'ALL', maxOpenedUsd24h: LIMIT });
        const life = new Life(guarded, desk);
        const isOwn = mode === 'own';
        const marginMode = isIsolated ? 'isolated' : 'cross';
        await desk.user('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 2, marginMode });
        const { id, legs: users } = await desk.openedByUser(BASKETS[basket]);
        const given = { symbol: 'BTC-PERP', amount: '20' };
        const added = await desk.user('POST', `/positions/${id}/margin`, given);
        expect(added.status, added.text).to.equal(isIsolated ? 200 : 400);
        const stopLoss = stopOf(first, await desk.position(id));
        const takeProfit = { type: 'PERCENTAGE', value: '80' };
        await desk.expect('user', 'PUT', `/positions/${id}/brackets`, { stopLoss, takeProfit });
        const closing = await life.userClosesLater(await desk.position(id));
        BOUND[mode](desk);
        const part = new UsersPart();
        if (isOwn) {
          const before = await life.see();
          await life.take('REST', { do: 'add', stop: null, replaces: false, evenness: 1 });
          part.change(before.positions[0], (await life.see()).positions[0]);
        }
        for (const one of steps) {
          const before = await life.see();
          const said = JSON.stringify(one);
          if (one.by === 'MARKET') await life.market(one.factor);
          else if (one.by === 'USER') approvedCount += (await life.decide(one.approves)) ? 1 : 0;
          else await life.take(one.by, one.call);
          const after = await life.see();
          const [was, is] = [before.positions[0], after.positions[0]];
          if (isOwn && is?.id === id && is.stopLoss.status === 'ACTIVE')
            for (const { symbol, quantity } of users) {
              const held = is.legs.find((leg: Json) => leg.symbol === symbol);
              expect(Number(held.quantity), said).to.be.at.least(Number(quantity) * 0.999999);
              besideCount += Number(held.quantity) > Number(quantity) ? 1 : 0;
            }
          // An approved trade is still a trade of the program.
          const bound = part.change(was, is);
          if (one.by === 'MARKET' || one.by === 'USER') continue;
          // A program may end its own orders.
          const isUsers = ({ id: trigger }: Json) => !isOwn || trigger === closing;
          const seen = { ...before, closing: before.closing.filter(isUsers) };
          const words = lost(seen, after, bound).join('; ');
          expect(words, `${said}: ${words}`).to.equal('');
          if (isOwn && was?.id === id && is === undefined) {
            const stop = (await desk.user('GET', `/triggers/${was.stopLoss?.triggerId}`)).json;
            expect(stop.status, `${said}: ${JSON.stringify(stop)}`).to.be.oneOf(['TRIGGERED', 'COMPLETED']);
          }
          if (isOwn && was?.id === id && is !== undefined) {
            expect(settingsOf(is), said).to.deep.equal(settingsOf(was));
            const [margin, wasMargin] = [is, was].map(({ legs }) => Number(legs[0].marginUsed));
            if (one.call.do === 'margin') expect(margin, said).to.be.closeTo(wasMargin ?? 0, 1);
          }
          if (was?.stopLoss != null && is?.stopLoss != null)
            tightened += was.stopLoss.triggerId === is.stopLoss.triggerId ? 0 : 1;
        }
        const used = await opened(desk);
        expect(used.toNumber(), `USD opened, ${mode}`).to.be.at.most(
          mode === 'suspended' ? 0 : Number(LIMIT),
        );
      },
    );
    // It is not held by refusing everything.
    expect([tightened > 0, approvedCount > 0, besideCount > 0]).to.deep.equal([true, true, true]);
  });
});
