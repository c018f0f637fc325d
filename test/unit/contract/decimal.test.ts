/** Decimals of answers have one form each: whoever compares texts compares amounts. */
import { expect } from 'chai';
import { decimal } from '../../../gateway/contract/common.ts';

describe('decimals of answers', () => {
  it('have no zeros in front, none behind, and no minus zero', () => {
    for (const text of ['0', '7', '10', '0.5', '-0.05', '120748.8', '1000000000000000000000', '-3.25'])
      expect(decimal.safeParse(text).success, text).to.equal(true);
    for (const text of ['120748.80', '1.0', '007', '-0', '-0.0', '.5', '1.', '1e3', '', '+1'])
      expect(decimal.safeParse(text).success, text).to.equal(false);
  });
});
