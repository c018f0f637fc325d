/** An account of the paper exchange as it is held in memory, and its JSON form for the snapshot. */
import { type Decimal, type DecimalString, dec, sum, text, ZERO } from '../../../domain/decimal.ts';
import type { MarginMode } from '../../../domain/model.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  RejectionReason,
  VenueFill,
  VenueFunding,
} from '../../../engine/ports/venue.ts';

export interface PaperPosition {
  /** Net, signed base units: + long, − short. */
  readonly quantity: Decimal;
  /** Signed USD paid for the open quantity; quantity × average entry price, kept undivided so that sums stay exact. */
  readonly cost: Decimal;
  /** USD set aside for an isolated position, null while it is cross. */
  readonly isolatedMargin: Decimal | null;
}

export interface PaperLeverage {
  readonly leverage: number;
  readonly marginMode: MarginMode;
}

export interface PaperOrder {
  readonly order: PlaceOrder;
  /** null: the order was rejected. */
  readonly venueOrderId: string | null;
  status: 'working' | 'filled' | 'cancelled' | 'rejected';
  filled: Decimal;
  readonly fills: VenueFill[];
  readonly rejection: { readonly reason: RejectionReason; readonly message: string } | null;
}

export type HistoryItem =
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'funding'; readonly funding: VenueFunding };

/**
 * The account's money and working orders (both in the snapshot), and recently ended records. Older records are in the
 * archive.
 */
export interface PaperAccount {
  readonly id: string;
  deposits: Decimal;
  /**
   * Results of fills and funding up to the last reset, USD. A reset withdraws them and deposits the starting balance.
   */
  paidOut: Decimal;
  insured: Decimal;
  realized: Decimal;
  funding: Decimal;
  fees: Decimal;
  readonly positions: Map<string, PaperPosition>;
  readonly leverage: Map<string, PaperLeverage>;
  readonly working: Map<string, PaperOrder>;
  /** Working orders, and orders that have ended since the journal was last compacted. */
  readonly orders: Map<string, PaperOrder>;
  /** History items since the journal was last compacted. */
  readonly history: HistoryItem[];
  /** Number of older history items, which are in the archive. */
  archivedHistory: number;
}

/** A working order as the snapshot holds it. */
export interface WorkingOrder {
  readonly order: PlaceOrder;
  readonly venueOrderId: string;
  readonly fills: readonly VenueFill[];
}

export interface AccountSnapshot {
  readonly id: string;
  readonly deposits: DecimalString;
  /** Missing in snapshots of earlier versions; then 0. */
  readonly paidOut?: DecimalString;
  readonly insured: DecimalString;
  readonly realized: DecimalString;
  readonly funding: DecimalString;
  readonly fees: DecimalString;
  readonly positions: readonly {
    readonly symbol: string;
    readonly quantity: DecimalString;
    readonly cost: DecimalString;
    readonly isolatedMargin: DecimalString | null;
  }[];
  readonly leverage: readonly (PaperLeverage & { readonly symbol: string })[];
  readonly working: readonly WorkingOrder[];
}

export function emptyAccount(id: string): PaperAccount {
  return {
    id,
    deposits: ZERO,
    paidOut: ZERO,
    insured: ZERO,
    realized: ZERO,
    funding: ZERO,
    fees: ZERO,
    positions: new Map(),
    leverage: new Map(),
    working: new Map(),
    orders: new Map(),
    history: [],
    archivedHistory: 0,
  };
}

/** Number of history items since the account began. */
export function historyLength(account: PaperAccount): number {
  return account.archivedHistory + account.history.length;
}

/** Balance in USD, without unrealised profit. */
export function balanceOf(account: PaperAccount): Decimal {
  return account.deposits
    .plus(account.insured)
    .plus(account.realized)
    .plus(account.funding)
    .minus(account.fees);
}

/**
 * USD paid in over the account's whole life, insurance payments included, less USD paid out. Equity is net deposits
 * plus the result of all fills and funding since the beginning, across resets.
 */
export function netDeposits(account: PaperAccount): Decimal {
  return account.deposits.plus(account.insured).minus(account.paidOut);
}

/** Cash result of fills and funding since the last reset, USD; a reset discards open positions at their cost. */
export function cashResult(account: PaperAccount): Decimal {
  let result = account.realized.plus(account.funding).minus(account.fees);
  for (const { cost } of account.positions.values()) result = result.minus(cost);
  return result;
}

export function outcomeOf(record: PaperOrder): OrderOutcome {
  const { clientOrderId } = record.order;
  const venueOrderId = record.venueOrderId ?? '';
  const filledQuantity = text(record.filled);
  const fills = [...record.fills];
  switch (record.status) {
    case 'working':
      return { kind: 'resting', clientOrderId, venueOrderId, filledQuantity, fills };
    case 'filled':
    case 'cancelled':
      return { kind: 'done', state: record.status, clientOrderId, venueOrderId, filledQuantity, fills };
    case 'rejected':
      return {
        kind: 'rejected',
        clientOrderId,
        reason: record.rejection?.reason ?? 'other',
        message: record.rejection?.message ?? 'The order was rejected',
      };
  }
}

/** The order of an account, if it is in memory. */
export function lookupOf(account: PaperAccount, { clientOrderId }: OrderRef): OrderLookup {
  const record = account.orders.get(clientOrderId);
  return record === undefined ? { kind: 'not_found', clientOrderId } : outcomeOf(record);
}

export function snapshotOf(account: PaperAccount): AccountSnapshot {
  return {
    id: account.id,
    deposits: text(account.deposits),
    paidOut: text(account.paidOut),
    insured: text(account.insured),
    realized: text(account.realized),
    funding: text(account.funding),
    fees: text(account.fees),
    positions: [...account.positions].map(([symbol, position]) => ({
      symbol,
      quantity: text(position.quantity),
      cost: text(position.cost),
      isolatedMargin: position.isolatedMargin === null ? null : text(position.isolatedMargin),
    })),
    leverage: [...account.leverage].map(([symbol, setting]) => ({ symbol, ...setting })),
    working: [...account.working.values()].map(({ order, venueOrderId, fills }) => ({
      order,
      venueOrderId: venueOrderId ?? '',
      fills: [...fills],
    })),
  };
}

export function restoreAccount(account: PaperAccount, snapshot: AccountSnapshot): void {
  account.deposits = dec(snapshot.deposits);
  account.paidOut = dec(snapshot.paidOut ?? '0');
  account.insured = dec(snapshot.insured);
  account.realized = dec(snapshot.realized);
  account.funding = dec(snapshot.funding);
  account.fees = dec(snapshot.fees);
  account.positions.clear();
  for (const { symbol, quantity, cost, isolatedMargin } of snapshot.positions) {
    account.positions.set(symbol, {
      quantity: dec(quantity),
      cost: dec(cost),
      isolatedMargin: isolatedMargin === null ? null : dec(isolatedMargin),
    });
  }
  account.leverage.clear();
  for (const { symbol, leverage, marginMode } of snapshot.leverage) {
    account.leverage.set(symbol, { leverage, marginMode });
  }
  for (const { order, venueOrderId, fills } of snapshot.working) {
    const filled = sum(fills.map(({ quantity }) => dec(quantity)));
    keepWorking(account, { ...arrivedOrder(order, venueOrderId, null), filled, fills: [...fills] });
  }
}

/** Record of an order of which nothing has filled yet. */
export function arrivedOrder(
  order: PlaceOrder,
  venueOrderId: string | null,
  rejection: PaperOrder['rejection'],
): PaperOrder {
  const status = rejection === null ? 'working' : 'rejected';
  return { order, venueOrderId, status, filled: ZERO, fills: [], rejection };
}

export function keepWorking(account: PaperAccount, record: PaperOrder): void {
  account.orders.set(record.order.clientOrderId, record);
  account.working.set(record.order.clientOrderId, record);
}
