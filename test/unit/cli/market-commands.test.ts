/** Order books and funding payments as tables; what is asked and what is answered fit the contract. */
import { expect } from 'chai';
import { listFundingPayments } from '../../../gateway/contract/history.ts';
import { listOrderBooks } from '../../../gateway/contract/order-books.ts';
import { ACCOUNTS, POSITION_ID, TradingStub } from './trading-stub.ts';

const AT = '2026-01-01T08:00:00.000Z';

describe('books and funding', () => {
  const desk = new TradingStub();
  afterEach(() => desk.close());

  const book = {
    ...{ symbol: 'BTC-PERP', ticker: 'BTC', at: AT, source: 'SIMULATED' },
    ...{ bestBid: '99999', bestAsk: '100001', spreadBps: '0.2' },
    bids: [
      { price: '99999', quantity: '0.5', cumulativeUsd: '49999.5' },
      { price: '99990', quantity: '1', cumulativeUsd: '149989.5' },
    ],
    asks: [{ price: '100001', quantity: '0.25', cumulativeUsd: '25000.25' }],
  };

  it('shows both sides of a book beside each other, and names the tickers whose book is not known', async () => {
    const answer = listOrderBooks.success[200].parse({ books: [book], unknown: ['ETH-PERP'] });
    const end = await desk.run(['book', 'btc', 'ETH-PERP', '--levels', '2'], {
      'GET /books': () => [200, answer],
    });
    expect(end.code).to.equal(0);
    expect(end.err).to.equal('The order book of ETH-PERP is not known now.');
    expect(end.out.split('\n').map((line) => line.trim().split(/ {2,}/))).to.deep.equal([
      ['BTC', 'spread 0.2 bps', '2026-01-01 08:00:00 UTC', 'simulated'],
      ['USD SO FAR', 'QUANTITY', 'BID', 'ASK', 'QUANTITY', 'USD SO FAR'],
      ['49,999.50', '0.5', '99,999', '100,001', '0.25', '25,000.25'],
      ['149,989.50', '1', '99,990', '–', '–', '–'],
    ]);
    const query = desk.sent('GET', '/books')[0]?.query ?? new URLSearchParams();
    const asked = { ...Object.fromEntries(query), symbols: query.getAll('symbols') };
    expect(listOrderBooks.query.parse(asked)).to.deep.equal({
      connector: 'paper',
      symbols: ['BTC-PERP', 'ETH-PERP'],
      levels: 2,
    });
  });

  it('ends with 1 where no book is known, and with 2 where a ticker or a number is wrong', async () => {
    const none = await desk.run(['book', 'BTC'], {
      'GET /books': () => [200, { books: [], unknown: ['BTC-PERP'] }],
    });
    expect([none.code, none.err]).to.deep.equal([1, 'The order book of BTC-PERP is not known now.']);
    const typo = await desk.run(['book', 'BTV'], {});
    expect([typo.code, typo.err]).to.deep.equal([
      2,
      "tandem: book: no instrument 'BTV' on this venue (did you mean BTC?)",
    ]);
    const many = await desk.run(['book', 'BTC', '--levels', '21'], {});
    expect([many.code, many.err]).to.deep.equal([
      2,
      "tandem: --levels must be a number from 1 to 20, not '21'",
    ]);
    expect(desk.sent('GET', '/books')).to.deep.equal([]);
  });

  it('lists funding payments with the basket that held them, and what all of the time come to', async () => {
    const payment = {
      ...{ id: 'f1', connector: 'paper', tradeAccountId: ACCOUNTS[0]?.id, timestamp: AT, symbol: 'BTC-PERP' },
      ...{ ticker: 'BTC', positionId: POSITION_ID, paidOn: 'POSITION', rate: '0.0000125', side: 'BUY' },
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY' },
        { symbol: 'ETH-PERP', side: 'SELL' },
      ],
      ...{ notional: '500', amount: '-0.00625' },
    };
    const outside = { ...payment, id: 'f2', positionId: null, paidOn: 'OUTSIDE', legs: [], amount: '0.02' };
    const answer = listFundingPayments.success[200].parse({
      payments: [payment, { ...outside, side: null, notional: null }],
      ...{ total: '1.5', nextCursor: 'more' },
    });
    const argv = ['funding', '--from', '2026-01-01', '--until', '2026-01-31', '--limit', '2'];
    const routes = { 'GET /funding/payments': () => [200, answer] as const };
    const end = await desk.run(argv, routes);
    expect([end.code, end.err]).to.deep.equal([0, 'There are more: raise --limit.']);
    const [mark, ...lines] = end.out.split('\n');
    expect(mark).to.equal('PAPER: Paper (paper)');
    expect(lines.map((line) => line.trim().split(/ {2,}/)).slice(1)).to.deep.equal([
      [
        ...['2026-01-01 08:00:00', 'BTC', 'long', '500.00', '0.0000125', '-0.006250'],
        ...['BTC-PERP / ETH-PERP', '0000000000f1'],
      ],
      ['2026-01-01 08:00:00', 'BTC', '–', '–', '0.0000125', '+0.020000', 'outside', '–'],
      ['total +1.500000 USD'],
    ]);
    const [asked] = desk.sent('GET', '/funding/payments');
    expect(Object.fromEntries(asked?.query ?? [])).to.deep.equal({
      ...{ limit: '2', startDate: '2026-01-01', endDate: '2026-01-31' },
    });
    const json = await desk.run(['funding', '--json'], routes);
    expect(JSON.parse(json.out)).to.deep.equal({ ...answer, mode: 'PAPER', network: null });
  });
});
