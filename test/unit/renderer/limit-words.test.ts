/** Objections to a TWAP's limit. */
import { expect } from 'chai';
import {
  limitMeasure,
  readLimit,
  sentLimit,
} from '../../../renderer/features/slicing-fields/limit-measure.ts';
import { limitWords as words } from '../../../renderer/features/slicing-fields/limit-words.ts';

const limitWords = (limit: string, kind: 'OPEN' | 'CLOSE', now: number | null, price: number | null) =>
  words(limit, kind, 'WEIGHTED_RATIO', now, price);

describe('limit of a TWAP', () => {
  const legs = (...weights: number[]) =>
    weights.map((weight, index) => ({
      id: `T${index}-PERP`,
      side: index === 0 ? ('BUY' as const) : ('SELL' as const),
      weight,
    }));

  it('is a price ratio of a pair with like sides, of everything else a weighted one', () => {
    expect(limitMeasure(legs(500_000, 500_000))).to.equal('PRICE_RATIO');
    for (const other of [legs(500_001, 499_999), legs(1_000_000), legs(500_000, 250_000, 250_000)])
      expect(limitMeasure(other)).to.equal('WEIGHTED_RATIO');
    const oneSided = legs(500_000, 500_000).map((leg) => ({ ...leg, side: 'SELL' as const }));
    expect(limitMeasure(oneSided)).to.equal('WEIGHTED_RATIO');
  });

  it('is sent as the root of a price ratio, held back at the same prices, and read as it was typed', () => {
    expect(sentLimit('25', 'PRICE_RATIO')).to.equal('5');
    expect(sentLimit(' 24.05 ', 'PRICE_RATIO')).to.equal('4.90407993409569');
    expect(sentLimit('24.05', 'WEIGHTED_RATIO')).to.equal('24.05');
    for (const text of ['', 'low', '-5', '1e3', '0']) expect(sentLimit(text, 'PRICE_RATIO')).to.equal(text);
    for (const typed of ['25', '24.05', '0.000000041', '31.4159', '77123.5', '0.5']) {
      const limit = Number(sentLimit(typed, 'PRICE_RATIO'));
      expect(readLimit(sentLimit(typed, 'PRICE_RATIO'), 'PRICE_RATIO'), typed).to.equal(typed);
      // An opening TWAP waits while long ^ ½ ÷ short ^ ½ is above its limit: just where long ÷ short is above what was typed.
      for (const [factor, waits] of [
        [1.0001, true],
        [0.9999, false],
      ] as const) {
        const [long, short] = [Number(typed) * factor * 3_000, 3_000];
        expect(long ** 0.5 / short ** 0.5 > limit, `${typed} × ${factor}`).to.equal(waits);
      }
    }
  });

  it('is warned about in its own measure', () => {
    expect(words('24', 'OPEN', 'PRICE_RATIO', 25, 5)).to.match(/^The price ratio is above it now: no slice/);
    expect(words('26', 'OPEN', 'PRICE_RATIO', 25, 5)).to.equal(null);
    expect(words('5', 'OPEN', 'PRICE_RATIO', 25, 5)).to.match(
      /^5 is near the weighted ratio, but the limit is a price ratio: no slice/,
    );
    expect(words('99', 'OPEN', 'PRICE_RATIO', 25, 5)).to.match(/Is it a weighted ratio\?$/);
  });

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
