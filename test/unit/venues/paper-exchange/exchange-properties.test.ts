/**
 * Whatever is asked and whatever the market does:
 *  1. equity = deposits + insurance + realised + unrealised + funding − fees, recomputed from the fills alone
 *  2. the sum of an instrument's fills is its position
 *  3. no taker fill outside the book or worse than the limit, no maker fill at another price than the limit
 *  4. an accepted order that enlarges a position leaves free margin at 0 or above
 *  5. replaying the effects, or the snapshot, gives the same accounts
 *  6. the same inputs give the same entries
 *  7. moving margin moves no money, takes free margin below 0 only where it was, and liquidates nobody
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { type Decimal, dec, ZERO } from '../../../../gateway/domain/decimal.ts';
import { accountMargin } from '../../../../gateway/venues/paper/accounts/margin-view.ts';
import { PaperAccounts } from '../../../../gateway/venues/paper/accounts/paper-accounts.ts';
import { createExchangeDesk } from '../../../support/exchange-desk.ts';
import { forAll, propertyRuns, weightedRecord } from '../../../support/property-runs.ts';

const SYMBOLS = ['AAA-PERP', 'BBB-PERP', 'CCC-PERP'] as const;
const symbol = fc.constantFrom(...SYMBOLS);

type Input =
  | {
      readonly kind: 'order';
      readonly symbol: string;
      readonly side: 'BUY' | 'SELL';
      readonly quantity: number;
      readonly offset: number;
      readonly gtc: boolean;
      readonly reduceOnly: boolean;
    }
  | { readonly kind: 'price'; readonly symbol: string; readonly percent: number }
  | { readonly kind: 'funding'; readonly symbol: string; readonly rate: number }
  | {
      readonly kind: 'leverage';
      readonly symbol: string;
      readonly leverage: number;
      readonly isolated: boolean;
    }
  | { readonly kind: 'margin'; readonly symbol: string; readonly amount: number }
  | { readonly kind: 'cancel' };

const input: fc.Arbitrary<Input> = fc.oneof(
  weightedRecord(8, {
    kind: fc.constant('order' as const),
    symbol,
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    // Thousandths of a unit; a level holds ten units and a free account carries about 50 of them at 10,000 USD.
    quantity: fc.integer({ min: 1, max: 60_000 }),
    // Tenths of a percent from the mark.
    offset: fc.integer({ min: -12, max: 12 }),
    gtc: fc.boolean(),
    reduceOnly: fc.boolean(),
  }),
  weightedRecord(3, {
    kind: fc.constant('price' as const),
    symbol,
    percent: fc.integer({ min: -25, max: 25 }),
  }),
  weightedRecord(1, {
    kind: fc.constant('funding' as const),
    symbol,
    rate: fc.integer({ min: -50, max: 50 }),
  }),
  weightedRecord(1, {
    kind: fc.constant('leverage' as const),
    symbol,
    leverage: fc.integer({ min: 1, max: 20 }),
    isolated: fc.boolean(),
  }),
  weightedRecord(2, {
    kind: fc.constant('margin' as const),
    symbol,
    amount: fc.integer({ min: -20_000, max: 20_000 }),
  }),
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);

/** `mutate` sees every order, before and after. */
function run(inputs: readonly Input[], check: (desk: Desk, apply: () => void, made: Input) => void): Desk {
  const desk = createExchangeDesk();
  for (const id of SYMBOLS) desk.market.set(id, '10000');
  desk.step();
  for (const made of inputs) check(desk, () => applyInput(desk, made), made);
  return desk;
}
type Desk = ReturnType<typeof createExchangeDesk>;

function applyInput(desk: Desk, made: Input): void {
  switch (made.kind) {
    case 'order': {
      const mark = dec(desk.market.quote(made.symbol)?.mark ?? '0');
      const limit = mark.mul(1 + made.offset / 1000).toDecimalPlaces(2);
      desk.place(made.side, dec(made.quantity).div(1000).toFixed(), made.symbol, limit.toFixed(), {
        timeInForce: made.gtc ? 'GTC' : 'IOC',
        reduceOnly: made.reduceOnly,
      });
      return;
    }
    case 'price': {
      const mark = dec(desk.market.quote(made.symbol)?.mark ?? '0');
      const moved = mark.mul(1 + made.percent / 100).toDecimalPlaces(2);
      desk.market.set(made.symbol, moved.lt(1000) || moved.gt(100_000) ? '10000' : moved.toFixed());
      desk.step();
      return;
    }
    case 'funding':
      desk.market.settle(made.symbol, dec(made.rate).div(10_000).toFixed());
      desk.step();
      return;
    case 'leverage':
      desk.setLeverage(made.symbol, made.leverage, made.isolated ? 'isolated' : 'cross');
      return;
    case 'margin':
      desk.changeMargin(made.symbol, String(made.amount));
      return;
    case 'cancel': {
      const [first] = desk.account().working.keys();
      if (first !== undefined) desk.cancel(first);
    }
  }
}

describe('paper exchange, properties', () => {
  const property = (check: (inputs: readonly Input[]) => void) =>
    forAll(
      [fc.array(input, { minLength: 1, maxLength: 40 })],
      propertyRuns(60),
      (inputs) => void check(inputs),
    );

  it('keeps the money identity and the positions equal to the sum of the fills', () => {
    property((inputs) => {
      const desk = run(inputs, (_, apply) => apply());
      const account = desk.account();
      let cash = dec(100_000).plus(account.insured);
      const held = new Map<string, Decimal>();
      for (const item of account.history) {
        if (item.kind === 'funding') {
          cash = cash.plus(item.funding.amount);
          continue;
        }
        const { fill } = item;
        const signed = fill.side === 'BUY' ? dec(fill.quantity) : dec(fill.quantity).neg();
        cash = cash.minus(signed.mul(fill.price)).minus(fill.fee);
        held.set(fill.symbol, (held.get(fill.symbol) ?? ZERO).plus(signed));
      }
      let worth = cash;
      for (const id of SYMBOLS) {
        const quantity = held.get(id) ?? ZERO;
        expect(desk.held(id).toFixed()).to.equal(quantity.toFixed());
        worth = worth.plus(quantity.mul(desk.market.quote(id)?.mark ?? '0'));
      }
      expect(desk.balances().equity).to.equal(worth.toFixed());
      expect(worth.isNegative() && !worth.isZero()).to.equal(false);
    });
  });

  it('fills takers inside the book and the limit, makers at their limit', () => {
    property((inputs) => {
      run(inputs, (desk, apply, made) => {
        if (made.kind !== 'order') return apply();
        const before = desk.market.levels(made.symbol, made.side === 'BUY' ? 'SELL' : 'BUY', 100);
        const known = desk.account().history.length;
        apply();
        for (const item of desk.account().history.slice(known)) {
          if (item.kind !== 'fill') continue;
          const { fill } = item;
          const limit = desk.account().orders.get(fill.clientOrderId ?? '')?.order.limitPrice ?? '0';
          const level = before.find(({ price }) => price === fill.price);
          expect(level, 'a level of the book').not.to.equal(undefined);
          expect(dec(fill.quantity).lte(level?.quantity ?? '0')).to.equal(true);
          expect(fill.side === 'BUY' ? dec(fill.price).lte(limit) : dec(fill.price).gte(limit)).to.equal(
            true,
          );
        }
      });
    });
    property((inputs) => {
      const desk = run(inputs, (_, apply) => apply());
      for (const { order, fills, filled } of desk.account().orders.values()) {
        expect(filled.lte(order.quantity)).to.equal(true);
        for (const fill of fills) {
          if (fill.liquidity === 'MAKER') expect(fill.price).to.equal(order.limitPrice);
        }
      }
    });
  });

  it('never accepts an order that enlarges a position into negative free margin', () => {
    property((inputs) => {
      run(inputs, (desk, apply, made) => {
        if (made.kind !== 'order') return apply();
        const before = desk.held(made.symbol);
        apply();
        const after = desk.held(made.symbol);
        const working = [...desk.account().working.keys()].length;
        const enlarged = after.abs().gt(before.abs()) || after.mul(before).lt(0);
        if (!enlarged) return;
        const { free } = accountMargin(desk.account(), desk.exchange.view);
        expect(free.gte(0), `free margin ${free.toFixed()} with ${working} working`).to.equal(true);
      });
    });
  });

  it('moves margin without moving money, into no liquidation', () => {
    property((inputs) => {
      run(inputs, (desk, apply, made) => {
        if (made.kind !== 'margin') return apply();
        const free = () => accountMargin(desk.account(), desk.exchange.view).free;
        const before = { equity: desk.balances().equity, free: free(), fills: desk.account().history.length };
        apply();
        expect(desk.balances().equity).to.equal(before.equity);
        expect(free().gte(0) || free().gte(before.free), free().toFixed()).to.equal(true);
        const position = desk.account().positions.get(made.symbol);
        expect(position?.isolatedMargin?.isNegative() ?? false).to.equal(false);
        desk.step();
        expect(desk.account().history).to.have.length(before.fills);
      });
    });
  });

  it('is rebuilt from its entries, and from its snapshot, to the last digit', () => {
    property((inputs) => {
      const desk = run(inputs, (_, apply) => apply());
      const replayed = new PaperAccounts();
      for (const { effects } of desk.entries) for (const effect of effects) replayed.apply(effect);
      expect(replayed.snapshot()).to.deep.equal(desk.exchange.accounts.snapshot());
      expect(replayed.sequence).to.equal(desk.exchange.accounts.sequence);

      const restored = new PaperAccounts();
      for (const { effects } of desk.entries) for (const effect of effects) restored.index(effect);
      restored.restore(JSON.parse(JSON.stringify(desk.exchange.accounts.snapshot())));
      expect(restored.snapshot()).to.deep.equal(desk.exchange.accounts.snapshot());
      const ordersOf = (accounts: PaperAccounts) =>
        [...(accounts.byId.get('trader')?.orders ?? [])].map(([id, record]) => [
          id,
          record.status,
          record.filled.toFixed(),
        ]);
      expect(ordersOf(restored)).to.deep.equal(ordersOf(desk.exchange.accounts));
    });
  });

  it('gives the same entries for the same inputs', () => {
    property((inputs) => {
      const once = run(inputs, (_, apply) => apply());
      const again = run(inputs, (_, apply) => apply());
      expect(JSON.stringify(again.entries)).to.equal(JSON.stringify(once.entries));
    });
  });
});
