/** Answers without a body say nothing of a content: clients that believe a type try to parse what is not there. */
import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { newPkce, oauthClient } from '../support/oauth-client.ts';
import { type parseRaw, rawText, sendRaw } from '../support/raw-http.ts';

describe('answers without a body', () => {
  const gateway = gatewayForSuite();
  let session: string;
  before(async () => {
    session = (await gateway.register()).accessToken;
  });

  const send = (method: string, path: string, headers: readonly string[] = [], body = '') =>
    sendRaw(
      gateway.port,
      rawText(
        [
          `${method} ${path} HTTP/1.1`,
          ...(headers.some((line) => line.startsWith('host:')) ? [] : [`host: 127.0.0.1:${gateway.port}`]),
          ...headers,
          `content-length: ${Buffer.byteLength(body)}`,
        ],
        body,
      ),
    );
  const bearer = () => `authorization: Bearer ${session}`;

  function expectNothing(answer: ReturnType<typeof parseRaw>, status: number): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.text).to.equal('');
    expect(answer.headers).not.to.have.property('content-type');
    expect(answer.headers['cache-control'], 'the other headers stay').to.be.a('string');
    expect(answer.headers['x-content-type-options']).to.equal('nosniff');
    if (status !== 204 && status !== 304) expect(answer.headers['content-length']).to.equal('0');
    else expect(answer.headers).not.to.have.property('content-length');
  }

  it('POST /revoke: 200, by JSON and by form', async () => {
    const json = JSON.stringify({ token: 'unknown' });
    expectNothing(await send('POST', '/revoke', ['content-type: application/json'], json), 200);
    const form = ['content-type: application/x-www-form-urlencoded'];
    expectNothing(await send('POST', '/revoke', form, 'token=unknown'), 200);
  });

  it('GET /authorize: 302', async () => {
    const agent = oauthClient(gateway);
    const path = agent.authorizePath(await agent.register(), newPkce().challenge);
    const answer = await send('GET', path);
    expectNothing(answer, 302);
    expect(answer.headers['location']).to.contain('/consent/');
  });

  it('redirects to the host of the pages: 302', async () => {
    for (const path of ['/', '/app/positions']) expectNothing(await send('GET', path), 302);
  });

  it('a page that the browser has: 304', async () => {
    const host = `host: tandem.localhost:${gateway.port}`;
    const page = await send('GET', '/', [host]);
    expect(page.headers['content-type']).to.contain('text/html');
    expectNothing(await send('GET', '/', [host, `if-none-match: ${page.headers['etag']}`]), 304);
  });

  it('every 204', async () => {
    const id = '019a0000-0000-7000-8000-000000000000';
    const made = await gateway.request('POST', '/api-keys', {
      headers: { authorization: `Bearer ${session}` },
      body: { label: 'x', scope: 'read' },
    });
    expectNothing(await send('DELETE', `/api-keys/${made.json.id}`, [bearer()]), 204);
    expectNothing(await send('POST', '/auth/logout', [bearer()]), 204);
    expect((await send('DELETE', `/api-keys/${id}`, [bearer()])).headers['content-type']).to.contain('json');
  });

  it('are what a client from the registry expects of a revocation', async () => {
    const agent = oauthClient(gateway);
    const granted = await agent.connect(consentVisitor(gateway));
    const options = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(gateway.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const client = { client_id: granted['clientId'], token_endpoint_auth_method: 'none' };
    const token = granted['refresh_token'];
    const answer = await oauth.revocationRequest(server, client, oauth.None(), token, options);
    expect(await oauth.processRevocationResponse(answer)).to.equal(undefined);
  });
});
