/** Every word and code of the venue that is published has a meaning here. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { refusalOf } from '../../../../../gateway/venues/live/lighter/refusals.ts';
import { meaningOfStatus } from '../../../../../gateway/venues/live/lighter/statuses.ts';

const { definitions } = JSON.parse(
  readFileSync(new URL('../../../../data/live/lighter/openapi-subset.json', import.meta.url), 'utf8'),
) as { definitions: { Order: { properties: { status: { enum: string[] } } } } };

describe('words of Lighter', () => {
  it('all states of orders in its OpenAPI are known here, and a new cancellation is one', () => {
    const words = definitions.Order.properties.status.enum;
    expect(words.length).to.be.greaterThan(15);
    expect(words.filter((word) => meaningOfStatus(word) === null)).to.deep.equal([]);
    expect(meaningOfStatus('canceled-by-the-moon')).to.deep.equal({ kind: 'cancelled' });
    expect(meaningOfStatus('frozen')).to.equal(null);
    expect(meaningOfStatus('constructor')).to.equal(null);
  });

  it('its codes are refusals with a reason', () => {
    // biome-ignore format: a table is read by its columns
    const cases = [
      [21104, 'nonce', 'other'], [21105, 'nonce', 'other'], [21728, 'duplicate', 'other'],
      [21109, 'key', 'other'], [21120, 'key', 'other'], [21108, 'key', 'other'], [20013, 'token', 'other'],
      [21506, 'throttled', 'other'], [23000, 'throttled', 'other'], [23003, 'throttled', 'other'],
      [21507, 'order', 'margin'], [21508, 'order', 'margin'], [21739, 'order', 'margin'],
      [21706, 'order', 'minimum'], [21701, 'order', 'tick'], [21702, 'order', 'tick'],
      [21732, 'order', 'reduce_only'], [21738, 'order', 'reduce_only'], [21740, 'order', 'reduce_only'],
      [21602, 'order', 'not_tradable'], [21605, 'order', 'not_tradable'],
      [21711, 'order', 'expired'], [21733, 'order', 'price'], [21734, 'order', 'price'],
      [21715, 'gone', 'other'], [21600, 'gone', 'other'], [29999, 'other', 'other'],
    ] as const;
    for (const [code, kind, reason] of cases)
      expect(refusalOf(code, 'words'), String(code)).to.deep.equal({ kind, code, reason, message: 'words' });
    expect(refusalOf(29_999, 'the transaction has expired')).to.include({ kind: 'order', reason: 'expired' });
    expect(refusalOf(21_732, '').message).to.match(/21732/);
  });
});
