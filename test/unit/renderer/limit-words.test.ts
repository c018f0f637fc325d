/** What is said against a TWAP's limit. */
import { expect } from 'chai';
import { limitWords } from '../../../renderer/features/slicing-fields/limit-words.ts';

describe('limit of a TWAP', () => {
  it('is warned about where it holds nothing back, holds all back, or is another ratio', () => {
    expect(limitWords('9', 'OPEN', 8.78, 25), 'a little above').to.equal(null);
    expect(limitWords('', 'OPEN', 8.78, 25)).to.equal(null);
    expect(limitWords('9', 'OPEN', null, 25)).to.equal(null);
    expect(limitWords('8', 'OPEN', 8.78, 25)).to.match(/is above it now: no slice would be sent/);
    expect(limitWords('9', 'CLOSE', 8.78, 25)).to.match(/is below it now: no slice would be sent/);
    expect(limitWords('77', 'OPEN', 8.78, 25)).to.match(/^Far .* hold nothing back\. Is it a price ratio\?$/);
    expect(limitWords(' 25 ', 'OPEN', 8.78, 25.1)).to.match(
      /^25 is near the price ratio, .* hold nothing back/,
    );
    expect(limitWords('25', 'OPEN', 8.78, null)).to.match(/^Far/);
  });

  it('is said in words that do not change with every price: they are read out when they do', () => {
    for (const limit of ['8', '25', '77'])
      expect(limitWords(limit, 'OPEN', 8.78, 25), limit).to.equal(limitWords(limit, 'OPEN', 8.7801, 25.002));
  });
});
