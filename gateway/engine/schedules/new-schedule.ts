/** A schedule as it is asked for: checked against the market, cut into slices, refused with the field that is wrong. */
import { createHash } from 'node:crypto';
import { bracketMeasure } from '../../domain/bracket.ts';
import { dec, floorTo, text } from '../../domain/decimal.ts';
import type { Instrument, Position, Side, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { LegLedger, Schedule } from '../../domain/schedule.ts';
import { pendingSlices, sliceCountOf, sliceTimes } from '../../domain/slice-timing.ts';
import { largestSliceCount, minimumAmount, openLedger, unitStep } from '../../domain/slicing.ts';
import type { Bracket } from '../../domain/trigger.ts';
import type { AcceptDeps } from '../accept.ts';
import { type EngineError, invalid, marketsUnknown, noop } from '../errors.ts';
import { basketKeyOf } from '../open-basket.ts';
import type { CreateSchedule, Slicing, WaitingClose } from '../resting-ports.ts';

const CLOSE_SLIPPAGE = '0.01';

type Deps = Pick<AcceptDeps, 'market' | 'book' | 'clock' | 'ids' | 'basketKey'>;
type Made = Result<Schedule, EngineError>;

/** What differs between an opening and a closing one. */
type Terms = Pick<
  Schedule,
  | 'basketKey'
  | 'kind'
  | 'positionId'
  | 'fraction'
  | 'legs'
  | 'slippage'
  | 'takeProfit'
  | 'stopLoss'
  | 'reduceOnly'
  | 'clientId'
> & { readonly totalUsd: string | null };

/** A symbol that is not there and a bracket that does not fit: wrong whatever the market does. */
export function checkSchedule(
  deps: Pick<Deps, 'market'>,
  account: TradeAccount,
  asked: CreateSchedule,
): Result<null, EngineError> {
  const { connector } = account;
  if (deps.market.instruments(connector).length > 0) {
    for (const [index, { symbol }] of asked.legs.entries()) {
      if (deps.market.instrument(connector, symbol) === undefined) {
        return invalid(
          `legs.${index}.symbol`,
          `Not an instrument of connector ${connector}`,
          'unknown_symbol',
        );
      }
    }
  }
  const brackets = { takeProfit: asked.takeProfit, stopLoss: asked.stopLoss } as const;
  for (const [path, bracket] of Object.entries(brackets)) {
    if (bracket === null) continue;
    if (asked.reduceOnly) return invalid(path, 'Not for orders that only reduce');
    if (!fits(bracket, asked.legs)) {
      return invalid(`${path}.type`, `${bracket.type} needs exactly one long and one short leg`);
    }
  }
  return ok(null);
}

export function newOpeningSchedule(deps: Deps, account: TradeAccount, asked: CreateSchedule): Made {
  if (asked.reduceOnly) return newReducingSchedule(deps, account, asked);
  return newSchedule(deps, account, asked, {
    basketKey: basketKeyOf(deps, asked.legs),
    kind: 'OPEN',
    positionId: null,
    fraction: null,
    legs: asked.legs,
    totalUsd: asked.totalUsd,
    slippage: asked.slippage,
    takeProfit: asked.takeProfit,
    stopLoss: asked.stopLoss,
    reduceOnly: false,
    clientId: asked.clientId,
  });
}

export function newClosingSchedule(
  deps: Deps,
  account: TradeAccount,
  position: Position,
  asked: WaitingClose & Slicing,
): Made {
  const legs: TradeLeg[] = [];
  for (const leg of position.legs) {
    const step = deps.market.instrument(position.connector, leg.symbol)?.stepSize;
    if (step === undefined) return marketsUnknown();
    const quantity =
      asked.fraction === '1' ? dec(leg.quantity) : floorTo(dec(leg.quantity).mul(asked.fraction), dec(step));
    if (quantity.isZero()) continue;
    legs.push({ symbol: leg.symbol, side: opposite(leg.side), mode: 'BASE', amount: text(quantity) });
  }
  if (legs.length === 0) return invalid('fraction', 'It comes to less than one quantity step of every leg');
  return newSchedule(deps, account, asked, {
    basketKey: position.basketKey,
    kind: 'CLOSE',
    positionId: position.id,
    fraction: asked.fraction,
    legs,
    totalUsd: null,
    slippage: asked.slippage ?? CLOSE_SLIPPAGE,
    takeProfit: null,
    stopLoss: null,
    reduceOnly: true,
    clientId: asked.clientId,
  });
}

/** `reduceOnly`: takes out of the open basket that has the legs the other way round. */
function newReducingSchedule(deps: Deps, account: TradeAccount, asked: CreateSchedule): Made {
  const held = asked.legs.map(({ symbol, side }) => ({ symbol, side: opposite(side) }));
  const position = deps.book.openPosition(account.id, basketKeyOf(deps, held));
  if (position === undefined) {
    return noop('The account holds no open basket that these legs would reduce');
  }
  return newSchedule(deps, account, asked, {
    basketKey: position.basketKey,
    kind: 'CLOSE',
    positionId: position.id,
    fraction: null,
    legs: asked.legs,
    totalUsd: asked.totalUsd,
    slippage: asked.slippage,
    takeProfit: null,
    stopLoss: null,
    reduceOnly: true,
    clientId: asked.clientId,
  });
}

function newSchedule(deps: Deps, account: TradeAccount, slicing: Slicing, terms: Terms): Made {
  const priced = pricedLegs(deps, account, terms);
  if (!priced.ok) return priced;
  const { totalUsd, ...own } = terms;
  const ledger = openLedger(terms.legs, totalUsd, (symbol) => priced.value.get(symbol)?.mark ?? '0');
  const sliceCount = sliceCountOf(slicing.durationSeconds, slicing.intervalSeconds);
  const fitting = checkMinimum(terms, ledger, priced.value, sliceCount);
  if (!fitting.ok) return fitting;
  const now = deps.clock.now();
  const id = deps.ids.next();
  const random = slicing.randomize ? randomOf(id) : null;
  return ok({
    id,
    userId: account.userId,
    tradeAccountId: account.id,
    connector: account.connector,
    ...own,
    ledger,
    durationSeconds: slicing.durationSeconds,
    intervalSeconds: slicing.intervalSeconds,
    randomize: slicing.randomize,
    limitRatio: slicing.limitRatio,
    missedSlicePolicy: slicing.missedSlicePolicy,
    status: 'ACTIVE',
    pauseReason: null,
    slices: pendingSlices(sliceTimes(now, slicing.durationSeconds, sliceCount, random)),
    averageRatio: null,
    error: null,
    createdAt: now,
    updatedAt: now,
  });
}

interface PricedLeg {
  readonly instrument: Instrument;
  readonly mark: string;
}

function pricedLegs(
  deps: Pick<Deps, 'market'>,
  account: TradeAccount,
  terms: Terms,
): Result<ReadonlyMap<string, PricedLeg>, EngineError> {
  const priced = new Map<string, PricedLeg>();
  for (const [index, { symbol }] of terms.legs.entries()) {
    const instrument = deps.market.instrument(account.connector, symbol);
    const mark = deps.market.quote(account.connector, symbol)?.mark;
    if (instrument === undefined || mark === undefined || dec(mark).lte(0)) return marketsUnknown();
    const { status } = instrument.tradeability;
    if (status === 'not_tradable' || (status === 'reduce_only' && terms.kind === 'OPEN')) {
      return invalid(`legs.${index}.symbol`, `The instrument is ${status}`, status);
    }
    priced.set(symbol, { instrument, mark });
  }
  return ok(priced);
}

/** Every slice of every leg has to be an order that the venue takes. */
function checkMinimum(
  terms: Terms,
  ledger: readonly LegLedger[],
  priced: ReadonlyMap<string, PricedLeg>,
  sliceCount: number,
): Result<null, EngineError> {
  const legs = ledger.flatMap((leg) => {
    const { instrument, mark } = priced.get(leg.symbol) ?? {};
    if (instrument === undefined || mark === undefined) return [];
    const asked = { unit: leg.unit, side: leg.side, reduceOnly: terms.reduceOnly };
    return [
      {
        total: dec(leg.total),
        minimum: minimumAmount(asked, instrument, mark, terms.slippage),
        step: unitStep(leg, instrument.stepSize),
      },
    ];
  });
  const most = largestSliceCount(legs);
  if (sliceCount <= most) return ok(null);
  const possible =
    most === 0
      ? 'not even one slice of it would do'
      : `at most ${most} slice${most === 1 ? '' : 's'} would do`;
  return invalid(
    'intervalSeconds',
    `${sliceCount} slices are each below the smallest order of the venue; ${possible}`,
    'too_small',
  );
}

function fits(bracket: Bracket, legs: readonly TradeLeg[]): boolean {
  const held = legs.map(({ symbol, side }) => ({ symbol, side, quantity: '1', entryNotional: '1' }));
  return bracketMeasure(bracket.type, held).ok;
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

/**
 * Uniform numbers in [0, 1) that the id decides, so that the slice times of a schedule can be told again.
 * Source: mulberry32, a 32-bit generator in the public domain by T. Ettinger.
 */
function randomOf(id: string): () => number {
  let state = createHash('sha256').update(id).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
