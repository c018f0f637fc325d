/**
 * Order book figures of live venues in dry runs and plans of changes, over the public API against the emulators. The
 * expected figures are this file's own sums over the emulated book.
 */
import { expect } from 'chai';
import { listOrderBooks } from '../../gateway/contract/order-books.ts';
import type { Json } from '../support/json.ts';
import { BOOK_DESKS, type BookDesk, type Levels, ladder, taken } from '../support/live-books.ts';
import { until } from '../support/until.ts';

for (const [venue, start] of Object.entries(BOOK_DESKS)) {
  describe(`API: books of ${venue}`, () => {
    let desk: BookDesk;
    let books: Record<string, { readonly bids: Levels; readonly asks: Levels }>;

    before(async function () {
      this.timeout(30_000);
      desk = await start();
    });
    after(() => desk.close());
    const state = (symbol: string, bidSizes: readonly string[], askSizes: readonly string[], step = 5) => {
      const mark = desk.script.markOf(symbol);
      const book = { bids: ladder(mark, bidSizes, -1, step), asks: ladder(mark, askSizes, 1, step) };
      books[symbol] = book;
      desk.script.setBook(symbol, book.bids, book.asks, true);
    };
    beforeEach(() => {
      books = {};
      state('BTC', ['0.002', '0.004', '0.006', '0.1'], ['0.001', '0.002', '0.004', '0.1']);
      state('ETH', ['0.03', '0.05', '0.1', '3'], ['0.02', '0.04', '0.2', '3']);
    });

    const legs = (usd: string) => [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: usd },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: usd },
    ];
    /** Markets that no other test looks at. */
    const others = ['SOL-PERP', 'AVAX-PERP'].map((symbol) => ({
      ...{ symbol, side: 'BUY', mode: 'USD', amount: '100' },
    }));
    const dryRun = async (usd = '900', more: object = {}): Promise<Json> => {
      const answer = await desk.account.ask('POST', '/trade/open', {
        ...{ type: 'MARKET', legs: legs(usd), dryRun: true, ...more },
      });
      expect(answer.status, answer.text).to.equal(200);
      return answer.json.plan;
    };
    const facing = ({ ticker, side }: Json) => books[ticker]?.[side === 'BUY' ? 'asks' : 'bids'] ?? [];
    /** Until the book that was stated a moment ago is the one that is told. */
    const dryRunOf = (usd: string, isTold: (plan: Json) => boolean, more: object = {}) =>
      until(desk.clock, 'the dry run knows the book', async () => {
        const plan = await dryRun(usd, more);
        return isTold(plan) ? plan : null;
      });
    const depthIs = (plan: Json) =>
      plan.legs.every((leg: Json) => {
        const { depth } = taken(facing(leg), leg);
        return leg.expected !== null && Math.abs(Number(leg.expected.depth) - depth) < 1e-3;
      });
    const compare = (leg: Json, expected: Json, levels: Levels) => {
      const sums = taken(levels, leg);
      expect(Number(expected.fillable)).to.be.closeTo(sums.filled, 1e-9);
      expect(Number(expected.averagePrice)).to.be.closeTo(sums.average, 1e-6);
      expect(Number(expected.cost)).to.be.closeTo(sums.cost, 1e-6);
      expect(Number(expected.slippage)).to.be.closeTo(sums.cost / (sums.filled * leg.price), 1e-9);
      return sums;
    };

    it('a dry run says what the book holds: mean price, cost and slippage of each leg and of all', async () => {
      const plan = await dryRunOf('900', depthIs);
      let [cost, atMark] = [0, 0];
      for (const leg of plan.legs) {
        const sums = compare(leg, leg.expected, facing(leg));
        expect(leg.expected.fillable).to.equal(leg.quantity);
        expect(leg.expected.isPartial).to.equal(false);
        cost += sums.cost;
        atMark += sums.filled * Number(leg.price);
      }
      expect(cost).to.be.greaterThan(0);
      expect(Number(plan.expectedCost)).to.be.closeTo(cost, 1e-6);
      expect(Number(plan.expectedSlippage)).to.be.closeTo(cost / atMark, 1e-9);
    });

    it('a book that is too thin: what would fill, and what it would cost', async () => {
      state('BTC', ['0.002'], ['0.001', '0.002']);
      const [btc] = (await dryRunOf('900', depthIs)).legs;
      expect(Number(btc.expected.fillable)).to.equal(0.003);
      compare(btc, btc.expected, facing(btc));
    });

    it('nothing within the limit: nothing would fill, and no cost is made up', async () => {
      state('BTC', ['0.1'], ['0.1'], 500);
      const plan = await dryRunOf('900', depthIs);
      expect(plan.legs[0].expected).to.include({ fillable: '0', averagePrice: null, cost: null, depth: '0' });
      expect([plan.expectedCost, plan.expectedSlippage]).to.deep.equal([null, null]);
    });

    it('shows the books themselves: best first, summed, and one question for many who look', async () => {
      const shown = async (query = '') => {
        const answer = await desk.account.ask(
          'GET',
          `/books?connector=${venue}&symbols=BTC-PERP,ETH-PERP${query}`,
        );
        expect(answer.status, answer.text).to.equal(200);
        return listOrderBooks.success[200].parse(answer.json);
      };
      const told = await until(desk.clock, 'the books that were stated', async () => {
        const found = await shown('&levels=3');
        const isTold = found.books.every(
          ({ ticker, bids }) => bids[0]?.price === Number(books[ticker]?.bids[0]?.[0]).toString(),
        );
        return found.books.length === 2 && isTold ? found : null;
      });
      expect(told.unknown).to.deep.equal([]);
      for (const book of told.books) {
        const stated = books[book.ticker];
        for (const side of ['bids', 'asks'] as const) {
          expect(book[side]).to.have.length(3);
          let sum = 0;
          for (const [nth, level] of book[side].entries()) {
            const [price, size] = stated?.[side][nth] ?? [];
            sum += Number(price) * Number(size);
            expect([Number(level.price), Number(level.quantity)]).to.deep.equal([
              Number(price),
              Number(size),
            ]);
            expect(Number(level.cumulativeUsd)).to.be.closeTo(sum, 1e-5);
          }
        }
        const [bid, ask] = [Number(stated?.bids[0]?.[0]), Number(stated?.asks[0]?.[0])];
        expect(Number(book.spreadBps)).to.be.closeTo(((ask - bid) / ((ask + bid) / 2)) * 10_000, 1e-3);
        expect(book.source).to.equal('VENUE');
      }
      const before = desk.asked();
      const since = desk.clock.now();
      await Promise.all(Array.from({ length: 20 }, () => shown()));
      // Two books, and one question for each in 0.75 s, however long the answers of all took.
      const moments = 1 + Math.floor((desk.clock.now() - since) / 750);
      expect(desk.asked() - before).to.be.at.most(2 * moments);
      const wrong = await desk.account.ask('GET', `/books?connector=${venue}&symbols=NO-PERP`);
      expect([wrong.status, wrong.json.details[0]?.code]).to.deep.equal([400, 'unknown_instrument']);
    });

    it('orders ask for no book', async () => {
      await dryRun();
      const before = desk.asked();
      const ended = await desk.account.open([
        ['BTC', 'BUY', '100'],
        ['ETH', 'SELL', '100'],
      ]);
      expect(ended.status, ended.error).to.equal('COMPLETED');
      expect((await desk.account.close(ended.positionId)).status).to.equal('COMPLETED');
      expect(desk.asked()).to.equal(before);
    });

    for (const how of ['fails', 'hangs'] as const) {
      it(`a book that ${how} is not known: the dry run is answered, and orders go on${how === 'fails' ? '' : ' @long'}`, async function () {
        if (!desk.failures.includes(how)) this.skip();
        desk.withhold(how);
        const plan = await until(desk.clock, 'no book is kept', async () => {
          const told = await dryRun('0', { legs: others });
          return told.legs.every(({ expected }: Json) => expected === null) ? told : null;
        });
        const asked = `/books?connector=${venue}&symbols=SOL-PERP`;
        const { json } = await desk.account.ask('GET', asked);
        expect(json).to.deep.equal({ books: [], unknown: ['SOL-PERP'] });
        expect([plan.problems, plan.expectedCost, plan.expectedSlippage]).to.deep.equal([[], null, null]);
        const asking = Array.from({ length: 12 }, () => dryRun('0', { legs: others }));
        const ended = await desk.account.open([
          ['BTC', 'BUY', '100'],
          ['ETH', 'SELL', '100'],
        ]);
        expect(ended.status, ended.error).to.equal('COMPLETED');
        expect((await desk.account.close(ended.positionId)).status).to.equal('COMPLETED');
        await Promise.all(asking);
        desk.script.clearFaults();
        await until(
          desk.clock,
          'it is known again',
          async () => (await dryRun('0', { legs: others })).expectedCost !== null,
        );
      });
    }

    describe('of changes of a position @long', () => {
      let positionId = '';
      before(async () => {
        books = {};
        state('BTC', ['2'], ['2']);
        state('ETH', ['50'], ['50']);
        const ended = await desk.account.open([
          ['BTC', 'BUY', '500'],
          ['ETH', 'SELL', '500'],
        ]);
        expect(ended.status, ended.error).to.equal('COMPLETED');
        positionId = ended.positionId;
      });
      after(async () => {
        state('BTC', ['2'], ['2']);
        state('ETH', ['50'], ['50']);
        await desk.account.close(positionId);
      });
      beforeEach(() => dryRunOf('900', depthIs));

      const plan = async (path: string, body: object): Promise<Json> => {
        const answer = await desk.account.ask('POST', `/positions/${path}/plan`, body);
        expect(answer.status, answer.text).to.equal(200);
        return answer.json;
      };
      /** Closing legs name the price `markPrice`; opening legs name it `price`. */
      const compareClosing = (leg: Json) =>
        compare({ ...leg, price: leg.markPrice }, leg.expected, facing(leg));
      const sumsOf = ({ legs: planned }: Json) => planned.map(compareClosing);

      it('a close and a part of it: the mean price by the book, and what follows from it', async () => {
        for (const fraction of ['1', '0.4']) {
          const close = await plan(`${positionId}/close`, { fraction });
          const sums = sumsOf(close);
          const cost = sums.reduce((sum: number, one: Json) => sum + one.cost, 0);
          expect(cost).to.be.greaterThan(0);
          expect(Number(close.expectedCost)).to.be.closeTo(cost, 1e-6);
          for (const leg of close.legs) {
            expect(leg.expectedPrice).to.equal(leg.expected.averagePrice);
            expect(Number(leg.notional)).to.be.closeTo(
              Number(leg.quantity) * Number(leg.expectedPrice),
              1e-6,
            );
          }
        }
      });

      it('a reduction and an increase', async () => {
        const reduce = await plan(`${positionId}/adjust`, { intent: 'REDUCE', fraction: '0.5' });
        expect(reduce.open).to.equal(null);
        sumsOf(reduce.close);
        expect(reduce.close.brackets).to.deep.equal({ ended: [], kept: [] });
        const increase = await plan(`${positionId}/adjust`, { intent: 'INCREASE', usd: '200' });
        expect(increase.close).to.equal(null);
        for (const leg of increase.open.legs) compare(leg, leg.expected, facing(leg));
        expect(increase.open.legs.map(({ side }: Json) => side)).to.deep.equal(['BUY', 'SELL']);
      });

      it('a reversal: its opening finds what its close has left', async () => {
        const { close, open } = await plan(`${positionId}/reverse`, {});
        sumsOf(close);
        for (const [index, leg] of open.legs.entries()) {
          const closing = close.legs[index];
          expect([leg.side, leg.quantity]).to.deep.equal([closing.side, closing.quantity]);
          const both = { ...leg, quantity: String(2 * Number(leg.quantity)) };
          const [all, first] = [taken(facing(leg), both), taken(facing(leg), leg)];
          const rest = all.filled - first.filled;
          expect(Number(leg.expected.fillable)).to.be.closeTo(rest, 1e-9);
          const average = (all.average * all.filled - first.average * first.filled) / rest;
          expect(Number(leg.expected.averagePrice)).to.be.closeTo(average, 1e-6);
        }
        expect(Number(open.expectedCost)).to.be.greaterThan(Number(close.expectedCost));
      });

      it('closing all: what is left over of each instrument is traded', async () => {
        const opened = await desk.account.open([['BTC', 'SELL', '200']]);
        expect(opened.status, opened.error).to.equal('COMPLETED');
        await dryRunOf('900', depthIs);
        const all = await plan('close-all', {});
        const held = async (id: string) => (await desk.account.ask('GET', `/positions/${id}`)).json.legs;
        const [pair, single] = [await held(positionId), await held(opened.positionId)];
        const [btc, eth] = all.orders;
        expect(all.positions).to.equal(2);
        expect([btc.side, eth.side]).to.deep.equal(['SELL', 'BUY']);
        const net = Number(pair[0].quantity) - Number(single[0].quantity);
        expect(Number(btc.quantity)).to.be.closeTo(net, 1e-9);
        const sums = all.orders.map(compareClosing);
        expect(Number(all.expectedCost)).to.be.closeTo(sums[0].cost + sums[1].cost, 1e-6);
        const traded = sums.reduce((sum: number, one: Json) => sum + one.filled * one.average, 0);
        expect(Number(all.tradedNotional)).to.be.closeTo(traded, 1e-6);
        expect(Number(all.grossNotional)).to.be.greaterThan(traded);

        const ofPanic = async (query: string) => {
          const { json } = await desk.account.ask('GET', `/safety/panic/plan${query}`);
          const { accounts } = json;
          return accounts.find(({ positions }: Json) => positions === 2);
        };
        expect(await ofPanic('')).to.include({ expectedCost: null, expectedSlippage: null });
        const panic = await ofPanic('?includeExpected=true');
        expect(Number(panic.expectedCost)).to.be.closeTo(Number(all.expectedCost), 1e-6);
        expect(panic.shortBooks).to.deep.equal([]);
        // Lists instruments whose book is smaller than the amount to close: the expected cost leaves that rest out.
        state('BTC', ['0.00001'], ['0.1']);
        const short = await until(desk.clock, 'the book of BTC is too thin', async () => {
          const found = (await ofPanic('?includeExpected=true')).shortBooks;
          return found.length === 0 ? null : found;
        });
        expect(short).to.deep.equal([{ symbol: 'BTC-PERP', ticker: 'BTC', isPartial: false }]);
        expect((await ofPanic('')).shortBooks).to.deep.equal([]);
        await desk.account.close(opened.positionId);
      });
    });

    if (venue === 'hyperliquid') {
      it('beyond twenty levels: the rest is read in coarser steps, and never said to be missing', async () => {
        const sizes = Array.from({ length: 60 }, () => '0.001');
        state('BTC', sizes, sizes, 2);
        const [leg] = (
          await dryRunOf(
            '4000',
            ({ legs: [one] }) => Number(one.expected?.fillable) === Number(one.quantity),
            {
              slippage: '0.02',
            },
          )
        ).legs;
        expect(Number(leg.quantity)).to.be.within(0.021, 0.059);
        const exact = taken(facing(leg), leg);
        // A step is at most so wide as twenty of them reach from the best price to the limit.
        const step = Number(leg.price) * 0.02;
        expect(Number(leg.expected.averagePrice)).to.be.within(
          exact.average - 1e-6,
          exact.average + step / 2,
        );
        expect(Number(leg.expected.depth)).to.be.closeTo(exact.depth, exact.depth * 0.02);
      });

      it('a book that is old, of another market, crossed, cut off or no book at all is not known', async () => {
        const side = (px: string) => [{ px, sz: '5', n: 1 }];
        const answers: readonly (readonly [coin: string, answer: object | null])[] = [
          ['SOL', { coin: 'SOL', time: 1_700_000_000_000, levels: [side('199'), side('201')] }],
          ['AVAX', { coin: 'SOL', time: desk.clock.now(), levels: [side('24'), side('26')] }],
          ['DOGE', { coin: 'DOGE', time: desk.clock.now(), levels: [side('0.3'), side('0.1')] }],
          ['BNB', { coin: 'BNB', time: desk.clock.now(), levels: [side('10')] }],
          ['XRP', null],
        ];
        for (const [coin, json] of answers) {
          const other = [{ symbol: `${coin}-PERP`, side: 'BUY', mode: 'USD', amount: '100' }];
          const known = () => dryRun('0', { legs: other });
          await until(desk.clock, 'its book is known', async () => (await known()).expectedCost !== null);
          desk.answerBook(json);
          const plan = await until(desk.clock, 'what was kept has grown old', async () => {
            const told = await known();
            return told.expectedCost === null ? told : null;
          });
          expect(plan.legs[0].expected, coin).to.equal(null);
          desk.script.clearFaults();
        }
      });

      it('a coin that the venue counts by the thousand is counted one by one', async () => {
        const levels = [
          ['0.01251', '9000'],
          ['0.01252', '500000'],
        ] as const;
        desk.script.setBook('kPEPE', [['0.0124', '100000']], levels, true);
        const pepe = [{ symbol: 'PEPE-PERP', side: 'BUY', mode: 'USD', amount: '500' }];
        const leg = await until(desk.clock, 'its book is known', async () => {
          const [told] = (await dryRun('0', { legs: pepe })).legs;
          return Number(told.expected?.depth) > 0 ? told : null;
        });
        const singles = levels.map(([px, sz]) => [`${Number(px) / 1_000}`, `${Number(sz) * 1_000}`] as const);
        const sums = taken(singles, leg);
        expect(Number(leg.quantity)).to.be.greaterThan(9_000_000);
        expect(Number(leg.expected.fillable)).to.equal(Number(leg.quantity));
        expect(Number(leg.expected.averagePrice)).to.be.closeTo(sums.average, 1e-12);
        expect(Number(leg.expected.depth)).to.be.closeTo(sums.depth, 1e-6);
      });

      it('several who look at one market are one question', async () => {
        await until(desk.clock, 'nothing is kept', async () => {
          const before = desk.asked();
          await dryRun();
          return desk.asked() - before === 2;
        });
        const before = desk.asked();
        await Promise.all(Array.from({ length: 10 }, () => dryRun()));
        // None, or those that have grown old meanwhile.
        expect(desk.asked() - before).to.be.at.most(4);
      });
    }

    if (venue === 'lighter') {
      it('a change of the book that is missing: it is read anew', async () => {
        await dryRunOf('900', depthIs);
        desk.bookGap('BTC');
        state('BTC', ['0.01'], ['0.011', '0.2']);
        state('BTC', ['0.01', '0.2'], ['0.012', '0.2']);
        await dryRunOf('900', depthIs);
      });
    }
  });
}
