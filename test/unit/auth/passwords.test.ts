import { expect } from 'chai';
import { createPasswords } from '../../../gateway/auth/passwords.ts';
import { passwordsAtTheirCost } from '../../support/cheap-passwords.ts';

describe('passwords', () => {
  passwordsAtTheirCost();

  const passwords = createPasswords();

  it('are argon2id with 19 MiB, 2 passes, 1 lane, and salted', async () => {
    const [first, second] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ]);
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first).not.to.equal(second);
    expect(await passwords.verify(first, 'correct horse')).to.equal(true);
    expect(await passwords.verify(first, 'correct hors')).to.equal(false);
  });

  it('nobody has the password of nobody', async () => {
    expect(await passwords.verify(null, '')).to.equal(false);
    expect(await passwords.verify(null, 'anything')).to.equal(false);
  });

  it('many at once all get their own answer', async () => {
    const stored = await passwords.hash('correct horse');
    const answers = await Promise.all(
      ['correct horse', 'wrong', 'correct horse', 'wrong', 'correct horse'].map((password) =>
        passwords.verify(stored, password),
      ),
    );
    expect(answers).to.deep.equal([true, false, true, false, true]);
  });
});
