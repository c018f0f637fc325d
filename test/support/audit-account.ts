/**
 * Compares what a gateway says about an account that has come to rest with itself and with the venue. Each function states
 * one rule and returns a sentence for everything that breaks it.
 */
import { type Decimal, dec, sum, text, ZERO } from '../../gateway/domain/decimal.ts';
import { clientOrderIdOf } from '../../gateway/engine/execution/prepare.ts';
import type { VenueBalances } from '../../gateway/engine/ports/venue.ts';
import { unbalanced } from '../real-time/support/storm-audit.ts';
import type { AccountState, ToldEvent } from './account-state.ts';
import { keepLedger, type LedgerFill } from './independent-ledger.ts';
import type { Json } from './json.ts';
import type { SimInspector } from './sim-client.ts';

export interface VenueState {
  readonly orders: Awaited<ReturnType<SimInspector['orders']>>;
  readonly fills: Awaited<ReturnType<SimInspector['fills']>>;
  readonly positions: Awaited<ReturnType<SimInspector['positions']>>;
  readonly balance: string;
  /** Paid in less paid out, what the venue's insurance bore included. */
  readonly deposits: string;
  readonly funding: Awaited<ReturnType<SimInspector['funding']>>;
}

/** Account's cash as the venue reports it. */
export function moneyOf({ balance, deposits }: VenueBalances) {
  if (deposits === undefined) throw new Error('the venue does not say what was paid in');
  return { balance, deposits };
}

export async function readVenue(inspector: SimInspector, accountId: string): Promise<VenueState> {
  const account = { tradeAccountId: accountId, exchangeIdentifier: accountId };
  return {
    orders: await inspector.orders(account),
    fills: await inspector.fills(account),
    positions: await inspector.positions(account),
    ...moneyOf(await inspector.balances(account)),
    funding: await inspector.funding(account),
  };
}

export function auditAccount(state: AccountState, venue: VenueState): readonly string[] {
  return [
    ...allEnded(state),
    ...ordersAreOurs(state, venue),
    ...fillsMatch(state, venue),
    ...ordersSumTheirFills(state),
    ...positionsSumTheirFills(state),
    ...basketsSumToVenue(state, venue),
    ...onlyDustIsLeftOver(state),
    ...moneyAddsUp(state, venue),
    ...childrenOnce(state),
    ...numberedWithoutHole(state.events),
    ...endsToldOnce(state),
    ...positionsTold(state),
  ];
}

function allEnded({ executions }: AccountState): readonly string[] {
  return executions.flatMap(({ id, status, orders }: Json) => {
    const open = orders.filter((order: Json) => order.status === 'PENDING' || order.status === 'PARTIAL');
    if (status === 'IDLE' || status === 'ACTIVE') return [`execution ${id} is still ${status}`];
    return open.map((order: Json) => `execution ${id} ended ${status} with an order ${order.status}`);
  });
}

/** Each order at the venue is an attempt that the gateway has on record. */
function ordersAreOurs({ executions }: AccountState, { orders }: VenueState): readonly string[] {
  const ours = new Set<string>();
  for (const execution of executions) {
    for (const [leg, { attempt }] of execution.orders.entries()) {
      for (let one = 1; one <= attempt; one += 1) ours.add(clientOrderIdOf(execution.id, leg, one));
    }
  }
  const arrived = orders.map(({ clientOrderId }) => clientOrderId);
  return [
    ...arrived.filter((id) => !ours.has(id)).map((id) => `the venue has order ${id}, nobody here sent it`),
    ...repeated(arrived).map((id) => `the venue has order ${id} more than once`),
  ];
}

function fillsMatch(state: AccountState, venue: VenueState): readonly string[] {
  // Transfers between baskets and adjustments are no trades of the venue's.
  const fills = state.fills.filter(({ cause }) => cause !== 'INTERNAL' && cause !== 'ADJUSTMENT');
  const here = wholeFills(fills).map(fillText);
  const there = venue.fills.map(fillText);
  return [
    ...missing(there, here).map((fill) => `the gateway lacks fill ${fill}`),
    ...missing(here, there).map((fill) => `the venue knows nothing of fill ${fill}`),
    ...repeated(here).map((fill) => `the gateway has fill ${fill} more than once`),
    ...fills
      .filter((fill: Json) => fill.isProvisional || fill.positionId === null)
      .map((fill: Json) => `fill ${fill.tradeId} belongs to no basket`),
    ...fills
      .filter((fill: Json) => (fill.executionId === null) !== fill.isLiquidation)
      .map((fill: Json) => `fill ${fill.tradeId} has execution ${fill.executionId}`),
  ];
}

function fillText(fill: Json): string {
  return [fill.tradeId, fill.symbol, fill.side, fill.quantity, fill.price, fill.fee].join(' ');
}

/** A liquidation of several baskets is one fill at the venue and one for each basket here: `<trade id>#<part>`. */
function wholeFills(fills: readonly Json[]): readonly Json[] {
  const liquidations = new Map<string, Json>();
  for (const part of fills.filter(({ isLiquidation }) => isLiquidation)) {
    const [tradeId = ''] = part.tradeId.split('#');
    const before = liquidations.get(tradeId) ?? { quantity: '0', fee: '0' };
    liquidations.set(tradeId, {
      ...part,
      tradeId,
      quantity: text(dec(part.quantity).plus(before.quantity)),
      fee: text(dec(part.fee).plus(before.fee)),
    });
  }
  return [...fills.filter(({ isLiquidation }) => !isLiquidation), ...liquidations.values()];
}

function ordersSumTheirFills({ executions, fills }: AccountState): readonly string[] {
  const filled = sums(fills, (fill) => fill.orderId);
  return executions
    .flatMap((execution: Json) => execution.orders)
    .filter((order: Json) => !(filled.get(order.id) ?? ZERO).eq(order.filledQuantity))
    .map(
      (order: Json) => `order ${order.id} says ${order.filledQuantity}, its fills ${filled.get(order.id)}`,
    );
}

function positionsSumTheirFills({ positions, fills }: AccountState): readonly string[] {
  const bought = sums(
    fills.filter(({ side }) => side === 'BUY'),
    legKey,
  );
  const sold = sums(
    fills.filter(({ side }) => side === 'SELL'),
    legKey,
  );
  return positions.flatMap((position: Json) => {
    const legs = position.legs.flatMap((leg: Json) => {
      const key = legKey({ positionId: position.id, symbol: leg.symbol });
      const net = (bought.get(key) ?? ZERO).minus(sold.get(key) ?? ZERO);
      return net.eq(signed(leg))
        ? []
        : [`position ${position.id} holds ${leg.quantity} ${leg.symbol} ${leg.side}, its fills ${net}`];
    });
    const isFlat = position.legs.every((leg: Json) => leg.quantity === '0');
    return (position.status === 'CLOSED') === isFlat
      ? legs
      : [...legs, `position ${position.id} is ${position.status}, flat: ${isFlat}`];
  });
}

function basketsSumToVenue({ positions, unassigned }: AccountState, venue: VenueState): readonly string[] {
  const held = new Map(venue.positions.map(({ symbol, quantity }) => [symbol, quantity]));
  const legs: Json[] = positions.flatMap((position: Json) => position.legs);
  const symbols = new Set([...held.keys(), ...[...legs, ...unassigned].map(({ symbol }) => symbol)]);
  return [...symbols].flatMap((symbol) => {
    const baskets = sum(legs.filter((leg) => leg.symbol === symbol).map(signed));
    const rest = sum(unassigned.filter((lot) => lot.symbol === symbol).map(({ quantity }) => dec(quantity)));
    const net = held.get(symbol) ?? '0';
    return text(baskets.plus(rest)) === net
      ? []
      : [`${symbol}: the baskets hold ${text(baskets)}, no basket ${text(rest)}, the venue ${net}`];
  });
}

/** Nobody trades outside here: what is in no basket is what was too small to close. */
function onlyDustIsLeftOver({ unassigned }: AccountState): readonly string[] {
  return unassigned
    .filter(({ source }) => source !== 'DUST')
    .map(({ source, quantity, symbol }) => `${quantity} ${symbol} is in no basket, as ${source}`);
}

/** The venue's balance is the deposit and what our fills, fees and funding make of it, to the last digit when flat. */
function moneyAddsUp({ executions, fills, positions }: AccountState, venue: VenueState): readonly string[] {
  const times = (rows: readonly Json[]) =>
    new Map<string, number>(rows.map(({ id, createdAt }) => [id, Date.parse(createdAt)]));
  const ledger = keepLedger(fills as readonly LedgerFill[], venue.fills, {
    executionCreated: times(executions),
    positionCreated: times(positions),
  });
  return [...ledger.opened, ...unbalanced(ledger, venue)];
}

/** Each failed execution is unwound once, and each reversal opens once. */
function childrenOnce({ executions }: AccountState): readonly string[] {
  const byId = new Map(executions.map((execution: Json) => [execution.id, execution]));
  const parents: string[] = executions.flatMap(({ parentId }: Json) => (parentId === null ? [] : [parentId]));
  const hasReason = ({ status, intent, onLegFailure }: Json) =>
    intent === 'REVERSE' ? status === 'COMPLETED' : status !== 'COMPLETED' && onLegFailure === 'UNWIND';
  return [
    ...repeated(parents).map((id) => `execution ${id} has more than one child`),
    ...parents
      .filter((id) => !byId.has(id) || !hasReason(byId.get(id)))
      .map((id) => `execution ${id} has a child without reason`),
  ];
}

function numberedWithoutHole(events: readonly ToldEvent[]): readonly string[] {
  const wrong = events.findIndex(({ seq }, index) => seq !== index + 1);
  return wrong < 0 ? [] : [`event ${wrong + 1} of the account has seq ${events[wrong]?.seq}`];
}

/** One `execution.completed` or `execution.failed` for each execution, the one that fits its status. */
function endsToldOnce({ executions, events }: AccountState): readonly string[] {
  const told = new Map<string, string[]>();
  for (const { event, entityId } of events) {
    if (event.startsWith('execution.')) told.set(entityId, [...(told.get(entityId) ?? []), event]);
  }
  const known = new Set(executions.map(({ id }: Json) => id));
  return [
    ...executions.flatMap(({ id, status }: Json) => {
      const expected = `execution.${status === 'COMPLETED' ? 'completed' : 'failed'}`;
      const heard = told.get(id) ?? [];
      return heard.length === 1 && heard[0] === expected
        ? []
        : [`execution ${id} is ${status}, told as: ${heard.join(', ') || 'nothing'}`];
    }),
    ...[...told.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `an end of unknown execution ${id} was told`),
  ];
}

/** At most one `position.created`, and one `position.closed` exactly where it is closed. */
function positionsTold({ positions, events }: AccountState): readonly string[] {
  const told = new Map<string, string[]>();
  for (const { event, entityId } of events) {
    if (event.startsWith('position.')) told.set(entityId, [...(told.get(entityId) ?? []), event]);
  }
  return positions.flatMap(({ id, status }: Json) => {
    const heard = told.get(id) ?? [];
    const closed = heard.filter((event) => event === 'position.closed').length;
    const created = heard.filter((event) => event === 'position.created').length;
    const isRight = created <= 1 && heard.length > 0 && closed === (status === 'CLOSED' ? 1 : 0);
    return isRight ? [] : [`position ${id} is ${status}, told as: ${heard.join(', ') || 'nothing'}`];
  });
}

function legKey({ positionId, symbol }: { readonly positionId: string; readonly symbol: string }): string {
  return `${positionId} ${symbol}`;
}

function signed(leg: Json): Decimal {
  return leg.side === 'BUY' ? dec(leg.quantity) : dec(leg.quantity).neg();
}

function sums(fills: readonly Json[], keyOf: (fill: Json) => string): ReadonlyMap<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const fill of fills) {
    const key = keyOf(fill);
    totals.set(key, (totals.get(key) ?? ZERO).plus(fill.quantity));
  }
  return totals;
}

function missing(wanted: readonly string[], from: readonly string[]): readonly string[] {
  const there = new Set(from);
  return wanted.filter((one) => !there.has(one));
}

function repeated(values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
