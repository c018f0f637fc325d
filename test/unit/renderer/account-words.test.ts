import { expect } from 'chai';
import { venueCredentials } from '../../../gateway/contract/trade-accounts.ts';
import {
  type CredentialLine,
  capabilityWords,
  checkName,
  credentialBody,
  venueWords,
} from '../../../renderer/screens/accounts/account-words.ts';

const line = (name: string, value: string, kind: CredentialLine['kind'] = 'text'): CredentialLine => ({
  name,
  value,
  kind,
});

describe('venue credentials as they are typed', () => {
  it('become what the gateway takes', () => {
    const read = credentialBody([
      line(' apiKey ', ' with blanks '),
      line('accountIndex', '7', 'number'),
      line('testnet', 'no', 'yes-no'),
      line('', ''),
    ]);
    const body = { apiKey: ' with blanks ', accountIndex: 7, testnet: false };
    expect(read).to.deep.equal({ body });
    expect(venueCredentials.parse(body)).to.deep.equal(body);
  });

  it('are said by their labels where the venue names them, and may be left out where it lets them', () => {
    const described = (name: string, value: string, required: boolean): CredentialLine => ({
      ...line(name, value),
      field: { name, label: `Your ${name}`, kind: 'text', secret: false, required, hint: null },
    });
    const vault = described('vault', '', false);
    expect(credentialBody([described('key', 'k', true), vault])).to.deep.equal({ body: { key: 'k' } });
    expect(credentialBody([vault, described('key', '', true)])).to.deep.equal({
      line: 1,
      message: 'Your key needs a value',
    });
  });

  const WRONG: readonly (readonly [readonly CredentialLine[], number, RegExp])[] = [
    [[], 0, /at least one/],
    [[line('', '')], 0, /at least one/],
    [[line('a', 'x'), line('', 'y')], 1, /needs a name/],
    [[line('a', '')], 0, /needs a value/],
    [[line('a', 'x'), line('a ', 'y')], 1, /twice/],
    [[line('a', '1.5', 'number')], 0, /whole number/],
    [[line('a', 'maybe', 'yes-no')], 0, /yes or no/],
    [[line('toString', 'x'), line('toString', 'y')], 1, /twice/],
  ];
  for (const [lines, where, message] of WRONG)
    it(`are refused: ${message.source} in line ${where}`, () => {
      const read = credentialBody(lines);
      expect(read).to.have.property('line', where);
      expect(read).to.have.property('message').that.matches(message);
    });
});

describe('words about venues', () => {
  it('fall back to the name that is not known', () => {
    expect(checkName('credentials')).to.equal('Credentials');
    expect(checkName('clock')).to.equal('clock');
    expect(capabilityWords(['isolated_margin', 'new_thing'])).to.equal('isolated margin, new thing');
  });
});

describe('a venue in a word', () => {
  it('says whether it takes orders, unless it is down anyway', () => {
    expect(venueWords({ status: 'UP', trading: 'UP' }).text).to.equal('Up');
    expect(venueWords({ status: 'DEGRADED', trading: 'UP' }).text).to.equal('Degraded');
    expect(venueWords({ status: 'UP', trading: 'CLOSE_ONLY' }).text).to.equal('Closing only');
    expect(venueWords({ status: 'DEGRADED', trading: 'DOWN' }).text).to.equal('No orders');
    expect(venueWords({ status: 'DOWN', trading: 'DOWN' }).text).to.equal('Down');
  });
});
