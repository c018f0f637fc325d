/** Makes a requested schedule: checks it against the market, divides it into slices, and names refused fields. */
import { createHash } from 'node:crypto';
import { inherited, type Placed } from '../../../domain/authority.ts';
import { askedBrackets } from '../../../domain/bracket-fate.ts';
import { isMinimumWaived } from '../../../domain/closing-terms.ts';
import { type DecimalString, dec, text } from '../../../domain/decimal.ts';
import type { Position, TradeAccount } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { LegLedger, Schedule } from '../../../domain/schedule.ts';
import { pendingSlices, sliceCountOf, sliceTimes } from '../../../domain/slice-timing.ts';
import { largestSliceCount, minimumAmount, openLedger, unitStep } from '../../../domain/slicing.ts';
import { type EngineError, invalid, noop } from '../../core/errors.ts';
import { venueOf } from '../../execution/ask-venue.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { checkBracketsFit, checkLevelsOfPlan, sizedForPlan } from '../../execution/bracket-checks.ts';
import { checkSymbols, type PricedLeg, pricedLegs } from '../../execution/check-symbols.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import { type ClosePosition, closeIntention } from '../../positions/change-position.ts';

/** Terms of slicing: duration 60–86,400 seconds, interval 5–3,600 seconds, at most the duration. */
export type Slicing = Pick<
  Schedule,
  'durationSeconds' | 'intervalSeconds' | 'randomize' | 'limitRatio' | 'missedSlicePolicy'
>;

export interface CreateSchedule
  extends Slicing,
    Pick<
      Schedule,
      | 'legs'
      | 'slippage'
      | 'onLegFailure'
      | 'reduceOnly'
      | 'takeProfit'
      | 'stopLoss'
      | 'afterBracket'
      | 'clientId'
    > {
  readonly totalUsd: DecimalString | null;
}

type Deps = Pick<AcceptDeps, 'market' | 'venues' | 'state' | 'clock' | 'ids' | 'basketKey'>;
type Made = Result<Schedule, EngineError>;

/** A requested schedule, before it is priced and divided into slices. */
type Terms = CreateSchedule & Pick<Schedule, 'basketKey' | 'kind' | 'positionId' | 'fraction' | keyof Placed>;

/** Refuses unknown symbols and brackets that do not fit the legs, which are wrong at any price. */
export function checkSchedule(
  deps: Pick<Deps, 'market'>,
  account: TradeAccount,
  asked: CreateSchedule,
): Result<null, EngineError> {
  const known = checkSymbols(deps, account, asked.legs);
  if (!known.ok) return known;
  const [bracket] = askedBrackets(asked);
  if (asked.reduceOnly && bracket !== undefined)
    return invalid(bracket.path, 'Not for orders that only reduce');
  return checkBracketsFit(asked, asked.legs);
}

export function newBasketSchedule(
  deps: Deps,
  account: TradeAccount,
  asked: CreateSchedule,
  placed: Placed,
): Made {
  if (asked.reduceOnly) return newReducingSchedule(deps, account, asked, placed);
  const passed = checkLevelsOfPlan(deps, account, asked);
  if (!passed.ok) return passed;
  const { legs, totalUsd } = asked;
  const basketKey = basketKeyOf(deps, legs);
  const position = deps.state.positions.ofBasket(account.id, basketKey) ?? null;
  return newSchedule(deps, account, {
    ...sizedForPlan(deps, account.connector, asked, { legs, totalUsd, position }),
    basketKey,
    kind: 'OPEN',
    positionId: null,
    fraction: null,
    ...inherited(placed),
  });
}

export function newClosingSchedule(
  deps: Deps,
  account: TradeAccount,
  position: Position | undefined,
  asked: ClosePosition & Slicing,
  placed: Placed,
): Made {
  const closing = closeIntention(deps, position, asked);
  if (!closing.ok) return closing;
  const { legs } = closing.value;
  // Without that leg, the others would run ahead of it.
  const small = legs.find(({ amount }) => amount === '0');
  if (small !== undefined)
    return invalid('fraction', `It comes to less than one quantity step of ${small.symbol}`);
  return newSchedule(deps, account, {
    ...asked,
    basketKey: closing.value.position.basketKey,
    kind: 'CLOSE',
    legs,
    totalUsd: null,
    slippage: closing.value.slippage,
    onLegFailure: closing.value.onLegFailure,
    takeProfit: null,
    stopLoss: null,
    afterBracket: 'STOP',
    reduceOnly: true,
    ...inherited(placed),
  });
}

/** `reduceOnly`: the schedule reduces the open basket with the same legs on the opposite sides. */
function newReducingSchedule(deps: Deps, account: TradeAccount, asked: CreateSchedule, placed: Placed): Made {
  const held = asked.legs.map(({ symbol, side }) => ({ symbol, side: otherSide(side) }));
  const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, held));
  if (position === undefined) {
    return noop('The account holds no open basket that these legs would reduce');
  }
  return newSchedule(deps, account, {
    ...asked,
    basketKey: position.basketKey,
    kind: 'CLOSE',
    positionId: position.id,
    fraction: null,
    takeProfit: null,
    stopLoss: null,
    ...inherited(placed),
  });
}

function newSchedule(deps: Deps, account: TradeAccount, terms: Terms): Made {
  const priced = pricedLegs(deps, account, terms.legs, terms.kind);
  if (!priced.ok) return priced;
  const { totalUsd, ...own } = terms;
  const ledger = openLedger(terms.legs, totalUsd, (symbol) => priced.value.get(symbol)?.mark ?? '0');
  const sliceCount = sliceCountOf(terms.durationSeconds, terms.intervalSeconds);
  const { minimumWaiver } = venueOf(deps, account.connector).info;
  // A full close is rarely one of several slices.
  const isWaived = isMinimumWaived(minimumWaiver, { reduceOnly: terms.reduceOnly, closesAll: false });
  const fitting = checkMinimum({ ...terms, isWaived }, ledger, priced.value, sliceCount);
  if (!fitting.ok) return fitting;
  const now = deps.clock.now();
  const id = deps.ids.next();
  const random = terms.randomize ? randomOf(id) : null;
  return ok({
    id,
    userId: account.userId,
    tradeAccountId: account.id,
    connector: account.connector,
    ...own,
    ledger,
    status: 'ACTIVE',
    pauseReason: null,
    slices: pendingSlices(sliceTimes(now, terms.durationSeconds, sliceCount, random)),
    averageRatio: null,
    error: null,
    createdAt: now,
    updatedAt: now,
  });
}

/** Refuses slices below a leg's minimum order at the venue. */
function checkMinimum(
  terms: Terms & { readonly isWaived: boolean },
  ledger: readonly LegLedger[],
  priced: ReadonlyMap<string, PricedLeg>,
  sliceCount: number,
): Result<null, EngineError> {
  const legs = ledger.flatMap((leg) => {
    const { instrument, mark } = priced.get(leg.symbol) ?? {};
    if (instrument === undefined || mark === undefined) return [];
    const asked = { unit: leg.unit, side: leg.side, isWaived: terms.isWaived };
    return [
      {
        leg,
        total: dec(leg.total),
        minimum: minimumAmount(asked, instrument, mark, terms.slippage),
        step: unitStep(leg, instrument.stepSize),
      },
    ];
  });
  const most = largestSliceCount(legs);
  const small = legs.find((one) => largestSliceCount([one]) === most);
  if (sliceCount <= most || small === undefined) return ok(null);
  const { leg, total, minimum } = small;
  const unit = leg.unit === 'USD' ? ' USD' : '';
  const whole = `${text(total)}${unit}`;
  const possible = most === 0 ? 'not even one slice would do' : `at most ${most} would do`;
  return invalid(
    'intervalSeconds',
    `${leg.symbol}: each of ${sliceCount} slices of ${whole} in all would be below the venue's smallest order of ${text(minimum)}${unit}; ${possible}`,
    'too_small',
  );
}

/** Pseudo-random numbers in [0, 1) from hashes of the schedule's id, so that slice times can be reproduced. */
function randomOf(id: string): () => number {
  const words: number[] = [];
  let block = 0;
  return () => {
    if (words.length === 0) {
      const digest = createHash('sha256').update(`${id}:${block++}`).digest();
      for (let at = 0; at < digest.length; at += 4) words.push(digest.readUInt32LE(at) / 2 ** 32);
    }
    return words.pop() ?? 0;
  };
}
