/**
 * Warns a trader that a liquidation is near. It checks accounts with holdings once a second. No order and no tick waits
 * for it, and no live venue is asked: it uses only the state from the account's stream. Each warning is stored in the
 * unit of its notification, so that a restart repeats none.
 */
import {
  atTheirMarks,
  type LiquidationUnit,
  liquidationUnits,
  type RiskHolding,
} from '../../domain/account-risk.ts';
import { figures } from '../../domain/figures.ts';
import { SAFE_DISTANCE, type Warned, warningStep } from '../../domain/liquidation-warning.ts';
import type { Position, Side, TradeAccount } from '../../domain/model.ts';
import { liquidationNearNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { holdingsAt } from '../execution/account-after.ts';
import { venueAccount } from '../execution/ask-venue.ts';
import { noticeOf } from '../notices/notify.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueBalances, VenuePosition } from '../ports/venue.ts';

const LOOK_EVERY_MS = 1_000;
/**
 * Longest time between two checks that confirm each other, ms. In between the state may be unknown: while an account
 * trades, a live venue reports its state only every few seconds.
 */
const AGREE_WITHIN_MS = 10_000;
/** Cursor kind of the account: warnings sent, by holding. */
const CURSOR = 'liquidation';
const CROSS = 'cross';

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger' | 'market' | 'venues' | 'state'>;

/** Subject of a distance: a basket, or one instrument that no basket holds on that side. */
interface Mover {
  readonly positionId: string;
  readonly legs: readonly { readonly symbol: string; readonly side: Side }[];
  readonly basket: Position | null;
}

/** Result of a check, at its uptime, ms. */
interface Look {
  readonly at: number;
  /** Distance to liquidation, by unit that could be liquidated. */
  readonly distances: ReadonlyMap<string, number>;
}

interface Seen {
  readonly unit: LiquidationUnit;
  readonly distance: number;
}

export class LiquidationWatch {
  readonly #deps: Deps;
  readonly #accounts: () => readonly TradeAccount[];
  /** Account → unit that could be liquidated → last warning. As on disk. */
  readonly #warned = new Map<string, ReadonlyMap<string, Warned>>();
  /** Account → last check, with the distance of each unit that could be liquidated. */
  readonly #before = new Map<string, Look>();
  /** Accounts whose check is still running. */
  readonly #looking = new Set<string>();
  #cancelLook: Unsubscribe = () => {};
  #isStopping = false;

  constructor(deps: Deps, accounts: () => readonly TradeAccount[]) {
    this.#deps = deps;
    this.#accounts = accounts;
  }

  /** Starts the checks. To be called after `Engine.start`. */
  start(): void {
    this.#load()
      .then(() => this.#soon())
      .catch((error: unknown) => this.#deps.logger.error({ err: error }, 'liquidations cannot be warned of'));
  }

  stop(): void {
    this.#isStopping = true;
    this.#cancelLook();
  }

  async #load(): Promise<void> {
    for (const { id } of this.#accounts()) {
      const warned = readWarned(await this.#deps.store.cursor(id, CURSOR));
      if (warned.size > 0) this.#warned.set(id, warned);
    }
  }

  #soon(): void {
    if (this.#isStopping) return;
    this.#cancelLook = this.#deps.clock.after(LOOK_EVERY_MS, () => {
      this.#round();
      this.#soon();
    });
  }

  #round(): void {
    const { state, logger } = this.#deps;
    const baskets = state.positions.byAccount();
    const holding = new Set([...baskets.keys(), ...state.unassigned.accounts(), ...this.#warned.keys()]);
    for (const id of this.#before.keys()) if (!holding.has(id)) this.#before.delete(id);
    if (holding.size === 0) return;
    for (const account of this.#accounts()) {
      const { id } = account;
      if (!holding.has(id) || this.#looking.has(id)) continue;
      this.#looking.add(id);
      this.#look(account, baskets.get(id) ?? [])
        .catch((error: unknown) =>
          logger.error({ err: error, tradeAccountId: id }, 'a liquidation could not be looked for'),
        )
        .finally(() => this.#looking.delete(id));
    }
  }

  async #look(account: TradeAccount, baskets: readonly Position[]): Promise<void> {
    const { market } = this.#deps;
    const { id, connector } = account;
    const held = await this.#heldAtVenue(account);
    if (held === null || this.#isStopping) return;
    const { equity, holdings } = atTheirMarks(
      held.balances.equity,
      holdingsAt(this.#deps, connector, held.positions),
    );
    const stale = new Set(
      holdings.filter(({ symbol }) => market.isStale(connector, symbol)).map(({ symbol }) => symbol),
    );
    const isCrossStale = holdings.some(
      ({ symbol, marginMode }) => marginMode !== 'isolated' && stale.has(symbol),
    );
    const movers = moversOf(baskets, holdings);
    const units = liquidationUnits(equity, holdings, movers, SAFE_DISTANCE);
    const known = new Map<string, Seen>();
    const unknown = new Set<string>();
    for (const unit of units) {
      const name = nameOf(unit);
      // A stale price says nothing about now: the last warning stays in force.
      if (unit.cause === 'CROSS' ? isCrossStale : stale.has(unit.symbol)) unknown.add(name);
      else known.set(name, { unit, distance: unit.distance ?? Number.POSITIVE_INFINITY });
    }
    const at = this.#deps.clock.uptime();
    const last = this.#before.get(id);
    const before = last !== undefined && at - last.at <= AGREE_WITHIN_MS ? last.distances : undefined;
    this.#before.set(id, {
      at,
      distances: new Map([...known].map(([name, { distance }]) => [name, distance])),
    });
    const warned = this.#warned.get(id) ?? new Map<string, Warned>();
    const next = new Map([...warned].filter(([name]) => unknown.has(name)));
    const notices: UnitOfWork[] = [];
    for (const [name, { unit, distance }] of known) {
      const was = warned.get(name) ?? 'NOTHING';
      const earlier = before?.get(name);
      const step = earlier === undefined ? { next: was, tells: false } : warningStep(was, earlier, distance);
      if (step.next !== 'NOTHING') next.set(name, step.next);
      if (step.tells) notices.push(this.#notice(account, unit, distance, movers));
    }
    if (!isSame(warned, next)) await this.#keep(id, next, notices);
  }

  /** Account state at the venue, without asking a live one; null: none that is reliable. */
  async #heldAtVenue(account: TradeAccount): Promise<{
    readonly balances: VenueBalances;
    readonly positions: readonly VenuePosition[];
  } | null> {
    const venue = this.#deps.venues.get(account.connector);
    if (venue === undefined) return null;
    const of = venueAccount(account);
    if (venue.accountState !== undefined) return venue.accountState(of);
    const [balances, positions] = await Promise.all([venue.balances(of), venue.positions(of)]);
    return balances.ok && positions.ok ? { balances: balances.value, positions: positions.value } : null;
  }

  /** Updates memory with the commit: if it fails, the next check warns again. */
  async #keep(
    tradeAccountId: string,
    next: ReadonlyMap<string, Warned>,
    notices: readonly UnitOfWork[],
  ): Promise<void> {
    const value = JSON.stringify(Object.fromEntries(next));
    const committed = await this.#deps.store.commit(
      oneUnit(...notices, { cursors: [{ tradeAccountId, kind: CURSOR, value }] }),
    );
    if (!committed.ok) {
      this.#deps.logger.warn({ tradeAccountId }, 'a warning of a liquidation was not kept');
      return;
    }
    if (next.size === 0) this.#warned.delete(tradeAccountId);
    else this.#warned.set(tradeAccountId, next);
  }

  #notice(
    account: TradeAccount,
    { cause, symbol, positionId }: LiquidationUnit,
    distance: number,
    movers: readonly Mover[],
  ): UnitOfWork {
    const { connector } = account;
    const mover = movers.find((one) => one.positionId === positionId);
    const ticker = this.#deps.market.instrument(connector, symbol)?.symbol ?? symbol;
    const measure = new Set(mover?.legs.map(({ side }) => side)).size > 1 ? 'price ratio' : 'price';
    const what = cause === 'ISOLATED' ? ticker : `Cross margin, ${ticker} first`;
    const help = this.#helpFor(account, cause);
    return noticeOf(
      this.#deps,
      { userId: account.userId, tradeAccountId: account.id, connector },
      { legs: mover?.legs ?? [], positionId: mover?.basket?.id ?? null },
      (about) =>
        liquidationNearNotification(
          about,
          { id: symbol, symbol: ticker },
          figures(distance),
          `${what}: ${measure} ${percent(distance)} from liquidation. ${help}`,
        ),
    );
  }

  #helpFor({ connector, mode }: TradeAccount, cause: LiquidationUnit['cause']): string {
    const takesMargin = this.#deps.venues.get(connector)?.info.capabilities.includes('margin_change');
    if (cause === 'ISOLATED' && takesMargin) return 'Add margin or reduce';
    // Nobody can deposit to a paper account.
    return cause === 'CROSS' && mode === 'LIVE' ? 'Deposit or reduce' : 'Reduce the position';
  }
}

/**
 * Baskets, and instruments that the account holds on a side without a basket. The latter were traded outside Tandem, or
 * exceed a basket's quantity on the other side.
 */
function moversOf(baskets: readonly Position[], holdings: readonly RiskHolding[]): readonly Mover[] {
  const movers = baskets.map(
    (basket): Mover => ({
      positionId: basket.id,
      legs: basket.legs.filter(({ quantity }) => quantity !== '0'),
      basket,
    }),
  );
  const alone = holdings.flatMap(({ symbol, quantity }): Mover[] => {
    const side = quantity.startsWith('-') ? 'SELL' : 'BUY';
    const isInBasket = movers.some(({ legs }) =>
      legs.some((leg) => leg.symbol === symbol && leg.side === side),
    );
    return isInBasket ? [] : [{ positionId: symbol, legs: [{ symbol, side }], basket: null }];
  });
  return [...movers, ...alone];
}

function nameOf({ cause, symbol }: LiquidationUnit): string {
  return cause === 'CROSS' ? CROSS : `isolated ${symbol}`;
}

function readWarned(text: string | null): ReadonlyMap<string, Warned> {
  const kept: Readonly<Record<string, Warned>> = text === null ? {} : JSON.parse(text);
  return new Map(Object.entries(kept));
}

function isSame(one: ReadonlyMap<string, Warned>, other: ReadonlyMap<string, Warned>): boolean {
  return one.size === other.size && [...one].every(([name, warned]) => other.get(name) === warned);
}

/** `4.9 %`, rounded down, so that the distance never looks larger. */
function percent(fraction: number): string {
  return `${(Math.floor(fraction * 1_000) / 10).toFixed(1)} %`;
}
