/** Exposure by instrument: what baskets and holdings in none come to, worked out by hand. */
import { expect } from 'chai';
import { exposureByInstrument } from '../../../renderer/screens/positions/instrument-exposure.ts';
import { exposureOf } from '../../../renderer/screens/positions/position-sums.ts';

const MARKS = { BTC: '100000.1', ETH: '2500', SOL: '200' } as const;
type Ticker = keyof typeof MARKS;
const LIQUIDATION = { BTC: '60000.06', ETH: null, SOL: null } as const;

const leg = (
  ticker: Ticker,
  side: 'BUY' | 'SELL',
  quantity: string,
  notional: string,
  unrealizedPnl: string,
) => ({
  symbol: `${ticker}-PERP`,
  ticker,
  side,
  quantity,
  notional,
  unrealizedPnl,
  markPrice: MARKS[ticker],
  liquidationPrice: LIQUIDATION[ticker],
});
const past = (ticker: Ticker, quantity: string, unrealizedPnl: string | null) => ({
  symbol: `${ticker}-PERP`,
  ticker,
  quantity,
  price: '1',
  markPrice: MARKS[ticker],
  unrealizedPnl,
});

/** BTC 0.3 long and 0.1 short, ETH 12 short, and SOL 1 long of which 4 outside Tandem are sold. */
const BASKETS = [
  {
    id: 'a',
    legs: [leg('BTC', 'BUY', '0.3', '30000.03', '10.1'), leg('ETH', 'SELL', '12', '30000', '-3.2')],
  },
  {
    id: 'b',
    legs: [leg('SOL', 'BUY', '1', '200', '0.5'), leg('BTC', 'SELL', '0.1', '10000.01', '-0.3')],
  },
  { id: 'c', legs: [leg('ETH', 'BUY', '0', '0', '0'), leg('SOL', 'BUY', '2', '400', '1')] },
];
const PAST = [past('SOL', '-5', '-2'), past('SOL', '1', null)];

describe('exposure by instrument', () => {
  const rows = exposureByInstrument(BASKETS, PAST);
  const of = (ticker: Ticker) => rows.find((row) => row.ticker === ticker);

  it('nets what baskets share, and has the largest net first', () => {
    expect(rows.map(({ ticker }) => ticker)).to.deep.equal(['ETH', 'BTC', 'SOL']);
    expect(of('BTC')).to.deep.include({
      net: '20000.02',
      gross: '40000.04',
      longQuantity: '0.3',
      shortQuantity: '0.1',
      unrealizedPnl: '9.8',
    });
    expect(of('BTC')?.parts.map(({ basket }) => basket?.id)).to.deep.equal(['a', 'b']);
    expect(of('ETH')).to.deep.include({ net: '-30000', gross: '30000', longQuantity: '0' });
    // A leg that is not held makes its basket no holder.
    expect(of('ETH')?.parts).to.have.length(1);
  });

  it('counts what is in no basket, net, as a holder of its own', () => {
    // 3 × 200 long, 4 × 200 short outside Tandem.
    expect(of('SOL')).to.deep.include({
      net: '-200',
      gross: '1400',
      longQuantity: '3',
      shortQuantity: '4',
      unrealizedPnl: '-0.5',
    });
    expect(of('SOL')?.parts.map(({ basket }) => basket?.id ?? null)).to.deep.equal(['b', 'c', null]);
  });

  it('says how far the price of its liquidation is, where the venue gives one', () => {
    // 60,000.06 is 0.6 of the mark.
    expect(of('BTC')).to.deep.include({ liquidationPrice: '60000.06', toLiquidation: '-0.400000' });
    expect(of('ETH')).to.deep.include({ liquidationPrice: null, toLiquidation: null, isInBaskets: true });
    const [alone] = exposureByInstrument([], PAST);
    expect(alone, 'nobody has asked for it').to.deep.include({ liquidationPrice: null, isInBaskets: false });
  });

  it('adds up to the exposure of the account, to the last digit', () => {
    const sum = (values: readonly string[]) =>
      values.reduce((total, one) => total + BigInt(one.replace('.', '')), 0n);
    const cents = (text: string) => (text.includes('.') ? text : `${text}.00`);
    const totals = exposureOf(
      [
        { grossNotional: '60000.03', netNotional: '0.03' },
        { grossNotional: '10200.01', netNotional: '-9800.01' },
        { grossNotional: '400', netNotional: '400' },
      ],
      PAST,
    );
    expect(sum(rows.map(({ gross }) => cents(gross)))).to.equal(sum([cents(totals.gross ?? '')]));
    expect(sum(rows.map(({ net }) => cents(net)))).to.equal(sum([cents(totals.net ?? '')]));
  });
});
