/**
 * Less protection is asked about, told and recorded, whichever way it is asked for; more protection is free. A program that
 * is suspended protects, reduces and closes, and nothing else.
 */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const percent = (value: string, trailing?: object) => ({
  type: 'PERCENTAGE',
  value,
  ...(trailing === undefined ? {} : { trailing }),
});
const STOP = percent('5');
const FAR = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '10000000' };
const reasonOf = ({ json }: TestAnswer) => json?.details?.reason;

describe('less protection of a position', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));

  const stopOf = async (id: string) => (await desk.position(id)).stopLoss;
  const put = (id: string, body: object) => desk.rest('PUT', `/positions/${id}/brackets`, body);
  async function asked(answer: TestAnswer): Promise<Json> {
    expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
    const questions = await desk.questions();
    expect(questions).to.have.length(1);
    expect(questions[0]).to.deep.include({ kind: 'protect', reasons: ['LOOSENS'] });
    return questions[0];
  }
  async function toldOnce(): Promise<string> {
    const notices = await desk.notices('PROTECTION_LOOSENED');
    expect(notices).to.have.length(1);
    expect(await desk.audited('protection.loosened')).to.have.length(1);
    return notices[0].parameters.reason;
  }
  async function toldNever(): Promise<void> {
    expect(await desk.notices('PROTECTION_LOOSENED')).to.deep.equal([]);
    expect(await desk.audited('protection.loosened')).to.deep.equal([]);
  }

  describe('with the brackets of the position', () => {
    const LESS: readonly (readonly [what: string, before: object, after: object])[] = [
      ['the stop-loss removed', { stopLoss: STOP }, { stopLoss: null }],
      ['a stop-loss that fills less far', { stopLoss: STOP }, { stopLoss: { ...STOP, slippage: '0.0001' } }],
      ['a stop-loss further away', { stopLoss: STOP }, { stopLoss: percent('90') }],
      ['a stop-loss further away in USD', { stopLoss: STOP }, { stopLoss: { type: 'DOLLAR', value: '90' } }],
      ['a stop-loss at a lower price', { stopLoss: STOP }, { stopLoss: { type: 'PRICE', value: '1' } }],
      [
        'a stop-loss that trails no more',
        { stopLoss: percent('5', { delta: '2' }) },
        { stopLoss: percent('1') },
      ],
      [
        'a stop-loss that trails later',
        { stopLoss: percent('5', { delta: '2' }) },
        { stopLoss: percent('1', { delta: '2', activation: '50' }) },
      ],
      ['the take-profit removed', { takeProfit: percent('50') }, { takeProfit: null }],
      ['a take-profit further away', { takeProfit: percent('50') }, { takeProfit: percent('5000') }],
    ];
    for (const [what, present, less] of LESS) {
      it(`asks about ${what}, and does it once it is approved`, async () => {
        const { id, ...before } = await desk.opened(present);
        const question = await asked(await put(id, less));
        expect(await desk.position(id)).to.deep.include({
          stopLoss: before['stopLoss'],
          takeProfit: before['takeProfit'],
        });
        expect(question.plan.loosens).to.have.length(1);
        await toldNever();
        const approved = await desk.approve(question);
        expect([approved.status, approved.json.status], approved.text).to.deep.equal([200, 'APPROVED']);
        const [[kind, bracket] = []] = Object.entries(less);
        const after = (await desk.position(id))[kind ?? ''];
        expect(after?.value ?? null).to.equal(bracket?.value ?? null);
        expect(await toldOnce()).to.include(question.plan.loosens[0]);
      });
    }

    it('asks nobody where the approval is never, and tells and records it', async () => {
      desk.asksWhen('never');
      const { id } = await desk.opened({ stopLoss: STOP });
      expect((await put(id, { stopLoss: null })).status).to.equal(200);
      expect(await stopOf(id)).to.equal(null);
      expect(await toldOnce()).to.match(/stop-loss/i);
      const [entry] = await desk.audited('protection.loosened');
      expect(entry).to.deep.include({ subjectId: id, method: 'api_key', client: desk.asked.keyId });
    });

    it('asks where the kinds that are asked about name protection', async () => {
      desk.asksWhen('never', { kinds: ['protect'] });
      const { id } = await desk.opened({ stopLoss: STOP });
      const answer = await put(id, { stopLoss: null });
      expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
      expect((await put(id, { stopLoss: percent('3') })).status).to.equal(200);
    });

    it('leaves more protection free', async () => {
      const { id } = await desk.opened({ stopLoss: STOP, takeProfit: percent('50') });
      for (const more of [
        { stopLoss: percent('4') },
        { stopLoss: { type: 'DOLLAR', value: '3' } },
        { stopLoss: percent('3', { delta: '3' }) },
        { stopLoss: percent('2', { delta: '2' }) },
        { takeProfit: percent('40') },
      ]) {
        const answer = await put(id, more);
        expect(answer.status, answer.text).to.equal(200);
      }
      expect(await desk.questions()).to.deep.equal([]);
      await toldNever();
    });

    it('asks again where the user has tightened the stop since', async () => {
      const { id } = await desk.opened({ stopLoss: STOP });
      const question = await asked(await put(id, { stopLoss: percent('90') }));
      await desk.expect('user', 'PUT', `/positions/${id}/brackets`, { stopLoss: percent('2') });
      const stale = await desk.approve(question);
      expect([stale.status, reasonOf(stale)]).to.deep.equal([409, 'PLAN_CHANGED']);
      expect((await stopOf(id)).value).to.equal('2');
    });

    it('tells the user nothing about a change of his own', async () => {
      const { id } = await desk.opened({ stopLoss: STOP });
      expect((await desk.user('PUT', `/positions/${id}/brackets`, { stopLoss: null })).status).to.equal(200);
      await toldNever();
    });
  });

  describe('by ending what protects it', () => {
    for (const act of ['cancel', 'pause'] as const) {
      it(`asks about a ${act} of its stop-loss`, async () => {
        const { id, stopLoss } = await desk.opened({ stopLoss: STOP });
        const question = await asked(await desk.rest('POST', `/triggers/${stopLoss.triggerId}/${act}`));
        expect((await stopOf(id)).status).to.equal('ACTIVE');
        expect((await desk.approve(question)).status).to.equal(200);
        expect((await stopOf(id))?.status ?? 'NONE').to.equal(act === 'cancel' ? 'NONE' : 'PAUSED');
        await toldOnce();
      });

      it(`asks about a ${act} of a trigger that closes it, and of a TWAP that does`, async () => {
        const { id } = await desk.opened();
        const close = (body: object) => desk.rest('POST', `/positions/${id}/close`, body);
        const trigger = (await close({ type: 'TRIGGER', condition: FAR })).json;
        const question = await asked(await desk.rest('POST', `/triggers/${trigger.id}/${act}`));
        await desk.asked.deny(question.id);
        const twap = (await close({ type: 'TWAP', durationSeconds: 3_600, intervalSeconds: 600 })).json;
        await asked(await desk.rest('POST', `/schedules/${twap.id}/${act}`));
        expect((await desk.rest('GET', `/schedules/${twap.id}`)).json.status).to.equal('ACTIVE');
      });
    }

    it('asks where a trigger that closes it moves further away or ends earlier', async () => {
      const { id } = await desk.opened();
      const close = { type: 'TRIGGER', condition: { ...FAR, direction: 'LESS_THAN', value: '100' } };
      const trigger = (await desk.rest('POST', `/positions/${id}/close`, close)).json;
      const change = (body: object) => desk.rest('PATCH', `/triggers/${trigger.id}`, body);
      expect((await change({ condition: { value: '200' } })).status).to.equal(200);
      const question = await asked(await change({ condition: { value: '50' } }));
      await desk.asked.deny(question.id);
      const soon = new Date(guarded.gateway.clock.now() + 60_000).toISOString();
      await asked(await change({ expiresAt: soon }));
    });

    it('leaves what protects and reduces alone when it cancels everything', async () => {
      desk.asksWhen('never');
      const { id } = await desk.opened({ stopLoss: STOP });
      const closing = { type: 'TRIGGER', condition: FAR };
      const trigger = (await desk.rest('POST', `/positions/${id}/close`, closing)).json;
      const none = await desk.rest('POST', '/triggers/cancel-all');
      expect(none.json.errorCode, none.text).to.equal('NOOP_ERROR');
      const legs = [usd('BTC', 'BUY', '100')];
      const opening = (await desk.rest('POST', '/triggers/open', { legs, condition: FAR })).json;
      const done = await desk.rest('POST', '/triggers/cancel-all');
      expect(done.json.cancelled, done.text).to.deep.equal([opening.id]);
      expect((await stopOf(id)).status).to.equal('ACTIVE');
      const all = await desk.user('POST', '/triggers/cancel-all');
      expect(all.json.cancelled, all.text).to.include(trigger.id).and.have.length(2);
    });
  });

  describe('by what comes along with an order', () => {
    const legs = [usd('BTC', 'BUY', '20')];
    const REPLACE = { legs, stopLoss: percent('90'), brackets: 'REPLACE' };

    it('asks about an addition that replaces the stop-loss by one further away', async () => {
      const { id } = await desk.opened({ stopLoss: STOP });
      const order = { type: 'MARKET', ...REPLACE };
      const answer = await desk.rest('POST', '/trade/open', order);
      expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
      const [question] = await desk.questions();
      expect(question).to.deep.include({ kind: 'now', reasons: ['LOOSENS'] });
      expect((await desk.approve(question)).status).to.equal(200);
      await until(guarded.gateway.clock, 'the stop is replaced', async () => {
        return (await stopOf(id)).value === '90' || null;
      });
      await toldOnce();
    });

    it('asks nobody about one that replaces it by one nearer', async () => {
      const { id } = await desk.opened({ stopLoss: STOP });
      await desk.opened({ ...REPLACE, stopLoss: percent('3') });
      expect((await stopOf(id)).value).to.equal('3');
      await toldNever();
    });

    for (const [what, path, over] of [
      ['trigger', '/triggers/open', { condition: FAR }],
      [
        'TWAP',
        '/schedules',
        { durationSeconds: 3_600, intervalSeconds: 600, legs: [usd('BTC', 'BUY', '200')] },
      ],
    ] as const)
      it(`asks about a ${what} that would`, async () => {
        await desk.opened({ stopLoss: STOP });
        const answer = await desk.rest('POST', path, { ...REPLACE, ...over });
        expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
      });

    it('keeps a stop-loss that was set after a trigger was made, when it fires', async () => {
      const mark = (await desk.rest('GET', '/prices?connector=paper')).json.prices.find(
        ({ id }: Json) => id === 'BTC-PERP',
      ).mark;
      const near = { ...FAR, value: String(Number(mark) * 1.001) };
      const trigger = (await desk.rest('POST', '/triggers/open', { ...REPLACE, condition: near })).json;
      const { id } = await desk.opened({ stopLoss: STOP });
      await guarded.gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.01);
      await until(guarded.gateway.clock, 'it has fired', async () => {
        const { status } = (await desk.rest('GET', `/triggers/${trigger.id}`)).json;
        return status === 'COMPLETED' || null;
      });
      expect((await stopOf(id)).value).to.equal('5');
      await toldNever();
    });

    it('asks about a reversal that drops the stop-loss', async () => {
      const { id } = await desk.opened({ stopLoss: STOP });
      const answer = await desk.rest('POST', `/positions/${id}/reverse`, { brackets: 'DROP' });
      expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
      expect((await desk.rest('POST', `/positions/${id}/reverse`, { brackets: 'CARRY' })).status).to.equal(
        202,
      );
    });

    for (const [type, value] of [
      ['DOLLAR', '10'],
      ['PERCENTAGE', '10'],
    ] as const)
      it(`carries a stop-loss in ${type} over no further away than it was`, async () => {
        const { id } = await desk.opened({ stopLoss: { type, value } });
        const venue = guarded.gateway.gateway.paperVenue('paper');
        await venue.shock('BTC-PERP', 0.95);
        const plan = (await desk.rest('POST', `/positions/${id}/reverse/plan`, {})).json;
        await desk.execute('rest', `/positions/${id}/reverse`, { brackets: 'CARRY' });
        await until(guarded.gateway.clock, 'the opposite', async () => {
          const [opposite] = (await desk.rest('GET', '/positions?status=OPEN')).json.positions;
          return opposite?.stopLoss == null ? null : opposite;
        }).then(({ stopLoss }: Json) => {
          // Half of it was used up.
          expect(Number(stopLoss.value)).to.be.within(4, 5.6);
          expect(Number(plan.brackets.carried[0].value)).to.be.closeTo(Number(stopLoss.value), 0.2);
        });
        await venue.shock('BTC-PERP', 1 / 0.95);
      });

    it('asks about the stop-loss of a waiting trigger', async () => {
      const made = await desk.rest('POST', '/triggers/open', { legs, condition: FAR, stopLoss: STOP });
      const change = (stopLoss: object | null) =>
        desk.rest('PATCH', `/triggers/${made.json.id}`, { stopLoss });
      expect((await change(percent('3'))).status).to.equal(200);
      for (const less of [percent('50'), null])
        expect(reasonOf(await change(less)), JSON.stringify(less)).to.equal('APPROVAL');
    });
  });

  for (const when of ['above', 'always'] as const)
    it(`is a liquidation that comes nearer: neither margin nor leverage is the agent’s, asked ${when}`, async () => {
      desk.asksWhen(when);
      desk.bind({ rights: { ...desk.mandate.rights, changeLeverage: true } });
      const isolated = { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' };
      expect((await desk.rest('PUT', '/leverage', isolated)).status, 'while nothing is held').to.equal(200);
      const { id } = await desk.openedByUser([usd('BTC', 'BUY', '200')]);
      const margin = (amount: string) =>
        desk.rest('POST', `/positions/${id}/margin`, { symbol: 'BTC-PERP', amount });
      expect((await margin('50')).status).to.equal(200);
      for (const refused of [
        await margin('-20'),
        await desk.rest('PUT', '/leverage', { ...isolated, leverage: 40 }),
      ]) {
        expect([refused.status, refused.json.errorCode], refused.text).to.deep.equal([403, 'AGENT_LIMIT']);
        expect(refused.json.details.limits.map(({ limit }: Json) => limit)).to.include('changeLeverage');
      }
    });

  describe('while it is suspended', () => {
    it('refuses less protection and settings, and lets it protect, reduce and close', async () => {
      desk.asksWhen('never');
      const { id, stopLoss } = await desk.opened({ stopLoss: STOP });
      const twap = (
        await desk.rest('POST', `/positions/${id}/close`, {
          type: 'TWAP',
          durationSeconds: 3_600,
          intervalSeconds: 600,
        })
      ).json;
      desk.suspend();
      const trigger = `/triggers/${stopLoss.triggerId}`;
      for (const [method, path, body] of [
        ['PUT', `/positions/${id}/brackets`, { stopLoss: null }],
        ['PUT', `/positions/${id}/brackets`, { stopLoss: percent('90') }],
        ['POST', `${trigger}/cancel`, undefined],
        ['POST', `${trigger}/pause`, undefined],
        ['POST', `/schedules/${twap.id}/cancel`, undefined],
        [
          'PUT',
          `/positions/${id}/auto-rebalance`,
          { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' },
        ],
      ] as const) {
        const answer = await desk.rest(method, path, body);
        expect(answer.json.errorCode, `${method} ${path}: ${answer.text}`).to.equal('AGENT_LIMIT');
        expect(answer.json.details.limits[0].limit).to.equal('suspended');
      }
      expect((await put(id, { stopLoss: percent('3') })).status).to.equal(200);
      const half = { intent: 'REDUCE', fraction: '0.5' };
      await desk.execute('rest', `/positions/${id}/adjust`, half);
      await desk.expect('rest', 'POST', `/positions/${id}/close`, { type: 'MARKET' }, 202);
    });

    it('refuses to change leverage', async () => {
      desk.bind({ rights: { ...desk.mandate.rights, changeLeverage: true } });
      const body = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
      desk.suspend();
      const answer = await desk.rest('PUT', '/leverage', body);
      expect(answer.json.errorCode, answer.text).to.equal('AGENT_LIMIT');
    });
  });
});
