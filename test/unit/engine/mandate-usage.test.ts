import { expect } from 'chai';
import type { Execution } from '../../../gateway/domain/model.ts';
import { scaled, times } from '../../../gateway/domain/scaled.ts';
import { UsageBook } from '../../../gateway/engine/core/mandate-usage.ts';

const KEY = 'agent';

describe('usage of a mandate', () => {
  it('is exact for amounts of any number of decimal places, and 0 after the end', () => {
    const book = new UsageBook({ now: () => 0, uptime: () => 0 });
    const usd = times(times(scaled('0.12345678'), scaled('64123.456789')), scaled('1.0123456'));
    const execution = {
      ...{ id: 'execution', userId: 'user', authorityKind: 'api_key', authorityId: KEY },
      ...{ tradeAccountId: 'account', basketKey: 'basket', status: 'FAILED', intent: 'OPEN', orders: [] },
      reserved: { usd: '8014.1', asked: false },
    } as unknown as Execution;
    book.reserveNew(execution, 0, usd);
    expect(book.sum([KEY], {}, 0).reservedUsd).to.deep.equal(usd);
    book.ended(execution);
    expect(book.sum([KEY], {}, 0).reservedUsd).to.deep.equal(scaled('0'));
  });
});
