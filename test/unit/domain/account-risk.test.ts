/** Distance from liquidation against a model of its own: the account's margin, step by step in exact decimals. */
import { expect } from 'chai';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { accountRisk, liquidationUnits, type RiskHolding } from '../../../gateway/domain/account-risk.ts';
import type { LeverageTier } from '../../../gateway/domain/model.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const RUNS = { ...propertyRuns(400), seed: 22 };
const TIERS: readonly LeverageTier[] = [
  { maxNotional: '50000', maxLeverage: 20, maintenanceRate: '0.025' },
  { maxNotional: '5000000', maxLeverage: 10, maintenanceRate: '0.05' },
];
const SYMBOLS = ['A', 'B', 'C', 'D'] as const;

/** The venue's rule as the paper venue writes it down: balance first, positions at cost, isolated margins set apart. */
function isLiquidated(
  equity: string,
  holdings: readonly RiskHolding[],
  moved: ReadonlyMap<string, Decimal>,
): boolean {
  let value = new Decimal(equity);
  let needed = new Decimal(0);
  for (const { symbol, quantity, mark, marginMode, marginUsed } of holdings) {
    const size = new Decimal(quantity);
    const price = moved.get(symbol) ?? new Decimal(mark);
    const worth = size.abs().mul(price);
    const tier = TIERS.find(({ maxNotional }) => worth.lte(maxNotional ?? Infinity)) ?? TIERS.at(-1);
    const maintenance = worth.mul(tier?.maintenanceRate ?? 0);
    const change = size.mul(price).minus(size.mul(mark));
    if (marginMode === 'isolated') {
      value = value.minus(marginUsed);
      if (moved.has(symbol) && new Decimal(marginUsed).plus(change).lt(maintenance)) return true;
    } else {
      value = value.plus(change);
      needed = needed.plus(maintenance);
    }
  }
  return needed.gt(0) && value.lt(needed);
}

const holding = fc.record({
  quantity: fc.integer({ min: -400, max: 400 }).filter((value) => value !== 0),
  mark: fc.integer({ min: 10, max: 900 }),
  isolated: fc.boolean(),
  part: fc.integer({ min: 5, max: 60 }),
});

describe('distance from liquidation', () => {
  it('just before it nothing is due, and at it something is', () => {
    let near = 0;
    forAll(
      [
        fc.array(holding, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2_000, max: 400_000 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      ],
      RUNS,
      (rows, equity, inBasket) => {
        const holdings = rows.map(({ quantity, mark, isolated, part }, index): RiskHolding => {
          return {
            symbol: SYMBOLS[index] ?? '',
            quantity: String(quantity),
            mark: String(mark),
            marginMode: isolated ? 'isolated' : 'cross',
            marginUsed: String((Math.abs(quantity) * mark * part) / 100),
            instrument: { leverageTiers: TIERS, maxLeverage: 20 },
          };
        });
        const legs = holdings
          .filter((_, index) => inBasket[index])
          .map(({ symbol, quantity }) => ({
            symbol,
            side: quantity.startsWith('-') ? ('SELL' as const) : ('BUY' as const),
          }));
        const { baskets } = accountRisk(String(equity), holdings, [{ positionId: 'one', legs }]);
        const wanted = Math.abs(Number(baskets[0]?.ratioMove ?? -1));
        const units = liquidationUnits(String(equity), holdings, [{ positionId: 'one', legs }], 0.5);
        const distances = units.flatMap(({ distance }) => (distance === null ? [] : [distance]));
        if (legs.length === 0) expect(distances).to.deep.equal([]);
        else if (wanted < 0.499) expect(Math.min(...distances)).to.be.closeTo(wanted, 1e-6);
        else if (wanted > 0.501) expect(distances).to.deep.equal([]);
        const movedBy = (factor: number) =>
          new Map(
            legs.map(({ symbol, side }) => {
              const mark = new Decimal(holdings.find((one) => one.symbol === symbol)?.mark ?? 0);
              return [symbol, side === 'BUY' ? mark.mul(factor) : mark.div(factor)] as const;
            }),
          );
        const legMove = baskets[0]?.legMove ?? null;
        if (legMove === null) {
          for (let factor = 1; factor > 0.01; factor *= 0.9)
            expect(isLiquidated(String(equity), holdings, movedBy(factor))).to.equal(false);
          return;
        }
        const factor = 1 + Number(legMove);
        if (factor < 1) {
          near += 1;
          expect(isLiquidated(String(equity), holdings, movedBy(factor + 1e-7))).to.equal(false);
        }
        expect(isLiquidated(String(equity), holdings, movedBy(factor - 1e-7))).to.equal(true);
      },
    );
    // The property says something: most of the accounts have a distance.
    expect(near).to.be.above(RUNS.numRuns / 4);
  });

  it('two longs and nothing else: the solution of one equation', () => {
    // 20,000 of equity, 40,000 of notional in two legs at 2.5 %: E + N(f − 1) = 0.025 N f.
    const long = (symbol: string): RiskHolding => ({
      symbol,
      quantity: '200',
      mark: '100',
      marginMode: 'cross',
      marginUsed: '0',
      instrument: { leverageTiers: TIERS, maxLeverage: 20 },
    });
    const legs = [
      { symbol: 'A', side: 'BUY' as const },
      { symbol: 'B', side: 'BUY' as const },
    ];
    const { baskets, maintenance, crossValue } = accountRisk(
      '20000',
      [long('A'), long('B')],
      [{ positionId: 'one', legs }],
    );
    expect(maintenance).to.equal('1000');
    expect(crossValue).to.equal('20000');
    expect(Number(baskets[0]?.legMove)).to.be.closeTo(20_000 / 39_000 - 1, 1e-9);
  });

  it('names what goes first: the isolated leg, or what asks for the most maintenance, of another basket too', () => {
    const held = (symbol: string, quantity: string, marginMode: RiskHolding['marginMode'] = 'cross') => ({
      ...{ symbol, quantity, marginMode, mark: '100', marginUsed: '2000' },
      instrument: { leverageTiers: TIERS, maxLeverage: 20 },
    });
    const pair = {
      positionId: 'pair',
      legs: [
        { symbol: 'A', side: 'BUY' as const },
        { symbol: 'B', side: 'SELL' as const },
      ],
    };
    const first = (equity: string, ...holdings: readonly RiskHolding[]) =>
      accountRisk(equity, holdings, [pair]).baskets[0]?.firstSymbol;
    // Even at the marks; the short has grown and the long has shrunk by the time it is due.
    expect(first('8000', held('A', '200'), held('B', '-200'))).to.equal('B');
    expect(first('8000', held('A', '200'), held('B', '-200'), held('C', '490'))).to.equal('C');
    expect(first('80000', held('A', '200', 'isolated'), held('B', '-200'))).to.equal('A');
    expect(first('90000000', held('A', '1'), held('B', '-1'))).to.equal(null);
  });

  it('says money to the last digit', () => {
    const held = (symbol: string, marginMode: RiskHolding['marginMode']): RiskHolding => ({
      ...{ symbol, marginMode, quantity: '-0.3', mark: '1234567.1', marginUsed: '0.1' },
      instrument: { leverageTiers: TIERS, maxLeverage: 20 },
    });
    const positions = [held('A', 'cross'), held('B', 'cross'), held('C', 'isolated')];
    const { maintenance, crossValue } = accountRisk('1000000.3', positions, []);
    expect([maintenance, crossValue]).to.deep.equal(['37037.013', '1000000.2']);
  });
});
