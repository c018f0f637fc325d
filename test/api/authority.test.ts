/**
 * Authority of everything that starts an execution, asked for by a session, an API key and an agent, each on its own
 * account. Pending orders fire after a restart, so that their authority is read from disk.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { type Agent, callerWith, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway } from '../support/gateway.ts';
import { signIn, type TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { paperAlone } from '../support/paper-alone.ts';
import { type Trader, trader, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const TABLES = [
  'executions',
  'triggers',
  'schedules',
  'ladders',
  'auto_rebalances',
  'position_setups',
] as const;
/** Origin and intent of every way in which an execution begins. */
const WAYS = [
  'API OPEN',
  'API ADJUST',
  'API REDUCE',
  'API CLOSE',
  'API REVERSE',
  'REBALANCE ADJUST',
  'TRIGGER OPEN',
  'TRIGGER CLOSE',
  'LADDER OPEN',
  'SCHEDULE OPEN',
  'BRACKET CLOSE',
] as const;
const PRINCIPALS = ['session', 'api_key', 'oauth_grant'] as const;
type Kind = (typeof PRINCIPALS)[number];

describe('who placed it', () => {
  const clock = openForSuite(() => createFakeClock());
  const gateway = openForSuite(() => start());
  let bot: Trader;
  let agent: Agent;
  let headers: Readonly<Record<Kind, Readonly<Record<string, string>>>>;
  let ids: Readonly<Record<Kind, string>>;
  let accounts: Readonly<Record<Kind, string>>;

  const start = () => startTestGateway({ clock, overrides: { venues: [paperAlone] } });
  before(async () => {
    bot = await trader(gateway);
    const user = signedIn(gateway, bot);
    agent = await connectAgent(gateway, bot, consentVisitor(gateway));
    const session = { authorization: `Bearer ${bot.accessToken}` };
    headers = {
      session,
      api_key: { 'x-api-key': bot.key },
      oauth_grant: { authorization: `Bearer ${agent.accessToken}` },
    };
    const claims = JSON.parse(Buffer.from(bot.accessToken.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { apiKeys } = answered(await user.call('GET', '/api-keys'));
    ids = { session: claims.sid, api_key: apiKeys[0].id, oauth_grant: agent.grantId };
    const account = async (alias: string): Promise<string> =>
      answered(await user.call('POST', '/trade-accounts', { alias, connector: 'paper' }), 201).id;
    accounts = {
      session: await account('session'),
      api_key: await account('key'),
      oauth_grant: await account('agent'),
    };
  });

  function answered(answer: TestAnswer, status = 200): Json {
    expect(answer.status, answer.text).to.equal(status);
    return answer.json;
  }
  const as = (kind: Kind, account: Kind = kind) => callerWith(gateway, headers[kind], accounts[account]);
  const until = (what: string, so: () => Promise<boolean>) => untilOn(clock, what, so, 120_000);
  async function executions(kind: Kind, by: Kind = 'api_key'): Promise<Json[]> {
    const path = '/executions?limit=2000&includeSchedule=true&includeTriggers=true';
    return answered(await as(by, kind).call('GET', path)).executions;
  }
  /** Tokens live a quarter of an hour, and on a slow disk much more time is advanced meanwhile. */
  async function renewTokens(): Promise<void> {
    const { tokens } = await signIn(gateway);
    bot = { ...bot, accessToken: tokens.accessToken };
    const client = oauthClient(gateway);
    const granted = answered(await client.refresh(agent.clientId, agent.refreshToken));
    agent = { ...agent, accessToken: granted.access_token, refreshToken: granted.refresh_token };
    headers = {
      ...headers,
      session: { authorization: `Bearer ${bot.accessToken}` },
      oauth_grant: { authorization: `Bearer ${agent.accessToken}` },
    };
  }
  const shock = (symbol: string, factor: number) =>
    gateway.gateway.paperVenue('paper').shock(`${symbol}-PERP`, factor);
  async function mark(symbol: string): Promise<number> {
    const { prices } = answered(await bot.call('GET', '/prices?connector=paper'));
    return Number(prices.find(({ id }: Json) => id === `${symbol}-PERP`)?.mark);
  }
  async function rows(sql: string, ...params: string[]): Promise<Json[]> {
    const db = new sqlite3.Database(join(gateway.dataDir, 'tandem.db'), sqlite3.OPEN_READONLY);
    try {
      return await new Promise((resolve, reject) => {
        db.all(sql, params, (error, found) => (error === null ? resolve(found) : reject(error)));
      });
    } finally {
      db.close();
    }
  }

  /** Places an order and waits for its end. @returns the position */
  async function traded(kind: Kind, path: string, body: object): Promise<string> {
    const { execution } = answered(await as(kind).call('POST', path, body), 202);
    let done: Json = null;
    await until(path, async () => {
      done = answered(await as(kind).call('GET', `/executions/${execution.id}`)).execution;
      return done.finishedAt !== null;
    });
    expect(done.status, done.error ?? '').to.equal('COMPLETED');
    return done.positionId;
  }

  async function place(kind: Kind): Promise<void> {
    const { call } = as(kind);
    const open = (legs: object[], over: object = {}) =>
      traded(kind, '/trade/open', { type: 'MARKET', legs, ...over });
    const first = await open([usd('LTC', 'BUY', '1000'), usd('XRP', 'SELL', '1000')]);
    await traded(kind, `/positions/${first}/adjust`, { intent: 'INCREASE', usd: '200' });
    await traded(kind, `/positions/${first}/adjust`, { intent: 'REDUCE', usd: '200' });
    await traded(kind, `/positions/${first}/reverse`, {});
    await open([usd('DOGE', 'BUY', '500')]);
    answered(await call('POST', '/positions/close-all', {}), 202);
    await until('flat', async () => {
      const { positions } = answered(await call('GET', '/positions?status=OPEN'));
      return positions.length === 0;
    });
    // From here on it waits for the next life.
    await open([usd('SOL', 'BUY', '1000'), usd('AVAX', 'SELL', '1000')], {
      autoRebalance: {
        mode: 'TARGET_WEIGHTS',
        action: 'TRADE',
        minimumDrift: '0.01',
        cooldownSeconds: 60,
      },
    });
    await open([usd('BNB', 'BUY', '1000')], { stopLoss: { type: 'PERCENTAGE', value: '10' } });
    const closing = await open([usd('LTC', 'BUY', '1000')]);
    const level = async (factor: number) => String(Math.round((await mark('ETH')) * factor));
    const condition = {
      type: 'CROSS_ASSET_PRICE',
      direction: 'MORE_THAN',
      value: await level(1.1),
      symbol: 'ETH-PERP',
    };
    answered(await call('POST', `/positions/${closing}/close`, { type: 'TRIGGER', condition }));
    const legs = [usd('XRP', 'BUY', '600')];
    answered(await call('POST', '/triggers/open', { legs, condition }));
    const ladder = {
      legs: [usd('ETH', 'BUY', '1200')],
      metric: 'PRICE',
      symbol: 'ETH-PERP',
      direction: 'MORE_THAN',
      start: await level(1.05),
      end: await level(1.1),
      levels: 3,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
    };
    answered(await call('POST', '/ladders', ladder));
    const schedule = { legs: [usd('LINK', 'BUY', '600')], durationSeconds: 60, intervalSeconds: 30 };
    answered(await call('POST', '/schedules', schedule));
  }

  it('is on disk with everything, whoever asked and however the execution began', async () => {
    for (const kind of PRINCIPALS) await place(kind);
    await gateway.restart();
    await shock('SOL', 1.2);
    await shock('BNB', 0.8);
    await shock('ETH', 1.2);
    for (const kind of PRINCIPALS) {
      await until(`every way for ${kind}`, async () => {
        const began = new Set((await executions(kind)).map(({ origin, intent }) => `${origin} ${intent}`));
        return WAYS.every((way) => began.has(way));
      });
    }
    await gateway.restart();
    for (const kind of PRINCIPALS) {
      for (const table of TABLES) {
        const ofAccount =
          table === 'position_setups'
            ? 'execution_id IN (SELECT id FROM executions WHERE trade_account_id = ?)'
            : 'trade_account_id = ?';
        const sql = `SELECT DISTINCT authority_kind, authority_id FROM ${table} WHERE ${ofAccount}`;
        expect(await rows(sql, accounts[kind]), `${kind} ${table}`).to.deep.equal([
          { authority_kind: kind, authority_id: ids[kind] },
        ]);
      }
    }
  });

  it('is told to the user by name; to an agent only whether it was itself, the user or another', async () => {
    await renewTokens();
    const names = async (by: Kind) => {
      const told: Record<string, unknown> = {};
      for (const kind of PRINCIPALS) {
        const { call } = as(by, kind);
        const found: Json[] = [
          ...(await executions(kind, by)),
          ...answered(await call('GET', '/triggers?limit=200')).triggers,
          ...answered(await call('GET', '/schedules')).schedules,
          ...answered(await call('GET', '/ladders')).ladders,
        ];
        const all = new Set(found.map(({ authority }) => JSON.stringify(authority)));
        told[kind] = [...all].map((one) => JSON.parse(one));
      }
      return told;
    };
    const toUser = {
      session: [{ kind: 'session', name: 'you' }],
      api_key: [{ kind: 'api_key', name: 'test' }],
      oauth_grant: [{ kind: 'oauth_grant', name: 'Test agent' }],
    };
    expect(await names('session')).to.deep.equal(toUser);
    expect(await names('api_key')).to.deep.equal(toUser);
    expect(await names('oauth_grant')).to.deep.equal({
      session: [{ kind: 'session', name: 'the user' }],
      api_key: [{ kind: 'session', name: 'the user' }],
      oauth_grant: [{ kind: 'oauth_grant', name: 'you' }],
    });
    const another = await connectAgent(gateway, bot);
    const { call } = callerWith(
      gateway,
      { authorization: `Bearer ${another.accessToken}` },
      accounts.oauth_grant,
    );
    const [one] = answered(await call('GET', '/executions')).executions;
    expect(one.authority).to.deep.equal({ kind: 'oauth_grant', name: 'another agent' });
  });

  it('closes of a panic are placed by who pulled it', async () => {
    await renewTokens();
    const { call } = as('oauth_grant', 'session');
    const before = new Set((await executions('session')).map(({ id }) => id));
    answered(await call('POST', '/safety/panic', { confirm: 'CLOSE ALL' }), 202);
    await until('flat', async () => answered(await call('GET', '/safety')).panic.status === 'FLAT');
    const closes = (await executions('session')).filter(({ id }) => !before.has(id));
    expect(closes).to.have.length.greaterThan(0);
    for (const { authority } of closes)
      expect(authority).to.deep.equal({ kind: 'oauth_grant', name: 'Test agent' });
  });
});
