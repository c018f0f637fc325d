/**
 * Counts a storm's damage: lost, doubled, opened by a close, unprotected, unexplained. All from what the gateway
 * says and what the venue holds, with arithmetic of our own.
 */
import { wholeList } from '../../support/account-state.ts';
import { type Exact, exact, exactText, size, times, totalOf } from '../../support/exact.ts';
import type { GatewayClient } from '../../support/gateway-client.ts';
import { keepLedger, type Ledger, type LedgerFill } from '../../support/independent-ledger.ts';
import type { Json } from '../../support/json.ts';
import type { StormAccount } from './storm-account.ts';

export const KINDS = ['lost', 'doubled', 'opened', 'unprotected', 'unexplained'] as const;
export type Kind = (typeof KINDS)[number];

export interface Finding {
  readonly kind: Kind;
  readonly said: string;
}

export interface GatewayReading {
  readonly executions: readonly Json[];
  readonly fills: readonly Json[];
  readonly positions: readonly Json[];
  /** Positions that the gateway lists in no basket; null: it has no such route. */
  readonly unassigned: readonly Json[] | null;
  readonly safety: Json;
}

export interface VenueReading {
  readonly positions: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly entryPrice: string;
  }[];
  readonly fills: readonly Json[];
  readonly orders: readonly { readonly clientOrderId: string }[];
  readonly balance: string;
  /** Paid in less paid out, what the venue's insurance bore included. */
  readonly deposits: string;
  readonly funding: readonly { readonly amount: string }[];
  /** USD by which the venue rounds what a fill brings; missing: by nothing. */
  readonly roundedPerFill?: string;
}

/** USD: entry prices are quotients, rounded somewhere behind the fifteenth digit. */
const ROUNDING = exact('0.000001');

export async function readGateway(
  client: Pick<GatewayClient, 'request'>,
  account: StormAccount,
): Promise<GatewayReading> {
  const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
  const get = async (path: string) => client.request('GET', path, { headers });
  const executions = await wholeList(client, account, 'executions');
  const positions = await wholeList(client, account, 'positions');
  const fills = await wholeList(client, account, 'fills');
  const unassigned = await get('/positions/unassigned');
  return {
    executions,
    positions,
    fills,
    unassigned: unassigned.status === 200 ? unassigned.json.items : null,
    safety: (await get('/safety')).json,
  };
}

/** Nothing runs, so that both readings are of one state. */
const isRunning = ({ status }: Json): boolean => status === 'IDLE' || status === 'ACTIVE';

export const isQuiet = ({ executions }: GatewayReading): boolean => !executions.some(isRunning);

export function ledgerOf(reading: GatewayReading, venue: VenueReading): Ledger {
  return keepLedger(reading.fills as readonly LedgerFill[], venue.fills as Parameters<typeof keepLedger>[1], {
    executionCreated: new Map(reading.executions.map(({ id, createdAt }) => [id, Date.parse(createdAt)])),
    positionCreated: new Map(reading.positions.map(({ id, createdAt }) => [id, Date.parse(createdAt)])),
  });
}

/** Σ baskets + what is unassigned = the venue, by instrument; and each basket holds what its fills say. */
export function unexplained(reading: GatewayReading, ledger: Ledger, venue: VenueReading): readonly string[] {
  const wrong: string[] = [];
  const baskets = new Map<string, Exact>();
  for (const { id, legs } of reading.positions) {
    for (const leg of legs) {
      const quantity = leg.side === 'BUY' ? exact(leg.quantity) : -exact(leg.quantity);
      const booked = ledger.baskets.get(`${id} ${leg.symbol}`) ?? 0n;
      if (quantity !== booked)
        wrong.push(
          `position ${id} says ${exactText(quantity)} ${leg.symbol}, its fills ${exactText(booked)}`,
        );
      baskets.set(leg.symbol, (baskets.get(leg.symbol) ?? 0n) + quantity);
    }
  }
  const held = new Map(venue.positions.map(({ symbol, quantity }) => [symbol, exact(quantity)]));
  for (const symbol of new Set([...held.keys(), ...baskets.keys(), ...ledger.venue.keys()])) {
    const there = held.get(symbol) ?? 0n;
    const traded = ledger.venue.get(symbol) ?? 0n;
    if (there !== traded)
      wrong.push(`${symbol}: the venue holds ${exactText(there)}, the fills make ${exactText(traded)}`);
    if (reading.unassigned === null) continue;
    const lots = reading.unassigned.filter((item) => item.symbol === symbol);
    const own = totalOf(lots, ({ quantity }) => quantity);
    const explained = (baskets.get(symbol) ?? 0n) + own;
    if (there !== explained)
      wrong.push(
        `${symbol}: the venue holds ${exactText(there)}, baskets ${exactText(baskets.get(symbol) ?? 0n)} and unassigned ${exactText(own)}`,
      );
  }
  return wrong;
}

/** Balance = deposits + what the trades brought in + what the open positions cost − fees + funding. */
export function unbalanced(
  ledger: Ledger,
  venue: Pick<VenueReading, 'positions' | 'balance' | 'deposits' | 'funding' | 'roundedPerFill'> & {
    readonly fills?: readonly unknown[];
  },
): readonly string[] {
  const cost = totalOf(venue.positions, ({ quantity, entryPrice }) =>
    times(exact(quantity), exact(entryPrice)),
  );
  const funding = totalOf(venue.funding, ({ amount }) => amount);
  const booked = exact(venue.deposits) + ledger.cash + cost - ledger.fees + funding;
  const difference = size(exact(venue.balance) - booked);
  const isFlat = venue.positions.every(({ quantity }) => exact(quantity) === 0n);
  if (venue.roundedPerFill !== undefined) {
    const fills = exact(String(venue.fills?.length ?? 0));
    const allowed = ROUNDING + times(fills, exact(venue.roundedPerFill));
    if (difference <= allowed) return [];
  }
  const isRight = difference <= (isFlat ? 0n : ROUNDING);
  return isRight ? [] : [`the balance is ${venue.balance}, the books say ${exactText(booked)}`];
}

/** Open positions that were promised a stop-loss and have none at work. */
export function unprotected(reading: GatewayReading, account: StormAccount): readonly string[] {
  const { stops, stopsToCome, removed } = account.promises;
  const children = new Map(reading.executions.map((one) => [one.parentId, one]));
  for (const execution of reading.executions) {
    const promised = stopsToCome.get(execution.id);
    if (promised === undefined || isRunning(execution)) continue;
    const made = execution.intent === 'REVERSE' ? children.get(execution.id) : execution;
    if (made !== undefined && isRunning(made)) continue;
    stopsToCome.delete(execution.id);
    // An order without fills has armed nothing.
    const hasFilled = made?.orders.some(({ filledQuantity }: Json) => filledQuantity !== '0') ?? false;
    if (made?.positionId == null || !hasFilled || (removed.get(made.positionId) ?? 0) >= promised.at)
      continue;
    stops.set(made.positionId, `${promised.why} (execution ${execution.id})`);
  }
  // Panic works on what it could not close yet: that is its protection.
  if (reading.safety.paused === true) return [];
  return reading.positions.flatMap(({ id, status, stopLoss }) => {
    const why = stops.get(id);
    if (why === undefined || status !== 'OPEN') return [];
    return stopLoss !== null && stopLoss.status !== 'PAUSED'
      ? []
      : [`position ${id}: ${why}, now ${JSON.stringify(stopLoss)}`];
  });
}

export function sentTwice(venue: VenueReading): readonly string[] {
  const seen = new Set<string>();
  return venue.orders
    .filter(({ clientOrderId }) => seen.size === seen.add(clientOrderId).size)
    .map(({ clientOrderId }) => `order ${clientOrderId} is at the venue twice`);
}
