import { expect } from 'chai';
import fc from 'fast-check';
import {
  candleStart,
  isCoolingDown,
  moveAutoRebalance,
  reactionTo,
} from '../../../gateway/domain/auto-rebalance.ts';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import {
  betaWeights,
  liveBetaPair,
  planRebalance,
  type RebalanceLeg,
  rebalanceOrders,
} from '../../../gateway/domain/rebalance.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';
import { rebalanceConfig } from '../../support/resting-rows.ts';
import { unwrap } from '../../support/unwrap.ts';
import { instrument } from './instruments.ts';

const RULES = instrument({ stepSize: '0.001', minNotional: '10' });

function leg(over: Partial<RebalanceLeg> = {}): RebalanceLeg {
  return {
    symbol: 'BTC-PERP',
    side: 'BUY',
    quantity: '6',
    targetWeight: '0.5',
    mark: '100',
    stale: false,
    instrument: RULES,
    ...over,
  };
}

const LONG = leg();
const SHORT = leg({ symbol: 'ETH-PERP', side: 'SELL', quantity: '4' });

function reasons(legs: readonly RebalanceLeg[], cap: string | null = null): readonly (string | null)[] {
  return planRebalance(legs, '0.05', cap).rows.map(({ skipReason }) => skipReason);
}

describe('a rebalance', () => {
  it('trades each leg to its target weight of the same gross notional', () => {
    const plan = planRebalance([LONG, SHORT], '0.05', null);
    expect(plan.drift).to.equal('0.1');
    expect(plan.rows).to.deep.equal([
      {
        symbol: 'BTC-PERP',
        ticker: 'BTC',
        side: 'BUY',
        currentWeight: '0.6',
        targetWeight: '0.5',
        deltaUsd: '-100',
        deltaQuantity: '-1',
        skipped: false,
        skipReason: null,
      },
      {
        symbol: 'ETH-PERP',
        ticker: 'BTC',
        side: 'SELL',
        currentWeight: '0.4',
        targetWeight: '0.5',
        deltaUsd: '100',
        deltaQuantity: '1',
        skipped: false,
        skipReason: null,
      },
    ]);
  });

  it('orders reductions first; adding to a short sells, reducing it buys', () => {
    const orders = rebalanceOrders(planRebalance([SHORT, LONG], '0', null).rows);
    expect(orders).to.deep.equal([
      { symbol: 'BTC-PERP', side: 'SELL', quantity: '1', reduces: true },
      { symbol: 'ETH-PERP', side: 'SELL', quantity: '1', reduces: false },
    ]);
    const turned = planRebalance([leg({ quantity: '4' }), leg({ ...SHORT, quantity: '6' })], '0', null);
    expect(rebalanceOrders(turned.rows)).to.deep.equal([
      { symbol: 'ETH-PERP', side: 'BUY', quantity: '1', reduces: true },
      { symbol: 'BTC-PERP', side: 'BUY', quantity: '1', reduces: false },
    ]);
  });

  it('does nothing within the minimum drift, and acts from it on', () => {
    const at = (minimum: string) => planRebalance([LONG, SHORT], minimum, null).rows[0]?.skipReason;
    expect(at('0.1')).to.equal(null);
    expect(at('0.11')).to.equal('WITHIN_DRIFT');
    const even = planRebalance([leg({ quantity: '5' }), leg({ ...SHORT, quantity: '5' })], '0', null);
    expect(even.drift).to.equal('0');
    expect(rebalanceOrders(even.rows)).to.deep.equal([]);
  });

  it('trades at most what the cap allows, in proportion', () => {
    const plan = planRebalance([LONG, SHORT], '0.05', '50');
    expect(plan.rows.map(({ deltaUsd }) => deltaUsd)).to.deep.equal(['-25', '25']);
    expect(plan.drift, 'the drift is the whole one').to.equal('0.1');
    expect(reasons([LONG, SHORT], '1')).to.deep.equal(['MAX_TRADE', 'MAX_TRADE']);
  });

  it('skips what cannot be traded, with its reason, and still trades the others', () => {
    const not = { ...RULES, tradeability: { status: 'not_tradable', reason: null } as const };
    const only = { ...RULES, tradeability: { status: 'reduce_only', reason: null } as const };
    expect(reasons([leg({ instrument: not }), SHORT])).to.deep.equal(['NOT_TRADABLE', null]);
    expect(reasons([leg({ instrument: only }), leg({ ...SHORT, instrument: only })])).to.deep.equal([
      null,
      'REDUCE_ONLY',
    ]);
    expect(reasons([leg({ stale: true }), SHORT])).to.deep.equal(['PRICE_STALE', null]);
    const coarse = { ...RULES, stepSize: '2' };
    expect(reasons([leg({ instrument: coarse }), SHORT])).to.deep.equal(['ZERO_QUANTITY', null]);
    const large = { ...RULES, minNotional: '101' };
    expect(reasons([leg({ instrument: large }), SHORT])).to.deep.equal(['MIN_NOTIONAL', null]);
  });

  it('trades nothing where the skipped legs would leave the net exposure further from its target', () => {
    const small = { ...RULES, minNotional: '5' };
    // Target 0 net, and the position has it: the first leg alone would make it 6 USD short.
    const basket = [
      leg({ symbol: 'A', quantity: '1.06', targetWeight: '0.25', instrument: small }),
      leg({ symbol: 'B', quantity: '0.94', targetWeight: '0.25' }),
      leg({ symbol: 'C', side: 'SELL', quantity: '2', targetWeight: '0.5' }),
    ];
    const { rows } = planRebalance(basket, '0', null);
    expect(rows.map(({ skipReason, deltaQuantity }) => [skipReason, deltaQuantity])).to.deep.equal([
      ['NET_EXPOSURE', '0'],
      ['MIN_NOTIONAL', '0'],
      ['ZERO_QUANTITY', '0'],
    ]);
    expect(rebalanceOrders(rows)).to.deep.equal([]);
  });

  it('of a position without value plans nothing', () => {
    const plan = planRebalance([leg({ quantity: '0' }), leg({ ...SHORT, quantity: '0' })], '0.05', null);
    expect(rebalanceOrders(plan.rows)).to.deep.equal([]);
  });

  const legs = fc
    .array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 10_000 }),
        mark: fc.integer({ min: 1, max: 10_000 }),
        share: fc.integer({ min: 1, max: 20 }),
        side: fc.constantFrom('BUY' as const, 'SELL' as const),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((asked) => {
      const whole = asked.reduce((total, { share }) => total + share, 0);
      const shares = asked.map(({ share }) => text(dec(share).div(whole).toDecimalPlaces(18, 1)));
      const rest = dec(1).minus(sum(shares.slice(1).map(dec)));
      return asked.map((one, index) =>
        leg({
          symbol: `S${index}`,
          side: one.side,
          quantity: String(one.quantity),
          mark: String(one.mark),
          targetWeight: index === 0 ? text(rest) : (shares[index] ?? '0'),
        }),
      );
    });

  it('never turns a leg over, keeps under the cap, and brings every weight to its target within a step', () =>
    forAll([legs, fc.option(fc.integer({ min: 1, max: 10_000_000 }).map(String))], (basket, cap) => {
      const plan = planRebalance(basket, '0', cap);
      const traded = plan.rows.map((row, index) =>
        dec(row.deltaQuantity)
          .abs()
          .mul(basket[index]?.mark ?? 0),
      );
      if (cap !== null) expect(sum(traded).lte(cap)).to.equal(true);
      const gross = sum(basket.map((one) => dec(one.quantity).mul(one.mark)));
      for (const [index, row] of plan.rows.entries()) {
        const one = basket[index];
        if (one === undefined) throw new Error('a row without a leg');
        const after = dec(one.quantity).plus(row.deltaQuantity);
        expect(after.isNegative()).to.equal(false);
        if (row.skipped || cap !== null) continue;
        const off = after.mul(one.mark).minus(gross.mul(one.targetWeight)).abs();
        expect(off.lte(dec('0.001').mul(one.mark))).to.equal(true);
      }
    }));
});

describe('the net exposure of a rebalance', () => {
  const STATES = ['tradable', 'tradable', 'reduce_only', 'not_tradable'] as const;
  const anyLeg = fc.record({
    quantity: fc.integer({ min: 1, max: 400 }),
    mark: fc.integer({ min: 1, max: 50 }),
    share: fc.integer({ min: 1, max: 6 }),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    step: fc.constantFrom(0.01, 1, 7),
    minimum: fc.constantFrom(0, 10, 300, 3_000),
    status: fc.constantFrom(...STATES),
    stale: fc.boolean(),
  });
  type Drawn = typeof anyLeg extends fc.Arbitrary<infer One> ? One : never;

  /** Distance of the net exposure from its target, USD, once `traded` base units have been added to each leg. */
  function distance(basket: readonly Drawn[], traded: readonly number[]): number {
    const gross = basket.reduce((total, { quantity, mark }) => total + quantity * mark, 0);
    const shares = basket.reduce((total, { share }) => total + share, 0);
    const signed = basket.map(({ side, quantity, mark, share }, index) => {
      const off = (quantity + (traded[index] ?? 0)) * mark - (gross * share) / shares;
      return side === 'BUY' ? off : -off;
    });
    return Math.abs(signed.reduce((total, off) => total + off, 0));
  }

  it('never ends further from its target than rounding to steps explains, and is not held back otherwise', () => {
    let refused = 0;
    forAll(
      [fc.array(anyLeg, { minLength: 1, maxLength: 6 }), fc.option(fc.integer({ min: 1, max: 20_000 }))],
      propertyRuns(2_000, 500),
      (basket, cap) => {
        const shares = basket.reduce((total, { share }) => total + share, 0);
        const legs = basket.map(({ side, quantity, mark, share, step, minimum, status, stale }, index) =>
          leg({
            ...{ symbol: `S${index}`, side, quantity: `${quantity}`, mark: `${mark}`, stale },
            targetWeight: text(dec(share).div(shares).toDecimalPlaces(18)),
            instrument: {
              ...{ ...RULES, stepSize: `${step}`, minQuantity: `${step}`, minNotional: `${minimum}` },
              tradeability: { status, reason: null },
            },
          }),
        );
        const { rows } = planRebalance(legs, '0', cap === null ? null : `${cap}`);
        const roundingOf = (traded: readonly number[]) =>
          basket.reduce((total, { step, mark }, index) => total + (traded[index] === 0 ? 0 : step * mark), 0);
        const before = distance(
          basket,
          basket.map(() => 0),
        );
        const sent = rows.map(({ deltaQuantity }) => Number(deltaQuantity));
        const isHeld = rows.some(({ skipReason }) => skipReason === 'NET_EXPOSURE');
        if (basket.every(({ side }) => side === basket[0]?.side)) {
          expect(isHeld).to.equal(false);
          return;
        }
        expect(distance(basket, sent)).to.be.at.most(before + roundingOf(sent) + 1e-6);
        if (!isHeld) return;
        refused += 1;
        expect(sent.every((quantity) => quantity === 0)).to.equal(true);
        const held = rows.map(({ skipReason, deltaUsd }, index) => {
          const { mark = 1, step = 1 } = basket[index] ?? {};
          const steps = Math.floor(Math.abs(Number(deltaUsd)) / mark / step + 1e-9);
          return skipReason === 'NET_EXPOSURE' ? Math.sign(Number(deltaUsd)) * steps * step : 0;
        });
        expect(distance(basket, held)).to.be.at.least(before + roundingOf(held) - 1e-6);
      },
    );
    expect(refused).to.be.above(10);
  });
});

describe('LIVE_BETA', () => {
  it('needs exactly one long and one short leg with a quantity', () => {
    const flat = leg({ ...SHORT, symbol: 'SOL-PERP', quantity: '0' });
    expect(liveBetaPair([LONG, SHORT, flat])).to.deep.equal({
      ok: true,
      value: { long: LONG, short: SHORT },
    });
    for (const basket of [[LONG], [SHORT], [LONG, LONG, SHORT], [LONG, flat], []]) {
      expect(liveBetaPair(basket)).to.deep.equal({
        ok: false,
        error: { kind: 'invalid_live_beta_exposure' },
      });
    }
  });

  it('makes short notional ÷ long notional the beta, with weights that sum to 1', () => {
    expect(betaWeights('1')).to.deep.equal({ long: '0.5', short: '0.5' });
    expect(betaWeights('3')).to.deep.equal({ long: '0.25', short: '0.75' });
    forAll([fc.integer({ min: 1, max: 10 ** 6 })], (thousandths) => {
      const beta = dec(thousandths).div(1_000);
      const { long, short } = betaWeights(text(beta));
      expect(text(dec(long).plus(short))).to.equal('1');
      expect(dec(short).div(long).minus(beta).abs().lt('1e-9')).to.equal(true);
    });
  });
});

describe('an auto-rebalance configuration', () => {
  const config = rebalanceConfig({ minimumDrift: '0.05', cooldownSeconds: 60 });

  it('acts from the minimum drift on, outside the cooldown, while active', () => {
    expect(reactionTo(config, '0.05', 0)).to.equal('TRADE');
    expect(reactionTo({ ...config, action: 'NOTIFY' }, '0.06', 0)).to.equal('NOTIFY');
    expect(reactionTo(config, '0.0499', 0)).to.equal('NOTHING');
    expect(reactionTo({ ...config, status: 'PAUSED' }, '0.5', 0)).to.equal('NOTHING');
    expect(reactionTo({ ...config, lastActionAt: 1_000 }, '0.5', 60_999)).to.equal('NOTHING');
    expect(reactionTo({ ...config, lastActionAt: 1_000 }, '0.5', 61_000)).to.equal('TRADE');
  });

  it('is not held for ever by a clock that was set back', () => {
    const acted = { lastActionAt: 1_000_000, cooldownSeconds: 60 };
    expect(isCoolingDown(acted, 995_000), 'a little').to.equal(true);
    expect(isCoolingDown(acted, 900_000), 'a lot').to.equal(false);
    expect(isCoolingDown({ ...acted, lastActionAt: null }, 0)).to.equal(false);
  });

  it('has candles cut at whole hours, fours of hours and days', () => {
    const at = Date.UTC(2026, 2, 29, 13, 59, 59, 999);
    expect(candleStart('1h', at)).to.equal(Date.UTC(2026, 2, 29, 13));
    expect(candleStart('4h', at)).to.equal(Date.UTC(2026, 2, 29, 12));
    expect(candleStart('1d', at)).to.equal(Date.UTC(2026, 2, 29));
    expect(candleStart('1h', at + 1)).to.equal(at + 1);
  });

  it('ends once', () => {
    const ended = unwrap(moveAutoRebalance(config, 'end', 5));
    expect(ended).to.include({ status: 'ENDED', updatedAt: 5 });
    expect(moveAutoRebalance(ended, 'end', 6).ok).to.equal(false);
  });
});
