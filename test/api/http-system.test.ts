import { expect } from 'chai';
import { healthAnswer, readinessAnswer, versionAnswer } from '../../gateway/contract/system.ts';
import type { MoneyWord } from '../../gateway/domain/money.ts';
import { createOpenApi } from '../../gateway/http/openapi.ts';
import { systemRoutes } from '../../gateway/http/routes/system.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { startRig } from '../unit/http/rig.ts';

describe('System routes', () => {
  const rig = openForSuite(() =>
    startRig({
      make: (metrics) => {
        const routes = systemRoutes({
          version: '0.1.0',
          uptimeMs: () => 1,
          checks: async () => [
            { name: 'storage', ok: storageOk, detail: storageOk ? null : 'disk full' },
            { name: 'connector:paper', ok: true, detail: null },
          ],
          openApi: createOpenApi(() => routes.map(({ contract }) => contract)),
          renderMetrics: () => metrics.render(),
          pageOrigin: () => pageOrigin,
          docsOrigin: () => 'http://127.0.0.1:7391',
          money: () => money,
          prove: (challenge) => `proof of ${challenge}`,
        });
        return { routes };
      },
    }),
  );
  let storageOk = true;
  let money: readonly MoneyWord[] = ['PAPER'];
  let pageOrigin: string | null = null;

  it('says that it lives, and whose money its accounts are', async () => {
    for (const [words, mode] of [
      [['PAPER'], 'PAPER'],
      [['TESTNET'], 'TESTNET'],
      [['LIVE'], 'LIVE'],
      [['LIVE', 'TESTNET', 'PAPER'], 'MIXED'],
    ] as const) {
      money = words;
      const answer = await rig.request('GET', '/health');
      expect([answer.status, answer.json]).to.deep.equal([200, { status: 'ok', mode, money: words }]);
      healthAnswer.parse(answer.json);
    }
  });

  it('proves which gateway it is to who asks with a challenge', async () => {
    const answer = await rig.request('GET', '/health', { headers: { 'x-tandem-challenge': 'c' } });
    expect(answer.headers['x-tandem-proof']).to.equal('proof of c');
    expect((await rig.request('GET', '/health')).headers).not.to.have.property('x-tandem-proof');
  });

  it('says whether it is ready, with 200 either way', async () => {
    storageOk = false;
    const broken = await rig.request('GET', '/ready');
    storageOk = true;
    const ready = await rig.request('GET', '/ready');
    expect([broken.status, ready.status]).to.deep.equal([200, 200]);
    expect(readinessAnswer.parse(broken.json).ready).to.equal(false);
    expect(readinessAnswer.parse(broken.json).checks[0]).to.deep.equal({
      name: 'storage',
      ok: false,
      detail: 'disk full',
    });
    expect(readinessAnswer.parse(ready.json).ready).to.equal(true);
  });

  it('tells its versions', async () => {
    const version = versionAnswer.parse((await rig.request('GET', '/version')).json);
    expect(version).to.include({ name: 'tandem-gateway', version: '0.1.0', apiVersion: '3.0.3' });
    expect(version.uptimeMs).to.be.a('number').above(0);
  });

  it('serves its own description', async () => {
    const answer = await rig.request('GET', '/openapi.json');
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(Object.keys(answer.json.paths)).to.include.members(['/health', '/docs', '/metrics']);
  });

  describe('documentation page', () => {
    it('is HTML under a policy that allows nothing inline and nothing foreign', async () => {
      const answer = await rig.request('GET', '/docs');
      expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
      const policy = answer.headers['content-security-policy'];
      expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'");
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      expect(answer.text).not.to.match(/<script(?![^>]*\bsrc=)/);
      expect(answer.text).not.to.match(/<style|\sstyle=|\son\w+=/);
    });

    it('refers to its own origin only, and everything it refers to is there', async () => {
      const { text } = await rig.request('GET', '/docs');
      const references = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
      expect(references).to.have.length.greaterThan(3);
      const types: (string | undefined)[] = [];
      for (const reference of references) {
        expect(reference).to.match(/^\/docs\//);
        const asset = await rig.request('GET', reference);
        expect(asset.status, reference).to.equal(200);
        expect(asset.text.length, reference).to.be.greaterThan(100);
        types.push(asset.headers['content-type']);
      }
      expect(types).to.include.members([
        'text/css; charset=utf-8',
        'text/javascript; charset=utf-8',
        'image/png',
      ]);
      const start = await rig.request('GET', '/docs/start.js');
      expect(start.text)
        .to.contain("'/openapi.json'")
        .and.not.match(/https?:/);
    });

    it('has style sheets that load nothing foreign', async () => {
      const { text } = await rig.request('GET', '/docs/swagger-ui.css');
      expect(text).not.to.match(/@import|url\((?!["']?data:)/);
    });

    it('serves no other file of the package, nor of the disk', async () => {
      for (const name of [
        'package.json',
        'index.html',
        '..%2Fpackage.json',
        '%2e%2e',
        'constructor',
        '__proto__',
      ]) {
        const answer = await rig.request('GET', `/docs/${name}`);
        expect(answer.status, name).to.equal(404);
      }
    });

    it('has an origin of its own: the host of the pages sends on, and serves no script of it', async () => {
      pageOrigin = rig.origin;
      try {
        const answer = await rig.request('GET', '/docs');
        expect(answer.status).to.equal(302);
        expect(answer.headers.location).to.equal('http://127.0.0.1:7391/docs');
        for (const name of ['swagger-ui-bundle.js', 'start.js', 'swagger-ui.css'])
          expect((await rig.request('GET', `/docs/${name}`)).status, name).to.equal(404);
      } finally {
        pageOrigin = null;
      }
    });

    it('neither sends a cookie with what is tried out, nor keeps one', async () => {
      expect((await rig.request('GET', '/docs/start.js')).text).to.contain("request.credentials = 'omit'");
    });
  });

  describe('metrics', () => {
    const read = (headers: Record<string, string>) => rig.request('GET', '/metrics', { headers });

    it('are Prometheus text for a key and for a session', async () => {
      for (const headers of [{ 'x-api-key': 'key-ro' }, { authorization: 'Bearer session' }]) {
        const answer = await read(headers);
        expect(answer.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
        expect(answer.text).to.contain('tandem_http_requests_total{route="GET /health",status="2xx"}');
        expect(answer.headers['cache-control']).to.equal('no-store');
      }
    });

    it('are for nobody else', async () => {
      expect((await read({})).status).to.equal(401);
      const grant = await read({ authorization: 'Bearer grant-rw' });
      expect(grant.status).to.equal(403);
      expect(grant.json.message).to.equal("Auth method 'oauth_grant' is not permitted on this route");
    });
  });
});
