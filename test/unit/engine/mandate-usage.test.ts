/** Usage is told in millionths, rounded against the order by one at most, whatever digits the sums have. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../gateway/domain/decimal.ts';
import { atMost, roomOf } from '../../../gateway/domain/mandate-room.ts';
import type { Execution } from '../../../gateway/domain/model.ts';
import { scaled, times } from '../../../gateway/domain/scaled.ts';
import { UsageBook } from '../../../gateway/engine/core/mandate-usage.ts';
import { openMandate } from '../../support/mandates.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const amount = fc
  .tuple(fc.nat(10_000_000), fc.stringMatching(/^[0-9]{1,30}$/), fc.boolean())
  .map(([whole, part, isNegative]) => `${isNegative ? '-' : ''}${whole}.${part}`);
const KEY = 'agent';

describe('what a mandate is used up by, in millionths', () => {
  it('is the amount or a little more', () => {
    fc.assert(
      fc.property(amount, (usd) => {
        const exact = dec(usd).mul(1_000_000);
        const told = atMost(scaled(usd));
        expect(exact.lte(told), usd).to.equal(true);
        expect(exact.plus(2).gt(told), `${usd}: ${told}`).to.equal(true);
      }),
      propertyRuns(1_000),
    );
    expect(atMost(scaled('123456789012345678901234'))).to.equal(Number.POSITIVE_INFINITY);
  });

  it('is told by figures of any number of places, and after them as it was before', () => {
    const book = new UsageBook({ now: () => 0, uptime: () => 0 });
    const room = roomOf(openMandate([], { maxOpenedUsd24h: '100000', maxGrossUsd: '100000' }));
    const hasRoom = () => book.hasRoom(KEY, room, 1_000_000, 0, 0);
    const usd = times(times(scaled('0.12345678'), scaled('64123.456789')), scaled('1.0123456'));
    const execution = {
      ...{ id: 'execution', userId: 'user', authorityKind: 'api_key', authorityId: KEY },
      ...{ tradeAccountId: 'account', basketKey: 'basket', status: 'FAILED', intent: 'OPEN', orders: [] },
      reserved: { usd: '8014.1', asked: false },
    } as unknown as Execution;
    book.reserveNew(execution, 0, usd);
    expect(hasRoom(), 'while it runs').to.equal(true);
    book.ended(execution);
    expect(hasRoom(), 'after it').to.equal(true);
    expect(book.sum([KEY], {}, 0).reservedUsd).to.deep.equal(scaled('0'));
  });
});
