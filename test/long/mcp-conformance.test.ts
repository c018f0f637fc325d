/**
 * The official conformance suite against `/mcp`. What fails is listed with the reason in test/clients, check by check; the
 * list may only shrink: a check that fails and is not listed, and one that is listed and passes, both fail here.
 */
import { expect } from 'chai';
import expected from '../clients/expected-failures.json' with { type: 'json' };
import { credentialProxy, missingSuite, runAuthorization, runSuite } from '../support/conformance.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { freePort } from '../support/local-port.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

describe('POST /mcp under the conformance suite', () => {
  let gateway: TestGateway;
  let proxy: Awaited<ReturnType<typeof credentialProxy>>;
  before(async function () {
    const missing = missingSuite();
    if (missing !== null) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    gateway = await startTestGateway();
    const { key } = await trader(gateway);
    proxy = await credentialProxy(gateway.port, { 'x-api-key': key });
  });
  after(async () => {
    proxy?.close();
    await gateway?.close();
  });

  for (const [revision, listed] of Object.entries(expected))
    it(`of revision ${revision} passes but for what is listed`, async () => {
      const found = await runSuite(`${proxy.url}/mcp`, revision, await temporaryFolder());
      const failing = [...found].flatMap(([scenario, checks]): [string, string[]][] => {
        const ids = checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : []));
        return ids.length === 0 ? [] : [[scenario, [...new Set(ids)].sort()]];
      });
      const known = Object.entries(listed).map(([scenario, { checks }]) => [scenario, checks]);
      expect(Object.fromEntries(failing)).to.deep.equal(Object.fromEntries(known));
      const passed = [...found.values()].flat().filter(({ status }) => status === 'SUCCESS').length;
      expect(passed).to.be.greaterThan(10);
    });

  it('the authorization server passes: it is found, and its codes are good for a token', async () => {
    // For the suite's callback, which listens itself and takes a number only.
    const port = await freePort();
    const clientId = await oauthClient(gateway).register({
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    });
    const { issuer } = (await gateway.request('GET', '/.well-known/oauth-authorization-server')).json;
    const resource = `http://127.0.0.1:${gateway.port}/mcp`;
    const visitor = consentVisitor(gateway);
    const found = await runAuthorization(
      { issuer, clientId, resource, port, folder: await temporaryFolder() },
      (url) => visitor.allow(url, ['mcp:read']),
    );
    const said = [...found.values()].flat().map(({ id, status }) => `${id}: ${status}`);
    // The suite would like client documents as well; the ten fields of the metadata are fixed.
    expect(said.sort()).to.deep.equal([
      'authorization-code-grant: SUCCESS',
      'authorization-server-metadata-cimd: WARNING',
      'authorization-server-metadata: SUCCESS',
    ]);
    expect([...found.keys()].sort()).to.deep.equal([
      'authorization-code-grant',
      'authorization-server-metadata-endpoint',
    ]);
  });
});
