/** A client that registers anew gets no new budget: not by another name's spelling, a restart, a revocation or the clock. */
import { expect } from 'chai';
import { callerWith } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest, usd } from '../support/trader.ts';

const DAY_MS = 86_400_000;

describe('the budget of a client that registers anew', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock });
  const bot = traderForEachTest(gateway);

  interface Connected {
    readonly id: string;
    readonly continues: readonly string[];
    /** Opens one leg of this many USD. */
    open(amount: string): Promise<TestAnswer>;
  }

  const own = (method: string, path: string) =>
    gateway.request(method, path, { headers: { authorization: `Bearer ${bot.accessToken}` } });

  async function connect(name: string, more: object = {}): Promise<Connected> {
    const mandate = smallMandate(bot.accountId, {
      maxOrderUsd: null,
      maxOpenedUsd24h: '500',
      approval: { ...smallMandate('').approval, when: 'never', aboveUsd: null, firsts: 'off' },
    });
    const client = oauthClient(gateway);
    const clientId = await client.register({ client_name: name });
    const over = { clientId, consent: { mandate, ...more } };
    const token = (await client.redeem(await client.authorize(consentVisitor(gateway), undefined, over)))
      .json;
    const { agents } = (await own('GET', '/agents')).json;
    const [newest] = agents.filter(({ kind }: Json) => kind === 'oauth_grant');
    const caller = callerWith(gateway, { authorization: `Bearer ${token.access_token}` }, bot.accountId);
    return {
      id: newest.id,
      continues: newest.continues,
      open: (amount) =>
        caller.call('POST', '/trade/open', { type: 'MARKET', legs: [usd('BTC', 'BUY', amount)] }),
    };
  }

  async function filled(answer: TestAnswer): Promise<void> {
    expect(answer.status, answer.text).to.equal(202);
    expect((await bot.ended(answer.json.execution.id)).status).to.equal('COMPLETED');
  }

  function refused(answer: TestAnswer): void {
    expect(answer.status, answer.text).to.equal(403);
    expect(answer.json.errorCode).to.equal('AGENT_LIMIT');
  }

  it('goes on: connected twice, revoked, spelled otherwise, restarted', async () => {
    const first = await connect('Codex');
    await filled(await first.open('400'));
    const second = await connect('  codex ');
    expect(second.continues).to.deep.equal([first.id]);
    refused(await second.open('200'));
    await filled(await second.open('50'));
    // The first one's as well: what either uses counts for both.
    refused(await first.open('60'));
    await own('DELETE', `/oauth2/grants/${first.id}`);
    await own('DELETE', `/oauth2/grants/${second.id}`);
    await gateway.restart();
    const third = await connect('Codex');
    expect(third.continues).to.deep.equal([second.id, first.id]);
    refused(await third.open('200'));
  });

  it('goes on for a name that only looks the same', async () => {
    const first = await connect('Claude Code');
    await filled(await first.open('450'));
    const alike = [
      ...['\u034f', '\u3164', '\u2800', '\u{e0100}'].map((hidden) => `Cla${hidden}ude Code`),
      ...['Сlаudе Соdе', 'Claude  Code', 'claude-code', 'Cláude Code', 'ClaudeCode.'],
      ...['CIaude Code', 'C1aude C0de', 'C|aude Code', 'Cӏaude Code', 'Claude ꓚode', 'Ꮯlaude Code'],
      ...['Clⲁude Code', 'Clɑude Code', 'ᴄʟᴀᴜᴅᴇ ᴄᴏᴅᴇ', 'Claude C𝟎de'],
    ];
    for (const name of alike) {
      const again = await connect(name);
      refused(await again.open('100'));
      await own('DELETE', `/oauth2/grants/${again.id}`);
    }
  });

  it('is not found by a clock that is set back by a day', async () => {
    const first = await connect('Codex');
    await filled(await first.open('400'));
    await own('DELETE', `/oauth2/grants/${first.id}`);
    clock.jump(-DAY_MS);
    const second = await connect('Codex');
    expect(second.continues).to.deep.equal([first.id]);
    refused(await second.open('200'));
  });

  it('is another one for a client of another name, and where the user says so', async () => {
    const first = await connect('Codex');
    await filled(await first.open('400'));
    const other = await connect('Gemini');
    expect(other.continues).to.deep.equal([]);
    await filled(await other.open('200'));
    const fresh = await connect('Codex', { continueBudget: false });
    expect(fresh.continues).to.deep.equal([]);
    await filled(await fresh.open('200'));
    // The next one continues the fresh one, and not those before it.
    const next = await connect('Codex');
    expect(next.continues).to.deep.equal([fresh.id]);
    refused(await next.open('400'));
  });

  it('of one that is replaced in the same step goes on, and the other is out', async () => {
    const first = await connect('Codex');
    await filled(await first.open('400'));
    const second = await connect('Codex', { replaces: first.id });
    const gone = await first.open('50');
    expect([gone.status, gone.json.message]).to.deep.equal([401, 'Token has been revoked']);
    refused(await second.open('200'));
    const actions = (await own('GET', '/audit-log')).json.auditEntries.map(({ action }: Json) => action);
    expect(actions).to.include('agent.revoked');
  });

  it('replaces nothing that is not there: the request stays open', async () => {
    const visitor = consentVisitor(gateway);
    const client = oauthClient(gateway);
    const path = client.authorizePath(await client.register(), 'c'.repeat(43));
    const uid = await visitor.open(`${gateway.url}${path}`);
    await visitor.login(uid);
    const replaces = '00000000-0000-7000-8000-000000000000';
    const missing = await visitor.confirm(uid, ['mcp:read'], { replaces });
    expect([missing.status, missing.json.message]).to.deep.equal([404, 'OAuth grant not found']);
    expect((await visitor.confirm(uid, ['mcp:read'])).status).to.equal(200);
  });
});
