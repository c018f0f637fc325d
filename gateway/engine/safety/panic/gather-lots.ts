/**
 * Makes a basket from lots outside baskets, so that they can be closed like any other: the lots of one instrument go
 * into the basket at their prices, and its close begins in the same unit.
 */
import type { Placed } from '../../../domain/authority.ts';
import { CLOSE_SLIPPAGE } from '../../../domain/close-slippage.ts';
import { planClosing } from '../../../domain/closing-plan.ts';
import type { ClosingLeg } from '../../../domain/closing-terms.ts';
import { dec, text } from '../../../domain/decimal.ts';
import type { Fill, Position, Side, TradeAccount } from '../../../domain/model.ts';
import { applyFills, newPosition, otherSide } from '../../../domain/position.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { type LotSource, netOfLots, type UnassignedLot } from '../../../domain/unassigned.ts';
import { busy } from '../../core/errors.ts';
import { positionChanged } from '../../core/events.ts';
import { askVenue, feeRatesOf, venueOf } from '../../execution/ask-venue.ts';
import { basketKeyOf } from '../../execution/basket-key.ts';
import { instrumentFacts } from '../../execution/closing/closing-facts.ts';
import { transferFill } from '../../execution/closing/transfer-fill.ts';
import { confirmedFill } from '../../execution/fill-row.ts';
import { type AcceptDeps, startExecution } from '../../execution/start-execution.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { closeIntention } from '../../positions/change-position.ts';

/**
 * Closes an instrument's lots outside baskets. ok: the close is running, or there was nothing to close; else the
 * reason.
 */
export async function closeLots(
  deps: AcceptDeps,
  account: TradeAccount,
  asked: { readonly symbol: string; readonly source: LotSource; readonly placed: Placed },
): Promise<Result<null, string>> {
  const { state, store } = deps;
  const { symbol, source, placed } = asked;
  const lotsNow = () => state.unassigned.of(account.id, symbol).filter((lot) => lot.source === source);
  const before = lotsNow();
  if (before.length === 0) return ok(null);
  const refused = await refusalOf(deps, account, symbol, before);
  if (refused !== null) return fail(refused);
  return state.unassigned.alone(account.id, [symbol], async () => {
    const waiting = source === 'OUTSIDE' ? await store.provisionalFills(account.id) : [];
    const lots = lotsNow();
    const side = sideOf(before);
    if (lots.length === 0 || sideOf(lots) !== side) return fail('what is held changes just now');
    const basketKey = basketKeyOf(deps, [{ symbol, side }]);
    const { position, fills } = gathered(deps, account, { symbol, side, basketKey, source }, lots);
    const gone = new Set(lots.map(({ id }) => id));
    const changedFills = waiting.filter(({ id }) => gone.has(id)).map(confirmedFill);
    const unassignedLots = lots.map((lot) => ({ ...lot, quantity: '0' }));
    const isClosed = position.status === 'CLOSED';
    const unit: UnitOfWork = {
      positions: [position],
      fills,
      unassignedLots,
      changedFills,
      events: [
        positionChanged({ ...position, status: 'OPEN' }, true),
        ...(isClosed ? [positionChanged(position, false)] : []),
      ],
    };
    const committed = () => {
      state.unassigned.put(unassignedLots);
      state.positions.put(position);
    };
    if (isClosed) {
      // No order is sent here. The basket is claimed so that no execution runs on it and the account is not removed.
      const turn = state.claims.takeTurn(account.id, basketKey, 'refuse');
      if (!turn.ok) return fail('Another action on this basket or account is still running');
      try {
        if (state.positions.ofBasket(account.id, basketKey) !== undefined)
          return fail('Another basket of the instrument is being closed first');
        const kept = await store.commit(unit);
        if (kept.ok) committed();
        return kept.ok ? ok(null) : fail(kept.error.message);
      } finally {
        turn.value.giveUp();
      }
    }
    const started = await startExecution(deps, {
      account,
      basketKey,
      placed,
      whenBusy: 'refuse',
      decide: () =>
        state.positions.ofBasket(account.id, basketKey) === undefined
          ? closeIntention(deps, position, { fraction: '1', slippage: null, clientId: null })
          : busy('Another basket of the instrument is being closed first'),
      commitWith: () => unit,
      committed,
    });
    return started.ok ? ok(null) : fail(started.error.message);
  });
}

/**
 * Reason why no order would be sent for the lots; null: one would be. Dust, too small to be closed, is not made into a
 * basket.
 */
async function refusalOf(
  deps: AcceptDeps,
  account: TradeAccount,
  symbol: string,
  lots: readonly UnassignedLot[],
): Promise<string | null> {
  const net = netOfLots(lots);
  if (net.isZero()) return null;
  const view = await askVenue(deps, account);
  if (!view.ok) return view.error.error;
  const { info } = venueOf(deps, account.connector);
  const facts = instrumentFacts(deps, account, symbol, view.value);
  const gathered = new Set(lots.map(({ id }) => id));
  const leg: ClosingLeg = {
    key: symbol,
    legIndex: 0,
    symbol,
    side: net.isNegative() ? 'BUY' : 'SELL',
    held: text(net.abs()),
    wanted: text(net.abs()),
    isWhole: true,
    step: null,
    target: null,
    heldSince: deps.clock.now(),
    slippage: CLOSE_SLIPPAGE,
    bound: null,
  };
  const inBasket = {
    ...facts,
    baskets: text(dec(facts.baskets).plus(net)),
    lots: facts.lots.filter(({ id }) => !gathered.has(id)),
  };
  const { legs } = planClosing([leg], new Map([[symbol, inBasket]]), {
    freeMargin: view.value.balances.freeMargin,
    onlyReduces: false,
    takerRate: feeRatesOf(deps, account).taker,
    minimumWaiver: info.minimumWaiver,
  });
  const [planned] = legs;
  if (planned === undefined || planned.order !== null) return null;
  if (planned.problem !== null) return planned.problem.message;
  return `below the venue's minimum of ${facts.instrument?.minNotional ?? '?'} USD or one step of ${facts.instrument?.stepSize ?? '?'}`;
}

function sideOf(lots: readonly UnassignedLot[]): Side {
  return netOfLots(lots).isNegative() ? 'SELL' : 'BUY';
}

/** The basket of the lots, and the fills that make it: OPEN, or CLOSED if the lots add up to zero. */
function gathered(
  deps: Pick<AcceptDeps, 'ids' | 'clock'>,
  account: TradeAccount,
  basket: {
    readonly symbol: string;
    readonly side: Side;
    readonly basketKey: string;
    readonly source: LotSource;
  },
  lots: readonly UnassignedLot[],
): { readonly position: Position; readonly fills: readonly Fill[] } {
  const { ids, clock } = deps;
  const now = clock.now();
  const { symbol, side, basketKey, source } = basket;
  const identity = {
    id: ids.next(),
    userId: account.userId,
    tradeAccountId: account.id,
    connector: account.connector,
    basketKey,
  };
  const empty = newPosition(identity, [{ symbol, side, targetWeight: '1' }], now);
  // Lots that enlarge the basket come before lots that reduce it.
  const grows = ({ quantity }: UnassignedLot) => (dec(quantity).isNegative() ? 'SELL' : 'BUY') === side;
  const ordered = [...lots.filter(grows), ...lots.filter((lot) => !grows(lot))];
  const halves = ordered.map((lot) => {
    const quantity = dec(lot.quantity);
    const half = {
      tradeAccountId: account.id,
      connector: account.connector,
      cause: 'INTERNAL' as const,
      symbol,
      quantity: text(quantity.abs()),
      price: lot.price,
      positionId: null,
      timestamp: now,
    };
    const into: Side = quantity.isNegative() ? 'SELL' : 'BUY';
    const name = `x:${lot.id}:${identity.id}`;
    return {
      taken: transferFill({
        ...half,
        id: ids.next(),
        tradeId: `${name}:a`,
        side: into,
        positionId: identity.id,
      }),
      counter: transferFill({ ...half, id: ids.next(), tradeId: `${name}:b`, side: otherSide(into) }),
    };
  });
  const applied = applyFills(
    empty,
    halves.map(({ taken }) => taken),
    now,
  );
  if (!applied.ok) throw new Error(`lots do not make a basket: ${applied.error.kind}`);
  const position: Position = {
    ...applied.value.position,
    origin: source === 'OUTSIDE' ? 'EXTERNAL' : 'GATEWAY',
  };
  const fills = halves.flatMap(({ taken, counter }, index) => [
    { ...taken, realizedPnl: applied.value.realized[index] ?? '0' },
    counter,
  ]);
  return { position, fills };
}
