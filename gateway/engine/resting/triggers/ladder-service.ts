/** Commands of ladders. A ladder and its rungs are made in one unit; then a rung is a trigger like any other. */
import { type Placed, placedBy } from '../../../domain/authority.ts';
import { conditionMeasure, weightedLegs } from '../../../domain/condition.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { FilledLeg } from '../../../domain/filled.ts';
import { type Ladder, rungCondition } from '../../../domain/ladder.ts';
import { measureValue } from '../../../domain/measure.ts';
import type { Principal, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import {
  type LadderProblem,
  type LadderRequest,
  type PlannedRung,
  planRungs,
  type RungRule,
} from '../../../domain/rungs.ts';
import { minimumAmount } from '../../../domain/slicing.ts';
import {
  cancelTrigger,
  isRestingTrigger,
  type Trigger,
  type TriggerStatus,
} from '../../../domain/trigger.ts';
import { busy, type EngineError, invalid, noop, notFound, type Refusable } from '../../core/errors.ts';
import { eventOf } from '../../core/events.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import type { Answered, MakeCommand } from '../../core/idempotency.ts';
import { marketFacts } from '../../core/market-facts.ts';
import { mayOpen } from '../../core/may-open.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { checkSymbols, pricedLegs } from '../../execution/check-symbols.ts';
import { mayWait, refusal, withReservation } from '../../execution/may-wait.ts';
import { checkClient } from '../../execution/open-basket.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import { checkExpiry } from './check-watch.ts';
import { makeWaiting } from './make-waiting.ts';
import { newOpening, openingWeights } from './new-trigger.ts';
import { reservedFor } from './trigger-mandate.ts';
import type { TriggerParts } from './trigger-parts.ts';

export type CreateLadder = LadderRequest &
  Pick<Ladder, 'metric' | 'symbol' | 'expiresAt' | 'slippage' | 'onLegFailure' | 'clientId'>;

/** A ladder with the statuses and fills of its rungs' triggers, by trigger id. */
export interface LadderState {
  readonly ladder: Ladder;
  readonly statuses: ReadonlyMap<string, TriggerStatus>;
  /** Rungs without fills are left out. */
  readonly fills: ReadonlyMap<string, readonly FilledLeg[]>;
}

export type LadderService = ReturnType<typeof createLadderService>;

export function createLadderService(parts: TriggerParts & { readonly deps: AcceptDeps }) {
  const { deps, live, ladders, changes, table } = parts;

  /** 200 with the ladder. Ladder and rungs are one unit. A rung below a leg's minimum: VALIDATION_ERROR on `levels`. */
  async function create(
    principal: Principal,
    command: MakeCommand<LadderState>,
    asked: CreateLadder,
  ): Refusable<Answered> {
    const { account } = command;
    for (const checked of [
      checkSymbols(deps, account, asked.legs),
      checkClient(deps, principal, asked.clientId),
    ]) {
      if (!checked.ok) return checked;
    }
    return makeWaiting(deps, command, async (record) => {
      const early = checkExpiry(deps, asked.expiresAt);
      if (!early.ok) return early;
      const rules = rulesOf(deps, account, asked);
      if (!rules.ok) return rules;
      const ruleOf = (legIndex: number): RungRule => {
        const rule = rules.value[legIndex];
        if (rule === undefined) throw new Error(`no rule for leg ${legIndex}`);
        return rule;
      };
      const legIndexOf = (symbol: string) => asked.legs.findIndex((leg) => leg.symbol === symbol);
      const weights = openingWeights(asked.legs, asked.totalUsd, (symbol) => ruleOf(legIndexOf(symbol)).mark);
      const rungs = planRungs(asked, valueNow(deps, account, asked, weights), ruleOf);
      if (!rungs.ok) return refused(rungs.error);
      const placed = placedBy(principal);
      const allowed = mayOpen(deps, account, placed);
      if (!allowed.ok) return allowed;
      const made = newLadder(deps, account, asked, rungs.value, weights, placed);
      for (const { legs, totalUsd } of made.triggers) {
        const capped = deps.limits.mayAsk(account, legs, totalUsd, false);
        if (!capped.ok) return capped;
      }
      const admitted = mayWait(deps, principal, () => ({
        ...{ account, kind: 'ladder', trades: made.triggers, asked: command.asked ?? null },
        basketKey: made.ladder.basketKey,
        rests: made.triggers.length,
      }));
      if (!admitted.ok) return refusal(deps, admitted);
      const statuses = new Map(made.triggers.map(({ id, status }) => [id, status]));
      const json = command.answer({ ladder: made.ladder, statuses, fills: new Map() });
      const firstLook = asked.allowImmediate ? 'now' : 'next_tick';
      const ladder: FollowUp = {
        unit: { ladders: [made.ladder], events: [eventOf(made.ladder, 'ladder.created')] },
        committed: () => ladders.put(made.ladder, statuses),
      };
      // The ladder is registered before its rungs are checked: the first of them may fire at once.
      const all = [ladder, ...made.triggers.map((trigger) => changes.created(trigger, firstLook))];
      return withReservation(
        deps,
        admitted.value,
        reservedFor(deps, account, made.triggers, made.ladder.id),
        (reserved) => table.make(all, json, record(200, json, made.ladder.createdAt), reserved),
      );
    });
  }

  /** Cancels every pending rung. A firing rung ends by itself. */
  async function cancel(account: TradeAccount, ladderId: string): Refusable<LadderState> {
    const stored = await deps.store.ladder(account.id, ladderId);
    if (stored === null) return notFound('Ladder');
    const unlock = await live.lockAll(stored.rungs.map(({ triggerId }) => triggerId));
    try {
      // Rungs are read again with their locks held: one may have fired during the wait for the locks.
      const rungs = await deps.store.triggersOfLadder(ladderId);
      const known = ladders.get(ladderId);
      if (known === undefined) return noop('The ladder has ended already');
      const waiting = rungs.filter(isRestingTrigger);
      if (waiting.length === 0) return busy('Its last rungs are firing');
      // The ladder ends as cancelled, whatever the outcome of its rungs.
      ladders.forget(ladderId);
      const ended = ladders.end(known.ladder, 'cancel');
      const cancelled = waiting.flatMap((rung) => {
        const next = cancelTrigger(rung, null, deps.clock.now());
        return next.ok ? [next.value] : [];
      });
      const all = [...cancelled.map((rung) => changes.changed(rung)), ...(ended === null ? [] : [ended])];
      const committed = await table.commit([], all);
      if (!committed.ok) {
        ladders.put(known.ladder, known.statuses);
        return committed;
      }
      const statuses = new Map<string, TriggerStatus>(rungs.map(({ id, status }) => [id, status]));
      for (const { id, status } of cancelled) statuses.set(id, status);
      const fills = new Map(rungs.map(({ id, filled }) => [id, filled]));
      const after = await deps.store.ladder(account.id, ladderId);
      return after === null ? notFound('Ladder') : ok({ ladder: after, statuses, fills });
    } finally {
      unlock();
    }
  }

  return { create, cancel };
}

function rulesOf(
  deps: Pick<AcceptDeps, 'market'>,
  account: TradeAccount,
  asked: CreateLadder,
): Result<readonly RungRule[], EngineError> {
  const priced = pricedLegs(deps, account, asked.legs, 'OPEN');
  if (!priced.ok) return priced;
  const rules = asked.legs.flatMap(({ symbol, side, mode }): RungRule[] => {
    const { instrument, mark } = priced.value.get(symbol) ?? {};
    if (instrument === undefined || mark === undefined) return [];
    const leg = { unit: mode === 'BASE' ? 'BASE' : 'USD', side, isWaived: false } as const;
    const minimum = text(minimumAmount(leg, instrument, mark, asked.slippage));
    return [{ mark, stepSize: instrument.stepSize, minimum }];
  });
  return ok(rules);
}

/** Current value of the ladder's metric; null: unknown. */
function valueNow(
  deps: Pick<AcceptDeps, 'market'>,
  account: TradeAccount,
  asked: CreateLadder,
  weights: readonly string[],
): string | null {
  const condition = rungCondition({ ...asked, symbol: asked.symbol ?? '' }, asked.start);
  const measure = conditionMeasure(condition, weightedLegs(asked.legs, weights), 'MARK');
  return measure.ok ? measureValue(measure.value, marketFacts(deps.market, account.connector)) : null;
}

function refused(problem: LadderProblem) {
  switch (problem.kind) {
    case 'already_crossed': {
      const which = problem.indexes.map((index) => index + 1).join(', ');
      return invalid('start', `The levels of these rungs are passed already: ${which}`, 'already_met');
    }
    case 'levels_coincide':
      return invalid('levels', `Rung ${problem.index + 1} would be at the level of the one before`);
    case 'below_minimum':
      return invalid(
        'levels',
        `Rung ${problem.index + 1}: ${problem.amount} ${problem.unit} of ${problem.symbol} is below the venue's minimum of ${problem.minimum}`,
        'too_small',
      );
  }
}

function newLadder(
  deps: AcceptDeps,
  account: TradeAccount,
  asked: CreateLadder,
  rungs: readonly PlannedRung[],
  weights: readonly string[],
  placed: Placed,
): { readonly ladder: Ladder; readonly triggers: readonly Trigger[] } {
  const id = deps.ids.next();
  const now = deps.clock.now();
  const basketKey = basketKeyOf(deps, asked.legs);
  const triggers = rungs.map(({ index, level, legs }) => ({
    ...newOpening(
      deps,
      account,
      {
        ...asked,
        legs,
        totalUsd: null,
        condition: rungCondition({ ...asked, symbol: asked.symbol ?? '' }, level),
        priceSource: 'MARK',
        takeProfit: null,
        stopLoss: null,
        onMissed: 'FIRE',
      },
      { basketKey, weights, placed },
    ),
    ladderId: id,
    rungIndex: index,
  }));
  const { levels: _, allowImmediate: __, ...terms } = asked;
  return {
    triggers,
    ladder: {
      ...terms,
      id,
      userId: account.userId,
      tradeAccountId: account.id,
      connector: account.connector,
      basketKey,
      totalUsd: text(sum(rungs.map(({ usd }) => dec(usd)))),
      status: 'ACTIVE',
      rungs: rungs.map(({ index, level, usd }) => {
        return { index, level, usd, triggerId: triggers[index]?.id ?? '' };
      }),
      ...placed,
      createdAt: now,
      updatedAt: now,
    },
  };
}
