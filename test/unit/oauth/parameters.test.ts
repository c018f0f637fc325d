import { parse } from 'node:querystring';
import { expect } from 'chai';
import fc from 'fast-check';
import { readParameters } from '../../../gateway/oauth/parameters.ts';
import { isChallenge, isVerifier, matchesChallenge } from '../../../gateway/oauth/pkce.ts';
import { checkScopes, readScopes, SCOPES } from '../../../gateway/oauth/scopes.ts';
import { forAll } from '../../support/property-runs.ts';

describe('OAuth parameters', () => {
  it('whatever a query holds, it is read or refused with a description of printable ASCII', () =>
    forAll([fc.string({ unit: 'grapheme', maxLength: 200 })], (text) => {
      const read = readParameters({ ...parse(text) });
      if (read.ok) return;
      expect(read.error.error).to.equal('invalid_request');
      expect(read.error.description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }));

  it('names of the language itself are names like any other', () => {
    const read = readParameters({ ...parse('__proto__=a&constructor=b') });
    expect(read.ok && read.value.get('constructor')).to.equal('b');
    expect(read.ok && read.value.get('toString')).to.equal('');
  });

  it('no parameters at all is refused, whatever stands in their place', () => {
    for (const raw of [undefined, null, 'x', 1, []]) expect(readParameters(raw).ok).to.equal(false);
  });
});

describe('OAuth scopes', () => {
  it('are read once each, in the order asked', () => {
    expect(readScopes('')).to.deep.equal([]);
    expect(readScopes(' mcp:write  mcp:read mcp:write ')).to.deep.equal(['mcp:write', 'mcp:read']);
  });

  it('every list is either within what is allowed or refused by a description of printable ASCII', () => {
    const scope = fc.oneof(fc.constantFrom(...SCOPES), fc.string({ unit: 'grapheme', maxLength: 40 }));
    forAll([fc.array(scope, { maxLength: 8 })], (scopes) => {
      const text = scopes.join(' ');
      const refusal = checkScopes(text, SCOPES);
      const within = readScopes(text).every((one) => SCOPES.includes(one));
      expect(refusal === null).to.equal(within);
      if (refusal !== null) expect(refusal.description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,240}$/);
    });
  });
});

describe('PKCE', () => {
  // The example of RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  it('matches the example of the RFC and nothing near it', () => {
    expect(matchesChallenge(verifier, challenge)).to.equal(true);
    expect(matchesChallenge(verifier, `${challenge}=`)).to.equal(false);
    expect(matchesChallenge(`${verifier.slice(0, -1)}j`, challenge)).to.equal(false);
    expect(matchesChallenge(verifier, verifier)).to.equal(false);
  });

  it('knows the shapes', () => {
    expect(isVerifier(verifier)).to.equal(true);
    expect(isVerifier('x'.repeat(42))).to.equal(false);
    expect(isVerifier('~'.repeat(128))).to.equal(true);
    expect(isVerifier('x'.repeat(129))).to.equal(false);
    expect(isVerifier(`${verifier}\n`)).to.equal(false);
    expect(isChallenge(challenge)).to.equal(true);
    expect(isChallenge(`${challenge}=`)).to.equal(false);
  });
});
