import { expect } from 'chai';
import { isGuessable } from '../../../gateway/auth/guessable-passwords.ts';

describe('guessable passwords', () => {
  const USER = ['ada.lovelace@example.org', 'Ada Byron'];

  for (const password of [
    '1234567890',
    'password123',
    'qwertyuiop',
    '0987654321',
    '1q2w3e4r5t',
    'qwerty123456',
    'basketball',
    'california',
    '1111111111',
    'abcabcabcabc',
    'PassWord123',
    'QWERTYUIOP',
    // Full-width digits.
    '１２３４５６７８９０',
    'tandem1234567',
    'Tandem-Gateway-1',
    'ada.lovelace1815',
    'Lovelace!2026',
    'Ada Byron 1815!',
    'example.org42',
  ])
    it(`refuses ${password}`, async () => {
      expect(await isGuessable(password, USER)).to.equal(true);
    });

  for (const password of [
    'correct horse battery',
    'another password',
    'a password of mine',
    'Tr0ub4dor & 3 horses',
    'x7#kQ02-vvL9',
    'tandem bicycles rarely rust',
    '8317402956',
  ])
    it(`takes ${password}`, async () => {
      expect(await isGuessable(password, [...USER, null])).to.equal(false);
    });

  it('knows nobody by a name too short to mean anybody', async () => {
    expect(await isGuessable('ada-0193-8872', ['ada@x.io', null])).to.equal(false);
  });
});
