import { expect } from 'chai';
import fc from 'fast-check';
import type { LimitChange } from '../../../gateway/engine/core/account-limits.ts';
import { CALLERS, CapsDesk } from '../../support/caps-desk.ts';
import { leg } from '../../support/engine-desk.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { storeForSuite } from '../../support/store-records.ts';
import { anyBehaviour, anyLegs } from './any-orders.ts';

const RUNS = propertyRuns(300, 25);
const CAPS = ['60', '100', '150', '400'];

const caller = fc.constantFrom(CALLERS.session, CALLERS.session, CALLERS.key, CALLERS.agent);
const legs = anyLegs(['20', '60', '99.9', '100', '101', '150']);
const limits: fc.Arbitrary<LimitChange | null> = fc.option(
  fc.record({
    armed: fc.constant(true),
    perOrderUsd: fc.constantFrom(...CAPS),
    totalUsd: fc.constantFrom('200', '300', '1000'),
    allow: fc.record({ apiKeys: fc.boolean(), grants: fc.boolean() }),
    instruments: fc.constantFrom(null, null, null, ['AAA-PERP', 'BBB-PERP']),
  }),
  { freq: 5 },
);
const policy = fc.constantFrom('KEEP' as const, 'RETRY' as const, 'RETRY' as const, 'UNWIND' as const);

const action = fc.oneof(
  weightedRecord(6, { do: fc.constant('open' as const), by: caller, legs, policy }),
  weightedRecord(2, {
    do: fc.constant('trigger' as const),
    by: caller,
    legs,
    at: fc.integer({ min: 80, max: 120 }),
  }),
  weightedRecord(2, {
    do: fc.constant('ladder' as const),
    by: caller,
    legs,
    at: fc.integer({ min: 90, max: 120 }),
  }),
  weightedRecord(2, { do: fc.constant('schedule' as const), by: caller, legs }),
  weightedRecord(4, {
    do: fc.constantFrom(
      'increase' as const,
      'reverse' as const,
      'rebalance' as const,
      'keep weights' as const,
    ),
    by: caller,
    nth: fc.nat(3),
  }),
  weightedRecord(4, { do: fc.constant('limit' as const), limits }),
  weightedRecord(2, {
    do: fc.constant('move' as const),
    symbol: fc.constantFrom('AAA-PERP', 'BBB-PERP', 'CCC-PERP'),
    mark: fc.integer({ min: 80, max: 125 }),
  }),
  weightedRecord(3, { do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 100, 1_000, 65_000) }),
  weightedRecord(1, { do: fc.constant('die' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

describe('a live account under any orders', () => {
  const store = storeForSuite();

  async function play(caps: CapsDesk, one: Action): Promise<void> {
    switch (one.do) {
      case 'open':
        return caps.open(one.by, one.legs, one.policy);
      case 'trigger':
        return caps.trigger(one.by, one.legs, String(one.at));
      case 'ladder':
        return caps.ladder(one.by, one.legs, String(one.at), String(one.at - 20));
      case 'schedule':
        return caps.schedule(one.by, one.legs);
      case 'limit':
        return caps.set(one.limits);
      case 'move':
        return caps.desk.venue.setMark(one.symbol, String(one.mark));
      case 'wait':
        return caps.desk.pass(one.ms);
      case 'die':
        await caps.desk.start();
        return;
      default:
        return caps.act(one.by, one.do, one.nth);
    }
  }

  it('sends no more than the limits and closes all the same', async function () {
    this.timeout(240_000);
    let opened = 0;
    const refusals = new Set<string>();
    await forAllAsync(
      [fc.array(action, { minLength: 4, maxLength: 14 }), fc.array(anyBehaviour, { maxLength: 10 })],
      RUNS,
      async (actions, behaviours) => {
        const caps = await CapsDesk.make(store);
        let sent = 0;
        caps.desk.venue.behave(() => behaviours[sent++] ?? {});
        await caps.set({
          armed: true,
          perOrderUsd: '100',
          totalUsd: '300',
          allow: { apiKeys: true, grants: false },
        });
        for (const one of actions) await play(caps, one);
        await caps.desk.pass(400_000);
        caps.check();
        // Nothing may be opened any more, and everything is closed.
        caps.desk.venue.behave(() => ({}));
        await caps.set({ armed: true, perOrderUsd: '0.01', totalUsd: '0.01' });
        await caps.set(null);
        await caps.closeAll();
        caps.check();
        opened += caps.opened;
        for (const code of caps.refusals) refusals.add(code);
        caps.desk.kill();
      },
    );
    // The property would also hold of an engine that never trades.
    expect(opened).to.be.greaterThan(RUNS.numRuns);
    expect([...refusals]).to.include.members(['ACCOUNT_NOT_ARMED', 'CALLER_NOT_ALLOWED', 'CAP_EXCEEDED']);
  });

  for (const [what, limits, errorCode] of [
    ['disarmed', null, 'ACCOUNT_NOT_ARMED'],
    ['given smaller caps', { armed: true, perOrderUsd: '50', totalUsd: '1000' }, 'CAP_EXCEEDED'],
  ] as const) {
    it(`sends no further attempt on an account that was ${what} after the first`, async () => {
      const caps = await CapsDesk.make(store);
      const { desk } = caps;
      desk.venue.behave(() => ({ fraction: '0.25' }));
      await caps.set({ armed: true, perOrderUsd: '100', totalUsd: '1000' });
      caps.open(CALLERS.session, [leg('AAA', 'BUY', '100')], 'RETRY');
      await desk.pass(10);
      expect(desk.venue.sent).to.have.length(1);
      await caps.set(limits);
      const [execution] = await desk.allEnded();
      expect(desk.venue.sent).to.have.length(1);
      expect(execution?.orders[0]).to.include({ filledQuantity: '0.25', status: 'CANCELLED', errorCode });
      desk.venue.behave(() => ({}));
      await caps.closeAll();
      desk.kill();
    });
  }
});
