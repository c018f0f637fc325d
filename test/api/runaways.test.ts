/** Agents that are out of control are stopped by the gateway, told of, and trade again only when their user says so. */
import { expect } from 'chai';
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import { type Agent, type Caller, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { NOBODY_ASKED, smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const FREE: Partial<MandateBody> = {
  maxOrderUsd: '500',
  maxOpenedUsd24h: null,
  maxGrossUsd: null,
  maxPositions: null,
  lossStop: null,
  rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
  approval: NOBODY_ASKED,
};
/** Settings of a paper venue that charges fees. */
const FEES = { paperProfile: 'realistic' } as const;
const NEVER = { refusals: null, reopenings: null, feesUsd: null };

describe('agents out of control', () => {
  const gateway = gatewayForEachTest({ settings: FEES });
  const bot = traderForEachTest(gateway);
  const user = openForEachTest(() => signedIn(gateway, bot));

  const agentWith = (runaway: MandateBody['runaway']): Promise<Agent> => {
    const mandate = smallMandate(bot.accountId, { ...FREE, ...(runaway === undefined ? {} : { runaway }) });
    return connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
  };
  const done = (answer: TestAnswer, status = 200): Json => {
    expect(answer.status, answer.text).to.equal(status);
    return answer.json;
  };
  const order = (by: Caller, amount: string, symbol = 'BTC') =>
    by.call('POST', '/trade/open', { type: 'MARKET', legs: [usd(symbol, 'BUY', amount)] });
  const suspended = async ({ grantId }: Agent): Promise<string | null> => {
    const { agents } = done(await user.call('GET', '/agents'));
    return agents.find(({ id }: Json) => id === grantId).suspended?.reason ?? null;
  };
  async function opens(by: Caller, amount = '100', symbol?: string): Promise<Json> {
    const ended = await bot.ended(done(await order(by, amount, symbol), 202).execution.id);
    expect(ended.status, ended.error).to.equal('COMPLETED');
    return ended;
  }
  async function closes(by: Caller, { positionId }: Json): Promise<void> {
    const closing = done(await by.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' }), 202);
    await bot.ended(closing.execution.id);
  }

  it('refused again and again: suspended, told of, over a restart too, until its user resumes it', async () => {
    const agent = await agentWith({ ...NEVER, refusals: 4 });
    for (let times = 0; times < 3; times += 1) {
      expect((await order(agent, '501')).json.errorCode).to.equal('AGENT_LIMIT');
    }
    await opens(agent);
    expect(await suspended(agent)).to.equal(null);
    // Requests refused before any order is checked count too.
    expect((await agent.call('POST', '/safety/resume')).status).to.equal(403);
    expect((await agent.call('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 2 })).status).to.equal(403);
    expect(await suspended(agent)).to.equal('It was refused 4 times within an hour');
    const refused = await order(agent, '100');
    expect(refused.json.details.limits.map(({ limit }: Json) => limit)).to.deep.equal(['suspended']);
    // It binds before it is on disk.
    await until(gateway.clock, 'it is written down', async () => {
      const { notifications } = done(await user.call('GET', '/notifications'));
      return notifications.some(
        ({ category, parameters }: Json) =>
          category === 'AGENT_SUSPENDED' &&
          parameters.reason === 'Test agent: It was refused 4 times within an hour',
      );
    });
    const { auditEntries } = done(await user.call('GET', '/audit-log'));
    const own = auditEntries.filter(({ action }: Json) => action.startsWith('agent.suspended'));
    expect(own.map(({ method, subjectId }: Json) => [method, subjectId])).to.deep.equal([
      ['gateway', agent.grantId],
    ]);
    await gateway.restart();
    expect(await suspended(agent)).to.equal('It was refused 4 times within an hour');
    const headers = { authorization: `Bearer ${agent.accessToken}`, 'x-trade-account-id': bot.accountId };
    const body = { type: 'MARKET', legs: [usd('BTC', 'BUY', '100')] };
    const ask = () => gateway.request('POST', '/trade/open', { headers, body });
    expect((await ask()).status).to.equal(403);
    done(await user.call('POST', `/agents/${agent.grantId}/resume`));
    expect((await ask()).status).to.equal(202);
  });

  it('opening what it has just closed: suspended at the third time, and can still close', async () => {
    const agent = await agentWith({ ...NEVER, reopenings: 3 });
    let held = await opens(agent);
    for (let times = 0; times < 2; times += 1) {
      await closes(agent, held);
      held = await opens(agent);
      expect(await suspended(agent)).to.equal(null);
    }
    await closes(agent, held);
    held = await opens(agent);
    expect(await suspended(agent)).to.equal('It opened what it had just closed 3 times within 10 minutes');
    await closes(agent, held);
    expect(done(await bot.call('GET', '/positions?status=OPEN')).positions).to.deep.equal([]);
    done(await user.call('POST', `/agents/${agent.grantId}/resume`));
    // Judged by what it does from then on.
    held = await opens(agent);
    await closes(agent, held);
    await opens(agent);
    expect(await suspended(agent)).to.equal(null);
  });

  it('slowly, or in other baskets, or what its user closes: none of it', async () => {
    const agent = await agentWith({ ...NEVER, reopenings: 1 });
    const first = await opens(agent);
    await closes(user, first);
    const second = await opens(agent);
    await closes(agent, second);
    await closes(agent, await opens(agent, '100', 'ETH'));
    await opens(agent, '100', 'SOL');
    expect(await suspended(agent)).to.equal(null);
  });

  it('trading for the fees: suspended', async () => {
    const agent = await agentWith({ ...NEVER, feesUsd: '0.3' });
    for (let times = 0; times < 50 && (await suspended(agent)) === null; times += 1)
      await opens(agent, '100');
    expect(await suspended(agent)).to.match(/^It paid 0\.3\d? USD of fees within an hour$/);
  });

  it('what its user refuses, and what it asks for too often, is no refusal', async () => {
    const agent = await agentWith({ ...NEVER, refusals: 2 });
    const { agents } = done(await user.call('GET', '/agents'));
    const { terms, version } = agents.find(({ id }: Json) => id === agent.grantId).mandate;
    const mandate = { ...terms, rate: { ...terms.rate, perMinute: 1 } };
    done(await user.call('PUT', `/agents/${agent.grantId}/mandate`, { mandate, ifVersion: version }));
    await opens(agent);
    for (let times = 0; times < 5; times += 1) {
      expect((await order(agent, '100')).json.details.reason).to.equal('AGENT_RATE');
    }
    expect(await suspended(agent)).to.equal(null);
  });

  it('rules of a mandate are kept, tightened by anybody, and loosened with the password', async () => {
    const agent = await agentWith({ refusals: 10, reopenings: 3, feesUsd: '40' });
    const read = async () => {
      const { agents } = done(await user.call('GET', '/agents'));
      return agents.find(({ id }: Json) => id === agent.grantId).mandate;
    };
    const change = async (runaway: object | undefined, password?: string) => {
      const { terms, version } = await read();
      const { runaway: _, ...rest } = terms;
      const mandate = runaway === undefined ? rest : { ...rest, runaway };
      const secret = password === undefined ? {} : { password };
      return user.call('PUT', `/agents/${agent.grantId}/mandate`, { mandate, ifVersion: version, ...secret });
    };
    done(await change({ refusals: 5, reopenings: 3, feesUsd: '40' }));
    for (const wider of [{ refusals: 6, reopenings: 3, feesUsd: '40' }, NEVER, undefined]) {
      expect((await change(wider)).status, JSON.stringify(wider)).to.equal(400);
    }
    expect((await read()).terms.runaway).to.deep.equal({ refusals: 5, reopenings: 3, feesUsd: '40' });
    done(await change(undefined, 'correct horse battery'));
    expect((await read()).terms).to.not.have.property('runaway');
    expect((await change({ refusals: 0, reopenings: null, feesUsd: null })).status).to.equal(400);
  });
});
