/** Which of the page and the gateway is the newer one. */
import { expect } from 'chai';
import { versionGap } from '../../../renderer/api/version-gap.ts';

describe('version of the page and of the gateway', () => {
  it('says nothing while they agree, or while one of them is not known', () => {
    expect(versionGap('0.1.0', '0.1.0')).to.equal(null);
    expect(versionGap(null, '0.1.0')).to.equal(null);
    expect(versionGap('0.1.0', undefined)).to.equal(null);
  });

  it('compares by number, not by letter', () => {
    expect(versionGap('0.9.0', '0.10.0')).to.deep.equal({
      page: '0.9.0',
      gateway: '0.10.0',
      newer: 'gateway',
    });
    expect(versionGap('2.0.0', '1.99.99')?.newer).to.equal('page');
    expect(versionGap('1.2.10', '1.2.9')?.newer).to.equal('page');
  });

  it('takes the gateway for the newer one where only a suffix differs', () => {
    expect(versionGap('1.0.0-beta', '1.0.0')?.newer).to.equal('gateway');
    expect(versionGap('1.0.0+a', '1.0.0+b')?.newer).to.equal('gateway');
  });
});
