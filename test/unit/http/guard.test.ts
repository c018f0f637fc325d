import { expect } from 'chai';
import { type Rig, startRig } from './rig.ts';

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

describe('HTTP guard', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  function get(...lines: string[]): Promise<string> {
    return rig.raw(`GET /items/latest HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  describe('Host', () => {
    const refused: readonly (readonly [string, (rig: Rig) => readonly string[], number])[] = [
      ['a name that rebinds to loopback', ({ port }) => [`Host: evil.example:${port}`], 421],
      ['the right name on another port', ({ port }) => [`Host: 127.0.0.1:${port + 1}`], 421],
      ['the right name without a port', () => ['Host: 127.0.0.1'], 421],
      ['an allowed name as a prefix', ({ port }) => [`Host: 127.0.0.1:${port}.evil.example`], 421],
      ['an allowed name as userinfo', ({ port }) => [`Host: 127.0.0.1:${port}@evil.example`], 421],
      ['a trailing dot', ({ port }) => [`Host: localhost.:${port}`], 421],
      ['another spelling of loopback', ({ port }) => [`Host: 127.1:${port}`], 421],
      ['all interfaces', ({ port }) => [`Host: 0.0.0.0:${port}`], 421],
      ['no Host', () => ['Accept: */*'], 400],
      ['an empty Host', () => ['Host:'], 400],
      ['two Hosts, the good one first', ({ host }) => [`Host: ${host}`, 'Host: evil.example'], 400],
      ['two Hosts, the good one last', ({ host }) => ['Host: evil.example', `Host: ${host}`], 400],
      ['two equal Hosts in different case', ({ host }) => [`Host: ${host}`, `hOST: ${host}`], 400],
      [
        'a bad Host with good forwarding headers',
        ({ host }) => ['Host: evil.example', `X-Forwarded-Host: ${host}`, `Forwarded: host=${host}`],
        421,
      ],
    ];
    for (const [name, lines, status] of refused) {
      it(`refuses ${name} with ${status}`, async () => {
        const answer = await get(...lines(rig));
        expect(statusOf(answer)).to.equal(status);
        expect(answer).to.contain(`"statusCode":${status}`).and.not.contain('latest');
      });
    }

    it('takes every name of the list', async () => {
      for (const name of ['127.0.0.1', 'localhost'])
        expect(statusOf(await get(`Host: ${name}:${rig.port}`)), name).to.equal(200);
    });

    it('does not look at forwarding headers of a good request', async () => {
      expect(statusOf(await get(`Host: ${rig.host}`, 'X-Forwarded-Host: evil.example'))).to.equal(200);
    });

    it('holds the authority of an absolute-form target to the Host header', async () => {
      const absolute = (authority: string) =>
        rig.raw(`GET http://${authority}/items/latest HTTP/1.1\r\nHost: ${rig.host}\r\n\r\n`);
      expect(statusOf(await absolute('evil.example'))).to.equal(421);
      expect(statusOf(await absolute(`localhost:${rig.port}`))).to.equal(421);
      expect(statusOf(await absolute(rig.host))).to.equal(200);
    });

    it('answers HTTP/1.0 without a Host as any other request without one', async () => {
      expect(statusOf(await rig.raw('GET /items/latest HTTP/1.0\r\n\r\n'))).to.equal(400);
    });
  });

  describe('Origin', () => {
    const mutate = (headers: Record<string, string>) => rig.request('POST', '/pause', { headers });

    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1']) {
      it(`refuses a mutation from ${origin} whatever its credential`, async () => {
        const answer = await mutate({ origin, 'x-api-key': 'key-rw' });
        expect(answer.status).to.equal(403);
        expect(answer.json).to.include({ error: 'Forbidden', statusCode: 403 });
      });
    }

    it('takes a mutation from an own origin, and one without any', async () => {
      expect((await mutate({ origin: rig.origin, 'x-api-key': 'key-rw' })).status).to.equal(200);
      expect((await mutate({ 'x-api-key': 'key-rw' })).status).to.equal(200);
    });

    for (const site of ['cross-site', 'same-site']) {
      it(`refuses a mutation of a page that is ${site} and whose origin the browser keeps to itself`, async () => {
        const answer = await mutate({ 'sec-fetch-site': site, 'x-api-key': 'key-rw' });
        expect(answer.status).to.equal(403);
      });
    }

    it('lets a foreign page send reads but never read them: no CORS header', async () => {
      const answer = await rig.request('GET', '/items/latest', {
        headers: { origin: 'http://evil.example' },
      });
      expect(answer.status).to.equal(200);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal(
        [],
      );
    });

    it('gives a preflight neither success nor CORS headers', async () => {
      const answer = await rig.request('OPTIONS', '/trade/open', {
        headers: { origin: rig.origin, 'access-control-request-method': 'POST' },
      });
      expect(answer.status).to.equal(404);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal(
        [],
      );
    });
  });

  describe('session cookie', () => {
    const cookie = 'tandem_session=session';
    const table: readonly (readonly [string, (rig: Rig) => Record<string, string>, number])[] = [
      ['no Origin', () => ({ 'sec-fetch-site': 'same-origin' }), 403],
      ['no Sec-Fetch-Site', ({ origin }) => ({ origin }), 403],
      ['same-site only', ({ origin }) => ({ origin, 'sec-fetch-site': 'same-site' }), 403],
      ['cross-site', ({ origin }) => ({ origin, 'sec-fetch-site': 'cross-site' }), 403],
      ['typed by the user', ({ origin }) => ({ origin, 'sec-fetch-site': 'none' }), 403],
      ['own page', ({ origin }) => ({ origin, 'sec-fetch-site': 'same-origin' }), 200],
    ];
    for (const [name, headers, status] of table) {
      it(`mutation with ${name}: ${status}`, async () => {
        const answer = await rig.request('POST', '/pause', { headers: { cookie, ...headers(rig) } });
        expect(answer.status).to.equal(status);
      });
    }

    it('is enough for reading', async () => {
      expect((await rig.request('GET', '/read', { headers: { cookie } })).json).to.deep.equal({
        principal: 'session',
      });
    });

    it('does not put these rules on a bearer', async () => {
      const answer = await rig.request('POST', '/pause', { headers: { authorization: 'Bearer session' } });
      expect(answer.status).to.equal(200);
    });
  });
});
