/**
 * A second set of books, made from `GET /fills` alone: what each basket holds, what the venue must hold, and whether an order
 * that was to close something has opened something. Nothing of the product computes here.
 */
import { type Exact, exact, exactText, size, times, totalOf } from './exact.ts';

/** The part of a fill row that the books are made of; `cause` is missing where there are only ordinary ones. */
export interface LedgerFill {
  readonly tradeId: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly positionId: string | null;
  readonly executionId: string | null;
  readonly isLiquidation: boolean;
  readonly cause?: string;
  readonly timestamp: string;
}

/** A trade as the venue has it. */
export interface VenueTrade {
  readonly tradeId: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
}

export interface Ledger {
  /** Signed base units by instrument, of the trades that took place at the venue. */
  readonly venue: ReadonlyMap<string, Exact>;
  /** By `<position> <instrument>`. */
  readonly baskets: ReadonlyMap<string, Exact>;
  /** USD: what the trades at the venue brought in, fees aside. */
  readonly cash: Exact;
  readonly fees: Exact;
  /** Trades that the venue has and the gateway has not. */
  readonly lost: readonly string[];
  /** Trades that the gateway has more of than the venue. */
  readonly doubled: readonly string[];
  /** Positions opened by orders that should only close. */
  readonly opened: readonly string[];
}

/** Times of executions and positions, ms; what an order could know when it was planned. */
export interface LedgerTimes {
  readonly executionCreated: ReadonlyMap<string, number>;
  readonly positionCreated: ReadonlyMap<string, number>;
  /** An order need not know of outside trades this recent when it was planned, ms. Default 1,000. */
  readonly unawareMs?: number;
}

interface Row extends LedgerFill {
  readonly at: number;
  readonly signed: Exact;
  /** Place among the venue's trades; null: none of the venue's. */
  readonly place: number | null;
}

/** Parts of one trade are `<trade id>#<part>`. */
const tradeOf = ({ tradeId }: { readonly tradeId: string }) => tradeId.split('#')[0] ?? tradeId;
/** Age up to which the gateway may not know a trade when it plans an order. */
const UNAWARE_MS = 1_000;
/** Rows that belong to an order's own round may be written so much later. */
const SAME_ROUND_MS = 15_000;

/** @param trades the venue's own, oldest first */
export function keepLedger(
  fills: readonly LedgerFill[],
  trades: readonly VenueTrade[],
  known: LedgerTimes,
): Ledger {
  const places = new Map(trades.map(({ tradeId }, place) => [tradeId, place]));
  const rows = fills
    .map((fill): Row => {
      const quantity = exact(fill.quantity);
      return {
        ...fill,
        at: Date.parse(fill.timestamp),
        signed: fill.side === 'BUY' ? quantity : -quantity,
        place: isInternal(fill) ? null : (places.get(tradeOf(fill)) ?? null),
      };
    })
    .sort((one, other) => one.at - other.at || (one.place ?? -1) - (other.place ?? -1));
  const real = rows.filter(({ place }) => place !== null);
  return {
    venue: sums(real, ({ symbol }) => symbol),
    baskets: sums(
      rows.filter(({ positionId }) => positionId !== null),
      ({ positionId, symbol }) => `${positionId} ${symbol}`,
    ),
    cash: -totalOf(real, worth),
    fees: totalOf(real, ({ fee }) => fee),
    ...compareTrades(rows, trades),
    opened: [...new Set(rows.map(({ symbol }) => symbol))].flatMap((symbol) =>
      openedByClosing(
        rows.filter((row) => row.symbol === symbol),
        known,
      ),
    ),
  };
}

const worth = ({ signed, price }: Row) => times(signed, exact(price));

function isInternal({ cause, tradeId }: LedgerFill): boolean {
  return cause === 'INTERNAL' || cause === 'ADJUSTMENT' || tradeId.startsWith('x:');
}

function compareTrades(
  rows: readonly Row[],
  trades: readonly VenueTrade[],
): Pick<Ledger, 'lost' | 'doubled'> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const known = new Map<string, Row[]>();
  const ids = new Set<string>();
  for (const row of rows) {
    if (ids.has(row.tradeId)) doubled.push(`${row.tradeId} is recorded twice`);
    ids.add(row.tradeId);
    if (row.place === null && !isInternal(row) && row.cause !== 'CLOSED_OUTSIDE')
      doubled.push(`${row.tradeId} (${row.symbol} ${row.side} ${row.quantity}) is none of the venue's`);
    if (row.place !== null) known.set(tradeOf(row), [...(known.get(tradeOf(row)) ?? []), row]);
  }
  for (const trade of trades) {
    const said = `${trade.tradeId} (${trade.symbol} ${trade.side} ${trade.quantity})`;
    const parts = known.get(trade.tradeId);
    if (parts === undefined) {
      lost.push(said);
      continue;
    }
    const recorded = size(totalOf(parts, ({ signed }) => signed));
    if (recorded < exact(trade.quantity)) lost.push(`part of ${said}`);
    if (recorded > exact(trade.quantity)) doubled.push(`more than ${said}`);
    if (totalOf(parts, ({ fee }) => fee) !== exact(trade.fee)) lost.push(`the fee of ${said}`);
  }
  return { lost, doubled };
}

/**
 * Follows one instrument trade by trade. An order that takes something out of a basket may bring the account's net away from
 * zero only towards what the baskets hold after it, and what was traded outside: not counting outside trades that took out
 * of that basket before the order was planned, for those the basket does not hold any more.
 */
function openedByClosing(rows: readonly Row[], known: LedgerTimes): string[] {
  const { executionCreated, positionCreated, unawareMs = UNAWARE_MS } = known;
  const wrong: string[] = [];
  const held = new Map<string, Exact>();
  // Only our own orders: others' trades are taken into a basket later than they took place.
  const traded = new Map<string, Exact>();
  const outside: Row[] = [];
  let net = 0n;
  for (const [index, row] of rows.entries()) {
    const key = row.positionId ?? '';
    const netBefore = net;
    if (row.positionId !== null) held.set(key, (held.get(key) ?? 0n) + row.signed);
    if (row.place === null) continue;
    net += row.signed;
    const said = `${row.timestamp} ${row.symbol} ${row.side} ${row.quantity} (${row.tradeId}, execution ${row.executionId})`;
    if (row.executionId === null) {
      if (!row.isLiquidation) outside.push(row);
      continue;
    }
    if (row.positionId === null) {
      wrong.push(`${said}: an order of ours filled into no basket`);
      continue;
    }
    const before = traded.get(key) ?? 0n;
    const after = before + row.signed;
    traded.set(key, after);
    const shrinks = before !== 0n && before > 0n !== row.signed > 0n;
    if (!shrinks) continue;
    if (after !== 0n && after > 0n !== before > 0n)
      wrong.push(`${said}: the basket ${key} held ${exactText(before)} and holds ${exactText(after)}`);
    if (size(net) <= size(netBefore)) continue;
    const planned = executionCreated.get(row.executionId) ?? row.at;
    const born = positionCreated.get(row.positionId) ?? 0;
    const kept = outside.filter(
      ({ at, signed }) => signed > 0n === before > 0n || at < born || at > planned - unawareMs,
    );
    const allowed = reach([held, traded], rows.slice(index + 1), row.at, kept);
    if (net < allowed.low || net > allowed.high)
      wrong.push(
        `${said}: net ${exactText(netBefore)} → ${exactText(net)}, explained ${exactText(allowed.low)} to ${exactText(allowed.high)}`,
      );
  }
  return wrong;
}

function reach(
  books: readonly ReadonlyMap<string, Exact>[],
  later: readonly Row[],
  at: number,
  kept: readonly Row[],
): { readonly low: Exact; readonly high: Exact } {
  const now = books.map((held) => totalOf([...held.values()], (one) => one));
  // Rows that are no trades and belong to the same round.
  const soon = later
    .filter((row) => row.place === null && row.positionId !== null && row.at <= at + SAME_ROUND_MS)
    .reduce((sum, { signed }) => sum + signed, now[0] ?? 0n);
  const outside = [true, false].map((isLong) =>
    totalOf(kept, ({ signed }) => (signed > 0n === isLong ? signed : 0n)),
  );
  const ends = [0n, ...[...now, soon].flatMap((sum) => [sum, ...outside.map((one) => sum + one)])];
  const least = ends.reduce((one, other) => (one < other ? one : other));
  return { low: least, high: ends.reduce((one, other) => (one > other ? one : other)) };
}

function sums(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Exact> {
  const found = new Map<string, Exact>();
  for (const row of rows) found.set(keyOf(row), (found.get(keyOf(row)) ?? 0n) + row.signed);
  return found;
}
