/** Mandates proposed at /authorize: stored, completed, bounded. Unreadable parts are reported, others ignored. */
import { expect } from 'chai';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { signIn } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';

describe('mandates that clients propose', () => {
  const gateway = gatewayForSuite();
  let visitor: ConsentVisitor;
  let accountId: string;

  before(async () => {
    accountId = (await gateway.register()).tradeAccount.id;
    visitor = consentVisitor(gateway);
  });

  async function addressOf(details: unknown): Promise<string> {
    const client = oauthClient(gateway);
    const authorization_details = typeof details === 'string' ? details : JSON.stringify(details);
    const path = client.authorizePath(await client.register(), 'c'.repeat(43), { authorization_details });
    return `${gateway.url}${path}`;
  }
  async function asked(details: unknown): Promise<string> {
    const uid = await visitor.open(await addressOf(details));
    await visitor.login(uid);
    return uid;
  }
  const proposing = (terms: object) => [{ type: 'tandem_mandate', ...terms }];

  it('is offered with the terms that it leaves open, on paper accounts', async () => {
    const uid = await asked(proposing({ maxOrderUsd: '0075.0', kinds: ['protect', 'now'] }));
    const { json, status, text } = await visitor.terms(uid);
    expect(status, text).to.equal(200);
    expect(json.proposal.asked).to.deep.equal({ maxOrderUsd: '75', kinds: ['now', 'protect'] });
    expect(json.proposal.mandate).to.include({ maxOrderUsd: '75', maxOpenedUsd24h: '2000' });
    expect(json.proposal.mandate.accounts).to.deep.equal([accountId]);
    expect(json.proposal.sentences.join(' ')).to.contain('up to 75\u00a0USD');
    expect(json.presets.map(({ title }: Json) => title)).to.deep.equal([
      'Look only',
      'Play money',
      'Small orders, asks before larger ones',
      'My own numbers',
    ]);
  });

  it('can be lowered and not raised by whoever accepts it; other limits are not called it', async () => {
    const uid = await asked(proposing({ maxOrderUsd: '75' }));
    const { mandate } = (await visitor.terms(uid)).json.proposal;
    const more = { ...mandate, maxOrderUsd: '76', maxLeverage: null };
    for (const answer of [
      await visitor.terms(uid, { mandate: more, asProposed: true }),
      await visitor.confirm(uid, ['mcp:read', 'mcp:write'], { mandate: more, asProposed: true }),
    ]) {
      expect(answer.status, answer.text).to.equal(400);
      expect(answer.json.details.map(({ path }: Json) => path)).to.deep.equal([
        'mandate.maxOrderUsd',
        'mandate.maxLeverage',
      ]);
    }
    expect((await visitor.terms(uid, { mandate: more })).status).to.equal(200);
    const less = { ...mandate, maxOrderUsd: '10' };
    const allowed = await visitor.confirm(uid, ['mcp:read', 'mcp:write'], {
      mandate: less,
      asProposed: true,
    });
    expect(allowed.status, allowed.text).to.equal(200);
  });

  it('is nothing where none was proposed', async () => {
    const uid = await asked('');
    const { json } = await visitor.terms(uid);
    expect(json.proposal).to.equal(null);
    const { mandate } = json.presets[1];
    expect((await visitor.terms(uid, { mandate, asProposed: true })).status).to.equal(400);
  });

  for (const [what, details] of [
    ['no JSON', '{not json'],
    ['no list', '{"type":"tandem_mandate"}'],
    ['other types', [{ type: 'payment_initiation', maxOrderUsd: '1' }, 'text', null]],
  ] as const) {
    it(`is nothing: ${what} is ignored like every unknown parameter`, async () => {
      const uid = await asked(details);
      expect((await visitor.terms(uid)).json.proposal).to.equal(null);
    });
  }

  for (const [what, details] of [
    ['an unknown field', proposing({ maxFun: '1' })],
    ['accounts, of which it knows none', proposing({ accounts: [] })],
    ['an amount that is a number', proposing({ maxOrderUsd: 75 })],
    ['two of them', [...proposing({}), ...proposing({})]],
    ['more than 8,192 characters', 'x'.repeat(8_193)],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      const address = new URL(await addressOf(details));
      const answer = await gateway.expect('GET', `${address.pathname}${address.search}`, {}, 400);
      expect(answer.error).to.equal('invalid_authorization_details');
      expect(answer.error_description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    });
  }

  it('belongs to whoever signed in on the request, as the rest of it does', async () => {
    const uid = await asked(proposing({}));
    await gateway.register('eve@example.test');
    const { headers } = await signIn(gateway, 'eve@example.test');
    const answer = await gateway.request('GET', `/interaction/${uid}/terms`, { headers });
    expect([answer.status, answer.json.message]).to.deep.equal([
      403,
      'Session does not match this interaction',
    ]);
  });
});
