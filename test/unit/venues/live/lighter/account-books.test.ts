/** Positions that the stream has told count while the venue's answers agree with them. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { read } from '../../../../../gateway/venues/live/kit/wire.ts';
import { AccountBooks } from '../../../../../gateway/venues/live/lighter/account-books.ts';
import { listingOf } from '../../../../../gateway/venues/live/lighter/listing.ts';
import * as wire from '../../../../../gateway/venues/live/lighter/wire.ts';
import { unwrap } from '../../../../support/unwrap.ts';

const MARKETS = new URL(
  '../../../../data/live/lighter/payloads/http_order_book_details.json',
  import.meta.url,
);
const { items } = unwrap(read(wire.markets, readFileSync(MARKETS, 'utf8'))).order_book_details;
const listing = listingOf('lighter', { order_book_details: items });

const position = (size: string): wire.WirePosition => ({
  ...{ market_id: 0, symbol: 'ETH', sign: 1, position: size, avg_entry_price: '2000', margin_mode: 0 },
  ...{ position_value: String(Number(size) * 2_000), unrealized_pnl: '0', initial_margin_fraction: '10.00' },
  ...{ liquidation_price: null, allocated_margin: null },
});

describe('positions of a stream of Lighter', () => {
  const held = (books: AccountBooks) => books.reading(listing)?.positions.map(({ quantity }) => quantity);
  function told(size: string, books = new AccountBooks()): AccountBooks {
    if (books.version > 0) books.change([position(size)]);
    else books.begin([position(size)]);
    books.takeStats('1000', '900', () => null);
    return books;
  }

  it('count once an answer agrees', () => {
    const books = told('1');
    expect(held(books)).to.equal(undefined);
    books.confirm([position('1')], books.version);
    expect(held(books)).to.deep.equal(['1']);
  });

  it('do not count while an answer contradicts them, and again when one agrees', () => {
    const books = told('1');
    books.confirm([position('1')], books.version);
    books.touch(true);
    told('0', books);
    expect(held(books)).to.deep.equal([]);
    books.confirm([position('1')], books.version);
    expect(held(books)).to.equal(undefined);
    told('1', books);
    books.confirm([position('1')], books.version);
    expect(held(books)).to.deep.equal(['1']);
  });

  it('count against an answer to a question of before', () => {
    const books = told('1');
    books.confirm([position('1')], books.version);
    const asked = books.version;
    books.touch(true);
    told('2', books);
    books.confirm([position('1')], asked);
    expect(held(books)).to.deep.equal(['2']);
  });
});
