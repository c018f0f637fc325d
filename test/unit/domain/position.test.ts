import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import {
  applyFills,
  applyFunding,
  newPosition,
  type PositionFill,
} from '../../../gateway/domain/position.ts';
import { valuePosition } from '../../../gateway/domain/position-value.ts';
import { forAll } from '../../support/property-runs.ts';
import { unwrap } from '../../support/unwrap.ts';

const IDENTITY = { id: 'p', userId: 'u', tradeAccountId: 'a', connector: 'paper', basketKey: 'k' };

function pair() {
  return newPosition(
    IDENTITY,
    [
      { symbol: 'BTC-PERP', side: 'BUY', targetWeight: '0.5' },
      { symbol: 'ETH-PERP', side: 'SELL', targetWeight: '0.5' },
    ],
    1,
  );
}

function fill(
  symbol: string,
  side: 'BUY' | 'SELL',
  quantity: string,
  price: string,
  fee = '0',
): PositionFill {
  return { symbol, side, quantity, price, fee };
}

function applied(position: ReturnType<typeof pair>, fills: readonly PositionFill[]) {
  return unwrap(applyFills(position, fills, 2));
}

const someFills = fc.array(
  fc.record({
    leg: fc.constantFrom(['BTC-PERP', 'BUY'] as const, ['ETH-PERP', 'SELL'] as const),
    quantity: fc.integer({ min: 1, max: 1_000_000 }).map((n) => dec(n).div(100_000).toFixed()),
    price: fc.integer({ min: 1, max: 10_000_000 }).map((n) => dec(n).div(100).toFixed()),
    fee: fc.integer({ min: 0, max: 1_000 }).map((n) => dec(n).div(1_000).toFixed()),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('position', () => {
  it('any interleaving of opening fills gives the same position', () =>
    forAll(
      [
        someFills.chain((fills) =>
          fc.tuple(fc.constant(fills), fc.shuffledSubarray(fills, { minLength: fills.length })),
        ),
      ],
      ([fills, shuffled]) => {
        const toFill = ({ leg, quantity, price, fee }: (typeof fills)[number]) =>
          fill(leg[0], leg[1], quantity, price, fee);
        expect(applied(pair(), shuffled.map(toFill)).position).to.deep.equal(
          applied(pair(), fills.map(toFill)).position,
        );
      },
    ));

  it('any interleaving of closing fills gives the same position and realises the same in sum', () =>
    forAll(
      [
        someFills.chain((fills) =>
          fc.tuple(fc.constant(fills), fc.shuffledSubarray(fills, { minLength: fills.length })),
        ),
      ],
      ([fills, shuffled]) => {
        const open = applied(pair(), [
          fill('BTC-PERP', 'BUY', '7', '101.37'),
          fill('BTC-PERP', 'BUY', '200', '99.1'),
          fill('ETH-PERP', 'SELL', '300', '11.7'),
        ]).position;
        const toFill = ({ leg, quantity, price, fee }: (typeof fills)[number]) =>
          fill(leg[0], leg[1] === 'BUY' ? 'SELL' : 'BUY', quantity, price, fee);
        const one = applied(open, fills.map(toFill));
        const other = applied(open, shuffled.map(toFill));
        expect(other.position).to.deep.equal(one.position);
        expect(text(sum(other.realized.map(dec)))).to.equal(text(sum(one.realized.map(dec))));
      },
    ));

  it('what is realised adds up to proceeds less cost, without the digits of a rounded average price', () => {
    const opened = applied(pair(), [
      fill('BTC-PERP', 'BUY', '31000', '0.0561'),
      fill('BTC-PERP', 'BUY', '40003', '0.0563'),
      fill('ETH-PERP', 'SELL', '3', '10'),
    ]);
    const closing = [
      fill('BTC-PERP', 'SELL', '20001', '0.0577'),
      fill('BTC-PERP', 'SELL', '51002', '0.0581'),
    ];
    const { position, realized } = applied(opened.position, closing);
    const cost = dec('31000').mul('0.0561').plus(dec('40003').mul('0.0563'));
    const proceeds = dec('20001').mul('0.0577').plus(dec('51002').mul('0.0581'));
    expect(text(sum(realized.map(dec)))).to.equal(text(proceeds.minus(cost)));
    expect(position.legs[0]).to.include({
      quantity: '0',
      entryNotional: '0',
      realizedPnl: text(proceeds.minus(cost)),
    });
    for (const amount of realized) expect(amount).to.match(/^-?\d+(\.\d{1,12})?$/);
  });

  it('quantity is the signed sum of the fills', () =>
    forAll([someFills], (fills) => {
      const { position } = applied(
        pair(),
        fills.map(({ leg, quantity, price, fee }) => fill(leg[0], leg[1], quantity, price, fee)),
      );
      for (const leg of position.legs) {
        const expected = sum(fills.filter((f) => f.leg[0] === leg.symbol).map((f) => dec(f.quantity)));
        expect(leg.quantity).to.equal(text(expected));
      }
    }));

  it('averages, realises and closes as hand calculation does', () => {
    const open = applied(pair(), [
      fill('BTC-PERP', 'BUY', '1', '100', '0.05'),
      fill('BTC-PERP', 'BUY', '3', '120', '0.18'),
      fill('ETH-PERP', 'SELL', '40', '10', '0.2'),
    ]).position;
    expect(open.legs[0]).to.include({
      quantity: '4',
      entryPrice: '115',
      entryNotional: '460',
      feesPaid: '0.23',
    });
    const part = applied(open, [fill('BTC-PERP', 'SELL', '1', '130', '0.07')]);
    expect(part.realized).to.deep.equal(['15']);
    expect(part.position.legs[0]).to.include({
      quantity: '3',
      entryPrice: '115',
      entryNotional: '345',
      realizedPnl: '15',
    });
    const closed = applied(part.position, [
      fill('BTC-PERP', 'SELL', '3', '110'),
      fill('ETH-PERP', 'BUY', '40', '9'),
    ]);
    expect(closed.realized).to.deep.equal(['-15', '40']);
    expect(closed.position).to.include({ status: 'CLOSED', closedAt: 2 });
    expect(closed.position.entryRatio).to.equal(part.position.entryRatio);
  });

  it('refuses, whole, fills that would turn a leg over, hit another instrument or a closed position', () => {
    const open = applied(pair(), [fill('BTC-PERP', 'BUY', '1', '100')]).position;
    expect(applyFills(open, [fill('BTC-PERP', 'SELL', '1.00001', '100')], 3)).to.deep.equal({
      ok: false,
      error: { kind: 'exceeds_leg', symbol: 'BTC-PERP' },
    });
    expect(applyFills(open, [fill('SOL-PERP', 'BUY', '1', '100')], 3)).to.deep.equal({
      ok: false,
      error: { kind: 'unknown_leg', symbol: 'SOL-PERP' },
    });
    const closed = applied(open, [fill('BTC-PERP', 'SELL', '1', '100')]).position;
    expect(applyFills(closed, [fill('BTC-PERP', 'BUY', '1', '100')], 3).ok).to.equal(false);
  });

  it('funding received lowers what was paid', () => {
    const open = applied(pair(), [fill('BTC-PERP', 'BUY', '1', '100')]).position;
    const paid = applyFunding(applyFunding(open, 'BTC-PERP', '-0.5', 3), 'BTC-PERP', '0.2', 4);
    expect(paid.legs[0]?.fundingPaid).to.equal('0.3');
  });

  it('is valued leg by leg: ratio, weights, margin and PnL', () => {
    const open = applied(pair(), [
      fill('BTC-PERP', 'BUY', '2', '100'),
      fill('ETH-PERP', 'SELL', '20', '10'),
    ]).position;
    const marks: Record<string, string> = { 'BTC-PERP': '110', 'ETH-PERP': '9' };
    const worth = valuePosition(open, (leg) => ({
      instrument: undefined,
      mark: marks[leg.symbol],
      leverage: 5,
      marginMode: 'cross',
      liquidationPrice: null,
      isolatedMargin: null,
    }));
    expect(worth).to.include({
      grossNotional: '400',
      netNotional: '40',
      marginUsed: '80',
      unrealizedPnl: '40',
      unrealizedPnlPct: '10',
      entryPrice: '10',
      markPrice: '12.2222222222',
    });
    // weightRatio: entry √100 ÷ √10 with equal weights; at mark with those same weights, although by now they are 0.55 and 0.45.
    expect(open.entryRatio).to.equal('3.16227766017');
    expect(Number(worth.markRatio)).to.be.closeTo(Math.sqrt(110 / 9), 1e-9);
    expect(worth.legs.map((leg) => leg.currentWeight)).to.deep.equal(['0.55', '0.45']);
  });
});
