import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import type { LegFailurePolicy } from '../../../gateway/domain/model.ts';
import type { PlaceOrder } from '../../../gateway/engine/ports/venue.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { type EngineDesk, engineDesk, leg } from '../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import { type Behaviour, SCRIPTED_SETTLE_MS } from '../../support/scripted-venue.ts';
import { storeForSuite } from '../../support/store-records.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const RUNS = propertyRuns(150);
const DENIALS = Array.from({ length: 60 }, () => 'not_found' as const);

async function categories(desk: EngineDesk): Promise<readonly string[]> {
  return (await notificationsOf(desk)).map(({ category }) => category).reverse();
}

/** Quantity of an instrument booked by the gateway, in baskets and outside of them, signed. */
async function booked(desk: EngineDesk, symbol: string): Promise<string> {
  const lots = desk.state.unassigned.of(desk.account.id, symbol);
  return text(dec(await desk.heldInBaskets(symbol)).plus(sum(lots.map(({ quantity }) => dec(quantity)))));
}

describe('a venue that cannot be believed', () => {
  const desk = engineDeskForEachTest();

  /** The behaviours of one leg's sendings, in order; then it is plain. */
  const script = (symbol: string, ...behaviours: readonly Behaviour[]) => {
    let sent = 0;
    desk.venue.behave((order) => (order.symbol === symbol ? (behaviours[sent++] ?? {}) : {}));
  };
  const sentOf = (symbol: string) => desk.venue.sent.filter((order) => order.symbol === symbol);

  describe('takes no more requests', () => {
    it('an order that it did not take is sent again with the same id while it has not expired', async () => {
      script('AAA-PERP', { answer: 'not_sent', againInMs: 700 }, { answer: 'not_sent', againInMs: 900 });
      const startedAt = desk.clock.now();
      const execution = await desk.opened(LEGS);
      expect(execution).to.include({ status: 'COMPLETED' });
      expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 1 });
      expect(new Set(sentOf('AAA-PERP').map(({ clientOrderId }) => clientOrderId)).size).to.equal(1);
      expect(sentOf('AAA-PERP')).to.have.length(3);
      expect((execution.finishedAt ?? 0) - startedAt).to.equal(1_600);
    });

    for (const onLegFailure of ['KEEP', 'RETRY', 'UNWIND'] as const) {
      it(`past its expiry it is sent with a new id, which does not count as a try (${onLegFailure})`, async () => {
        const full = { answer: 'not_sent', againInMs: 6_000 } as const;
        script('AAA-PERP', full);
        const execution = await desk.opened(LEGS, { onLegFailure });
        expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 2, errorCode: null });
        expect(new Set(sentOf('AAA-PERP').map(({ clientOrderId }) => clientOrderId)).size).to.equal(2);
      });
    }

    it('after ten seconds the order ends, NOT_SENT, and nothing more is sent', async () => {
      desk.venue.behave(({ symbol }) =>
        symbol === 'AAA-PERP' ? { answer: 'not_sent', againInMs: 1_000 } : {},
      );
      const startedAt = desk.clock.now();
      const execution = await desk.opened(LEGS);
      expect(execution).to.include({ status: 'FAILED', errorCode: 'NOT_SENT' });
      expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'NOT_SENT' });
      expect(execution.orders[0]?.error).to.include('too many requests');
      expect((execution.finishedAt ?? 0) - startedAt).to.be.within(9_000, 16_000);
      const count = desk.venue.sent.length;
      await desk.pass(60_000);
      expect(desk.venue.sent).to.have.length(count);
    });

    it('an opening order that it did not take is not sent again once trading is paused', async () => {
      script('AAA-PERP', { answer: 'not_sent', againInMs: 1_000 });
      const id = await desk.open(LEGS);
      await desk.quiet();
      await desk.tradingPause.move(desk.account.userId, 'pause');
      const execution = await desk.ended(id);
      expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'VENUE_REJECTED' });
      expect(sentOf('AAA-PERP')).to.have.length(1);
    });

    it('three tries of a RETRY are left to an order that was not taken first', async () => {
      const none: Behaviour = { fraction: '0' };
      script('AAA-PERP', { answer: 'not_sent', againInMs: 6_000 }, none, none, none, {});
      const execution = await desk.opened(LEGS, { onLegFailure: 'RETRY' });
      expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 5 });
    });

    it('a closing order goes on too', async () => {
      const { positionId } = await desk.opened(LEGS);
      script('AAA-PERP', { answer: 'not_sent', againInMs: 6_000 });
      const closed = await desk.ended(await desk.close(positionId ?? ''));
      expect(closed).to.include({ status: 'COMPLETED' });
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
    });
  });

  describe('denies orders that exist', () => {
    beforeEach(() => desk.venue.deniesFalsely());

    it('an order that never arrived is free after two denials, two seconds apart, and a look at the books', async () => {
      script('AAA-PERP', { lost: true });
      const sentAt = desk.clock.now();
      const execution = await desk.opened(LEGS);
      expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'UNKNOWN_OUTCOME' });
      const late = desk.venue.asked.filter(({ at }) => at > sentAt + 5_000 + SCRIPTED_SETTLE_MS);
      expect(late.length).to.equal(2);
      expect((late[1]?.at ?? 0) - (late[0]?.at ?? 0)).to.be.at.least(2_000);
    });

    it('many baskets that wait for the books at once share the reading of them', async () => {
      desk.venue.behave(() => ({ lost: true }));
      desk.venue.slowBooks(3_000);
      const [a, b] = [leg('AAA', 'BUY', '1000'), leg('BBB', 'BUY', '1000')];
      const [c, d] = [leg('AAA', 'SELL', '1000'), leg('BBB', 'SELL', '1000')];
      const ids: string[] = [];
      for (const legs of [[a], [b], [c], [d], [a, b], [a, d], [b, c], [c, d]])
        ids.push(await desk.open(legs));
      for (const id of ids) expect((await desk.ended(id)).status).to.equal('FAILED');
      expect(desk.venue.bookReadings).to.be.within(1, ids.length / 2);
    });

    it('an order that executed is found in the history, whatever the lookups say', async () => {
      script('AAA-PERP', { answer: 'silent', streamed: 0, fraction: '0.4', lookups: DENIALS });
      const execution = await desk.opened(LEGS);
      expect(execution.orders[0]).to.include({ status: 'CANCELLED', filledQuantity: '4' });
      expect(await desk.heldInBaskets('AAA-PERP')).to.equal('4');
    });

    it('a position that no known fill explains keeps the order open, for a person: nothing more is sent', async () => {
      script('AAA-PERP', { lost: true });
      desk.venue.shiftPosition('AAA-PERP', '3');
      const id = await desk.open(LEGS, { onLegFailure: 'RETRY' });
      await desk.pass(120_000);
      const execution = await desk.execution(id);
      expect(execution.status).to.equal('ACTIVE');
      expect(execution.orders[0]).to.include({ status: 'PENDING', errorCode: 'NEEDS_REVIEW' });
      expect(sentOf('AAA-PERP')).to.have.length(1);
      // The other leg has filled meanwhile.
      expect(await categories(desk)).to.have.members(['LEG_IMBALANCE', 'ORDER_NEEDS_REVIEW']);
      // The venue's books are right again, or somebody has taken the difference over.
      desk.venue.shiftPosition('AAA-PERP', '0');
      expect((await desk.ended(id)).orders[0]).to.include({ status: 'REJECTED' });
    });

    it('a fill that comes after the order was given up is booked to its order and basket, and a person is told', async () => {
      script('AAA-PERP', { answer: 'silent', executesAfterMs: 25_000, lookups: DENIALS });
      const execution = await desk.opened(LEGS);
      expect(execution.orders[0]).to.include({ status: 'REJECTED', filledQuantity: '0' });
      await desk.pass(60_000);
      const after = await desk.execution(execution.id);
      expect(after.orders[0]).to.include({
        status: 'FILLED',
        filledQuantity: '10',
        errorCode: 'NEEDS_REVIEW',
      });
      expect(after).to.include({ errorCode: 'NEEDS_REVIEW' });
      expect(await desk.heldInBaskets('AAA-PERP')).to.equal('10');
      expect(await categories(desk))
        .to.include('ORDER_NEEDS_REVIEW')
        .and.not.to.include('EXTERNAL_OPEN');
    });

    it('more filled than was asked for is recorded, for a person to look at', async () => {
      script('AAA-PERP', { fraction: '1.2' });
      const execution = await desk.opened(LEGS);
      await desk.pass(1_000);
      expect(await booked(desk, 'AAA-PERP')).to.equal('12');
      expect((await desk.execution(execution.id)).orders[0]?.filledQuantity).to.equal('12');
    });
  });
});

const lookups = fc.array(fc.constantFrom('no_answer', 'not_found', 'not_found', 'done_without_fills'), {
  maxLength: 8,
});
const filling = {
  fraction: fc.constantFrom('0', '0.25', '0.5', '1'),
  parts: fc.integer({ min: 1, max: 3 }),
  lookups,
  streamed: fc.constantFrom(0 as const, 1 as const, 2 as const),
};
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ ...filling, answer: fc.constantFrom('told', 'silent', 'without_fills') }),
  fc.record({
    ...filling,
    answer: fc.constant('accepted'),
    endToldAfterMs: fc.integer({ min: 0, max: 2_000 }),
  }),
  fc.record({ answer: fc.constant('not_sent'), againInMs: fc.integer({ min: 0, max: 8_000 }) }),
  fc.record({ ...filling, executesAfterMs: fc.integer({ min: 0, max: 30_000 }) }),
  fc.record({ lost: fc.constant(true), lookups }),
  fc.constant({ rejects: { reason: 'margin', message: 'not enough collateral' } } as const),
);

const scenario = fc.record({
  symbols: fc.uniqueArray(fc.constantFrom('AAA', 'BBB', 'CCC'), { minLength: 1, maxLength: 3 }),
  sides: fc.array(fc.constantFrom('BUY' as const, 'SELL' as const), { minLength: 3, maxLength: 3 }),
  policy: fc.constantFrom<LegFailurePolicy>('KEEP', 'UNWIND', 'RETRY'),
  /** Behaviour of the nth order sent; the ones after the last are plain. */
  behaviours: fc.array(behaviour, { maxLength: 8 }),
  afterwards: fc.constantFrom('nothing', 'add', 'close'),
  /** The wall clock is set by this much in the middle, ms. */
  clockSet: fc.constantFrom(0, 0, -30_000, 30_000),
  /** The stream tells everything again, in another order, and the gateway restarts. */
  replay: fc.boolean(),
  restart: fc.boolean(),
});

describe('the engine under a venue that cannot be believed', () => {
  const store = storeForSuite();

  it(`books what the venue holds, and sends no quantity twice (${RUNS.numRuns} runs)`, async function () {
    this.timeout(60_000 + RUNS.numRuns * 2_000);
    await forAllAsync(
      [scenario],
      RUNS,
      async ({ symbols, sides, policy, behaviours, afterwards, ...bad }) => {
        const desk = await engineDesk(store);
        desk.venue.deniesFalsely();
        desk.venue.keepRules();
        await desk.start();
        let sent = 0;
        /** Orders that the venue may execute, by leg: until it has told their end, or for ever. */
        const fates: { readonly order: PlaceOrder; readonly behaviour: Behaviour; readonly at: number }[] =
          [];
        desk.venue.behave((order) => {
          const one = behaviours[sent++] ?? {};
          fates.push({ order, behaviour: one, at: desk.clock.uptime() });
          return one;
        });
        const legs = symbols.map((symbol, index) => leg(symbol, sides[index] ?? 'BUY', String(500 + index)));
        await desk.open(legs, { onLegFailure: policy });
        await desk.pass(400);
        desk.clock.jump(bad.clockSet);
        if (bad.restart) await desk.start();
        await desk.allEnded();
        const open = desk.state.positions.of(desk.account.id)[0];
        if (open !== undefined && afterwards === 'add') await desk.open(legs, { onLegFailure: policy });
        if (open !== undefined && afterwards === 'close') await desk.close(open.id).catch(() => undefined);
        await desk.allEnded();
        await desk.pass(120_000);
        if (bad.replay) {
          for (const fill of [...desk.venue.fills].reverse()) desk.venue.tell({ kind: 'fill', fill });
          await desk.pass(2_000);
        }
        await desk.allEnded();
        for (const symbol of ['AAA-PERP', 'BBB-PERP', 'CCC-PERP'])
          expect(await booked(desk, symbol), symbol).to.equal(desk.venue.held(symbol));
        const recorded = (await desk.fills())
          .filter(({ cause }) => cause === null)
          .map(({ tradeId }) => tradeId);
        expect([...recorded].sort()).to.deep.equal(desk.venue.fills.map(({ tradeId }) => tradeId).sort());
        expectNoneTwice(fates);
        expect(desk.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
        desk.kill();
      },
    );
  });

  /** An id that the venue has taken is never sent again. */
  function expectNoneTwice(fates: readonly { order: PlaceOrder; behaviour: Behaviour }[]): void {
    const taken = new Set<string>();
    for (const { order, behaviour } of fates) {
      expect(taken.has(order.clientOrderId), 'sent again although it was taken').to.equal(false);
      if (behaviour.answer !== 'not_sent' || behaviour.lost === true) taken.add(order.clientOrderId);
    }
  }
});
