import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { loadSigningKeys, type SigningKeys } from '../../../gateway/auth/signing-keys.ts';
import { type AccessTokens, createAccessTokens } from '../../../gateway/auth/tokens.ts';
import { createVerifiedTokens } from '../../../gateway/auth/verified-tokens.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';

const ISSUER = 'http://127.0.0.1:7391';

describe('access tokens', () => {
  let clock: FakeClock;
  let keys: SigningKeys;
  let tokens: AccessTokens;

  beforeEach(async () => {
    clock = createFakeClock();
    keys = await loadSigningKeys(createMemoryVault());
    tokens = createAccessTokens({ keys, clock, ids: createIds(clock), issuer: ISSUER, audience: ISSUER });
  });

  /** A token as the gateway makes it, but for what the test changes. Signed by another implementation. */
  function forge(
    change: {
      readonly header?: Record<string, unknown>;
      readonly payload?: Record<string, unknown>;
      readonly key?: SigningKeys['privateKey'] | Uint8Array;
    } = {},
  ): Promise<string> {
    const iat = Math.floor(clock.now() / 1_000);
    const payload = {
      kind: 'session',
      iss: ISSUER,
      aud: ISSUER,
      sub: 'u',
      sid: 's',
      jti: 'j',
      iat,
      exp: iat + 60,
    };
    return new SignJWT({ ...payload, ...change.payload })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...change.header })
      .sign(change.key ?? keys.privateKey);
  }

  it('carries the claims, and another implementation verifies it', async () => {
    const token = tokens.signSession('user-1', 'session-1');
    const verified = await jwtVerify(token, keys.publicKey, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: ISSUER,
      audience: ISSUER,
      currentDate: new Date(clock.now()),
    });
    const iat = Math.floor(clock.now() / 1_000);
    expect(verified.payload).to.include({
      kind: 'session',
      sub: 'user-1',
      sid: 'session-1',
      iat,
      exp: iat + 900,
    });
    expect(verified.payload.jti).to.be.a('string');
    expect(decodeProtectedHeader(token)).to.deep.equal({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(tokens.verify(token)).to.deep.equal({
      kind: 'session',
      userId: 'user-1',
      sessionId: 'session-1',
      expiresAt: (iat + 900) * 1_000,
    });
  });

  it('accepts what another implementation signs with the same key and claims', async () => {
    expect(tokens.verify(await forge())).to.include({ kind: 'session', userId: 'u', sessionId: 's' });
  });

  it('never gives the same token twice', () => {
    expect(tokens.signSession('u', 's')).not.to.equal(tokens.signSession('u', 's'));
  });

  const refused: Record<string, () => Promise<string>> = {
    'another key': () => forge({ key: generateKeyPairSync('ed25519').privateKey }),
    'no signature (alg none)': async () =>
      new UnsecuredJWT({ kind: 'session', sub: 'u', sid: 's' })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .encode(),
    'HMAC with the public key as secret': () =>
      forge({
        header: { alg: 'HS256' },
        key: new Uint8Array(keys.publicKey.export({ type: 'spki', format: 'der' })),
      }),
    'another type': () => forge({ header: { typ: 'JWT' } }),
    'an unknown header parameter': () => forge({ header: { kid: '../../etc/passwd' } }),
    'another issuer': () => forge({ payload: { iss: 'http://evil.example' } }),
    'another audience': () => forge({ payload: { aud: 'http://evil.example' } }),
    'a list of audiences': () => forge({ payload: { aud: [ISSUER, 'http://evil.example'] } }),
    'an unknown kind': () => forge({ payload: { kind: 'root' } }),
    'no session id': () => forge({ payload: { sid: undefined } }),
    'past its expiry': () => forge({ payload: { exp: Math.floor(clock.now() / 1_000) } }),
    'no expiry': () => forge({ payload: { exp: undefined } }),
    'a changed payload': async () => {
      const [header, payload, signature] = (await forge()).split('.');
      const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'someone-else' })).toString('base64url');
      return `${header}.${changed}.${signature}`;
    },
    'a part too many': async () => `${await forge()}.e30`,
    'a giant': async () => `${await forge()}${'A'.repeat(10_000)}`,
    nothing: async () => '',
  };
  for (const [what, make] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      expect(tokens.verify(await make())).to.equal(null);
    });
  }

  it('the key survives a restart and is of the right kind', async () => {
    const vault = createMemoryVault();
    const first = await loadSigningKeys(vault);
    const second = await loadSigningKeys(vault);
    expect(second.publicKey.equals(first.publicKey)).to.equal(true);
    expect(second.cookieKey.equals(first.cookieKey)).to.equal(true);
    expect(first.cookieKey.equals(first.refreshKey)).to.equal(false);
    await vault.set('signing-key', Buffer.from('not a key').toString('base64'));
    const error = await loadSigningKeys(vault).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.includes('not an Ed25519 private key');
  });
});

describe('verified tokens', () => {
  it('forgets at expiry and stays bounded, oldest first', async () => {
    const clock = createFakeClock();
    const cache = createVerifiedTokens<{ expiresAt: number; name: string }>(clock, 2);
    const entry = (name: string, forMs: number) => ({ name, expiresAt: clock.now() + forMs });
    cache.put('a', entry('a', 1_000));
    cache.put('b', entry('b', 10));
    cache.put('c', entry('c', 1_000));
    expect(cache.get('a')).to.equal(undefined);
    expect(cache.get('b')?.name).to.equal('b');
    await clock.advance(10);
    expect(cache.get('b')).to.equal(undefined);
    expect(cache.get('c')?.name).to.equal('c');
    expect(cache.size()).to.equal(1);
  });
});
