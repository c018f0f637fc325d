import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import type { Execution, Fill, LegFailurePolicy } from '../../../gateway/domain/model.ts';
import { fundingShares } from '../../../gateway/engine/account/funding-shares.ts';
import { liquidationParts } from '../../../gateway/engine/account/liquidation-shares.ts';
import { type EngineDesk, engineDesk, leg } from '../../support/engine-desk.ts';
import { forAll, forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import type { Behaviour } from '../../support/scripted-venue.ts';
import { storeForSuite } from '../../support/store-records.ts';

const add = (values: readonly string[]) => text(sum(values.map(dec)));

const behaviour: fc.Arbitrary<Behaviour> = fc.record(
  {
    fraction: fc.constantFrom('0', '0.25', '0.5', '0.999', '1'),
    parts: fc.integer({ min: 1, max: 3 }),
    rejects: fc.constant({ reason: 'margin', message: 'not enough collateral' } as const),
    lost: fc.constant(true),
    answer: fc.constantFrom('told', 'silent', 'resting', 'without_fills'),
    lookups: fc.array(fc.constantFrom('no_answer', 'not_found', 'resting', 'done_without_fills'), {
      maxLength: 5,
    }),
    streamed: fc.constantFrom(0, 1, 2),
  },
  { requiredKeys: [] },
);

const legs = fc
  .uniqueArray(fc.constantFrom('AAA', 'BBB', 'CCC'), { minLength: 1, maxLength: 3 })
  .chain((symbols) =>
    fc.tuple(
      ...symbols.map((symbol) =>
        fc
          .tuple(fc.constantFrom('BUY' as const, 'SELL' as const), fc.integer({ min: 20, max: 9_000 }))
          .map(([side, usd]) => leg(symbol, side, String(usd))),
      ),
    ),
  );

/** Point at which the process dies: after the nth commit, or at the nth sending. */
const death = fc.oneof(
  fc.record({ at: fc.constant('commit' as const), nth: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    at: fc.constantFrom('before_send' as const, 'after_send' as const),
    nth: fc.integer({ min: 1, max: 4 }),
  }),
);

const scenario = fc.record({
  legs,
  policy: fc.constantFrom<LegFailurePolicy>('KEEP', 'UNWIND', 'RETRY'),
  /** Behaviour of the nth order sent; the ones after the last are plain. */
  behaviours: fc.array(behaviour, { maxLength: 8 }),
  afterwards: fc.constantFrom('nothing', 'add', 'close'),
  deaths: fc.array(death, { maxLength: 2 }),
});

describe('the engine under any venue', () => {
  const store = storeForSuite();

  function arm(desk: EngineDesk, one: { readonly at: string; readonly nth: number } | undefined): void {
    desk.dieAfterCommit = () => false;
    desk.dieAtSend = null;
    if (one === undefined) return;
    let seen = 0;
    if (one.at === 'commit') {
      desk.dieAfterCommit = () => {
        seen += 1;
        return seen === one.nth;
      };
      return;
    }
    const from = desk.venue.batches.length;
    desk.dieAfterCommit = () => {
      if (desk.venue.batches.length - from === one.nth - 1)
        desk.dieAtSend = one.at === 'before_send' ? 'before' : 'after';
      return false;
    };
  }

  /** Starts again, and again, until a life lasts to the end of everything. */
  async function surviveAll(desk: EngineDesk, deaths: readonly { at: string; nth: number }[]): Promise<void> {
    for (const one of [...deaths, undefined]) {
      if (!desk.isAlive) await desk.start();
      arm(desk, one);
      await desk.advanceTo(() => !desk.isAlive || desk.allHaveEnded);
    }
  }

  async function check(desk: EngineDesk, lives: number): Promise<void> {
    const executions = await desk.allEnded();
    const fills = await desk.fills();
    expectOrders(executions, fills, lives);
    for (const position of await desk.positions()) {
      for (const one of position.legs) {
        const own = fills.filter((fill) => fill.positionId === position.id && fill.symbol === one.symbol);
        const signed = own.map((fill) => (fill.side === one.side ? fill.quantity : `-${fill.quantity}`));
        expect(one.quantity, one.symbol).to.equal(add(signed));
      }
    }
    for (const symbol of ['AAA-PERP', 'BBB-PERP', 'CCC-PERP'])
      expect(await desk.heldInBaskets(symbol), symbol).to.equal(desk.venue.held(symbol));
    expect(fills.map((fill) => fill.tradeId).sort()).to.deep.equal(
      desk.venue.fills.map((fill) => fill.tradeId).sort(),
    );
    const ids = desk.venue.sent.map((order) => order.clientOrderId);
    expect(new Set(ids).size, 'each client order id is sent at most once').to.equal(ids.length);
    expect(desk.events.map(({ seq }) => seq)).to.deep.equal(desk.events.map((_, index) => index + 1));
    expect(desk.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  }

  function expectOrders(executions: readonly Execution[], fills: readonly Fill[], lives: number): void {
    for (const execution of executions) {
      const filled = execution.orders.every((order) => order.status === 'FILLED');
      expect(execution.status).to.equal(filled ? 'COMPLETED' : 'FAILED');
      for (const order of execution.orders) {
        expect(order.status).to.be.oneOf(['FILLED', 'CANCELLED', 'REJECTED']);
        const own = fills.filter((fill) => fill.orderId === order.id);
        expect(order.filledQuantity).to.equal(add(own.map((fill) => fill.quantity)));
        // Closing orders have their tries in every life: an attempt lost with a dying process closed nothing.
        expect(order.attempt).to.be.at.most(execution.intent === 'CLOSE' ? 4 * lives : 4);
        expect(order.status === 'FILLED').to.equal(order.filledQuantity === order.quantity);
        expect(order.errorCode === null, order.status).to.equal(
          order.status === 'FILLED' || order.attempt === 0,
        );
      }
    }
  }

  it('ends, adds up and sends nothing twice', async function () {
    this.timeout(120_000);
    await forAllAsync(
      [scenario],
      propertyRuns(200),
      async ({ legs, policy, behaviours, afterwards, deaths }) => {
        const desk = await engineDesk(store);
        await desk.start();
        desk.venue.behave((order) => {
          const index = desk.venue.sent.findIndex((one) => one.clientOrderId === order.clientOrderId);
          return behaviours[index] ?? {};
        });
        arm(desk, deaths[0]);
        void desk.open(legs, { onLegFailure: policy }).catch(() => undefined);
        await desk.quiet();
        await surviveAll(desk, deaths.slice(1));
        const open = desk.state.positions.of(desk.account.id)[0];
        if (open !== undefined && afterwards !== 'nothing') {
          if (afterwards === 'add') await desk.open(legs, { onLegFailure: policy });
          else await desk.close(open.id);
        }
        await check(desk, 1 + deaths.length);
        desk.kill();
      },
    );
  });
});

describe('sharing out over baskets', () => {
  const steps = fc.integer({ min: 1, max: 100_000 }).map((count) => text(dec(count).mul('0.001')));

  it('a liquidation’s parts add up to the fill, and no basket loses more than it holds', () =>
    forAll(
      [
        fc.array(steps, { maxLength: 8 }),
        steps,
        fc.constantFrom('0.001', '0.01', '1', '7'),
        fc.integer({ min: 0, max: 1e9 }).map((fee) => text(dec(fee).div(1e6))),
      ],
      (held, quantity, step, fee) => {
        const parts = liquidationParts({ quantity, fee }, held, step);
        expect(add(parts.map((part) => part.quantity))).to.equal(quantity);
        expect(add(parts.map((part) => part.fee))).to.equal(fee);
        for (const part of parts) {
          expect(dec(part.quantity).gt(0)).to.equal(true);
          if (part.holder !== null) expect(dec(part.quantity).lte(held[part.holder] ?? '0')).to.equal(true);
        }
        const orphan = parts.find((part) => part.holder === null)?.quantity ?? '0';
        const missing = dec(quantity).minus(add(held));
        expect(orphan).to.equal(missing.gt(0) ? text(missing) : '0');
      },
    ));

  it('funding shares add up to the venue’s amount where the baskets add up to its quantity', () =>
    forAll(
      [
        fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: -1e9, max: 1e9 }),
      ],
      (quantities, micro) => {
        const held = quantities.map((count) => text(dec(count).mul('0.001')));
        const quantity = add(held);
        fc.pre(quantity !== '0');
        const amount = text(dec(micro).div(1e6));
        const shares = fundingShares({ amount, quantity, rate: '0.0001', markPrice: '100' }, held);
        expect(add(shares)).to.equal(amount);
        for (const share of shares) expect(dec(share).decimalPlaces()).to.be.at.most(6);
      },
    ));
});
