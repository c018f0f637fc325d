/**
 * Reductions that the user is asked about, because they leave less of a hedge. An approved one is placed once, and
 * the approval names it and binds what was shown.
 */
import { expect } from 'chai';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { settled } from '../support/outstanding.ts';
import { usd } from '../support/trader.ts';

const PAIR = [usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '1000')];
const base = (ticker: string, side: string, amount: string) => ({
  ...{ symbol: `${ticker}-PERP`, side, mode: 'BASE', amount },
});
const SLICES = { durationSeconds: 600, intervalSeconds: 300, reduceOnly: true };

interface Uneven {
  readonly path: (positionId: string) => string;
  readonly body: object;
  /** Legs of it. */
  readonly legs: number;
}
const adjust = (id: string) => `/positions/${id}/adjust`;
const target = (symbol: string, quantity: string) => ({ symbol, quantity });
const TWAP: Uneven = {
  path: () => '/schedules',
  body: { legs: [base('BTC', 'SELL', '0.0006'), base('ETH', 'BUY', '0.1')], ...SLICES },
  legs: 2,
};
/** Requests that leave more net exposure, by name. */
const UNEVEN: Readonly<Record<string, Uneven>> = {
  'a reduction of one leg': {
    path: adjust,
    body: { intent: 'REDUCE', targets: [target('ETH-PERP', '0.1')] },
    legs: 1,
  },
  'a reduction of both legs': {
    path: adjust,
    body: { intent: 'REDUCE', targets: [target('BTC-PERP', '0.008'), target('ETH-PERP', '0.05')] },
    legs: 2,
  },
  'a closing TWAP': TWAP,
};

describe('an approved reduction', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));
  let held: Json;

  beforeEach(async () => {
    desk.asksWhen('above');
    held = await desk.openedByUser(PAIR);
  });

  const made = async (): Promise<number> => {
    const [{ executions }, { schedules }] = await Promise.all(
      ['/executions?includeSchedule=false', '/schedules'].map(
        async (path) => (await desk.user('GET', path)).json,
      ),
    );
    return executions.length + schedules.length;
  };
  const asked = async (path: string, body: object, headers = {}): Promise<Json> => {
    const answer = await desk.asked.bot.call('POST', path, body, headers);
    expect([answer.status, answer.json.details?.reason], answer.text).to.deep.equal([409, 'APPROVAL']);
    const [question] = await desk.questions();
    return question;
  };

  for (const [what, { path, body, legs }] of Object.entries(UNEVEN))
    for (const headers of [{}, { 'idempotency-key': 'once' }])
      it(`${what} ${'idempotency-key' in headers ? 'with a key ' : ''}is placed once, and ends its question`, async () => {
        const before = await made();
        const question = await asked(path(held.id), body, headers);
        expect(question.plan.legs, 'legs shown').to.have.length(legs);
        const yes = await desk.approve(question);
        expect(yes.status, yes.text).to.equal(200);
        await settled();
        const { json } = await desk.user('GET', `/approvals/${question.id}`);
        expect(json).to.include({ status: 'APPROVED' });
        expect(json.madeId).to.be.a('string');
        expect(await made()).to.equal(before + 1);
        const again = await desk.approve(question);
        expect(again.status, again.text).to.equal(409);
        expect(await made()).to.equal(before + 1);
        expect(await desk.questions()).to.have.length(0);
      });

  it('is placed where prices have moved by less than what is looked at again', async () => {
    const question = await asked(TWAP.path(held.id), TWAP.body);
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('BTC-PERP', 1.001);
    const yes = await desk.approve(question);
    expect(yes.status, yes.text).to.equal(200);
    await venue.shock('BTC-PERP', 1 / 1.001);
  });

  it('by a TWAP shows new figures where another has added, so that nothing is lost by it any more', async () => {
    const question = await asked(TWAP.path(held.id), TWAP.body);
    const before = await made();
    await desk.openedByUser([usd('BTC', 'BUY', '300'), usd('ETH', 'SELL', '900')]);
    const added = await made();
    const yes = await desk.approve(question);
    expect([yes.status, yes.json.details?.reason], yes.text).to.deep.equal([409, 'PLAN_CHANGED']);
    expect([added, await made()]).to.deep.equal([before + 1, before + 1]);
    const [shown] = await desk.questions();
    expect((await desk.approve(shown)).status).to.equal(200);
    expect(await made()).to.equal(before + 2);
  });

  it('by a TWAP shows new figures where the position or its stop-loss has changed since', async () => {
    const question = await asked(TWAP.path(held.id), TWAP.body);
    const before = await made();
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    expect((await desk.user('PUT', `/positions/${held.id}/brackets`, { stopLoss })).status).to.equal(200);
    const yes = await desk.approve(question);
    expect([yes.status, yes.json.details?.reason], yes.text).to.deep.equal([409, 'PLAN_CHANGED']);
    expect(await made()).to.equal(before);
    const [shown] = await desk.questions();
    expect((await desk.approve(shown)).status).to.equal(200);
    expect(await made()).to.equal(before + 1);
  });
});
