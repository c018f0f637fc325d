/** Trades outside Tandem on an account that is traded all the time. */
import { expect } from 'chai';
import fc from 'fast-check';
import { planDeskForEachTest } from '../../support/desks-for-tests.ts';
import { closeDesks, leg } from '../../support/engine-desk.ts';
import { planDesk } from '../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';

const SECOND = 1_000;
/** A fill is certain after 15 s; the account may be busy at that moment, and again at the next looks. */
const LATEST_S = 40;
const SALE = '0.02';

/** Slices every five seconds. */
const FAST = { durationSeconds: 120, intervalSeconds: 5 } as const;
const PAIR = [leg('AAA', 'BUY', '6000'), leg('BBB', 'SELL', '6000')];

describe('a leg that is sold outside Tandem while a TWAP trades its position every five seconds', () => {
  const plan = planDeskForEachTest();

  async function sold(quantity: string): Promise<string> {
    const { desk } = plan;
    const { positionId } = await desk.opened(PAIR);
    await plan.twap({ legs: PAIR, ...FAST });
    await desk.pass(12 * SECOND);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity });
    return positionId ?? '';
  }

  it('leaves the basket while the plan goes on', async () => {
    const { desk } = plan;
    const id = await sold('20');
    await desk.pass(30 * SECOND);
    const { legs, origin } = await desk.position(id);
    expect(legs[0]?.quantity).to.equal(desk.venue.held('AAA-PERP'));
    expect(origin).to.equal('MIXED');
  });

  it('is not made up for by the plan, which leaves the legs as far apart as the sale has', async () => {
    const { desk } = plan;
    await sold('20');
    await desk.pass(150 * SECOND);
    expect(['AAA-PERP', 'BBB-PERP'].map((symbol) => desk.venue.held(symbol))).to.deep.equal(['100', '-120']);
  });

  it('leaves the basket after the end of an order that had begun before the sale', async () => {
    const { desk } = plan;
    const { positionId } = await desk.opened(PAIR);
    desk.venue.behave(({ symbol }) =>
      symbol === 'CCC-PERP' ? { answer: 'silent', streamed: 0, lookups: Array(20).fill('no_answer') } : {},
    );
    await desk.open([leg('CCC', 'BUY', '1000')]);
    await desk.pass(SECOND);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '20' });
    await desk.pass(20 * SECOND);
    expect((await desk.position(positionId)).legs[0]?.quantity).to.equal('60');
    await desk.pass(60 * SECOND);
    expect((await desk.position(positionId)).legs[0]?.quantity).to.equal('40');
  });
});

const RUNS = propertyRuns(1_000, 15);

describe('trades outside Tandem of a basket that is traded by a plan, beside another basket', () => {
  const seconds = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 });

  it(`are in the basket ${LATEST_S} s later, and nothing else is (${RUNS.numRuns} runs)`, async function () {
    this.timeout(60_000 + RUNS.numRuns * 2_000);
    await forAllAsync(
      [seconds, seconds, fc.integer({ min: 5, max: 20 })],
      RUNS,
      async (sales, others, every) => {
        const plan = await planDesk();
        try {
          const { desk } = plan;
          const { positionId } = await desk.opened(PAIR);
          await plan.twap({ legs: PAIR, ...FAST, intervalSeconds: every });
          const soldAt: number[] = [];
          for (let second = 1; second <= 100 + LATEST_S; second += 1) {
            if (others.includes(second)) await desk.open([leg('CCC', 'BUY', '500')]);
            if (sales.includes(second)) {
              desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: SALE });
              soldAt.push(second);
            }
            await desk.pass(SECOND);
            // The venue holds what the basket bought less all sales, so the basket has more by those it does not know.
            const [aaa] = (await desk.position(positionId)).legs;
            const unknown = (Number(aaa?.quantity) - Number(desk.venue.held('AAA-PERP'))) / Number(SALE);
            const recent = soldAt.filter((at) => second - at < LATEST_S).length;
            expect(Math.round(unknown * 1e6) / 1e6, `after ${second} s`).to.be.within(0, recent);
          }
        } finally {
          plan.desk.kill();
          await closeDesks();
        }
      },
    );
  });
});

describe('a leg that is sold outside Tandem before its own fill is known', () => {
  const lives = fc.record({
    silent: fc.subarray(['AAA-PERP', 'BBB-PERP'], { minLength: 1 }),
    lookups: fc.integer({ min: 1, max: 6 }),
    soldAfterMs: fc.integer({ min: 50, max: 12_000 }),
    quantity: fc.integer({ min: 1, max: 60 }),
    closedAfter: fc.integer({ min: 0, max: 60 }),
    end: fc.constantFrom('close', 'unwind', 'kill and close'),
  });

  it(`is closed without opening anything (${RUNS.numRuns} runs)`, async function () {
    this.timeout(60_000 + RUNS.numRuns * 2_000);
    await forAllAsync([lives], RUNS, async ({ silent, lookups, soldAfterMs, quantity, closedAfter, end }) => {
      const { desk } = await planDesk();
      try {
        desk.venue.behave(({ symbol, reduceOnly }) => {
          if (end === 'unwind' && symbol === 'BBB-PERP' && !reduceOnly) return { lost: true };
          const isSilent = silent.includes(symbol) && !reduceOnly;
          return isSilent ? { answer: 'silent', streamed: 0, lookups: Array(lookups).fill('no_answer') } : {};
        });
        const id = await desk.open(PAIR, { onLegFailure: end === 'unwind' ? 'UNWIND' : 'KEEP' });
        await desk.pass(soldAfterMs);
        // A quantity that an unwinding has closed by then is sold anew: the trader opens a position of his own.
        const own = Math.min(0, Number(desk.venue.held('AAA-PERP')) - quantity);
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: String(quantity) });
        if (end === 'kill and close') await desk.start();
        const { positionId } = await desk.ended(id);
        await desk.pass(closedAfter * SECOND);
        const position = positionId === null ? null : await desk.position(positionId);
        if (end !== 'unwind' && position?.status === 'OPEN') await desk.ended(await desk.close(position.id));
        await desk.allEnded();
        await desk.pass(LATEST_S * SECOND);
        expect(Number(desk.venue.held('AAA-PERP'))).to.equal(own);
        expect(Number(desk.venue.held('BBB-PERP'))).to.equal(0);
      } finally {
        desk.kill();
        await closeDesks();
      }
    });
  });
});
