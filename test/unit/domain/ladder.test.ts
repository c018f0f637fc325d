import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { filledLevels, ladderOutcome, moveLadder, rungCondition } from '../../../gateway/domain/ladder.ts';
import {
  crossedRungs,
  type LadderRequest,
  planRungs,
  type RungRule,
  rungLevels,
  sizeShares,
} from '../../../gateway/domain/rungs.ts';
import type { TriggerStatus } from '../../../gateway/domain/trigger.ts';
import { forAll } from '../../support/property-runs.ts';
import { ladderWithRungs } from '../../support/resting-rows.ts';
import { unwrap } from '../../support/unwrap.ts';

const RULE: RungRule = { mark: '100', stepSize: '0.001', minimum: '10' };

function ask(over: Partial<LadderRequest> = {}): LadderRequest {
  return {
    legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '1000' }],
    totalUsd: null,
    start: '90',
    end: '80',
    levels: 5,
    distribution: 'LINEAR',
    sizing: 'EQUAL',
    direction: 'LESS_THAN',
    allowImmediate: false,
    ...over,
  };
}

function rungs(asked: LadderRequest, value: string | null = '100', rule: Partial<RungRule> = {}) {
  return unwrap(planRungs(asked, value, () => ({ ...RULE, ...rule })));
}

describe('levels of a ladder', () => {
  it('are at equal distances or at equal ratios, downwards and upwards', () => {
    expect(rungLevels('90', '80', 5, 'LINEAR')).to.deep.equal(['90', '87.5', '85', '82.5', '80']);
    expect(rungLevels('1', '16', 5, 'GEOMETRIC')).to.deep.equal(['1', '2', '4', '8', '16']);
    expect(rungLevels('16', '1', 3, 'GEOMETRIC')).to.deep.equal(['16', '4', '1']);
    expect(rungLevels('1', '2', 4, 'LINEAR')).to.deep.equal(['1', '1.33333333333', '1.66666666667', '2']);
  });

  it('begin and end exactly where asked, and go one way', () => {
    const level = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, places]) => text(dec(digits).div(10 ** places)));
    forAll(
      [
        level,
        level,
        fc.integer({ min: 2, max: 50 }),
        fc.constantFrom('LINEAR' as const, 'GEOMETRIC' as const),
      ],
      (start, end, count, distribution) => {
        fc.pre(start !== end);
        const levels = rungLevels(start, end, count, distribution).map(dec);
        expect(levels).to.have.length(count);
        expect(text(levels[0] ?? dec(0))).to.equal(start);
        expect(text(levels.at(-1) ?? dec(0))).to.equal(end);
        const way = dec(end).cmp(start);
        for (const [index, one] of levels.slice(1).entries()) {
          expect(one.cmp(levels[index] ?? 0)).to.be.oneOf([way, 0]);
        }
      },
    );
  });
});

describe('rungs', () => {
  it('have equal, rising or falling shares', () => {
    const shares = (sizing: LadderRequest['sizing']) => sizeShares(4, sizing).map(Number);
    expect(shares('EQUAL')).to.deep.equal([1, 1, 1, 1]);
    expect(shares('INCREASING')).to.deep.equal([1, 2, 3, 4]);
    expect(shares('DECREASING')).to.deep.equal([4, 3, 2, 1]);
  });

  it('are sized per leg', () => {
    const legs = [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'WEIGHT', amount: '0.6' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'WEIGHT', amount: '0.4' },
    ] as const;
    const [first, second] = rungs(ask({ legs, totalUsd: '1000', levels: 2, sizing: 'INCREASING' }));
    expect(first).to.deep.equal({
      index: 0,
      level: '90',
      usd: '333.33',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '200' },
        { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '133.33' },
      ],
    });
    expect(second?.usd).to.equal('666.67');
    const base = [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'BASE', amount: '1' }] as const;
    expect(
      rungs(ask({ legs: base, levels: 3 }), null, { minimum: '0.1' }).map(({ usd }) => usd),
    ).to.deep.equal(['33.3', '33.3', '33.4']);
  });

  it('add up to the last digit, in all and leg by leg', () => {
    const amount = fc
      .tuple(fc.integer({ min: 10 ** 6, max: 10 ** 9 }), fc.integer({ min: 0, max: 4 }))
      .map(([digits, places]) => text(dec(digits).div(10 ** places)));
    forAll(
      [
        fc.array(fc.record({ amount, mode: fc.constantFrom('USD' as const, 'BASE' as const) }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 2, max: 50 }),
        fc.constantFrom('EQUAL' as const, 'INCREASING' as const, 'DECREASING' as const),
      ],
      (asked, levels, sizing) => {
        const legs = asked.map((one, index) => ({ ...one, symbol: `S${index}`, side: 'BUY' as const }));
        const planned = rungs(ask({ legs, levels, sizing }), null, { minimum: '0' });
        for (const [index, leg] of legs.entries()) {
          const parts = planned.map((rung) => dec(rung.legs[index]?.amount ?? 0));
          expect(text(sum(parts))).to.equal(text(dec(leg.amount)));
        }
        const whole = sum(legs.map((leg) => dec(leg.amount).mul(leg.mode === 'BASE' ? RULE.mark : 1)));
        expect(text(sum(planned.map(({ usd }) => dec(usd))))).to.equal(text(whole));
      },
    );
  });

  it('below the minimum are named', () => {
    expect(
      planRungs(ask({ sizing: 'DECREASING' }), '100', () => ({ ...RULE, minimum: '100' })),
    ).to.deep.equal({
      ok: false,
      error: {
        kind: 'below_minimum',
        index: 4,
        legIndex: 0,
        symbol: 'BTC-PERP',
        amount: '66.67',
        minimum: '100',
        unit: 'USD',
      },
    });
  });

  it('that are crossed already are refused, or fire at once where that is allowed', () => {
    expect(planRungs(ask(), '84', () => RULE)).to.deep.equal({
      ok: false,
      error: { kind: 'already_crossed', indexes: [0, 1, 2] },
    });
    expect(rungs(ask({ allowImmediate: true }), '84')).to.have.length(5);
    expect(crossedRungs(['90', '85', '80'], 'LESS_THAN', '85')).to.deep.equal([0]);
    expect(crossedRungs(['90', '85', '80'], 'MORE_THAN', '85')).to.deep.equal([2]);
  });

  it('need a range wide enough for twelve figures', () => {
    for (const [start, end] of [
      ['1', '1.000000000000000001'],
      ['1.0000000000006', '1.0000000000008'],
      ['1', '1'],
    ] as const) {
      expect(planRungs(ask({ start, end, levels: 3 }), null, () => RULE)).to.deep.equal({
        ok: false,
        error: { kind: 'levels_coincide', index: 1 },
      });
    }
  });

  it('wait for the metric of the ladder', () => {
    const of = { direction: 'LESS_THAN', symbol: 'BTC-PERP' } as const;
    expect(rungCondition({ ...of, metric: 'PRICE' }, '90')).to.deep.equal({
      type: 'PRICE',
      direction: 'LESS_THAN',
      value: '90',
      symbol: 'BTC-PERP',
    });
    for (const metric of ['PRICE_RATIO', 'WEIGHTED_RATIO'] as const) {
      expect(rungCondition({ ...of, metric }, '1.5')).to.deep.equal({
        type: metric,
        direction: 'LESS_THAN',
        value: '1.5',
      });
    }
  });
});

describe('a ladder', () => {
  it('ends as its rungs say', () => {
    expect(ladderOutcome(['COMPLETED', 'COMPLETED'])).to.equal('complete');
    expect(ladderOutcome(['COMPLETED', 'FAILED'])).to.equal('complete_partly');
    expect(ladderOutcome(['COMPLETED', 'EXPIRED', 'CANCELLED'])).to.equal('complete_partly');
    expect(ladderOutcome(['FAILED', 'EXPIRED'])).to.equal('fail');
    expect(ladderOutcome(['EXPIRED', 'CANCELLED'])).to.equal('expire');
    expect(ladderOutcome(['CANCELLED', 'CANCELLED'])).to.equal('cancel');
    expect(filledLevels(['COMPLETED', 'ACTIVE', 'COMPLETED'])).to.equal(2);
  });

  it('lives while a rung does, and ends when none does', () => {
    const status = fc.constantFrom<TriggerStatus>(
      'ACTIVE',
      'PAUSED',
      'TRIGGERED',
      'COMPLETED',
      'FAILED',
      'CANCELLED',
      'EXPIRED',
    );
    forAll([fc.array(status, { minLength: 2, maxLength: 50 })], (statuses) => {
      const alive = statuses.some((one) => ['ACTIVE', 'PAUSED', 'TRIGGERED'].includes(one));
      expect(ladderOutcome(statuses) === null).to.equal(alive);
    });
  });

  it('is cancelled once', () => {
    const { ladder } = ladderWithRungs(2);
    const cancelled = unwrap(moveLadder(ladder, 'cancel', 2));
    expect(cancelled).to.include({ status: 'CANCELLED', updatedAt: 2 });
    expect(moveLadder(cancelled, 'cancel', 3).ok).to.equal(false);
  });
});
