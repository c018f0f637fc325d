/** The account after an order: by hand, and against what the paper exchange then says of itself. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AccountNow,
  accountAfter,
  type HeldNow,
  type PlannedTrade,
} from '../../../gateway/domain/account-after.ts';
import { createExchangeDesk } from '../../support/exchange-desk.ts';
import { flatInstrument } from '../../support/flat-market.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const RUNS = { ...propertyRuns(150), seed: 22 };
const AAA = flatInstrument('AAA-PERP');
const SYMBOLS = ['AAA-PERP', 'BBB-PERP', 'CCC-PERP'] as const;

const trade = (over: Partial<PlannedTrade> = {}): PlannedTrade => ({
  symbol: 'AAA-PERP',
  side: 'BUY',
  quantity: '20',
  price: '100.5',
  mark: '100',
  feeRate: '0.001',
  leverage: 5,
  marginMode: 'cross',
  instrument: AAA,
  ...over,
});
const BUY_LEG = [{ symbol: 'AAA-PERP', side: 'BUY' }] as const;

describe('the account after an order', () => {
  it('cross, by hand: fee and the way to the mark are lost, the rest backs it', () => {
    const now: AccountNow = { equity: '1000', marginUsed: '0', freeMargin: '1000' };
    const after = accountAfter(now, [], [trade()], BUY_LEG);
    // 20 × 0.5 to the mark, fee 20 × 100.5 × 0.001; margin 2000 ÷ 5; maintenance 2000 × 0.025
    expect(after).to.include({
      equity: '987.99',
      marginUsed: '400',
      freeMargin: '587.99',
      maintenanceMargin: '50',
    });
    expect(Number(after.marginRatio)).to.be.closeTo(50 / 987.99, 1e-12);
    // 20·p·(1 − 0.025) = 2000 − 987.99
    expect(Number(after.legs[0]?.liquidationPrice)).to.be.closeTo(1012.01 / 19.5, 1e-9);
    expect(Number(after.basket?.legMove)).to.be.closeTo(1012.01 / 19.5 / 100 - 1, 1e-9);
    expect(after.basket?.cause).to.equal('CROSS');
  });

  it('isolated, by hand: only its own margin backs it, and it is no part of the ratio', () => {
    const now: AccountNow = { equity: '1000', marginUsed: '0', freeMargin: '1000' };
    const after = accountAfter(now, [], [trade({ side: 'SELL', price: '99', marginMode: 'isolated' })], []);
    // margin 20 × 99 ÷ 5 = 396, less 20 to the mark
    expect(after).to.include({ marginUsed: '376', maintenanceMargin: '0', marginRatio: null, basket: null });
    expect(Number(after.legs[0]?.liquidationPrice)).to.be.closeTo((2000 + 376) / (20 * 1.025), 1e-9);
  });

  it('what is held keeps the leverage of its venue, whatever the setting: closed by half, added to, turned round', () => {
    const held: HeldNow = {
      ...{ symbol: 'AAA-PERP', quantity: '20', mark: '100', marginMode: 'cross', marginUsed: '100' },
      leverage: 20,
      instrument: AAA,
    };
    const now: AccountNow = { equity: '1000', marginUsed: '100', freeMargin: '900' };
    const at = { price: '100', feeRate: '0', leverage: 5 };
    const told = (...trades: Partial<PlannedTrade>[]) =>
      accountAfter(
        now,
        [held],
        trades.map((one) => trade({ ...at, ...one })),
        [],
      );
    expect(told({ side: 'SELL', quantity: '10' })).to.include({ marginUsed: '50', freeMargin: '950' });
    expect(told({ quantity: '10' })).to.include({ marginUsed: '150', freeMargin: '850' });
    const close = { side: 'SELL', quantity: '20' } as const;
    expect(told(close, close)).to.include({ marginUsed: '100', freeMargin: '900' });
    const isolated: HeldNow = { ...held, marginMode: 'isolated' };
    const added = accountAfter(now, [isolated], [trade({ ...at, quantity: '10' })], []);
    expect(added).to.include({ marginUsed: '150', freeMargin: '850' });
  });

  it('nothing is said of what is not known, or not there any more', () => {
    const now: AccountNow = { equity: '1000', marginUsed: '400', freeMargin: '600' };
    const held: HeldNow = {
      ...{ symbol: 'AAA-PERP', quantity: '20', mark: '100', marginMode: 'cross', marginUsed: '400' },
      leverage: 5,
      instrument: AAA,
    };
    const closed = accountAfter(now, [held], [trade({ side: 'SELL', price: '100' })], []);
    expect(closed.legs).to.deep.equal([
      { symbol: 'AAA-PERP', quantity: '0', liquidationPrice: null, reason: 'NOTHING_HELD' },
    ]);
    expect(closed).to.include({ marginUsed: '0', marginRatio: null, basket: null });
    const strange: HeldNow = { ...held, symbol: 'OLD-PERP', instrument: undefined };
    const unknown = accountAfter(now, [strange], [trade()], BUY_LEG);
    expect(unknown).to.deep.include({ marginRatio: null, basket: null, unknownTiers: ['OLD-PERP'] });
    expect(unknown.legs[0]).to.include({ liquidationPrice: null, reason: 'TIERS_UNKNOWN' });
    const small = accountAfter(now, [], [trade({ quantity: '1' })], BUY_LEG);
    expect(small.legs[0]).to.include({ liquidationPrice: null, reason: 'NONE_ABOVE_ZERO' });
  });

  it('is what the exchange says once it has filled, whatever was held, cross and isolated', () => {
    let filled = 0;
    const order = fc.record({
      symbol: fc.constantFrom(...SYMBOLS),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      quantity: fc.integer({ min: 1, max: 40 }),
    });
    forAll(
      [
        fc.array(order, { minLength: 1, maxLength: 8 }),
        fc.array(fc.record({ isolated: fc.boolean(), leverage: fc.integer({ min: 1, max: 10 }) }), {
          minLength: 3,
          maxLength: 3,
        }),
        fc.array(fc.integer({ min: 80, max: 125 }), { minLength: 3, maxLength: 3 }),
      ],
      RUNS,
      (orders, settings, prices) => {
        const desk = createExchangeDesk();
        const view = () => SYMBOLS.flatMap((symbol) => desk.position(symbol) ?? []);
        const settingOf = (symbol: string) => {
          const { isolated, leverage } = settings[SYMBOLS.indexOf(symbol as never)] ?? {};
          return { leverage: leverage ?? 5, marginMode: isolated ? 'isolated' : 'cross' } as const;
        };
        for (const symbol of SYMBOLS) {
          const { leverage, marginMode } = settingOf(symbol);
          expect(desk.setLeverage(symbol, leverage, marginMode)).to.equal(null);
        }
        for (const [nth, { symbol, side, quantity }] of orders.entries()) {
          if (nth === Math.floor(orders.length / 2))
            for (const [index, moved] of SYMBOLS.entries()) desk.market.set(moved, String(prices[index]));
          desk.step();
          const markOf = (of: string) => desk.market.quote(of)?.mark ?? '0';
          const held = view().map(
            (one): HeldNow => ({
              ...one,
              mark: markOf(one.symbol),
              instrument: flatInstrument(one.symbol),
            }),
          );
          const now = desk.balances();
          const limit = String(Number(markOf(symbol)) * (side === 'BUY' ? 1.1 : 0.9));
          const outcome = desk.place(side, String(quantity), symbol, limit);
          if (outcome.kind !== 'done' || outcome.filledQuantity !== String(quantity)) continue;
          filled += 1;
          const paid = outcome.fills.reduce((sum, one) => sum + Number(one.price) * Number(one.quantity), 0);
          const planned = trade({
            ...{ symbol, side, quantity: String(quantity), mark: markOf(symbol), ...settingOf(symbol) },
            ...{ price: String(paid / quantity), feeRate: desk.info.takerRate },
            instrument: flatInstrument(symbol),
          });
          const after = accountAfter(now, held, [planned], []);
          const said = desk.balances();
          const net = Number(held.find((one) => one.symbol === symbol)?.quantity ?? 0);
          const turned = net + (side === 'BUY' ? quantity : -quantity);
          // The exchange sets the margin of what is turned aside at the prices of its own fills, not at the mean of all.
          const isTurned = planned.marginMode === 'isolated' && net * turned < 0;
          const within = isTurned ? Math.abs(turned) * 0.4 : 1e-5;
          for (const name of ['equity', 'marginUsed', 'freeMargin'] as const)
            expect(Number(after[name]), name).to.be.closeTo(Number(said[name]), within);
          const told = desk.position(symbol);
          expect(after.legs[0]?.quantity).to.equal(told?.quantity ?? '0');
          const price = told?.liquidationPrice ?? null;
          if (price === null) expect(after.legs[0]?.liquidationPrice).to.equal(null);
          else
            expect(Number(after.legs[0]?.liquidationPrice)).to.be.closeTo(
              Number(price),
              isTurned ? 0.5 : 1e-5,
            );
        }
      },
    );
    expect(filled).to.be.above(RUNS.numRuns * 2);
  });
});
