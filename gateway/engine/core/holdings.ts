/**
 * Shares of grants and of API keys with a mandate in open positions, in memory. Every change of a position updates them
 * in its own unit, from the position before and after, so no change can leave its owners out.
 */
import { type Decimal, type DecimalString, dec, sum, text } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { Execution, Position, PositionLeg } from '../../domain/model.ts';
import {
  type Actor,
  broughtBy,
  foldOwners,
  type Holding,
  type Owned,
  unrealised,
} from '../../domain/ownership.ts';
import { minus, NOTHING, negated, plus, type Scaled, scaled } from '../../domain/scaled.ts';
import type { MandateBook } from '../ports/mandate-book.ts';
import type { AgentResult } from '../ports/reservations.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/system.ts';
import type { FollowUp } from './follow-ups.ts';
import { holderKey } from './mandate-usage.ts';
import type { OpenPositions } from './open-positions.ts';

interface HoldingDeps {
  readonly clock: Pick<Clock, 'now' | 'uptime'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly book: Pick<MandateBook, 'of'>;
  readonly positions: Pick<OpenPositions, 'get'>;
}

/** Holdings, traded instruments and results of one holder. */
interface Owner {
  userId: string | null;
  /** Positions in which it has a row, also an empty one. */
  readonly positions: Set<string>;
  /** Cost of its open quantities, USD. */
  costUsd: Scaled;
  /** Accounts and instruments that it has ever traded, as `account` and `account symbol`. */
  readonly traded: Set<string>;
  /** Realised results, oldest first. Results from index `firstResult` on are from the last 24 hours. */
  results: { readonly usd: Scaled; readonly at: number }[];
  firstResult: number;
  /** Sum of the results of the last 24 hours, USD. */
  resultUsd: Scaled;
}

/** Number of results older than a day that may pile up before they are removed together. */
const MANY = 1_024;
const NOTHING_HELD: readonly Holding[] = [];

export class Holdings {
  readonly #deps: HoldingDeps;
  readonly #byPosition = new Map<string, readonly Holding[]>();
  readonly #owners = new Map<string, Owner>();

  constructor(deps: HoldingDeps) {
    this.#deps = deps;
  }

  async load(store: Pick<Store, 'holdings' | 'tradedByAgents' | 'agentResults'>): Promise<void> {
    const now = this.#deps.clock.now();
    for (const row of await store.holdings()) this.#put([row]);
    for (const { holderId, tradeAccountId, symbol } of await store.tradedByAgents())
      this.#trades(holderKey({ id: holderId }), tradeAccountId, symbol);
    for (const { holderId, usd, at } of await store.agentResults(now - DAY_MS)) {
      const age = Math.max(0, now - at);
      this.#bring(holderKey({ id: holderId }), usd, this.#deps.clock.uptime() - age);
    }
  }

  /** Rows of a position's holders, including rows with no quantity left. */
  of(positionId: string): readonly Holding[] {
    return this.#byPosition.get(positionId) ?? [];
  }

  hasTraded(keys: readonly string[], tradeAccountId: string, symbol?: string): boolean {
    const name = symbol === undefined ? tradeAccountId : `${tradeAccountId} ${symbol}`;
    return keys.some((key) => this.#owners.get(key)?.traded.has(name) === true);
  }

  /** Accounts that any of the holders has traded. */
  accountsTraded(keys: readonly string[]): readonly string[] {
    return keys.flatMap((key) =>
      [...(this.#owners.get(key)?.traded ?? [])].filter((name) => !name.includes(' ')),
    );
  }

  /** Rows with a quantity. */
  held(keys: readonly string[]): readonly Holding[] {
    let found: Holding[] | null = null;
    for (const key of keys) {
      const positions = this.#owners.get(key)?.positions;
      if (positions === undefined || positions.size === 0) continue;
      found ??= [];
      for (const id of positions)
        for (const row of this.of(id)) if (row.quantity !== '0' && keyOf(row) === key) found.push(row);
    }
    return found ?? NOTHING_HELD;
  }

  /** True: one of the holders has, or had, a share of the open position. */
  isHeldBy(keys: readonly string[], positionId: string): boolean {
    return this.of(positionId).some((row) => keys.includes(keyOf(row)));
  }

  /** Base units of the leg that the holders own. */
  shareOf(keys: readonly string[], positionId: string, symbol: string): Decimal {
    const rows = this.of(positionId).filter((row) => row.symbol === symbol && keys.includes(keyOf(row)));
    return sum(rows.map(({ quantity }) => dec(quantity)));
  }

  /** Ownership of the position by the holders: ALL, PART or NONE. */
  ownership(keys: readonly string[], position: Position): Owned {
    return this.#ownedOf(
      keys,
      position.legs.map((leg) => ({ ...leg, positionId: position.id })),
    );
  }

  /** Ownership by the holders of an instrument in the positions; ALL if the positions hold none of it. */
  ownershipOf(keys: readonly string[], positions: readonly Position[], symbol: string): Owned {
    const legs = positions.flatMap(({ id: positionId, legs }) =>
      legs.filter((leg) => leg.symbol === symbol).map((leg) => ({ ...leg, positionId })),
    );
    return legs.every(({ quantity }) => quantity === '0') ? 'ALL' : this.#ownedOf(keys, legs);
  }

  #ownedOf(
    keys: readonly string[],
    legs: readonly (Pick<PositionLeg, 'symbol' | 'quantity'> & { readonly positionId: string })[],
  ): Owned {
    const open = legs.filter(({ quantity }) => quantity !== '0');
    const shares = open.map(({ positionId, symbol }) => this.shareOf(keys, positionId, symbol));
    if (shares.every((share) => share.isZero())) return 'NONE';
    return open.every((leg, index) => shares[index]?.gte(leg.quantity) === true) ? 'ALL' : 'PART';
  }

  /** Cost of the holders' open quantities, USD. */
  costOf(keys: readonly string[]): Scaled {
    let cost = NOTHING;
    for (const key of keys) cost = plus(cost, this.#owners.get(key)?.costUsd ?? NOTHING);
    return cost;
  }

  /** Loss within 24 hours before `now` (uptime, ms), realised and at the marks, USD; negative: a profit. */
  lossOf(
    keys: readonly string[],
    markOf: (positionId: string, symbol: string) => string | null,
    now: number,
  ): Scaled {
    let result = NOTHING;
    for (const key of keys) result = plus(result, this.#resultOf(key, now));
    for (const row of this.held(keys)) {
      const mark = markOf(row.positionId, row.symbol);
      if (mark !== null) result = plus(result, unrealised(row, mark));
    }
    return negated(result);
  }

  /** Keys of the user's holders with an open quantity. */
  ofUser(userId: string): readonly string[] {
    const keys: string[] = [];
    for (const [key, owner] of this.#owners)
      if (owner.userId === userId && this.held([key]).length > 0) keys.push(key);
    return keys;
  }

  /** Keys of the holders with an open quantity in any of the instruments. */
  holdersOf(symbols: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>();
    for (const rows of this.#byPosition.values())
      for (const row of rows) if (symbols.has(row.symbol) && row.quantity !== '0') found.add(keyOf(row));
    return found;
  }

  /** Updates shares after a change of a position. To be registered with `FollowUps`. */
  changed(next: Position, cause: Execution | null): FollowUp | null {
    const rows = this.of(next.id);
    const actor = this.#actorOf(cause);
    if (rows.length === 0 && actor === null) return null;
    const before = this.#deps.positions.get(next.id);
    const now = this.#deps.clock.now();
    const changed = next.legs.flatMap((leg) => {
      const was = before?.legs.find(({ symbol }) => symbol === leg.symbol);
      const own = rows.filter(({ symbol }) => symbol === leg.symbol);
      const mine = cause === null || actor === null ? null : ownRow(own, next, leg, cause, now);
      return foldOwners(was, leg, own, actor ?? (cause === null ? 'NOBODY' : 'USER'), mine, now);
    });
    if (changed.length === 0) return null;
    const results = this.#resultsOf(rows, changed, now);
    return {
      unit: { holdings: changed, ...(results.length === 0 ? {} : { agentResults: results }) },
      committed: () => {
        this.#put(changed);
        for (const { holderId, usd } of results)
          this.#bring(holderKey({ id: holderId }), usd, this.#deps.clock.uptime());
        if (next.status === 'CLOSED') this.#forget(next.id);
      },
    };
  }

  /** Holder behind a change; null: the user, or a program without a mandate. */
  #actorOf(cause: Execution | null): Actor | null {
    if (cause === null || cause.authorityId === null) return null;
    const { authorityKind: kind, authorityId: id } = cause;
    if (kind !== 'oauth_grant' && kind !== 'api_key') return null;
    const bound = this.#deps.book.of(cause);
    if (kind === 'api_key' && bound === null) return null;
    const ids = [id, ...(bound?.lineage ?? [])];
    return { kind: 'HOLDER', isHis: (row) => row.holderKind === kind && ids.includes(row.holderId) };
  }

  #resultsOf(before: readonly Holding[], changed: readonly Holding[], at: number): readonly AgentResult[] {
    return changed.flatMap((row) => {
      const was = before.find((one) => keyOf(one) === keyOf(row) && one.symbol === row.symbol);
      const usd = broughtBy(was, row);
      const { holderKind, holderId } = row;
      return usd.isZero() ? [] : [{ id: this.#deps.ids.next(), holderKind, holderId, usd: text(usd), at }];
    });
  }

  #put(rows: readonly Holding[]): void {
    for (const row of rows) {
      const { positionId, userId, tradeAccountId, symbol } = row;
      const key = keyOf(row);
      const isSame = (one: Holding) => one.symbol === symbol && keyOf(one) === key;
      const before = this.of(positionId);
      const was = before.find(isSame);
      this.#byPosition.set(positionId, [...before.filter((one) => !isSame(one)), row]);
      const owner = this.#ownerOf(key, userId);
      owner.positions.add(positionId);
      owner.costUsd = plus(minus(owner.costUsd, was === undefined ? NOTHING : costOf(was)), costOf(row));
      this.#trades(key, tradeAccountId, symbol);
    }
  }

  #forget(positionId: string): void {
    for (const row of this.of(positionId)) {
      const owner = this.#owners.get(keyOf(row));
      if (owner === undefined) continue;
      owner.positions.delete(positionId);
      owner.costUsd = owner.positions.size === 0 ? NOTHING : minus(owner.costUsd, costOf(row));
    }
    this.#byPosition.delete(positionId);
  }

  #trades(key: string, tradeAccountId: string, symbol: string): void {
    this.#ownerOf(key, null).traded.add(tradeAccountId).add(`${tradeAccountId} ${symbol}`);
  }

  #bring(key: string, result: DecimalString, at: number): void {
    const owner = this.#ownerOf(key, null);
    const usd = scaled(result);
    owner.results.push({ usd, at });
    owner.resultUsd = plus(owner.resultUsd, usd);
  }

  /** Realised result of the holder in the last 24 hours, USD. */
  #resultOf(key: string, now: number): Scaled {
    const owner = this.#owners.get(key);
    if (owner === undefined) return NOTHING;
    const since = now - DAY_MS;
    for (;;) {
      const oldest = owner.results[owner.firstResult];
      if (oldest === undefined || oldest.at > since) break;
      owner.resultUsd = minus(owner.resultUsd, oldest.usd);
      owner.firstResult += 1;
    }
    if (owner.firstResult === owner.results.length) owner.resultUsd = NOTHING;
    if (owner.firstResult > MANY) {
      owner.results = owner.results.slice(owner.firstResult);
      owner.firstResult = 0;
    }
    return owner.resultUsd;
  }

  /** @param userId null: not known here */
  #ownerOf(key: string, userId: string | null): Owner {
    const known = this.#owners.get(key);
    if (known !== undefined) {
      known.userId ??= userId;
      return known;
    }
    const owner: Owner = {
      userId,
      positions: new Set(),
      costUsd: NOTHING,
      traded: new Set(),
      results: [],
      firstResult: 0,
      resultUsd: NOTHING,
    };
    this.#owners.set(key, owner);
    return owner;
  }
}

/** Cost of a row's quantity, USD; 0 for a row with no quantity left. */
function costOf({ quantity, cost }: Holding): Scaled {
  return quantity === '0' ? NOTHING : scaled(cost);
}

export function keyOf({ holderId }: Holding): string {
  return holderKey({ id: holderId });
}

/** The acting holder's row of the leg; an empty one if it has none. */
function ownRow(
  rows: readonly Holding[],
  position: Position,
  leg: PositionLeg,
  cause: Execution,
  now: number,
): Holding | null {
  const { authorityKind: holderKind, authorityId: holderId } = cause;
  if (holderId === null || (holderKind !== 'oauth_grant' && holderKind !== 'api_key')) return null;
  return (
    rows.find((row) => row.holderKind === holderKind && row.holderId === holderId) ?? {
      holderKind,
      holderId,
      userId: position.userId,
      tradeAccountId: position.tradeAccountId,
      positionId: position.id,
      symbol: leg.symbol,
      side: leg.side,
      quantity: '0',
      cost: '0',
      realised: '0',
      fees: '0',
      funding: '0',
      updatedAt: now,
    }
  );
}
