/** Protection in an approval: what the position would have after it, as the plan of the same change says it. */
import { expect } from 'chai';
import { askedDeskForEachTest, LARGE, SMALL } from '../support/asked-desk.ts';
import type { Json } from '../support/json.ts';

const STOP = { type: 'PERCENTAGE', value: '40' };
const FAR = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' };

describe('protection in an approval', () => {
  const desk = askedDeskForEachTest();
  beforeEach(async () => {
    desk.mandates.set(desk.keyId, { mandate: { maxOpenedUsd24h: null } });
  });

  let nth = 0;
  async function waiting(method: string, path: string, body: object): Promise<Json> {
    nth += 1;
    const asked = await desk.bot.call(method, path, body, { 'idempotency-key': `question-${nth}` });
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    return desk.read(asked.json.details.approvalId);
  }
  /** A position with a stop-loss, opened in parts that nobody is asked about. */
  async function held(): Promise<string> {
    await desk.bot.open(SMALL, { stopLoss: STOP });
    for (let times = 0; times < 3; times += 1) await desk.bot.open(SMALL);
    const [position] = await desk.bot.positions();
    return position?.id;
  }
  const about = ([stop]: readonly Json[]) => [stop?.kind, stop?.metric, stop?.firesAt];
  const result = ([stop]: readonly Json[]) => Number(stop?.resultUsd);

  it('is that of the dry run or plan: of an addition, an increase and a reversal', async () => {
    const id = await held();
    const adding = {
      ...{ type: 'MARKET', legs: LARGE, brackets: 'REPLACE' },
      stopLoss: { type: 'DOLLAR', value: '90' },
    };
    for (const [path, body, plan, planned] of [
      ['/trade/open', adding, '/trade/open', { ...adding, dryRun: true }],
      [`/positions/${id}/adjust`, { intent: 'INCREASE', fraction: '0.9' }, null, null],
      [`/positions/${id}/reverse`, {}, null, null],
    ] as const) {
      const { protection } = await waiting('POST', path, body);
      const said = await desk.bot.call('POST', plan ?? `${path}/plan`, planned ?? body);
      expect(about(protection), path).to.deep.equal(about(said.json.protection));
      expect(result(protection), path).to.be.closeTo(result(said.json.protection), 2);
    }
  });

  it('is that of brackets that protect less, until it is decided', async () => {
    const id = await held();
    const wider = { stopLoss: { ...STOP, value: '50' } };
    const asked = await waiting('PUT', `/positions/${id}/brackets`, wider);
    expect(about(asked.protection)).to.deep.equal(['STOP_LOSS', 'PERCENTAGE', '-50']);
    expect((await desk.deny(asked.id)).status).to.equal(200);
    expect((await desk.read(asked.id)).protection).to.deep.equal([]);
  });

  it('is of what a trigger and a TWAP bring, and of no ladder', async () => {
    const slicing = { durationSeconds: 600, intervalSeconds: 60 };
    for (const [path, more] of [
      ['/triggers/open', { condition: FAR }],
      ['/schedules', slicing],
    ] as const) {
      const { protection } = await waiting('POST', path, { legs: LARGE, ...more, stopLoss: STOP });
      expect(about(protection), path).to.deep.equal(['STOP_LOSS', 'PERCENTAGE', '-40']);
      expect(result(protection), path).to.be.closeTo(-320, 3);
    }
    const ladder = {
      ...{ legs: LARGE.slice(0, 1), metric: 'PRICE', direction: 'LESS_THAN', start: '9000', end: '8000' },
      ...{ levels: 3, distribution: 'LINEAR', sizing: 'EQUAL' },
    };
    expect((await waiting('POST', '/ladders', ladder)).protection).to.deep.equal([]);
  });
});
