/** A live account opens nothing until its owner has armed it, nothing for programs that it is not armed for, and no more than its caps. */
import { expect } from 'chai';
import { arming } from '../../gateway/contract/account-limits.ts';
import { type Agent, type Caller, callerWith } from '../support/agents.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { LiveDesk } from '../support/live-desk.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const PAIR = [usd('AAA', 'BUY', '40'), usd('BBB', 'SELL', '40')];
/** Never met. */
const FAR = { type: 'PRICE', direction: 'MORE_THAN', value: '99000', symbol: 'AAA-PERP' };
const LADDER = {
  legs: [usd('AAA', 'BUY', '90')],
  metric: 'PRICE',
  symbol: 'AAA-PERP',
  direction: 'MORE_THAN',
  start: '90000',
  end: '99000',
  levels: 3,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};
const SCHEDULE = { legs: [usd('CCC', 'BUY', '600')], durationSeconds: 600, intervalSeconds: 60 };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOT_ARMED = [409, 'ACCOUNT_NOT_ARMED'];
const NOT_ALLOWED = [403, 'CALLER_NOT_ALLOWED'];

const said = ({ status, json }: TestAnswer) => [status, json.errorCode];

describe('API: arming of a live account', () => {
  const desk = openForSuite(() => LiveDesk.open());
  let agent: Agent;

  before(async () => {
    agent = await desk.agent();
  });
  beforeEach(() => desk.move({}));

  const callers = (): Record<string, Caller> => ({ session: desk.user, key: desk.bot, agent });
  const ended = (answer: TestAnswer): Promise<Json> => {
    expect(answer.status, answer.text).to.equal(202);
    return desk.bot.ended(answer.json.execution.id);
  };
  const open = (by: Caller, legs: unknown = PAIR) => by.call('POST', '/trade/open', { type: 'MARKET', legs });

  describe('the routes', () => {
    it('a new account is not armed, and says what is proposed', async () => {
      const answer = await desk.bot.expect('GET', desk.armingPath);
      expect(arming.parse(answer)).to.include({
        armed: false,
        armedAt: null,
        perOrderUsd: '100',
        totalUsd: '500',
        programsReadCredentials: null,
      });
      expect(answer.allow).to.deep.equal({ apiKeys: false, grants: false });
    });

    it('only the owner, signed in, arms it; the alias is typed', async () => {
      const body = { alias: 'Real money', perOrderUsd: '100', totalUsd: '500' };
      expect((await desk.bot.call('PUT', desk.armingPath, body)).status).to.equal(403);
      expect((await agent.call('PUT', desk.armingPath, body)).status).to.equal(403);
      const wrong = await desk.arm({ alias: 'Paper' });
      expect([wrong.status, wrong.json.details[0].path]).to.deep.equal([400, 'alias']);
      expect((await desk.arm({ perOrderUsd: '0' })).status).to.equal(400);
      expect((await desk.bot.call('GET', desk.armingPath)).json.armed).to.equal(false);
      const armed = await desk.arm({ dayLossUsd: '50', instruments: ['AAA-PERP'], allow: { grants: true } });
      expect(armed.status).to.equal(200);
      expect(arming.parse(armed.json)).to.deep.include({
        armed: true,
        dayLossUsd: '50',
        instruments: ['AAA-PERP'],
        allow: { apiKeys: false, grants: true },
      });
    });

    it('what is left out stays, null takes it away, and any caller who trades disarms', async () => {
      const kept = await desk.arm({ perOrderUsd: '70', dayLossUsd: null });
      expect(kept.json).to.deep.include({
        perOrderUsd: '70',
        dayLossUsd: null,
        instruments: ['AAA-PERP'],
        allow: { apiKeys: false, grants: true },
      });
      for (const caller of Object.values(callers())) {
        await desk.arm();
        const disarmed = await caller.expect('DELETE', desk.armingPath);
        expect(arming.parse(disarmed)).to.include({ armed: false, armedAt: null });
      }
      await desk.arm({ instruments: null, allow: { grants: false } });
      await desk.user.call('DELETE', desk.armingPath);
    });

    it('leaves entries in the audit log, and outlives a restart', async () => {
      await desk.arm({ perOrderUsd: '99.5', firstOrderConfirmed: true });
      const before = (await desk.user.call('GET', desk.armingPath)).json;
      expect(before.firstOrderConfirmedAt).to.be.a('string');
      await desk.restart();
      agent = {
        ...agent,
        ...callerWith(desk.gateway, { authorization: `Bearer ${agent.accessToken}` }, desk.bot.accountId),
      };
      expect((await desk.user.call('GET', desk.armingPath)).json).to.deep.equal(before);
      await desk.bot.call('DELETE', desk.armingPath);
      const { auditEntries } = (await desk.user.call('GET', '/audit-log?limit=2')).json;
      expect(
        auditEntries.map(({ action, method, subjectId }: Json) => [action, method, subjectId]),
      ).to.deep.equal([
        ['account.disarmed', 'api_key', desk.bot.accountId],
        ['account.armed', 'session', desk.bot.accountId],
      ]);
    });

    it('a paper account is not armed, and nothing limits it', async () => {
      const path = `/trade-accounts/${desk.paperAccountId}/arming`;
      for (const method of ['GET', 'DELETE']) {
        expect(said(await desk.user.call(method, path))).to.deep.equal([409, 'NOOP_ERROR']);
      }
      const onPaper = { 'x-trade-account-id': desk.paperAccountId };
      const legs = [usd('BTC', 'BUY', '20000')];
      const opened = await desk.bot.call('POST', '/trade/open', { type: 'MARKET', legs }, onPaper);
      expect(opened.status).to.equal(202);
    });

    it("programs read the credentials until the owner turns it off; the owner's session always does", async () => {
      const path = `/trade-accounts/${desk.bot.accountId}/credentials`;
      const asked = async () =>
        Promise.all(Object.values(callers()).map(async (by) => (await by.call('POST', path)).status));
      expect(await asked()).to.deep.equal([200, 200, 200]);
      await desk.arm({ armed: false, programsReadCredentials: false });
      expect(await asked()).to.deep.equal([200, 403, 403]);
      expect((await desk.bot.call('POST', path)).json.message).to.match(
        /its owner, signed in, can turn that on/,
      );
      await desk.arm({ armed: false, programsReadCredentials: true });
      expect(await asked()).to.deep.equal([200, 200, 200]);
    });

    it('programs read nothing of an account that is made so, not in its first moment either', async () => {
      desk.identifier = 'desk-6';
      const made = await desk.user.expect(
        'POST',
        '/trade-accounts',
        {
          ...{ alias: 'Mine alone', connector: 'scripted', credentials: { apiSecret: 'z' } },
          programsReadCredentials: false,
        },
        201,
      );
      const path = `/trade-accounts/${made.id}/credentials`;
      const answers = Object.values(callers()).map(async (by) => (await by.call('POST', path)).status);
      expect(await Promise.all(answers)).to.deep.equal([200, 403, 403]);
      const armingOf = `/trade-accounts/${made.id}/arming`;
      expect((await desk.user.call('GET', armingOf)).json).to.include({
        ...{ armed: false, perOrderUsd: '100', totalUsd: '500', programsReadCredentials: false },
      });
      expect((await desk.user.call('DELETE', `/trade-accounts/${made.id}`)).status).to.equal(204);
    });

    it('credentials of another account at the venue are not armed', async () => {
      await desk.arm();
      desk.identifier = 'desk-8';
      const path = `/trade-accounts/${desk.bot.accountId}/credentials`;
      expect((await desk.user.call('PUT', path, { apiSecret: 'y' })).status).to.equal(200);
      expect((await desk.user.call('GET', desk.armingPath)).json.armed).to.equal(false);
      expect(said(await open(desk.user))).to.deep.equal(NOT_ARMED);
    });
  });

  describe('every route that opens', () => {
    let positionId: string;
    let routes: [name: string, call: (by: Caller) => Promise<TestAnswer>][];

    before(async () => {
      desk.move({});
      await desk.arm({ perOrderUsd: '100', totalUsd: '5000', instruments: null });
      ({ positionId } = await ended(await open(desk.user)));
      const made = async (path: string, body: object) => {
        const { id } = (await desk.user.call('POST', path, body)).json;
        // An agent cannot resume an order that its user has paused.
        await agent.call('POST', `${path.replace('/open', '')}/${id}/pause`);
        return id;
      };
      const trigger = await made('/triggers/open', { legs: PAIR, condition: FAR });
      const schedule = await made('/schedules', SCHEDULE);
      const at = `/positions/${positionId}`;
      await desk.user.call('PUT', `${at}/auto-rebalance`, REBALANCE);
      await agent.call('POST', `${at}/auto-rebalance/pause`);
      // The weights are off, so that there is something to trade.
      desk.move({ 'AAA-PERP': '150' });
      const asked = (method: string, path: string, body?: object) => (by: Caller) => {
        desk.move({});
        return by.call(method, path, body);
      };
      routes = [
        ['an order', asked('POST', '/trade/open', { type: 'MARKET', legs: [usd('CCC', 'BUY', '20')] })],
        ['a trigger', asked('POST', '/triggers/open', { legs: PAIR, condition: FAR })],
        ['a ladder', asked('POST', '/ladders', LADDER)],
        ['a schedule', asked('POST', '/schedules', SCHEDULE)],
        ['an increase', asked('POST', `${at}/adjust`, { intent: 'INCREASE', usd: '20' })],
        ['a rebalance', asked('POST', `${at}/rebalance`, {})],
        ['a changed trigger', asked('PATCH', `/triggers/${trigger}`, { condition: { value: '98000' } })],
        ['a resumed trigger', asked('POST', `/triggers/${trigger}/resume`)],
        ['a resumed schedule', asked('POST', `/schedules/${schedule}/resume`)],
        ['a resumed rebalance', asked('POST', `${at}/auto-rebalance/resume`)],
        ['a reversal', asked('POST', `${at}/reverse`, {})],
      ];
    });

    it('answers 409 to everybody while the account is not armed', async () => {
      await desk.user.call('DELETE', desk.armingPath);
      const sent = desk.venue.sent.length;
      for (const [name, call] of routes) {
        for (const [who, by] of Object.entries(callers())) {
          const answer = await call(by);
          expect(said(answer), `${name} by ${who}`).to.deep.equal(NOT_ARMED);
          expect(answer.json.message).to.match(/its owner arms it/);
        }
      }
      expect(desk.venue.sent).to.have.length(sent);
    });

    it('an order that waits to be sent again is not, once the account is disarmed', async () => {
      await desk.arm();
      desk.move({});
      const sent = desk.venue.sent.length;
      desk.venue.behave(() => ({ answer: 'not_sent', againInMs: 1_000 }));
      const answer = await open(desk.user, [usd('AAA', 'BUY', '50')]);
      await until(desk.gateway.clock, 'it was sent once', () => desk.venue.sent.length > sent);
      desk.venue.behave(() => ({}));
      await desk.user.call('DELETE', desk.armingPath);
      const execution = await ended(answer);
      expect([execution.status, execution.orders[0].errorCode]).to.deep.equal([
        'FAILED',
        'ACCOUNT_NOT_ARMED',
      ]);
      expect(desk.venue.sent).to.have.length(sent + 1);
    });

    it('a dry run says so', async () => {
      const { json } = await desk.bot.call('POST', '/trade/open', {
        type: 'MARKET',
        legs: PAIR,
        dryRun: true,
      });
      expect(json.plan.problems[0]).to.include({ code: 'ACCOUNT_NOT_ARMED' });
    });

    it('answers 403 to API keys and agents that are not allowed', async () => {
      await desk.arm({ totalUsd: '5000' });
      const sent = desk.venue.sent.length;
      for (const [name, call] of routes) {
        for (const by of [desk.bot, agent]) {
          const answer = await call(by);
          expect(said(answer), name).to.deep.equal(NOT_ALLOWED);
          expect(answer.json.message).to.match(/its owner allows it/);
        }
      }
      await desk.arm({ totalUsd: '5000', allow: { apiKeys: true } });
      for (const [name, call] of routes) expect(said(await call(agent)), name).to.deep.equal(NOT_ALLOWED);
      expect(desk.venue.sent).to.have.length(sent);
    });

    it('lets those in who are allowed', async () => {
      await desk.arm({ totalUsd: '5000', allow: { grants: true } });
      for (const [name, call] of routes) {
        const answer = await call(name === 'a resumed trigger' ? agent : desk.bot);
        expect([200, 202], `${name}: ${answer.text}`).to.include(answer.status);
        if (answer.status === 202) await desk.bot.ended(answer.json.execution.id);
      }
    });
  });

  describe('what closes', () => {
    it('is for everybody, armed or not, and of any size', async () => {
      await desk.arm({ perOrderUsd: '1000', totalUsd: '50000' });
      for (const by of Object.values(callers())) {
        desk.move({});
        const { positionId } = await ended(await open(desk.user, [usd('CCC', 'SELL', '900')]));
        await desk.arm({ perOrderUsd: '0.01', totalUsd: '0.01' });
        await desk.user.call('DELETE', desk.armingPath);
        const at = `/positions/${positionId}`;
        const stop = { stopLoss: { type: 'PERCENTAGE', value: '5' } };
        expect((await by.call('PUT', `${at}/brackets`, stop)).status).to.equal(200);
        const reduced = await ended(await by.call('POST', `${at}/adjust`, { intent: 'REDUCE', usd: '300' }));
        expect(reduced.status).to.equal('COMPLETED');
        const closed = await ended(await by.call('POST', `${at}/close`, { type: 'MARKET' }));
        expect(closed.status).to.equal('COMPLETED');
        await desk.arm({ perOrderUsd: '1000', totalUsd: '50000' });
      }
    });

    it('a panic closes an account that is not armed', async () => {
      await ended(await open(desk.user, [usd('CCC', 'BUY', '900')]));
      await desk.user.call('DELETE', desk.armingPath);
      desk.move({});
      const panic = await desk.user.expect('POST', '/safety/panic', { confirm: 'CLOSE ALL' }, 202);
      for (const { id, tradeAccountId } of panic.executions) {
        if (tradeAccountId === desk.bot.accountId) await desk.bot.ended(id);
      }
      expect(await desk.bot.positions()).to.deep.equal([]);
      expect((await desk.user.call('POST', '/safety/resume')).status).to.equal(200);
    });
  });

  describe('the caps', () => {
    it('refuse an order that asks for more than one order may be, or than the account may hold', async () => {
      await desk.arm({ perOrderUsd: '100', totalUsd: '250', allow: { apiKeys: true } });
      const refused = async (legs: object[]) => {
        const answer = await open(desk.bot, legs);
        expect(said(answer)).to.deep.equal([409, 'CAP_EXCEEDED']);
        return answer.json.message as string;
      };
      expect(await refused([usd('AAA', 'BUY', '100.01')])).to.match(/one order may be/);
      const three = [usd('AAA', 'BUY', '90'), usd('BBB', 'BUY', '90'), usd('CCC', 'SELL', '90')];
      expect(await refused(three)).to.match(/may hold in all/);
      const trigger = { legs: [usd('AAA', 'BUY', '101')], condition: FAR };
      expect(said(await desk.bot.call('POST', '/triggers/open', trigger))).to.deep.equal([
        409,
        'CAP_EXCEEDED',
      ]);
      await desk.arm({ instruments: ['AAA-PERP'], allow: { apiKeys: true } });
      expect(await refused([usd('BBB', 'BUY', '20')])).to.match(/not among the instruments/);
      await desk.arm({ instruments: null });
    });

    it('let an order of exactly the cap through', async () => {
      await desk.arm({ perOrderUsd: '100', totalUsd: '200', allow: { apiKeys: true } });
      const execution = await ended(
        await open(desk.bot, [usd('AAA', 'BUY', '100'), usd('BBB', 'SELL', '100')]),
      );
      expect(execution.status).to.equal('COMPLETED');
      expect(said(await open(desk.bot, [usd('CCC', 'BUY', '10')]))).to.deep.equal([409, 'CAP_EXCEEDED']);
      desk.move({});
      await ended(
        await desk.bot.call('POST', `/positions/${execution.positionId}/close`, { type: 'MARKET' }),
      );
    });

    it('baskets that are sent at once do not pass the total together', async () => {
      await desk.arm({ perOrderUsd: '100', totalUsd: '200', allow: { apiKeys: true } });
      const legs = [
        [usd('AAA', 'BUY', '90')],
        [usd('BBB', 'BUY', '90')],
        [usd('CCC', 'BUY', '90')],
        [usd('AAA', 'SELL', '90')],
        [usd('BBB', 'SELL', '90')],
      ];
      const before = desk.venue.sent.length;
      const answers = await Promise.all(legs.map((one) => open(desk.bot, one)));
      const ends = await Promise.all(answers.filter(({ status }) => status === 202).map(ended));
      expect(desk.venue.sent.slice(before)).to.have.length(2);
      expect(ends.filter(({ status }) => status === 'COMPLETED')).to.have.length(2);
      for (const { status, errorCode } of ends) {
        if (status !== 'COMPLETED') expect([status, errorCode]).to.deep.equal(['FAILED', 'CAP_EXCEEDED']);
      }
      desk.move({});
      await desk.bot.call('POST', '/positions/close-all', {});
    });

    it('a loss of the day ends the opening until the next', async () => {
      for (const { id } of await desk.bot.positions()) {
        await desk.bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' });
      }
      await desk.arm({ perOrderUsd: '1000', totalUsd: '5000' });
      await ended(await open(desk.user, [usd('BBB', 'BUY', '900')]));
      desk.move({ 'BBB-PERP': '90' });
      await desk.arm({ perOrderUsd: '1000', totalUsd: '5000', dayLossUsd: '10000' });
      expect((await ended(await open(desk.user, [usd('CCC', 'BUY', '20')]))).status).to.equal('COMPLETED');
      const strict = { perOrderUsd: '1000', totalUsd: '5000', dayLossUsd: '1', allow: { apiKeys: true } };
      await desk.arm(strict);
      const refused = await ended(await open(desk.user, [usd('CCC', 'BUY', '20')]));
      expect([refused.status, refused.errorCode]).to.deep.equal(['FAILED', 'CAP_EXCEEDED']);
      expect(refused.error).to.match(/has lost .* USD today/);
      const { clock } = desk.gateway;
      await clock.advance(MINUTE);
      clock.leap(DAY);
      desk.move({ 'BBB-PERP': '90' });
      expect((await ended(await open(desk.bot, [usd('CCC', 'BUY', '20')]))).status).to.equal('COMPLETED');
      desk.move({ 'BBB-PERP': '85' });
      const again = await ended(await open(desk.bot, [usd('CCC', 'BUY', '20')]));
      expect([again.status, again.errorCode]).to.deep.equal(['FAILED', 'CAP_EXCEEDED']);
    });
  });
});
