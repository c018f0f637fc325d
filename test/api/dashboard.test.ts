/** The dashboard as the gateway serves it, what it asks first, and the link that signs it in. */
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { dashboardScripts } from '../support/dashboard.ts';
import { gatewayForEachTest } from '../support/gateway.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
}

describe('the dashboard over HTTP', () => {
  const gateway = gatewayForEachTest({ settings: { registration: 'first' } });

  const pageHost = () => `tandem.localhost:${gateway.port}`;

  /** fetch would not let the Host, nor a browser's own headers, be chosen. */
  function ask(
    path: string,
    { method = 'GET', body, ...headers }: Record<string, string> & { method?: string; body?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port: gateway.port, path, method, headers: { host: pageHost(), ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: bytes.toString(),
              bytes,
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  it('answers every address of it with one page, under a strict policy, asked for anew each time', async () => {
    const addresses = ['/', '/app', '/app/trade', '/app/positions/01985c2e', '/app/a/b/c'];
    const pages = await Promise.all(addresses.map((path) => ask(path)));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    const { status, headers, text } = pages[0] ?? (await ask('/'));
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('no-cache');
    const tag = String(headers['etag']);
    expect(await ask('/app/trade', { 'if-none-match': tag })).to.include({ status: 304, text: '' });
    expect((await ask('/app/trade', { 'if-none-match': '"another"' })).text).to.equal(text);
    const policy = String(headers['content-security-policy']);
    expect(policy).to.contain("default-src 'none'").and.contain("require-trusted-types-for 'script'");
    expect(policy).to.contain(`connect-src 'self' ws://${pageHost()}`).and.not.contain('unsafe');
    expect(text).to.match(/<script type="module" crossorigin src="\/app\/assets\/[\w-]+\.js">/);
    expect(text).not.to.match(/<style|<script>|\son\w+=/);
  });

  it('sends other names of this machine to the one whose cookies stay here', async () => {
    for (const host of [`127.0.0.1:${gateway.port}`, `localhost:${gateway.port}`, `[::1]:${gateway.port}`]) {
      const { status, headers } = await ask('/app/positions/a%2Fb', { host });
      expect([status, headers['location']]).to.deep.equal([302, `http://${pageHost()}/app/positions/a%2Fb`]);
    }
  });

  // In a file of their own, whoever imports it first may find those functions not there yet.
  it('has the columns of positions in the file of the functions that make them as it loads', async () => {
    const files = await dashboardScripts();
    const holding = files.filter(({ text }) => text.includes('Entry price ratio'));
    expect(holding.map(({ name }) => name.replace(/-[\w-]{8}\.js$/, ''))).to.deep.equal(['tables']);
  });

  it('keeps its files for good, and serves nothing else of the folder', async () => {
    const [, script = ''] = /src="(\/app\/assets\/[^"]+)"/.exec((await ask('/')).text) ?? [];
    const { status, headers } = await ask(script);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    for (const name of ['none.js', '..%2Findex.html', '%2e%2e%2fgateway.cjs', 'index.html', '.js', 'a.json'])
      expect((await ask(`/app/assets/${name}`)).status, name).to.equal(404);
  });

  it('sends its files as small as the browser takes them', async () => {
    const [, script = ''] = /src="(\/app\/assets\/[^"]+)"/.exec((await ask('/')).text) ?? [];
    const plain = await ask(script);
    expect(plain.headers).to.include({ vary: 'accept-encoding' }).and.not.have.property('content-encoding');
    const undo = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, accepted] of [
      ['br', 'gzip, deflate, br, zstd'],
      ['gzip', 'gzip, br;q=0'],
    ] as const) {
      const { headers, bytes } = await ask(script, { 'accept-encoding': accepted });
      expect(headers, accepted).to.include({ 'content-encoding': encoding, vary: 'accept-encoding' });
      expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
      expect(bytes.length).to.be.below(plain.bytes.length);
      expect(undo[encoding](bytes).equals(plain.bytes)).to.equal(true);
    }
    expect((await ask(`${script}.br`)).status).to.equal(404);
    expect((await ask(script, { 'accept-encoding': 'identity' })).bytes.equals(plain.bytes)).to.equal(true);
  });

  it('says who may come in before anybody is there, and afterwards', async () => {
    expect((await gateway.request('GET', '/app/start')).json).to.deep.equal({
      signedIn: false,
      registration: 'first',
    });
    const registered = await gateway.request('POST', '/auth/register', {
      body: { email: 'ada@example.test', password: 'correct horse battery' },
    });
    const cookie = registered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const authorization = `Bearer ${registered.json.accessToken}`;
    const start = async (headers: Record<string, string>) =>
      (await gateway.request('GET', '/app/start', { headers })).json;
    expect(await start({ authorization })).to.deep.equal({ signedIn: true, registration: 'closed' });
    // A page has no cookie, so one says nothing about it.
    for (const headers of [{ cookie }, { authorization: 'Bearer forged' }])
      expect(await start(headers)).to.deep.equal({ signedIn: false, registration: 'closed' });
  });

  describe('the sign-in link', () => {
    const fromPage = () => ({ origin: `http://${pageHost()}`, 'sec-fetch-site': 'same-origin' });
    const open = (ticket: string, headers: Record<string, string> = fromPage()) =>
      ask('/auth/link', {
        method: 'POST',
        body: JSON.stringify({ ticket }),
        'content-type': 'application/json',
        ...headers,
      });
    const ticketOf = (link: string) => new URL(link).hash.slice(1);

    it('signs the first user in, once, and is written down', async () => {
      const { accessToken, user } = await gateway.register();
      const ticket = ticketOf(gateway.gateway.signInLink());
      const opened = await open(ticket);
      expect(opened.status).to.equal(200);
      expect(JSON.parse(opened.text).user.id).to.equal(user.id);
      expect(String(opened.headers['set-cookie'])).to.match(/^tandem_session=.*HttpOnly; SameSite=Strict/);
      expect((await open(ticket)).status).to.equal(401);
      const log = await gateway.request('GET', '/audit-log', {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      expect(log.json.auditEntries[0]).to.include({ action: 'session.opened', method: 'link' });
    });

    it('has its ticket where no request carries it', async () => {
      await gateway.register();
      const link = new URL(gateway.gateway.signInLink());
      expect(link.hash.slice(1)).to.match(/^[\w-]{43}$/);
      expect(`${link.pathname}${link.search}`).to.equal('/app/link');
      expect((await ask(link.pathname)).status).to.equal(200);
    });

    it('opens from the page itself only, and stays good for it', async () => {
      await gateway.register();
      const ticket = ticketOf(gateway.gateway.signInLink());
      const strangers: readonly Record<string, string>[] = [
        {},
        { origin: `http://${pageHost()}` },
        { origin: `http://127.0.0.1:${gateway.port}`, 'sec-fetch-site': 'same-origin' },
        { origin: `http://${pageHost()}`, 'sec-fetch-site': 'cross-site' },
        { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
      ];
      for (const headers of strangers) expect((await open(ticket, headers)).status).to.equal(403);
      expect((await open(ticket)).status).to.equal(200);
    });

    it('signs nobody in while there is nobody: it brings what the first user needs', async () => {
      const link = gateway.gateway.signInLink();
      expect(link).to.equal(`http://${pageHost()}/#setup=${gateway.gateway.setupCode}`);
      await gateway.register();
      expect(gateway.gateway.setupCode).to.equal(null);
    });
  });
});
