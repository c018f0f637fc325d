/** Attacks on a local gateway through sockets of every kind: WebSockets, the port, requests that never end. */
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite, startTestGateway } from '../support/gateway.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { rawText, sendRaw } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { traderForSuite } from '../support/trader.ts';

const SOME_ID = '018f0000-0000-7000-8000-000000000000';

describe('attacks over sockets', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);

  describe('tokens in referrer, history, logs', () => {
    it('a credential in a URL is no credential', async () => {
      const { access_token } = await oauthClient(gateway).connect(consentVisitor(gateway));
      for (const query of [
        `access_token=${access_token}`,
        `token=${bot.accessToken}`,
        `apiKey=${bot.key}`,
        `x-api-key=${bot.key}`,
      ]) {
        const headers = { 'x-trade-account-id': bot.accountId };
        const answer = await gateway.request('GET', `/executions?${query}`, { headers });
        expect([answer.status, answer.json.message], query.split('=')[0]).to.deep.equal([
          401,
          'Missing authorization token',
        ]);
      }
    });
  });

  describe('port squatting', () => {
    const occupy = (host: string) =>
      new Promise<net.Server>((resolve, reject) => {
        const server = net.createServer((socket) => socket.destroy());
        server.once('error', reject);
        server.listen({ host, port: 0 }, () => resolve(server));
      });
    const release = (server: net.Server) => new Promise((resolve) => server.close(resolve));

    for (const host of ['127.0.0.1', '::1']) {
      it(`${host} taken: no start on the other address, and the folder is free again`, async function () {
        const squatter = await occupy(host).catch(() => null);
        if (squatter === null) this.skip();
        const address = squatter.address();
        const port = typeof address === 'object' && address !== null ? address.port : 0;
        const dataDir = await temporaryFolder();
        try {
          const start = () => startTestGateway({ dataDir, settings: { port } });
          const error = await start().catch((reason: unknown) => String(reason));
          expect(error).to.include(`Port ${port} on ${host} is already in use`);
          await release(squatter);
          const started = await start();
          expect(started.port).to.equal(port);
          await started.close();
        } finally {
          squatter.close();
        }
      });
    }
  });

  describe('denial of service', () => {
    const giants = ['/register', '/token', '/revoke', '/auth/login', `/interaction/${SOME_ID}/login`];
    const typeOf = (path: string) =>
      path === '/token' ? 'application/x-www-form-urlencoded' : 'application/json';

    for (const path of giants) {
      it(`a giant body is refused on ${path}: declared, chunked, compressed${path === giants[0] ? '' : ' @long'}`, async () => {
        const head = [
          `POST ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${gateway.port}`,
          `Content-Type: ${typeOf(path)}`,
        ];
        const declared = await sendRaw(gateway.port, rawText([...head, 'Content-Length: 10000000000'], '{'));
        expect(declared.status).to.equal(413);
        const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
        const chunked = await sendRaw(
          gateway.port,
          rawText([...head, 'Transfer-Encoding: chunked'], `${chunk}${chunk}0\r\n\r\n`),
        );
        expect(chunked.status).to.equal(413);
        const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'));
        const compressed = await sendRaw(
          gateway.port,
          Buffer.concat([
            Buffer.from(rawText([...head, 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`])),
            bomb,
          ]),
        );
        expect(compressed.status).to.be.oneOf([413, 415]);
        expect((await gateway.request('GET', '/health')).status).to.equal(200);
      });
    }

    it('headers over 16 KiB are a 431, a URL over it too', async () => {
      const host = `Host: 127.0.0.1:${gateway.port}`;
      const long = 'x'.repeat(17 * 1024);
      for (const lines of [
        ['GET /health HTTP/1.1', host, `Cookie: tandem_session=${long}`],
        [`GET /authorize?state=${long} HTTP/1.1`, host],
        ['GET /health HTTP/1.1', host, ...Array.from({ length: 3_000 }, (_, index) => `x-${index}: y`)],
      ])
        expect((await sendRaw(gateway.port, rawText(lines))).status).to.equal(431);
    });

    it('what is asked in one go on one connection is answered whole, and in its order', async () => {
      const paths = ['/docs/swagger-ui-bundle.js', '/health', '/docs/swagger-ui.css', '/ready'];
      const alone = await Promise.all(paths.map((path) => gateway.request('GET', path)));
      const asked = paths.map((path, index) =>
        rawText([
          `GET ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${gateway.port}`,
          ...(index === paths.length - 1 ? ['Connection: close'] : []),
        ]),
      );
      const received = await new Promise<string>((resolve, reject) => {
        const socket = net.connect(gateway.port, '127.0.0.1', () => socket.write(asked.join('')));
        const chunks: Buffer[] = [];
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
        socket.on('error', reject);
      });
      const bodies = received.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1);
      expect(bodies).to.have.length(paths.length);
      expect(bodies.slice(0, 3)).to.deep.equal(alone.slice(0, 3).map(({ text }) => text));
    });
  });
});
