/**
 * An approval's agent is disconnected, suspended or pauses itself, or its key is deleted, or its account is removed or
 * disarmed while the approval is pending. It ends, stops counting towards any limit, and can no longer be approved.
 */
import { expect } from 'chai';
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import { type Agent, type Caller, callerWith, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { signIn, type TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { LiveDesk } from '../support/live-desk.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { NOBODY_ASKED, smallMandate } from '../support/small-mandate.ts';
import { type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const ROUNDS = 50;
const BASKET = { type: 'MARKET', legs: [usd('BTC', 'BUY', '10'), usd('ETH', 'SELL', '10')] };
const TRIGGER = {
  legs: [usd('BTC', 'BUY', '10')],
  condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' },
};
const ASKS: Partial<MandateBody> = {
  kinds: ['now', 'when', 'protect'],
  maxOpenedUsd24h: null,
  maxGrossUsd: null,
  maxPositions: null,
  maxResting: null,
  rate: { perMinute: 600, perDay: 100_000, coolDownSeconds: 0 },
  approval: { ...NOBODY_ASKED, when: 'always', driftBps: 500 },
};

/** Whoever asks, and what ends its approvals. */
interface Asker extends Caller {
  readonly id: string;
}

describe('an approval that loses what it needs', () => {
  const gateway = gatewayForSuite();
  let bot: Trader;
  let user: Caller;

  let email = '';
  let users = 0;

  beforeEach(async () => {
    users += 1;
    email = `user-${users}@example.test`;
    bot = await trader(gateway, { email });
    const { tokens } = await signIn(gateway, email);
    user = signedIn(gateway, { ...bot, accessToken: tokens.accessToken });
  });

  const done = (answer: TestAnswer, status = 200): Json => {
    expect(answer.status, answer.text).to.equal(status);
    return answer.json;
  };

  async function agent(accountId = bot.accountId, over: Partial<MandateBody> = {}): Promise<Asker> {
    const consent = { mandate: smallMandate(accountId, { ...ASKS, ...over }) };
    const visitor = consentVisitor(gateway, { email });
    const { grantId, accessToken } = await connectAgent(gateway, bot, visitor, { consent });
    const headers = { authorization: `Bearer ${accessToken}` };
    return { id: grantId, ...callerWith(gateway, headers, accountId) };
  }

  async function program(): Promise<Asker> {
    const made = await user.call('POST', '/api-keys', {
      label: 'Bot',
      scope: 'read_write',
      mandate: smallMandate(bot.accountId, ASKS),
    });
    const { id, key } = done(made, 201);
    return { id, ...callerWith(gateway, { 'x-api-key': key }, bot.accountId) };
  }

  async function asks(by: Asker, path: string, body: object): Promise<Json> {
    const asked = await by.call('POST', path, body);
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    return done(await user.call('GET', `/approvals/${asked.json.details.approvalId}`));
  }

  const approve = ({ id, planHash }: Json) => user.call('POST', `/approvals/${id}/approve`, { planHash });
  const usage = async (id: string): Promise<Json> =>
    done(await user.call('GET', '/agents')).agents.find((one: Json) => one.id === id)?.usage;
  const executions = async () => done(await bot.call('GET', '/executions?limit=100')).executions;
  const triggers = async () => done(await bot.call('GET', '/triggers')).triggers;

  interface Way {
    readonly name: string;
    readonly asker: () => Promise<Asker>;
    readonly ends: (asker: Asker) => Promise<TestAnswer>;
    readonly because: string;
    /** It can ask again afterwards, once its user lets it. */
    readonly resumes: boolean;
  }
  const GONE = 'The agent that asked for it was disconnected, or its key has ended';
  const STOPPED = 'Whoever asked for it was suspended';
  const WAYS: readonly Way[] = [
    {
      name: 'the agent is disconnected',
      asker: agent,
      ends: ({ id }) => user.call('DELETE', `/oauth2/grants/${id}`),
      because: GONE,
      resumes: false,
    },
    {
      name: 'the key is deleted',
      asker: program,
      ends: ({ id }) => user.call('DELETE', `/api-keys/${id}`),
      because: GONE,
      resumes: false,
    },
    {
      name: 'the agent is suspended',
      asker: agent,
      ends: ({ id }) => user.call('POST', `/agents/${id}/suspend`),
      because: STOPPED,
      resumes: true,
    },
    {
      name: 'the program is suspended',
      asker: program,
      ends: ({ id }) => user.call('POST', `/agents/${id}/suspend`),
      because: STOPPED,
      resumes: true,
    },
    {
      name: 'all agents are paused',
      asker: agent,
      ends: () => user.call('POST', '/agents/pause-all'),
      because: STOPPED,
      resumes: true,
    },
  ];

  for (const { name, asker, ends, because, resumes } of WAYS) {
    it(`${name}: withdrawn, nothing counts, nothing can be approved`, async () => {
      const by = await asker();
      const order = await asks(by, '/trade/open', BASKET);
      const waits = await asks(by, '/triggers/open', TRIGGER);
      expect(await usage(by.id)).to.deep.include({ positions: 1, resting: 1 });
      const { opened, gross, ...counted } = await usage(by.id);
      expect(Number(counted.grossUsd)).to.be.above(29);
      // All of it is only asked for, and the answer says so.
      expect(counted).to.include({ positionsHeld: 0, restingPlaced: 0 });
      const nothing = { reservedUsd: '0' };
      expect(opened).to.deep.equal({ filledUsd: '0', ...nothing, askedUsd: counted.openedUsd24h });
      expect(gross).to.deep.equal({ heldUsd: '0', waitingUsd: '0', ...nothing, askedUsd: counted.grossUsd });
      expect((await ends(by)).status).to.be.oneOf([200, 204]);
      for (const { id } of [order, waits]) {
        const { status, withdrawnBecause } = done(await user.call('GET', `/approvals/${id}`));
        expect([status, withdrawnBecause]).to.deep.equal(['WITHDRAWN', because]);
      }
      if (resumes) {
        expect(await usage(by.id)).to.include({ grossUsd: '0', openedUsd24h: '0', positions: 0, resting: 0 });
        done(await user.call('POST', `/agents/${by.id}/resume`));
      }
      for (const one of [order, waits]) {
        expect((await approve(one)).json.errorCode).to.equal('NOOP_ERROR');
      }
      expect([await executions(), await triggers()]).to.deep.equal([[], []]);
      const { auditEntries } = done(await user.call('GET', '/audit-log'));
      const ended = auditEntries.filter((one: Json) => one.action === 'approval.withdrawn');
      expect(ended.map(({ method }: Json) => method)).to.deep.equal(['gateway', 'gateway']);
    });

    it(`${name} while it is approved, ${ROUNDS} times: one end, and what it says is so @long`, async () => {
      let by = await asker();
      for (let round = 0; round < ROUNDS; round += 1) {
        const makes = round % 3 === 0 ? 'trigger' : 'order';
        const asked =
          makes === 'trigger'
            ? await asks(by, '/triggers/open', {
                ...TRIGGER,
                expiresAt: new Date(gateway.clock.now() + 9e8 + round).toISOString(),
              })
            : await asks(by, '/trade/open', { ...BASKET, slippage: `0.00${100 + round}` });
        const before = { executions: (await executions()).length, triggers: (await triggers()).length };
        const both = [() => approve(asked), () => ends(by)];
        if (round % 2 === 1) both.reverse();
        const answers = await Promise.all(both.map((one) => one()));
        const said = answers[round % 2]?.status;
        const { status, madeId } = done(await user.call('GET', `/approvals/${asked.id}`));
        expect(status).to.be.oneOf(['APPROVED', 'WITHDRAWN']);
        expect([said, madeId === null], status).to.deep.equal(
          status === 'APPROVED' ? [200, false] : [409, true],
        );
        const made = madeId === null ? 0 : 1;
        if (makes === 'order') {
          if (madeId !== null) await bot.ended(madeId);
          expect((await executions()).length).to.equal(Math.min(before.executions + made, 100));
        } else expect((await triggers()).length).to.equal(before.triggers + made);
        if (resumes) {
          await user.call('POST', `/agents/${by.id}/resume`);
          const waiting = done(await user.call('GET', '/approvals')).waiting;
          expect(waiting).to.equal(0);
        } else by = await asker();
      }
    });
  }

  it('it pauses itself with the loss that it may have: what it asked for goes with it', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    const lossStop = { usd: '1', then: 'SUSPEND' } as const;
    const by = await agent(bot.accountId, { lossStop });
    const order = await asks(by, '/trade/open', { ...BASKET, legs: [usd('BTC', 'BUY', '200')] });
    const approved = done(await approve(order));
    await bot.ended(approved.madeId);
    const waits = await asks(by, '/triggers/open', TRIGGER);
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.9);
    await until(gateway.clock, 'the agent has paused itself', async () => {
      const { status } = done(await user.call('GET', `/approvals/${waits.id}`));
      expect(status).to.be.oneOf(['PENDING', 'WITHDRAWN']);
      return status === 'WITHDRAWN';
    });
    expect((await approve(waits)).json.errorCode).to.equal('NOOP_ERROR');
  });

  it('its account is removed', async () => {
    const { id: accountId } = done(
      await user.call('POST', '/trade-accounts', { alias: 'Second', connector: 'paper' }),
      201,
    );
    const by = await agent(accountId);
    const order = await asks(by, '/trade/open', BASKET);
    const removed = await user.call('DELETE', `/trade-accounts/${accountId}`);
    expect(removed.status, removed.text).to.be.oneOf([200, 204]);
    const ended = done(await user.call('GET', `/approvals/${order.id}`));
    expect([ended.status, ended.withdrawnBecause]).to.deep.equal([
      'WITHDRAWN',
      'Its trade account was removed',
    ]);
    expect((await approve(order)).json.errorCode).to.equal('NOOP_ERROR');
    expect((await usage(by.id)).grossUsd).to.equal('0');
  });

  it('what all agents together have lost is a limit of now: approve says so, and the order waits on', async () => {
    const by = await agent();
    const order = await asks(by, '/trade/open', { ...BASKET, legs: [usd('BTC', 'BUY', '200')] });
    await bot.ended(done(await approve(order)).madeId);
    const waits = await asks(by, '/trade/open', BASKET);
    const limits = {
      maxOrderUsd: null,
      maxOpenedUsd24h: null,
      maxGrossUsd: null,
      maxPositions: null,
      maxResting: null,
      lossUsd24h: '0.01',
    };
    done(await user.call('PUT', '/agents/limits', { limits, ifVersion: 0 }));
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.9);
    await until(gateway.clock, 'it is refused for the loss', async () => {
      const refused = await approve(waits);
      expect(refused.status, refused.text).to.equal(409);
      const { reason, refusal } = refused.json.details;
      if (reason === 'NOT_NOW') {
        expect(refusal.limits[0].limit).to.equal('house.lossUsd24h');
        return true;
      }
      expect(reason).to.equal('PRICE_MOVED');
      waits.planHash = done(await user.call('GET', `/approvals/${waits.id}`)).planHash;
      return false;
    });
    expect(done(await user.call('GET', `/approvals/${waits.id}`)).status).to.equal('PENDING');
  });
});

describe('an approval on an account of real money', () => {
  const desk = openForEachTest(() => LiveDesk.open());
  let agent: Agent;

  beforeEach(async () => {
    await desk.arm({ allow: { grants: true } });
    const consent = { mandate: smallMandate(desk.bot.accountId, ASKS) };
    agent = await connectAgent(desk.gateway, desk.bot, consentVisitor(desk.gateway), { consent });
  });

  const legs = [usd('AAA', 'BUY', '20')];
  for (const [name, disarm] of [
    ['is disarmed', () => desk.user.call('DELETE', desk.armingPath)],
    ['is not armed for agents any more', () => desk.arm({ allow: { grants: false } })],
  ] as const)
    it(`${name}: withdrawn, and arming it again brings nothing back`, async () => {
      desk.move({});
      const asked = await agent.call('POST', '/trade/open', { type: 'MARKET', legs });
      expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
      const path = `/approvals/${asked.json.details.approvalId}`;
      const { planHash, account } = (await desk.user.call('GET', path)).json;
      expect(account).to.include({ mode: 'LIVE', network: 'mainnet' });
      expect((await disarm()).status).to.equal(200);
      const ended = (await desk.user.call('GET', path)).json;
      expect([ended.status, ended.withdrawnBecause]).to.deep.equal([
        'WITHDRAWN',
        'Its trade account is not armed for it any more',
      ]);
      await desk.arm({ allow: { grants: true } });
      const late = await desk.user.call('POST', `${path}/approve`, { planHash });
      expect(late.json.errorCode).to.equal('NOOP_ERROR');
      expect((await desk.bot.call('GET', '/executions')).json.executions).to.deep.equal([]);
    });
});
