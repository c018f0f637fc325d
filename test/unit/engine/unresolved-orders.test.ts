import { expect } from 'chai';
import fc from 'fast-check';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import type { EarlyLookup } from '../../support/early-lookup.ts';
import { type EngineDesk, engineDesk, leg } from '../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import type { Behaviour } from '../../support/scripted-venue.ts';
import { storeForSuite } from '../../support/store-records.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const RUNS = propertyRuns(60);
const WITHIN_MS = 30_000;
const always = (word: EarlyLookup) => Array.from({ length: 200 }, () => word);

async function notices(desk: EngineDesk): Promise<readonly string[]> {
  const told = (await notificationsOf(desk)).map(({ category }) => category);
  return told.filter((category) => category === 'ORDER_NEEDS_REVIEW');
}

describe('orders whose end the venue does not tell', () => {
  const desk = engineDeskForEachTest(({ venue }) => venue.deniesFalsely());

  const first = (behaviour: Behaviour) =>
    desk.venue.behave((order) => (order.symbol === 'AAA-PERP' ? behaviour : {}));
  const endedInTime = async (id: string) => {
    await desk.pass(WITHIN_MS);
    const execution = await desk.execution(id);
    expect(execution.status).to.not.equal('ACTIVE');
    return execution;
  };
  const silent = (word: EarlyLookup, fraction: string): Behaviour => ({
    answer: 'silent',
    streamed: 0,
    fraction,
    lookups: always(word),
  });

  for (const word of ['listed', 'resting', 'accepted', 'filled', 'done_without_fills'] as const) {
    it(`fills of the history end an order of which lookups say "${word}" for ever`, async () => {
      first(silent(word, word === 'filled' ? '1' : '0.4'));
      const execution = await endedInTime(await desk.open(LEGS));
      expect(execution.orders[0]?.filledQuantity).to.equal(word === 'filled' ? '10' : '4');
      expect(await desk.heldInBaskets('AAA-PERP')).to.equal(desk.venue.held('AAA-PERP'));
    });
  }

  it('an unknown word, and nothing in the books: the order has ended, with that word', async () => {
    first(silent('listed', '0'));
    const execution = await endedInTime(await desk.open(LEGS));
    expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'VENUE_REJECTED' });
    expect(execution.orders[0]?.error).to.include('the venue says melted');
    expect(await notices(desk)).to.deep.equal([]);
  });

  for (const word of ['resting', 'accepted', 'filled'] as const) {
    it(`"${word}" for ever, and nothing in the books: a person looks, and the basket is free`, async () => {
      const { positionId } = await desk.opened(LEGS);
      first(silent(word, '0'));
      desk.venue.refuseCancels({ kind: 'rejected', message: 'no' });
      const execution = await endedInTime(await desk.close(positionId ?? ''));
      expect(execution.orders[0]).to.include({ errorCode: 'NEEDS_REVIEW', filledQuantity: '0' });
      expect(await notices(desk)).to.have.length(1);
      desk.venue.behave(() => ({}));
      expect(await desk.ended(await desk.close(positionId ?? ''))).to.include({ status: 'COMPLETED' });
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
    });

    it(`"${word}" for ever ends after a restart too`, async () => {
      const { positionId } = await desk.opened(LEGS);
      first(silent(word, '0'));
      desk.venue.refuseCancels({ kind: 'rejected', message: 'no' });
      const id = await desk.close(positionId ?? '');
      await desk.pass(3_000);
      await desk.start();
      expect((await endedInTime(id)).orders[0]).to.include({ errorCode: 'NEEDS_REVIEW' });
    });
  }

  it('a position that no fill explains: a person looks, nothing is unwound, and the basket is free', async () => {
    first(silent('listed', '0'));
    desk.venue.shiftPosition('AAA-PERP', '3');
    const execution = await endedInTime(await desk.open(LEGS, { onLegFailure: 'UNWIND' }));
    expect(execution).to.include({ status: 'FAILED', errorCode: 'NEEDS_REVIEW' });
    expect(execution.orders[0]).to.include({ status: 'REJECTED', errorCode: 'NEEDS_REVIEW' });
    expect(await notices(desk)).to.have.length(1);
    await desk.pass(WITHIN_MS);
    expect(desk.venue.held('BBB-PERP')).to.equal('-10');
  });

  it('an IOC that rests past its expiry is cancelled', async () => {
    first(silent('resting', '0'));
    await endedInTime(await desk.open(LEGS));
    expect(desk.venue.cancels).to.include(desk.venue.sent[0]?.clientOrderId);
  });

  it('two baskets that wait for each other’s order of one instrument do not wait for ever', async () => {
    desk.venue.behave(() => silent('accepted', '0'));
    desk.venue.shiftPosition('AAA-PERP', '3');
    const ids = [
      await desk.open([leg('AAA', 'BUY', '1000')]),
      await desk.open([leg('AAA', 'BUY', '1000'), leg('CCC', 'BUY', '1000')]),
    ];
    await desk.pass(WITHIN_MS);
    for (const id of ids) expect((await desk.execution(id)).status).to.equal('FAILED');
  });

  it('lookups that stay unanswered while the books are told end by the books', async () => {
    first(silent('no_answer', '0'));
    const id = await desk.open(LEGS);
    await desk.pass(120_000);
    expect((await desk.execution(id)).orders[0]).to.include({
      errorCode: 'UNKNOWN_OUTCOME',
      status: 'REJECTED',
    });
  });

  it('a denied order whose quantity the position shows is free two minutes later', async () => {
    first({ lost: true });
    desk.venue.shiftPosition('AAA-PERP', '3');
    const id = await desk.open(LEGS);
    await desk.pass(150_000);
    expect((await desk.execution(id)).orders[0]).to.include({
      status: 'REJECTED',
      errorCode: 'NEEDS_REVIEW',
    });
    expect(await notices(desk)).to.have.length(1);
  });
});

const word = fc.constantFrom<EarlyLookup>(
  'no_answer',
  'not_found',
  'resting',
  'accepted',
  'listed',
  'filled',
  'done_without_fills',
);

describe('a venue with words of its own', () => {
  const store = storeForSuite();

  it(`locks no basket, and books what filled (${RUNS.numRuns} runs)`, async function () {
    this.timeout(60_000 + RUNS.numRuns * 2_000);
    const told = fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 6 }),
      fraction: fc.constantFrom('0', '0.5', '1'),
      streamed: fc.constantFrom(0 as const, 1 as const),
      answer: fc.constantFrom(
        'silent' as const,
        'accepted' as const,
        'resting' as const,
        'without_fills' as const,
      ),
    });
    await forAllAsync(
      [fc.array(told, { minLength: 1, maxLength: 4 }), fc.boolean()],
      RUNS,
      async (fates, restarts) => {
        const desk = await engineDesk(store);
        desk.venue.deniesFalsely();
        await desk.start();
        let sent = 0;
        desk.venue.behave((): Behaviour => {
          const fate = fates[sent++ % fates.length];
          if (fate === undefined) return {};
          const { words, ...rest } = fate;
          return {
            ...rest,
            lookups: Array.from({ length: 300 }, (_, index) => words[index % words.length] ?? 'listed'),
          };
        });
        const id = await desk.open(LEGS);
        await desk.pass(2_000);
        if (restarts) await desk.start();
        await desk.pass(240_000);
        expect((await desk.execution(id)).status).to.not.equal('ACTIVE');
        for (const symbol of ['AAA-PERP', 'BBB-PERP'])
          expect(await desk.heldInBaskets(symbol), symbol).to.equal(desk.venue.held(symbol));
        desk.kill();
      },
    );
  });
});
