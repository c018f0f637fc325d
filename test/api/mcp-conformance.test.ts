/**
 * The official conformance suite against `/mcp`. What fails is listed with the reason in test/clients, check by check; the
 * list may only shrink: a check that fails and is not listed, and one that is listed and passes, both fail here.
 */
import { expect } from 'chai';
import expected from '../clients/expected-failures.json' with { type: 'json' };
import { credentialProxy, missingSuite, runSuite } from '../support/conformance.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

describe('POST /mcp under the conformance suite', function () {
  this.timeout(180_000);
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
    await removeTemporaryFolders();
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
});
