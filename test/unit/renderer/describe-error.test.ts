import { expect } from 'chai';
import { refusalOf } from '../../../gateway/client/errors.ts';
import { describeError } from '../../../renderer/components/describe-error.ts';

describe('words about an error', () => {
  const said = (status: number, message: string) => describeError(refusalOf(status, { message })).text;

  it('speak of the session where the gateway speaks to programs of a token', () => {
    for (const message of ['Missing authorization token', 'Invalid or expired access token'])
      expect(said(401, message)).to.equal('Your session has ended.');
  });

  it('are the gateway’s own else', () => {
    expect(said(401, 'Invalid or expired wallet signature')).to.equal('Invalid or expired wallet signature');
    expect(said(403, 'The account may not be read')).to.equal('The account may not be read');
  });
});
