/** `resource` of an authorization (RFC 8707): a token for another server is neither asked for nor given out here. */
import { expect } from 'chai';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import { newPkce, oauthClient } from '../support/oauth-client.ts';

describe('OAuth resource', () => {
  const gateway = gatewayForSuite();
  let visitor: ConsentVisitor;
  let agent: ReturnType<typeof oauthClient>;
  let clientId: string;

  before(async () => {
    await gateway.register();
    visitor = consentVisitor(gateway);
    agent = oauthClient(gateway);
    clientId = await agent.register();
  });

  const authorize = (over: Readonly<Record<string, string>>) =>
    gateway.request('GET', agent.authorizePath(clientId, newPkce().challenge, over));
  const code = () => agent.authorize(visitor);

  function expectError(answer: TestAnswer, status: number, error: string, description: string): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json).to.include({ error, error_description: description });
    expect(answer.headers.get('location')).to.equal(null);
  }

  it('a `resource` of another server: nobody is asked, and no token is given (RFC 8707)', async () => {
    const own = [gateway.url, `${gateway.url}/`, `${gateway.url}/mcp`, `${gateway.url}/mcp/`];
    for (const resource of own) expect((await authorize({ resource })).status, resource).to.equal(302);
    const foreign = [
      'https://evil.example/mcp',
      `${gateway.url}.evil.example/mcp`,
      `${gateway.url}/mcp/other`,
      `${gateway.url}/mcp#fragment`,
      gateway.url.replace('http:', 'https:'),
      'not an address',
    ];
    const refused = [400, 'invalid_target', 'The `resource` is not one of this gateway'] as const;
    for (const resource of foreign) expectError(await authorize({ resource }), ...refused);
    const granted = await agent.connect(visitor);
    const [resource = ''] = foreign;
    expectError(await agent.refresh(granted.clientId, granted.refresh_token, { resource }), ...refused);
    expect((await agent.refresh(granted.clientId, granted.refresh_token)).status).to.equal(200);
    const good = await code();
    expectError(await agent.redeem(good, { resource }), ...refused);
    expect((await agent.redeem(good)).status).to.equal(200);
  });
});
