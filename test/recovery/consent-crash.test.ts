/**
 * The gateway is killed while mandates are given, changed, suspended and resumed: what was acknowledged is on disk, no
 * version is missing or doubled, and no grant that was allowed within limits stands without them.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { gatewayProcesses } from '../real-time/support/gateway-processes.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader } from '../support/trader.ts';

const KILLS = Number(process.env['MANDATE_KILLS'] ?? 2);

function rows(file: string, sql: string): Promise<Json[]> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
    database.all(sql, (error, found) => {
      database.close();
      if (error === null) resolve(found as Json[]);
      else reject(error);
    });
  });
}

describe('mandates of a gateway that is killed', function () {
  this.timeout(120_000);
  const processes = gatewayProcesses();
  let dataDir: string;

  before(async () => {
    dataDir = await temporaryFolder();
  });
  const start = () => processes.start({ dataDir });

  it(`${KILLS} times`, async () => {
    let running = await start();
    const bot: Trader = await trader(running);
    const session = { authorization: `Bearer ${bot.accessToken}` };
    const own = (method: string, path: string, body?: unknown) =>
      running.request(method, path, { headers: session, body });
    const key = await own('POST', '/api-keys', {
      label: 'small',
      scope: 'read_write',
      mandate: smallMandate(bot.accountId, { maxOrderUsd: '1000000' }),
    });
    const id: string = key.json.id;
    /** The last answers that came, and what may have been done without an answer. */
    let version = 1;
    let isSuspended = false;
    let suspending: boolean | null = null;
    let consents = 0;

    /** Takes away a little more, until the gateway is gone. */
    async function change(): Promise<void> {
      for (;;) {
        const mandate = smallMandate(bot.accountId, { maxOrderUsd: String(500_000 - version) });
        const changed = await own('PUT', `/agents/${id}/mandate`, { mandate, ifVersion: version });
        expect(changed.status, changed.text).to.equal(200);
        version = changed.json.mandate.version;
      }
    }
    async function suspend(): Promise<void> {
      for (;;) {
        suspending = !isSuspended;
        const answer = await own('POST', `/agents/${id}/${isSuspended ? 'resume' : 'suspend'}`);
        expect(answer.status, answer.text).to.equal(200);
        isSuspended = !isSuspended;
        suspending = null;
      }
    }
    async function consent(): Promise<void> {
      for (;;) {
        const client = oauthClient(running);
        const more = { mandate: smallMandate(bot.accountId) };
        const granted = await client.connect(consentVisitor(running), undefined, { consent: more });
        consents += 1;
        await client.revoke(granted.refresh_token);
      }
    }
    const untilGone = (work: Promise<void>) =>
      work.catch((error: unknown) => {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
      });

    for (let kill = 0; kill < KILLS; kill += 1) {
      const working = Promise.all([change(), suspend(), consent()].map(untilGone));
      // On a slow machine a consent takes longer than all of these times; one has to be there.
      while (kill === 0 && consents === 0) await sleep(5);
      await sleep(40 + ((kill * 37) % 160));
      await running.process.stop('SIGKILL');
      await working;
      running = await start();
      const agent = (await own('GET', '/agents')).json.agents.find((one: Json) => one.id === id);
      expect(agent.mandate.version, 'as answered, or one that nobody heard of').to.be.oneOf([
        version,
        version + 1,
      ]);
      version = agent.mandate.version;
      const isStopped = agent.suspended !== null;
      expect(isStopped).to.be.oneOf(suspending === null ? [isSuspended] : [isSuspended, suspending]);
      isSuspended = isStopped;
      suspending = null;
    }

    const file = join(dataDir, 'tandem.db');
    const versions = await rows(
      file,
      `SELECT version FROM agent_mandates WHERE holder_id = '${id}' ORDER BY version`,
    );
    expect(versions.map((row) => row.version)).to.deep.equal(versions.map((_, index) => index + 1));
    expect(versions.length).to.be.at.least(version);
    const bare = await rows(
      file,
      'SELECT id FROM oauth_grants WHERE id NOT IN (SELECT holder_id FROM agent_mandates)',
    );
    expect(bare).to.deep.equal([]);
    const unlogged = await rows(
      file,
      `SELECT m.version FROM agent_mandates AS m
        WHERE (SELECT count(*) FROM audit_log WHERE action = 'mandate.changed' AND subject_id = m.holder_id)
           <> (SELECT count(*) FROM agent_mandates WHERE holder_id = m.holder_id)`,
    );
    expect(unlogged, 'each version has its entry in the audit log').to.deep.equal([]);
    expect(consents).to.be.greaterThan(0);
  });
});
