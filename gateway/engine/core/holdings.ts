/**
 * Shares of grants and of API keys with a mandate in open positions, in memory. Folded in the unit of whatever changes the
 * position, from the position as it was and as it becomes: no way to change one can leave its owners out.
 */
import { type Decimal, dec, sum, text, ZERO } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { Execution, Position, PositionLeg } from '../../domain/model.ts';
import { type Actor, broughtBy, foldOwners, type Holding, unrealised } from '../../domain/ownership.ts';
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

interface Results {
  /** Oldest first. */
  entries: { readonly usd: Decimal; readonly at: number }[];
}

export class Holdings {
  readonly #deps: HoldingDeps;
  readonly #byPosition = new Map<string, readonly Holding[]>();
  /** Holder → positions in which it has a row. */
  readonly #positions = new Map<string, Set<string>>();
  /** Holder → `account` and `account symbol` that it has ever traded. */
  readonly #traded = new Map<string, Set<string>>();
  readonly #results = new Map<string, Results>();

  constructor(deps: HoldingDeps) {
    this.#deps = deps;
  }

  async load(store: Pick<Store, 'holdings' | 'tradedByAgents' | 'agentResults'>): Promise<void> {
    const now = this.#deps.clock.now();
    for (const row of await store.holdings()) this.#put([row]);
    for (const { holderKind, holderId, tradeAccountId, symbol } of await store.tradedByAgents())
      this.#trades(holderKey({ kind: holderKind, id: holderId }), tradeAccountId, symbol);
    for (const { holderKind, holderId, usd, at } of await store.agentResults(now - DAY_MS)) {
      const age = Math.max(0, now - at);
      this.#bring(holderKey({ kind: holderKind, id: holderId }), dec(usd), this.#deps.clock.uptime() - age);
    }
  }

  /** Rows of a position's holders, those that hold nothing any more included. */
  of(positionId: string): readonly Holding[] {
    return this.#byPosition.get(positionId) ?? [];
  }

  hasTraded(keys: readonly string[], tradeAccountId: string, symbol?: string): boolean {
    const name = symbol === undefined ? tradeAccountId : `${tradeAccountId} ${symbol}`;
    return keys.some((key) => this.#traded.get(key)?.has(name) === true);
  }

  /** Accounts that any of the holders has traded. */
  accountsTraded(keys: readonly string[]): readonly string[] {
    return keys.flatMap((key) => [...(this.#traded.get(key) ?? [])].filter((name) => !name.includes(' ')));
  }

  /** Rows with a quantity. */
  held(keys: readonly string[]): readonly Holding[] {
    return keys.flatMap((key) =>
      [...(this.#positions.get(key) ?? [])].flatMap((id) =>
        this.of(id).filter((row) => row.quantity !== '0' && keyOf(row) === key),
      ),
    );
  }

  /** Base units of the leg that the holders own. */
  shareOf(keys: readonly string[], positionId: string, symbol: string): Decimal {
    const rows = this.of(positionId).filter((row) => row.symbol === symbol && keys.includes(keyOf(row)));
    return sum(rows.map(({ quantity }) => dec(quantity)));
  }

  /** How much of the position is the holders'. */
  ownership(keys: readonly string[], position: Position): 'NONE' | 'PART' | 'ALL' {
    const legs = position.legs.filter(({ quantity }) => quantity !== '0');
    const shares = legs.map((leg) => this.shareOf(keys, position.id, leg.symbol));
    if (shares.every((share) => share.isZero())) return 'NONE';
    return legs.every((leg, index) => shares[index]?.gte(leg.quantity) === true) ? 'ALL' : 'PART';
  }

  /** Loss within 24 hours, realised and at the marks, USD; negative: a profit. */
  lossOf(keys: readonly string[], markOf: (positionId: string, symbol: string) => string | null): Decimal {
    const since = this.#deps.clock.uptime() - DAY_MS;
    const realised = keys.map((key) => {
      const results = this.#results.get(key);
      if (results === undefined) return ZERO;
      if ((results.entries[0]?.at ?? since + 1) <= since)
        results.entries = results.entries.filter(({ at }) => at > since);
      return sum(results.entries.map(({ usd }) => usd));
    });
    const open = this.held(keys).map((row) => {
      const mark = markOf(row.positionId, row.symbol);
      return mark === null ? ZERO : unrealised(row, mark);
    });
    return sum([...realised, ...open]).neg();
  }

  /** Keys of the user's holders that hold anything. */
  ofUser(userId: string): readonly string[] {
    const rows = [...this.#byPosition.values()].flat();
    return rows.filter((row) => row.userId === userId && row.quantity !== '0').map(keyOf);
  }

  /** Holders that hold any of the instruments. */
  holdersOf(symbols: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>();
    for (const rows of this.#byPosition.values())
      for (const row of rows) if (symbols.has(row.symbol) && row.quantity !== '0') found.add(keyOf(row));
    return found;
  }

  /** To be registered with `FollowUps`. */
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
        for (const { holderKind, holderId, usd } of results)
          this.#bring(holderKey({ kind: holderKind, id: holderId }), dec(usd), this.#deps.clock.uptime());
        if (next.status === 'CLOSED') this.#forget(next.id);
      },
    };
  }

  /** null: the user, or a program without a mandate. */
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
      const others = this.of(row.positionId).filter(
        (one) => one.symbol !== row.symbol || keyOf(one) !== keyOf(row),
      );
      this.#byPosition.set(row.positionId, [...others, row]);
      const positions = this.#positions.get(keyOf(row)) ?? new Set();
      this.#positions.set(keyOf(row), positions.add(row.positionId));
      this.#trades(keyOf(row), row.tradeAccountId, row.symbol);
    }
  }

  #forget(positionId: string): void {
    for (const row of this.of(positionId)) this.#positions.get(keyOf(row))?.delete(positionId);
    this.#byPosition.delete(positionId);
  }

  #trades(key: string, tradeAccountId: string, symbol: string): void {
    const names = this.#traded.get(key) ?? new Set();
    this.#traded.set(key, names.add(tradeAccountId).add(`${tradeAccountId} ${symbol}`));
  }

  #bring(key: string, usd: Decimal, at: number): void {
    const results = this.#results.get(key) ?? { entries: [] };
    this.#results.set(key, results);
    results.entries.push({ usd, at });
  }
}

export function keyOf({ holderKind, holderId }: Holding): string {
  return holderKey({ kind: holderKind, id: holderId });
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
