/** A form's messages about its fields, in words for its user. */
import { expect } from 'chai';
import { plainIssues } from '../../../renderer/features/field-errors/plain-issues.ts';

const plain = (message: string, body: unknown = { name: 'x' }) =>
  plainIssues([{ path: 'name', message }], body)[0]?.message;

describe('what a form says of a field', () => {
  it('tells an empty field from one that is wrong', () => {
    expect(plain('Too small: expected string to have >=1 characters', { name: '' })).to.equal('Needed');
    expect(plain('Invalid input: expected number, received NaN', { name: Number.NaN })).to.equal(
      'Expected a whole number',
    );
  });

  it('says bounds of a length plainly', () => {
    expect(plain('Too small: expected string to have >=10 characters')).to.equal('At least 10 characters');
    expect(plain('Too big: expected string to have <=64 characters')).to.equal('At most 64 characters');
    expect(plain('Too small: expected array to have >=1 items')).to.equal('At least 1 items');
  });

  it('leaves what it does not know as the gateway has said it', () => {
    expect(plain('Another basket has this name', null)).to.equal('Another basket has this name');
  });
});
