/**
 * `POST /sync/positions`: makes a position from fills made outside Tandem, or adds them to the open position of the
 * same basket, which is then MIXED. Fills, position and events are one unit; a repeated call finds no fills left.
 */
import type { Placed } from '../../../domain/authority.ts';
import type { BasketLeg } from '../../../domain/basket.ts';
import { dec } from '../../../domain/decimal.ts';
import type { Fill, Position, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { commitDurably, type StopSignal } from '../../core/durable.ts';
import { type EngineError, invalid, marketsUnknown, noop, notFound, venueFailed } from '../../core/errors.ts';
import { positionChanged } from '../../core/events.ts';
import { agentLimit } from '../../core/mandate-answers.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { checkSymbols, knowsMarkets } from '../../execution/check-symbols.ts';
import { VenueNews } from '../../notices/venue-news.ts';
import { availableFills } from './available-fills.ts';
import { checkHeld } from './check-held.ts';
import { fillsOfOrders } from './named-orders.ts';
import { checkNoneJustEnded, checkSettled, inFlight, notYet, oldEnoughAt } from './safe-to-attribute.ts';
import { allOf, type OutsideFills, type TakenIn, takeInFills } from './take-in-fills.ts';
import { resetAtOf } from './void-lots.ts';

export interface PositionOfActivity {
  /** Legs of the basket; no instrument occurs twice. */
  readonly legs: readonly BasketLeg[];
  /** Only the fills of these orders; empty: all fills of the legs' instruments that are in no basket. */
  readonly cloids: readonly string[];
}

export interface OutsideDeps extends EngineDeps {
  readonly signal: StopSignal;
  /** The trade account as it is now; undefined after its removal. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** Pulls the account's history; false: the venue did not answer. */
  readonly pull: () => Promise<boolean>;
  /** Has trades outside Tandem looked at again. @param at epoch ms; a past time: once the account is free */
  readonly lookAgainAt: (at: number) => void;
}

export async function positionOfActivity(
  deps: OutsideDeps,
  account: TradeAccount,
  asked: PositionOfActivity,
  placed: Placed,
): Promise<Result<Position, EngineError>> {
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  const listed = checkSymbols(deps, account, asked.legs);
  if (!listed.ok) return listed;
  const settled = await checkSettled(deps, account);
  if (!settled.ok) return settled;
  if (!(await deps.pull())) return venueFailed({ kind: 'unknown', message: 'the history was not told' });
  const outside = await outsideFills(deps, account, asked);
  if (!outside.ok) return outside;
  const all = allOf(outside.value);
  if (all.length === 0) return noop('No fills of these instruments wait for a position');
  const readyAt = oldEnoughAt(all);
  if (deps.clock.now() < readyAt) {
    return notYet('SYNC_CREATE_FILLS_TOO_RECENT', 'A fill is too young to be told from those of executions', {
      retryAt: new Date(readyAt).toISOString(),
    });
  }
  return commitTakenIn(deps, account, asked, outside.value, placed);
}

/**
 * Claims the basket meanwhile, so that no execution is sized by quantities about to change.
 * @param placed authority; null: the gateway itself, with fills that no execution can have made (`certainAt`)
 */
export async function commitTakenIn(
  deps: OutsideDeps,
  account: TradeAccount,
  { legs }: Pick<PositionOfActivity, 'legs'>,
  outside: OutsideFills,
  placed: Placed | null,
): Promise<Result<Position, EngineError>> {
  const basketKey = basketKeyOf(deps, legs);
  const { claims } = deps.state;
  const isBusy = placed !== null && claims.isRunning(account.id);
  if (isBusy || claims.claim(account.id, basketKey, 'sync') !== null) return inFlight();
  try {
    // An execution may have started and ended since the request was checked, and the fills may be its own.
    const settled = placed === null ? ok(null) : await checkNoneJustEnded(deps, account);
    if (!settled.ok) return settled;
    // The account was removed since the request was checked: nothing may be recorded for it any more.
    if (deps.accountOf(account.id) === undefined) return notFound('Trade account');
    const held = await checkHeld(deps, account, outside);
    return held.ok ? await takeIn(deps, account, basketKey, legs, outside, placed) : held;
  } finally {
    deps.state.claims.release(account.id, basketKey);
  }
}

/** Fills, position and events in one unit, alone on the position. */
function takeIn(
  deps: OutsideDeps,
  account: TradeAccount,
  basketKey: string,
  legs: readonly BasketLeg[],
  outside: OutsideFills,
  placed: Placed | null,
): Promise<Result<Position, EngineError>> {
  const symbols = allOf(outside).map(({ symbol }) => symbol);
  const takeAlone = async (): Promise<Result<Position, EngineError>> => {
    // A closing basket may have taken some of the fills meanwhile.
    if (!isStillLeft(deps, outside)) return inFlight();
    const current = deps.state.positions.ofBasket(account.id, basketKey) ?? null;
    const taken = foldedInto(deps, account, current, legs, outside, placed);
    if (!taken.ok) return taken;
    const { position, changes, fills, takenLots } = taken.value;
    const created = current === null ? [positionChanged({ ...position, status: 'OPEN' }, true)] : [];
    const changed = current === null && position.status === 'OPEN' ? [] : [positionChanged(position, false)];
    // Stored fills were notified when the stream delivered them; unconfirmed ones are notified here.
    const news = new VenueNews(deps, account);
    const open = deps.state.positions.of(account.id);
    const told = outside.unconfirmed.map((fill) => news.ofExternalFill(fill, open));
    // A trader who names the basket knows that it changes.
    if (placed === null) told.push(news.ofReduction(position, allOf(outside)));
    // Brackets and other objects that wait for the position follow it, or end with it.
    const followUp = deps.followUps.ofChange(position, null);
    await commitDurably(
      deps,
      oneUnit(
        {
          positions: [position],
          changedFills: changes,
          fills,
          unassignedLots: takenLots,
          events: [...created, ...changed],
        },
        ...told,
        followUp.unit,
      ),
      deps.signal,
    );
    deps.state.positions.put(position);
    deps.state.unassigned.put(takenLots);
    followUp.committed?.();
    return ok(position);
  };
  const { positions, unassigned } = deps.state;
  return positions.queue.run(`${account.id} ${basketKey}`, () =>
    unassigned.alone(account.id, symbols, takeAlone),
  );
}

/** Position with the fills. Refused: there are none, a leg has none, or they would turn a leg to the other side. */
export function foldedInto(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'state' | 'basketKey' | 'warden'>,
  account: TradeAccount,
  current: Position | null,
  legs: readonly BasketLeg[],
  outside: OutsideFills,
  placed: Placed | null,
): Result<TakenIn, EngineError> {
  const broken = placed === null ? null : deps.warden.shares.attributionProblem(placed);
  if (broken !== null) return agentLimit([broken]);
  const all = allOf(outside);
  if (all.length === 0) return noop('No fills of these instruments wait for a position');
  const traded = new Set(all.map(({ symbol }) => symbol));
  const missing = current === null ? legs.findIndex(({ symbol }) => !traded.has(symbol)) : -1;
  if (missing >= 0)
    return invalid(`legs.${missing}.symbol`, 'No fill of this instrument waits for a position');
  const identity = {
    id: deps.ids.next(),
    userId: account.userId,
    tradeAccountId: account.id,
    connector: account.connector,
    basketKey: basketKeyOf(deps, legs),
  };
  const taken = takeInFills(current, identity, legs, outside, deps.clock.now());
  if (taken.ok) return taken;
  const index = legs.findIndex(({ symbol }) => symbol === taken.error.symbol);
  return invalid(
    `legs.${index}.side`,
    'The fills would turn this leg over: they do not make such a position',
  );
}

function isStillLeft(deps: Pick<EngineDeps, 'state'>, { stored, parts }: OutsideFills): boolean {
  const left = (fill: Fill) =>
    dec(deps.state.unassigned.lot(fill.tradeAccountId, fill.symbol, fill.id)?.quantity ?? 0).abs();
  return (
    stored.every((fill) => left(fill).eq(fill.quantity)) &&
    parts.every(({ fill, taken }) => left(fill).eq(taken.quantity))
  );
}

export async function outsideFills(
  deps: Pick<OutsideDeps, 'store' | 'venues' | 'ids' | 'state'>,
  account: TradeAccount,
  { legs, cloids }: PositionOfActivity,
): Promise<Result<OutsideFills, EngineError>> {
  const symbols = new Set(legs.map(({ symbol }) => symbol));
  if (cloids.length === 0) {
    const waiting = await deps.store.provisionalFills(account.id);
    const stored = waiting.filter((fill) => fill.positionId === null && symbols.has(fill.symbol));
    const { whole, parts } = availableFills(deps, stored);
    return ok({ stored: whole, parts, unconfirmed: [] });
  }
  const found = await fillsOfOrders(deps, account, cloids);
  if (!found.ok) return found;
  const resetAt = await resetAtOf(deps.store, account.id);
  const unconfirmed = found.value.unconfirmed.filter(({ timestamp }) => timestamp > resetAt);
  const named = ok({ ...found.value, unconfirmed });
  const other = allOf(named.value).find(({ symbol }) => !symbols.has(symbol));
  if (other === undefined) return named;
  return invalid('cloids', `Order ${other.cloid} traded ${other.symbol}, which is no leg of the basket`);
}
