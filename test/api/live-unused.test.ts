/** Live venues are there to be connected, and a gateway without a live account asks nothing of them. */
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { paperAlone } from '../support/paper-alone.ts';

describe('API: a live venue that nobody uses', () => {
  let venue: Server;
  let gateway: TestGateway;
  let connections = 0;

  before(async () => {
    venue = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => venue.listen(0, '127.0.0.1', done));
    const { port } = venue.address() as { port: number };
    gateway = await startTestGateway({
      settings: { live: true, hyperliquidUrl: `http://127.0.0.1:${port}` },
      overrides: { venues: [paperAlone, hyperliquid] as never },
    });
  });
  after(async () => {
    await gateway.close();
    venue.close();
  });

  it('is offered, holds nothing up and is not contacted', async () => {
    const user = await gateway.register();
    const headers = { authorization: `Bearer ${user.accessToken}` };
    for (const path of [
      '/connectors',
      '/ready',
      '/instruments/lite?connector=hyperliquid&scope=all',
      '/markets?connector=hyperliquid',
      '/trade-accounts',
    ]) {
      const { status, text } = await gateway.request('GET', path, { headers });
      expect(status, `${path}: ${text}`).to.equal(200);
    }
    const { json } = await gateway.request('GET', '/connectors');
    const offered = json.connectors.map(({ id }: { id: string }) => id);
    expect(offered).to.include('hyperliquid');
    expect((await gateway.request('GET', '/ready')).json.ready).to.equal(true);
    expect(connections).to.equal(0);
  });
});
