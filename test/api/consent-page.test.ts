/** Serving of the consent page. Its behaviour in a browser is tested in test/browser/. */
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { consentPageRoutes } from '../../gateway/http/routes/consent-page.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { startRig } from '../unit/http/rig.ts';

/** Made by the build. */
const FOLDER = new URL('../../dist/consent/assets/', import.meta.url);
/** Names of XML, and where messages of the libraries send a reader: nothing is loaded from them. */
const NO_ADDRESS =
  /http:\/\/www\.w3\.org\/(2000\/svg|1998\/Math\/MathML|1999\/xlink|XML\/1998\/namespace)|https:\/\/(react\.dev\/errors|base-ui\.com\/production-error)/g;
/** No assets. */
const NOT_SERVED = ['consent.html', 'waiting.html', 'consent.tsx'];

describe('the files of the consent page', () => {
  const rig = openForSuite(() =>
    startRig({
      make: () => ({ routes: consentPageRoutes({ pageOrigin: () => pageOrigin, desk: null }) }),
    }),
  );
  let pageOrigin: string | null = null;

  it('are HTML under a policy that allows nothing inline, nothing foreign, no form, no frame and no text as script', async () => {
    const { headers, text } = await rig.request('GET', '/consent/some-uid');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['referrer-policy']).to.equal('no-referrer');
    expect(headers['x-frame-options']).to.equal('DENY');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers['content-security-policy']).not.to.match(/unsafe|https?:|data:|\*/);
    expect(text).not.to.match(/<script(?![^>]*\bsrc=)/);
    expect(text).not.to.match(/<style|\sstyle=|\son\w+=/);
  });

  it('refer to their own origin only, and every one of them is there with its type', async () => {
    const { text } = await rig.request('GET', '/consent/some-uid');
    const references = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    const names = readdirSync(FOLDER);
    for (const reference of references) expect(reference).to.match(/^\/consent\/assets\//);
    for (const path of [...references, ...names.map((name) => `/consent/assets/${name}`)]) {
      const asset = await rig.request('GET', path);
      expect(asset.status, path).to.equal(200);
      const type = path.endsWith('.js')
        ? 'text/javascript'
        : path.endsWith('.css')
          ? 'text/css'
          : 'image/svg';
      expect(asset.headers['content-type'], path).to.contain(type);
      for (const [, imported] of asset.text.matchAll(/(?:from|import) ?["']([^"']+)["']/g))
        expect(imported).to.match(/^\.\/[\w-]+\.js$/);
      expect(asset.text.replaceAll(NO_ADDRESS, ''), path).not.to.match(
        /\b(https?|wss?):\/\/|@import (?:url|")|url\(/,
      );
    }
  });

  it('are all that is served of the folder and of the disk', async () => {
    for (const name of [
      ...NOT_SERVED,
      '..%2fconsent-page.ts',
      '%2e%2e',
      'constructor',
      '__proto__',
      'nothing.js',
    ]) {
      const answer = await rig.request('GET', `/consent/assets/${name}`);
      expect(answer.status, name).to.equal(404);
    }
  });

  it('are for the host of the pages: every other name leads there, whoever asks', async () => {
    try {
      pageOrigin = 'http://tandem.localhost:7391';
      const elsewhere = await rig.request('GET', '/consent/a%22%0d%0a%3Fb');
      expect(elsewhere.status).to.equal(302);
      expect(elsewhere.headers.location).to.equal('http://tandem.localhost:7391/consent/a%22%0D%0A%3Fb');
      expect(elsewhere.text).to.equal('');
      pageOrigin = rig.origin;
      expect((await rig.request('GET', '/consent/some-uid')).status).to.equal(200);
    } finally {
      pageOrigin = null;
    }
  });
});
