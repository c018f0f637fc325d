/** Floods and monsters sent to the authorization server, which is open to everyone: what it keeps stays bounded. */
import { Agent, request } from 'node:http';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { databaseFile } from '../../gateway/config.ts';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { newPkce, oauthClient, REDIRECT_URI } from '../support/oauth-client.ts';
import { PAIR, trader } from '../support/trader.ts';

/** Largest numbers of stored clients and interactions at the authorization server. */
const MAX_CLIENTS = 10_000;
const MAX_INTERACTIONS = 1_000;

describe('denial of service through the authorization server', () => {
  let gateway: TestGateway;
  let visitor: ConsentVisitor;
  let client: ReturnType<typeof oauthClient>;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  before(async () => {
    gateway = await startTestGateway();
    await gateway.register();
    visitor = consentVisitor(gateway);
    client = oauthClient(gateway);
  });
  after(async () => {
    agent.destroy();
    await gateway.close();
  });

  const authorize = (clientId: string, over: Record<string, string> = {}) =>
    gateway.request('GET', client.authorizePath(clientId, newPkce().challenge, over));

  /** fetch would take several times as long. @returns status and text */
  function quick(
    method: string,
    path: string,
    body = '',
    through = agent,
  ): Promise<{ status: number; text: string }> {
    const headers =
      body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const req = request(
        { host: '127.0.0.1', port: gateway.port, method, path, headers, agent: through },
        (res) => {
          let text = '';
          res.on('data', (chunk: Buffer) => {
            text += chunk;
          });
          res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  }
  async function flood<T>(count: number, attack: (index: number) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    let next = 0;
    const worker = async () => {
      while (next < count) {
        const index = next;
        next += 1;
        results[index] = await attack(index);
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    return results;
  }
  function rows(table: string): Promise<number> {
    const database = new sqlite3.Database(databaseFile(gateway.dataDir), sqlite3.OPEN_READONLY);
    return new Promise((resolve, reject) => {
      database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`, (error, row) => {
        database.close();
        if (error === null) resolve(row.count);
        else reject(error);
      });
    });
  }
  /** As if so many more had come after this one: past HTTP, in one commit instead of one for each. */
  async function copyRow(table: string, key: string, original: string, copies: number): Promise<void> {
    const database = new sqlite3.Database(databaseFile(gateway.dataDir));
    const columns = await new Promise<string[]>((resolve, reject) => {
      database.all<{ name: string }>(`PRAGMA table_info(${table})`, (error, found) =>
        error === null ? resolve(found.map(({ name }) => name)) : reject(error),
      );
    });
    const others = columns.filter((name) => name !== key);
    // With equal age, the copies could be taken for the older ones.
    const values = others.map((name) => (name === 'created_at' ? `${name} + 1` : name)).join(', ');
    await new Promise<void>((resolve, reject) => {
      database.run(
        `WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ?)
         INSERT INTO ${table} (${key}, ${others.join(', ')})
         SELECT 'copy-' || number, ${values} FROM ${table}, copy WHERE ${key} = ?`,
        [copies, original],
        (error) => database.close(() => (error === null ? resolve() : reject(error))),
      );
    });
  }
  const registration = JSON.stringify({ redirect_uris: [REDIRECT_URI], client_name: 'Flood' });

  it('300 registrations more than there is room for: the oldest unfinished go, connected ones and newer ones stay', async function () {
    // A commit each, on whatever disk this is.
    this.timeout(300_000);
    const unfinished = await client.register();
    const connected = await client.connect(visitor);
    await copyRow('oauth_clients', 'id', connected.clientId, MAX_CLIENTS - 2);
    expect(await rows('oauth_clients')).to.equal(MAX_CLIENTS);
    const statuses = await flood(300, async () => (await quick('POST', '/register', registration)).status);
    expect([...new Set(statuses)]).to.deep.equal([201]);
    expect(await rows('oauth_clients')).to.be.at.most(MAX_CLIENTS);
    expect((await authorize(unfinished)).status).to.equal(401);
    expect((await authorize(connected.clientId)).status).to.equal(302);
    expect((await client.refresh(connected.clientId, connected.refresh_token)).status).to.equal(200);
    const late = await client.connect(visitor);
    expect(late.scope).to.equal('mcp:read mcp:write');
  });

  it('300 interactions more than there is room for: the oldest that nobody signed in to go, a person who is deciding stays', async () => {
    const clientId = await client.register();
    const link = `${gateway.url}${client.authorizePath(clientId, newPkce().challenge)}`;
    const deciding = await visitor.open(link);
    expect((await visitor.login(deciding)).status).to.equal(200);
    const abandoned = await visitor.open(link);
    const path = client.authorizePath(clientId, newPkce().challenge, { state: 'x'.repeat(1_000) });
    await copyRow('oauth_interactions', 'uid', abandoned, MAX_INTERACTIONS - 2);
    const statuses = await flood(300, async () => (await quick('GET', path)).status);
    expect([...new Set(statuses)]).to.deep.equal([302]);
    expect(await rows('oauth_interactions')).to.be.at.most(MAX_INTERACTIONS);
    expect((await visitor.read(abandoned)).status).to.equal(404);
    const confirmed = await visitor.confirm(deciding, ['mcp:read']);
    expect(confirmed.status).to.equal(200);
    expect(new URL(confirmed.json.returnTo).searchParams.get('code')).to.be.a('string');
  });

  it('an order does not wait behind the registrations that came before it', async () => {
    const bot = await trader(gateway, { email: 'eve@example.test', connector: 'paper' });
    const many = new Agent({ keepAlive: true, maxSockets: 600 });
    try {
      let answered = 0;
      const attack = () =>
        Array.from({ length: 600 }, async () => {
          await quick('POST', '/register', registration, many);
          answered += 1;
        });
      // The first time makes the connections; the second time all of them ask before the order does.
      await Promise.all(attack());
      answered = 0;
      const attacks = attack();
      await Promise.race(attacks);
      const order = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, 202);
      // Side by side in the queue it would find some 300 of them before it.
      expect(answered).to.be.below(100);
      await Promise.all(attacks);
      expect((await bot.ended(order.execution.id)).status).to.equal('COMPLETED');
    } finally {
      many.destroy();
    }
  });

  it('what one registration or one request may keep here is small', async () => {
    const uris = Array.from({ length: 400 }, (_, index) => `https://agent.example/${index}`);
    for (const metadata of [
      { redirect_uris: [REDIRECT_URI], client_name: 'x'.repeat(15_000) },
      { redirect_uris: uris },
      { redirect_uris: [`https://agent.example/${'x'.repeat(15_000)}`] },
      { redirect_uris: [REDIRECT_URI], grant_types: Array(900).fill('refresh_token') },
    ]) {
      const answer = await gateway.request('POST', '/register', { body: metadata });
      expect(answer.status, Object.keys(metadata).join()).to.equal(400);
      expect(answer.json).to.have.all.keys('status', 'message', 'error', 'error_description');
    }
    const large = { redirect_uris: [REDIRECT_URI], client_name: 'x'.repeat(20_000) };
    expect((await gateway.request('POST', '/register', { body: large })).status).to.equal(413);
    const clientId = await client.register();
    expect((await authorize(clientId, { state: 'x'.repeat(8_000) })).status).to.equal(400);
  });

  it('nested, repeated and exotic parameters are a 400, never a 500', async () => {
    const nested = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    const bodies = [
      nested,
      `{"redirect_uris":${nested}}`,
      '{"__proto__":{"redirect_uris":["x"]}}',
      'null',
      '1',
      '"x"',
      '[]',
    ];
    for (const body of bodies)
      expect((await quick('POST', '/register', body)).status, body.slice(0, 40)).to.equal(400);
    for (const body of [
      'grant_type=authorization_code&grant_type=refresh_token',
      'grant_type[]=authorization_code',
      '__proto__=x&constructor=y',
      '%',
      '%ff=%ff',
      'a='.repeat(5_000),
      `${'a&'.repeat(7_000)}`,
    ]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await gateway.request('POST', '/token', { headers, body });
      expect(answer.status, body.slice(0, 40)).to.equal(400);
      expect(answer.json.status).to.equal(400);
    }
  });
});
