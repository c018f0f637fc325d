/**
 * Most orders are told at once that there is room for them, without an exact count. Whatever mandate binds and whatever is
 * asked: that answer is the one of the exact judgement, of the same usage and of a worst price by an arithmetic of the
 * test's own.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Judgement, Mandate, MandateKind } from '../../../gateway/domain/mandate.ts';
import { judge } from '../../../gateway/domain/mandate-judgement.ts';
import type { TradeLeg } from '../../../gateway/domain/model.ts';
import type { Asked } from '../../../gateway/engine/core/asked.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { type Exact, exact, exactText, plus, times } from '../../support/exact.ts';
import { AGENT, AGENT_HOLDER, MandateDesk } from '../../support/mandate-desk.ts';
import { openMandate, stopAt } from '../../support/mandates.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const RUNS = propertyRuns(3_000);
const PLACED = { authorityKind: 'oauth_grant', authorityId: 'agent' } as const;
/** Basket that the agent has placed. */
const HELD = [leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '50.5')];
const LEVERAGE = 5;

/** One unusual thing in ten, so that what decides is seldom decided by another. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

const side = fc.constantFrom('BUY' as const, 'SELL' as const);
const money = fc.constantFrom('20', '99.99', '150.1234567', '1000000', '0.0000001');
const askedLeg = fc.oneof(
  fc.tuple(fc.constantFrom('AAA', 'CCC'), side, money).map(([symbol, way, usd]) => leg(symbol, way, usd)),
  fc.tuple(side, fc.constantFrom('0.25', '1')).map(([way, share]) => leg('CCC', way, share, 'WEIGHT')),
  fc.tuple(side, fc.constantFrom('0.4', '3.21')).map(([way, base]) => leg('BBB', way, base, 'BASE')),
);
const ask = fc.record({
  kind: mostly<MandateKind>('now', 'when', 'protect'),
  brings: mostly<readonly MandateKind[]>([], ['protect'], ['rebalance']),
  effect: mostly<Asked['effect']>('OPENS', 'REDUCES'),
  legs: fc.oneof(fc.array(askedLeg, { minLength: 1, maxLength: 3 }), fc.constant(HELD)),
  slippage: fc.constantFrom('0', '0.01', '0.0123456789'),
  isOwn: mostly(true, false),
  opensPosition: fc.boolean(),
  rests: mostly(0, 2),
  isRequest: mostly(true, false),
});

/** Distance of a limit from the value compared with it: none, far above, exactly, a little beside, below. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, '1000000000000', '5') },
  { weight: 3, arbitrary: fc.constantFrom('0', '0.000001', '0.00000000001') },
  { weight: 1, arbitrary: fc.constantFrom('-0.00000000001', '-1') },
);
const mandate = fc.record({
  gaps: fc.record({ order: gap, opened: gap, gross: gap, loss: gap, asking: gap, slippage: gap }),
  kinds: mostly<readonly MandateKind[]>(openMandate([]).kinds, ['now'], ['when', 'protect']),
  instruments: mostly<Mandate['instruments']>('any', ['AAA-PERP', 'BBB-PERP']),
  deny: mostly<readonly string[]>([], ['CCC-PERP']),
  reduceOnly: mostly(false, true),
  manage: fc.constantFrom('OWN' as const, 'ALL' as const),
  hours: mostly<Mandate['hours']>(null, { zone: 'UTC', days: [], from: '00:00', to: '23:00' }),
  maxLeverage: mostly<number | null>(null, LEVERAGE - 1, LEVERAGE, 1_000),
  positions: mostly<number | null>(2, null, 0, 1),
  expiry: mostly<number | null>(null, 0, 1),
  approval: fc.record({
    when: mostly<Mandate['approval']['when']>('above', 'never', 'always'),
    kinds: mostly<readonly MandateKind[]>([], ['now']),
    firsts: mostly<Mandate['approval']['firsts']>('off', 'live', 'all'),
    duplicates: fc.constantFrom(undefined, 'ask' as const),
  }),
  rate: mostly(
    openMandate([]).rate,
    { perMinute: 1, perDay: 100, coolDownSeconds: 0 },
    { perMinute: 100, perDay: 1, coolDownSeconds: 0 },
  ),
  suspended: mostly(false, true),
  lineage: mostly<readonly string[]>([], ['an earlier grant']),
  account: mostly(true, false),
});

describe('room for an order', () => {
  let on: MandateDesk;
  const desk = engineDeskForEachTest((made) => {
    on = new MandateDesk(made);
  });
  let accountId: string;
  beforeEach(async () => {
    accountId = desk.account.id;
    const { approval } = openMandate([]);
    desk.mandates.put(
      AGENT_HOLDER,
      openMandate([accountId], { approval: { ...approval, duplicates: 'ask' } }),
    );
    await on.id(on.open(AGENT, HELD));
    await desk.allEnded();
  });

  /** Notional at the worst prices, USD. */
  function worstOf(legs: readonly TradeLeg[], slippage: string, totalUsd: string): Exact {
    const most = plus(exact('1'), exact(slippage));
    return legs
      .map(({ symbol, side: way, mode, amount }) => {
        const unit =
          mode === 'USD' ? '1' : mode === 'WEIGHT' ? totalUsd : desk.warden.markOf('scripted', symbol);
        const usd = times(exact(amount), exact(unit ?? '0'));
        return way === 'BUY' ? times(usd, most) : usd;
      })
      .reduce(plus, exact('0'));
  }

  it('is the exact judgement, whatever binds and whatever is asked', () => {
    const seen = { allowed: 0, needs_approval: 0, refused: 0 };
    fc.assert(
      fc.property(ask, mandate, (asks, terms) => {
        const { legs, slippage, effect, rests } = asks;
        const totalUsd = '300.5';
        const opening = effect === 'OPENS' ? legs : [];
        const worst = worstOf(opening, slippage, totalUsd);
        desk.mandates.put(AGENT_HOLDER, openMandate([accountId]), { lineage: terms.lineage });
        const before = desk.mandates.of(PLACED);
        if (before === null) throw new Error('no mandate');
        const { own } = desk.warden.usageOf(before);
        const now = desk.clock.now();
        const { gaps, approval } = terms;
        const beside = (used: Exact, by: string | null) => {
          if (by === null) return null;
          const limit = plus(used, exact(by));
          return limit.units < 0n ? '0' : exactText(limit);
        };
        const loss = beside(exact(own.lossUsd24h), gaps.loss);
        const above = approval.when === 'above' ? (beside(worst, gaps.asking) ?? '250') : null;
        const { duplicates, ...rest } = approval;
        const bounds: Mandate = openMandate(terms.account ? [accountId] : ['another'], {
          maxOrderUsd: beside(worst, gaps.order),
          maxOpenedUsd24h: beside(plus(worst, exact(own.openedUsd24h)), gaps.opened),
          maxGrossUsd: beside(plus(worst, exact(own.grossUsd)), gaps.gross),
          maxSlippage: beside(exact(slippage), gaps.slippage),
          lossStop: loss === null ? null : stopAt(loss),
          kinds: terms.kinds,
          instruments: terms.instruments,
          deny: terms.deny,
          reduceOnly: terms.reduceOnly,
          manage: terms.manage,
          hours: terms.hours,
          maxLeverage: terms.maxLeverage,
          maxPositions: terms.positions === null ? null : own.positions + terms.positions,
          validUntil: terms.expiry === null ? null : now + terms.expiry,
          rate: terms.rate,
          approval: {
            ...openMandate([]).approval,
            ...{ ...rest, aboveUsd: above },
            ...(duplicates === undefined ? {} : { duplicates }),
          },
        });
        desk.mandates.put(AGENT_HOLDER, bounds, { lineage: terms.lineage });
        if (terms.suspended) desk.mandates.suspend(AGENT_HOLDER, 'a test');
        const bound = desk.mandates.of(PLACED);
        if (bound === null) throw new Error('no mandate');
        const asked: Asked = {
          account: desk.account,
          ...{ kind: asks.kind, brings: asks.brings, effect, isOwn: asks.isOwn },
          trades: effect === 'OPENS' ? [{ legs, totalUsd, slippage }] : [],
          opensPosition: asks.opensPosition,
          ...{ rests, isRequest: asks.isRequest },
          request: null,
        };
        const said = desk.warden.judge(bound, asked);
        const isNew = opening.some(({ symbol }) => symbol === 'CCC-PERP');
        const expected: Judgement = judge(
          bounds,
          null,
          desk.warden.usageOf(bound),
          {
            ...{ kind: asks.kind, brings: asks.brings, effect, tradeAccountId: accountId },
            ...{ isOwn: asks.isOwn, legs: opening, worstUsd: exactText(worst), rests },
            slippage: effect === 'OPENS' ? slippage : '0',
            leverage: opening.length === 0 ? 0 : LEVERAGE,
            opensPosition: asks.opensPosition,
            isRequest: asks.isRequest,
          },
          {
            now,
            isSuspended: bound.suspended !== null,
            isLive: false,
            firsts: approval.firsts === 'all' && isNew ? ['INSTRUMENT'] : [],
            isDuplicate: duplicates === 'ask' && asks.isRequest && effect === 'OPENS' && legs === HELD,
            isApproved: false,
          },
        );
        seen[said.verdict] += 1;
        expect(said).to.deep.equal(expected);
      }),
      RUNS,
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).to.be.above(RUNS.numRuns / 40);
  });
});
