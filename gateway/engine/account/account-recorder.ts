/**
 * Records a venue's changes of an account outside a running execution, in one unit per venue event: liquidations and
 * funding with their baskets, and fills of orders that are not the gateway's. Activity that is already recorded changes
 * nothing.
 *
 * An answer of false: the activity cannot be attributed yet, because fills of a running execution may explain it; it
 * must be passed in again. After `DEFER_LIMIT_MS` it is recorded with the baskets as they are known.
 */
import { dec, sum, text } from '../../domain/decimal.ts';
import { contentOf, isSameFill } from '../../domain/fill-review.ts';
import type { Fill, FundingPayment, Position, PositionLeg, TradeAccount } from '../../domain/model.ts';
import { applyFills, applyFunding, signedQuantity } from '../../domain/position.ts';
import { isHeld, lotOf, netOfLots, type UnassignedLot } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, type StopSignal } from '../core/durable.ts';
import { positionChanged, positionUpdated } from '../core/events.ts';
import { together } from '../core/follow-ups.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { basketQueueKey } from '../execution/basket-key.ts';
import { explainedBy } from '../execution/closing/late-fills.ts';
import { confirmedFill, fillRow } from '../execution/fill-row.ts';
import type { LateOrders } from '../execution/late-orders.ts';
import { VenueNews } from '../notices/venue-news.ts';
import type { NewEvent, UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueFill, VenueFunding, VenuePosition } from '../ports/venue.ts';
import { reviewedIdOf } from './fill-reviews.ts';
import { fundingShares, sharesOfLots } from './funding-shares.ts';
import { holdingsAt } from './holdings-at.ts';
import { liquidationParts } from './liquidation-shares.ts';
import { resetAtOf, voidEveryLot, voided } from './outside/void-lots.ts';

const MOST_IN_A_UNIT = 500;
const DEFER_LIMIT_MS = 60_000;
/** Step size for an instrument that the venue no longer lists. */
const FINEST_STEP = '0.000000000000000001';

export class AccountRecorder {
  readonly #deps: EngineDeps;
  readonly #account: TradeAccount;
  readonly #signal: StopSignal;
  readonly #news: VenueNews;
  readonly #late: LateOrders;
  /** Fills up to this time are void, epoch ms; undefined: not read from the store yet. */
  #resetAt: number | undefined;

  constructor(deps: EngineDeps, account: TradeAccount, signal: StopSignal, late: LateOrders) {
    this.#late = late;
    this.#deps = deps;
    this.#account = account;
    this.#signal = signal;
    this.#news = new VenueNews(deps, account);
  }

  /** @param at epoch ms at which an order of another program existed, or filled */
  async tellOtherProgram(at: number): Promise<void> {
    await commitDurably(this.#deps, this.#news.ofOtherProgram(at), this.#signal);
  }

  /** True when all fills and payments are recorded. */
  async record(fills: readonly VenueFill[], funding: readonly VenueFunding[]): Promise<boolean> {
    let complete = await this.#recordFills(fills);
    for (const payment of funding) {
      // The gateway is stopping: payments not recorded yet are read from the venue's history after the next start.
      if (this.#signal.stopping) return false;
      complete = (await this.#recordFunding(payment)) && complete;
    }
    return complete;
  }

  /**
   * Records a live account's holdings at its connection, in no basket, with the cursor from which its history is read.
   * The trader moves them into baskets, or leaves them.
   */
  async recordBaseline(
    positions: readonly VenuePosition[],
    cursors: NonNullable<UnitOfWork['cursors']>,
  ): Promise<void> {
    const { state, ids, clock } = this.#deps;
    const { id: tradeAccountId, connector } = this.#account;
    const timestamp = clock.now();
    const baskets = state.positions.of(tradeAccountId);
    const lots = state.unassigned.ofAccount(tradeAccountId);
    const fills = positions.flatMap(({ symbol, quantity, entryPrice }): readonly Fill[] => {
      const legs = baskets.flatMap((position) => legsOf(position, symbol));
      // Holdings already in baskets were traded here before the venue could be asked.
      const held = dec(quantity)
        .minus(sum(legs.map(signedQuantity)))
        .minus(netOfLots(lots.filter((lot) => lot.symbol === symbol)));
      if (held.isZero()) return [];
      return [
        {
          id: ids.next(),
          ...{ tradeAccountId, connector, executionId: null, orderId: null, positionId: null },
          ...{ symbol, side: held.isNegative() ? 'SELL' : 'BUY', price: entryPrice },
          quantity: text(held.abs()),
          notional: text(held.abs().mul(entryPrice)),
          ...{ fee: '0', feeAsset: 'USDC', realizedPnl: '0', liquidity: 'TAKER' },
          ...{ venueOrderId: null, tradeId: `baseline:${symbol}:${timestamp}`, cloid: null },
          ...{ isLiquidation: false, isProvisional: true, timestamp, cause: 'BASELINE' },
        },
      ];
    });
    const unassignedLots = fills.map((fill) => lotOf(fill, 'OUTSIDE'));
    await commitDurably(this.#deps, { fills, unassignedLots, cursors }, this.#signal);
    state.unassigned.put(unassignedLots);
  }

  /** Voids the account's holdings from before the reset. @param resetAt epoch ms */
  async voidBefore(resetAt: number): Promise<void> {
    this.#resetAt = resetAt;
    await voidEveryLot(this.#deps, this.#account.id, resetAt, this.#signal);
  }

  /** Confirms provisional fills of positions, because the venue's history now contains them. */
  async confirm(fills: readonly VenueFill[]): Promise<void> {
    if (fills.length === 0) return;
    const told = new Set(fills.flatMap((fill) => [fill.tradeId, reviewedIdOf(fill)]));
    const waiting = await this.#deps.store.provisionalFills(this.#account.id);
    const confirmed = waiting.filter((fill) => fill.positionId !== null && told.has(fill.tradeId));
    if (confirmed.length === 0) return;
    await commitDurably(this.#deps, { changedFills: confirmed.map(confirmedFill) }, this.#signal);
  }

  async #recordFills(fills: readonly VenueFill[]): Promise<boolean> {
    if (fills.length === 0) return true;
    const recorded = await this.#deps.store.fillsByTradeId(this.#account.id, fills.flatMap(possibleIds));
    const known = new Map(recorded.map((fill) => [fill.tradeId, contentOf(fill)]));
    const unnamed = await this.#unnamedKnown(fills);
    this.#resetAt ??= await resetAtOf(this.#deps.store, this.#account.id);
    let complete = true;
    // An outside order may have hundreds of fills, and closing executions wait for them: the fills are one unit.
    let external: VenueFill[] = [];
    const recordExternal = async () => {
      const together = external;
      external = [];
      if (together.length > 0) await this.#recordExternal(together);
    };
    for (const fill of fills) {
      const told = possibleIds(fill).flatMap((id) => known.get(id) ?? []);
      if (unnamed.has(fill) || told.some((content) => isSameFill(content, fill))) continue;
      known.set(reviewedIdOf(fill), fill);
      if (this.#isVoid(fill)) {
        external.push(fill);
        continue;
      }
      if (fill.isLiquidation || fill.forced !== undefined) {
        await recordExternal();
        complete = (await this.#recordLiquidation(fill)) && complete;
        continue;
      }
      const late = await this.#late.record(this.#account, fill);
      if (late === 'later') complete = false;
      if (late === 'other_program') await this.tellOtherProgram(fill.timestamp);
      const isExternal = late === 'foreign' || late === 'other_program';
      if (isExternal && external.push(fill) >= MOST_IN_A_UNIT) await recordExternal();
    }
    await recordExternal();
    return complete;
  }

  /** Fills without a readable id that are recorded under the venue's id, other than those named in `fills`. */
  async #unnamedKnown(fills: readonly VenueFill[]): Promise<ReadonlySet<VenueFill>> {
    const unnamed = fills.filter(({ isUnnamed }) => isUnnamed === true);
    const named = new Set(fills.flatMap(possibleIds));
    const found = new Set<VenueFill>();
    for (const fill of unnamed) {
      const { rows } = await this.#deps.store.fills(
        { tradeAccountId: this.#account.id, descending: false },
        { limit: MOST_IN_A_UNIT, after: { key: fill.timestamp - 1, id: '~' } },
      );
      const same = rows.find(
        (row) =>
          !named.has(row.tradeId) &&
          row.timestamp === fill.timestamp &&
          dec(row.quantity).eq(fill.quantity) &&
          isSameFill(contentOf(row), fill),
      );
      if (same === undefined) continue;
      named.add(same.tradeId);
      found.add(fill);
    }
    return found;
  }

  /** Fills of orders placed outside Tandem: recorded without a basket, until they are attributed. */
  async #recordExternal(fills: readonly VenueFill[]): Promise<void> {
    const { state, ids } = this.#deps;
    const { id } = this.#account;
    const open = state.positions.of(id);
    const standing = fills.filter((fill) => !this.#isVoid(fill));
    const news = oneUnit(...standing.map((fill) => this.#news.ofExternalFill(fill, open)));
    const symbols = fills.map(({ symbol }) => symbol);
    await state.unassigned.alone(id, symbols, async () => {
      const rows: Fill[] = [];
      const lots = new Map<string, UnassignedLot>();
      const before: UnassignedLot[] = [];
      for (const fill of fills) {
        const row = this.#fillRow(fill, null, '0');
        if (this.#isVoid(fill)) {
          rows.push(row);
          before.push(lotOf(row, 'OUTSIDE'));
          continue;
        }
        const waiting = state.unassigned
          .of(id, fill.symbol)
          .map((lot) => lots.get(lot.id) ?? lot)
          .filter(({ quantity }) => quantity !== '0');
        const late = explainedBy(row, waiting, () => ids.next());
        rows.push(row, ...late.counters);
        for (const lot of late.lots) lots.set(lot.id, lot);
      }
      const { unassignedLots, cursors } = await voided(this.#deps.store, id, before);
      const unit = oneUnit(news, { cursors });
      await this.#commit(rows, [], [], unit, [...lots.values(), ...unassignedLots]);
      for (const { timestamp } of standing) this.#deps.followUps.tradedOutside(id, timestamp);
    });
  }

  /** True: the fill is from before the last reset of the paper account. */
  #isVoid({ timestamp }: VenueFill): boolean {
    return timestamp <= (this.#resetAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Spreads a liquidation, or another forced close, over the baskets with the liquidated side, by quantity. */
  #recordLiquidation(fill: VenueFill): Promise<boolean> {
    return this.#withHolders(fill, async (positions, mayChange) => {
      const baskets = positions.flatMap((position) =>
        legsOf(position, fill.symbol)
          .filter((leg) => leg.side !== fill.side && leg.quantity !== '0')
          .map((leg) => ({ position, held: leg.quantity })),
      );
      const holders = [...baskets, ...this.#unassignedHolder(fill)];
      const held = sum(holders.map((holder) => dec(holder.held)));
      if (held.lt(fill.quantity) && mayChange) return false;
      const { market, clock } = this.#deps;
      const step = market.instrument(this.#account.connector, fill.symbol)?.stepSize ?? FINEST_STEP;
      const parts = liquidationParts(
        fill,
        holders.map((holder) => holder.held),
        step,
      );
      const rows: Fill[] = [];
      const changed: Position[] = [];
      for (const [index, { holder, quantity, fee }] of parts.entries()) {
        const tradeId = parts.length === 1 ? fill.tradeId : partId(fill.tradeId, index);
        const part = { ...fill, tradeId, quantity, fee };
        const position = holder === null ? null : (holders[holder]?.position ?? null);
        if (position === null) {
          // No basket held this part: it reduces the account's holdings outside baskets.
          rows.push(this.#fillRow(part, null, '0'));
          continue;
        }
        const applied = applyFills(position, [part], clock.now());
        if (!applied.ok) throw new Error(`a liquidation does not fit its basket: ${applied.error.kind}`);
        rows.push(this.#fillRow(part, position.id, applied.value.realized[0] ?? '0'));
        changed.push(applied.value.position);
      }
      await this.#commit(
        rows,
        changed,
        changed.map((position) => positionChanged(position, false)),
        this.#news.ofLiquidation(fill, changed),
      );
      return true;
    });
  }

  /** Holdings outside baskets as one more holder, which bears its share of a liquidation. */
  #unassignedHolder(fill: VenueFill): readonly { readonly position: null; readonly held: string }[] {
    const net = netOfLots(this.#deps.state.unassigned.of(this.#account.id, fill.symbol));
    const isOnThatSide = fill.side === 'SELL' ? net.gt(0) : net.lt(0);
    return isOnThatSide ? [{ position: null, held: text(net.abs()) }] : [];
  }

  /**
   * Divides a payment among the baskets by their quantity at its time, also baskets closed since. The rest goes to the
   * holdings outside baskets, so that the sums contain the whole payment.
   */
  async #recordFunding(payment: VenueFunding): Promise<boolean> {
    const { store, clock } = this.#deps;
    const known = await store.knownFunding(this.#account.id, [payment.venueId]);
    if (known.has(payment.venueId)) return true;
    return this.#withHolders(payment, async (open, mayChange) => {
      const lots = this.#deps.state.unassigned
        .of(this.#account.id, payment.symbol)
        .filter((lot) => isHeld(lot) && lot.timestamp <= payment.timestamp);
      const inBaskets = text(dec(payment.quantity).minus(netOfLots(lots)));
      const then = await holdingsAt(store, this.#account.id, open, { ...payment, quantity: inBaskets });
      if (!then.explains && mayChange) return false;
      const { holdings } = then;
      const now = clock.now();
      const shares = fundingShares(
        payment,
        holdings.map((holding) => holding.quantity),
      );
      const row = (positionId: string, amount: string): FundingPayment => ({
        id: this.#deps.ids.next(),
        tradeAccountId: this.#account.id,
        venueId: payment.venueId,
        positionId,
        symbol: payment.symbol,
        amount,
        rate: payment.rate,
        timestamp: payment.timestamp,
      });
      const funding = holdings.map(({ position }, index) => row(position.id, shares[index] ?? '0'));
      const rest = dec(payment.amount).minus(sum(shares.map(dec)));
      for (const [paidOn, amount] of sharesOfLots(payment, rest, lots)) funding.push(row(paidOn, amount));
      if (funding.length === 0) return true;
      const positions = holdings.map(({ position }, index) =>
        applyFunding(position, payment.symbol, shares[index] ?? '0', now),
      );
      const events = positions.map(positionUpdated);
      await commitDurably(this.#deps, { funding, positions, events }, this.#signal);
      for (const position of positions) this.#deps.state.positions.put(position);
      return true;
    });
  }

  /** True: fills that explain the venue's activity may still be on their way to disk. */
  #mayChange(symbol: string, since: number): boolean {
    const { state, clock } = this.#deps;
    return state.flights.any(this.#account.id, symbol) && clock.now() < since + DEFER_LIMIT_MS;
  }

  /**
   * Runs `work` alone on every open basket that holds `symbol`, so that one venue event's changes of several baskets
   * are one unit. `mayChange`: fills that explain the venue's activity may have been missing in the baskets when these
   * were looked up.
   */
  #withHolders<T>(
    { symbol, timestamp }: Pick<VenueFill, 'symbol' | 'timestamp'>,
    work: (holders: readonly Position[], mayChange: boolean) => Promise<T>,
  ): Promise<T> {
    const { state } = this.#deps;
    // Checked before the baskets are read: an execution that ends in between would be in neither.
    const mayChange = this.#mayChange(symbol, timestamp);
    const candidates = state.positions
      .of(this.#account.id)
      .filter((position) => legsOf(position, symbol).length > 0);
    return state.positions.queue.runAll(candidates.map(basketQueueKey), () =>
      work(
        candidates.flatMap(({ id }) => state.positions.get(id) ?? []),
        mayChange,
      ),
    );
  }

  async #commit(
    fills: readonly Fill[],
    positions: readonly Position[],
    events: readonly NewEvent[],
    news: UnitOfWork,
    lots?: readonly UnassignedLot[],
  ): Promise<void> {
    const { state, followUps } = this.#deps;
    const followUp = together(positions.map((position) => followUps.ofChange(position, null)));
    const unassignedLots =
      lots ?? fills.filter(({ positionId }) => positionId === null).map((fill) => lotOf(fill, 'OUTSIDE'));
    await commitDurably(
      this.#deps,
      oneUnit({ fills, positions, unassignedLots, events }, news, followUp.unit),
      this.#signal,
    );
    for (const position of positions) state.positions.put(position);
    state.unassigned.put(unassignedLots);
    followUp.committed?.();
  }

  #fillRow(fill: VenueFill, positionId: string | null, realizedPnl: string): Fill {
    return fillRow(fill, {
      id: this.#deps.ids.next(),
      tradeAccountId: this.#account.id,
      connector: this.#account.connector,
      positionId,
      realizedPnl,
    });
  }
}

function legsOf(position: Position, symbol: string): readonly PositionLeg[] {
  return position.legs.filter((leg) => leg.symbol === symbol);
}

/**
 * All ids under which a venue's fill may be stored: its trade id, the numbered id of a part (a fill split over
 * baskets), and the reviewed id that fill-reviews.ts gives to either.
 */
function possibleIds(fill: VenueFill): readonly string[] {
  const { tradeId } = fill;
  const part = partId(tradeId, 0);
  return [tradeId, part, reviewedIdOf(fill), reviewedIdOf(fill, part)];
}

function partId(tradeId: string, index: number): string {
  return `${tradeId}#${index + 1}`;
}
