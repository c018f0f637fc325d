/**
 * What happens on an account outside a running execution: liquidations, funding, fills that are not ours.
 *
 * The account stream is only a hint; the venue's history, read from a stored cursor, is the truth. Both lead to the same
 * steps, and a fill or payment that is already recorded changes nothing.
 */
import { dec, floorTo, sum, text } from '../domain/decimal.ts';
import type { Fill, FundingPayment, Position, PositionLeg, TradeAccount } from '../domain/model.ts';
import { applyFills, applyFunding, signedQuantity } from '../domain/position.ts';
import type { EngineDeps } from './deps.ts';
import { commitDurably, type StopSignal } from './durable.ts';
import { positionChanged } from './events.ts';
import type { NewEvent, Unsubscribe, VenueFill, VenueFunding } from './ports.ts';
import { venueAccount, venueOf } from './prepare.ts';

const CURSOR = 'venue-history';

export class AccountFeed {
  readonly #deps: EngineDeps;
  readonly #account: TradeAccount;
  readonly #signal: StopSignal;
  #tail: Promise<void> = Promise.resolve();
  #unsubscribe: Unsubscribe | null = null;

  constructor(deps: EngineDeps, account: TradeAccount, signal: StopSignal) {
    this.#deps = deps;
    this.#account = account;
    this.#signal = signal;
  }

  listen(): void {
    const venue = venueOf(this.#deps, this.#account.connector);
    this.#unsubscribe = venue.accountStream(venueAccount(this.#account), (event) => {
      switch (event.kind) {
        case 'fill':
          if (!this.#deps.book.routeFill(event.fill)) void this.#queue(() => this.#record([event.fill], []));
          break;
        case 'funding':
          void this.#queue(() => this.#record([], [event.funding]));
          break;
        case 'reconnected':
          void this.catchUp();
          break;
        case 'order':
          break;
      }
    });
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /** Pulls the history from the stored cursor. Resolves when it is recorded, or when the venue did not answer. */
  catchUp(): Promise<void> {
    return this.#queue(async () => {
      const { store, book } = this.#deps;
      const venue = venueOf(this.#deps, this.#account.connector);
      let cursor = await store.cursor(this.#account.id, CURSOR);
      for (;;) {
        const page = await venue.history(venueAccount(this.#account), cursor);
        if (!page.ok) return;
        const unrouted = page.value.fills.filter((fill) => !book.routeFill(fill));
        await this.#record(unrouted, page.value.funding);
        // A page that holds fills of a running execution is read again later: they are not on disk yet.
        const allRecorded = unrouted.length === page.value.fills.length;
        if (page.value.nextCursor !== cursor && allRecorded && !book.isRunning(this.#account.id)) {
          cursor = page.value.nextCursor;
          const value = { tradeAccountId: this.#account.id, kind: CURSOR, value: cursor };
          await commitDurably(this.#deps, { cursors: [value] }, this.#signal);
        } else {
          cursor = page.value.nextCursor;
        }
        if (!page.value.more) return;
      }
    });
  }

  /** Resolves when everything queued so far is recorded. */
  idle(): Promise<void> {
    return this.#queue(async () => {});
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(work).catch((error: unknown) => {
      if (this.#signal.stopping) return;
      this.#deps.logger.error(
        { err: error, tradeAccountId: this.#account.id },
        'account activity was not recorded',
      );
    });
    return this.#tail;
  }

  async #record(fills: readonly VenueFill[], funding: readonly VenueFunding[]): Promise<void> {
    await this.#recordFills(fills);
    for (const payment of funding) await this.#recordFunding(payment);
  }

  async #recordFills(fills: readonly VenueFill[]): Promise<void> {
    if (fills.length === 0) return;
    const { store } = this.#deps;
    const known = await store.knownTradeIds(
      this.#account.id,
      // A fill that was split over baskets is stored under numbered ids; its first part stands for all.
      fills.flatMap((fill) => [fill.tradeId, partId(fill.tradeId, 0)]),
    );
    for (const fill of fills) {
      if (known.has(fill.tradeId) || known.has(partId(fill.tradeId, 0))) continue;
      if (fill.isLiquidation) await this.#recordLiquidation(fill);
      else
        await this.#commitFills(
          [this.#fillRow(fill, fill.tradeId, fill.quantity, fill.fee, null, '0')],
          [],
          [],
        );
    }
  }

  /** Spreads a liquidation over the baskets that hold the instrument on the liquidated side, by their quantities. */
  async #recordLiquidation(fill: VenueFill): Promise<void> {
    await this.#withHolders(fill.symbol, async (positions) => {
      const holders = positions.flatMap((position) =>
        position.legs
          .filter((leg) => leg.symbol === fill.symbol && leg.side !== fill.side && leg.quantity !== '0')
          .map((leg) => ({ position, leg })),
      );
      const now = this.#deps.clock.now();
      const rows: Fill[] = [];
      const changed: Position[] = [];
      const shares = this.#shares(fill, holders);
      for (const [index, { position, quantity }] of shares.entries()) {
        const fee = text(dec(fill.fee).mul(quantity).div(fill.quantity).toDecimalPlaces(18));
        const applied = applyFills(position, [{ ...fill, quantity, fee }], now);
        if (!applied.ok) throw new Error(`a liquidation does not fit its basket: ${applied.error.kind}`);
        const tradeId = shares.length === 1 ? fill.tradeId : partId(fill.tradeId, index);
        rows.push(this.#fillRow(fill, tradeId, quantity, fee, position.id, applied.value.realized[0] ?? '0'));
        changed.push(applied.value.position);
      }
      // No basket holds it: the account was traded outside, and the fill waits for its attribution.
      if (rows.length === 0) rows.push(this.#fillRow(fill, fill.tradeId, fill.quantity, fill.fee, null, '0'));
      await this.#commitFills(
        rows,
        changed,
        changed.map((position) => positionChanged(position, false)),
      );
    });
  }

  #shares(
    fill: VenueFill,
    holders: readonly { readonly position: Position; readonly leg: PositionLeg }[],
  ): readonly { readonly position: Position; readonly quantity: string }[] {
    const held = sum(holders.map(({ leg }) => dec(leg.quantity)));
    if (held.isZero()) return [];
    const step = dec(
      this.#deps.market.instrument(this.#account.connector, fill.symbol)?.stepSize ?? '0.000000000000000001',
    );
    const taken = dec(fill.quantity).lt(held) ? dec(fill.quantity) : held;
    let left = taken;
    return holders.map(({ position, leg }, index) => {
      const wanted = index === holders.length - 1 ? left : floorTo(taken.mul(leg.quantity).div(held), step);
      const quantity = wanted.gt(leg.quantity) ? dec(leg.quantity) : wanted;
      left = left.minus(quantity);
      return { position, quantity: text(quantity) };
    });
  }

  /**
   * A payment on the account's net position, given to each basket on its own quantity: −q × mark × rate. The sum is the
   * venue's amount as long as the baskets add up to the net position.
   */
  async #recordFunding(payment: VenueFunding): Promise<void> {
    const known = await this.#deps.store.knownFunding(this.#account.id, [payment.venueId]);
    if (known.has(payment.venueId)) return;
    await this.#withHolders(payment.symbol, async (holders) => {
      const now = this.#deps.clock.now();
      const shares = holders.flatMap((position) =>
        position.legs
          .filter((leg) => leg.symbol === payment.symbol && leg.quantity !== '0')
          .map((leg) => {
            const amount = text(signedQuantity(leg).mul(payment.markPrice).mul(payment.rate).neg());
            const row: FundingPayment = {
              tradeAccountId: this.#account.id,
              venueId: payment.venueId,
              positionId: position.id,
              symbol: payment.symbol,
              amount,
              rate: payment.rate,
              timestamp: payment.timestamp,
            };
            return { row, position: applyFunding(position, payment.symbol, amount, now) };
          }),
      );
      if (shares.length === 0) return;
      const positions = shares.map((share) => share.position);
      const funding = shares.map((share) => share.row);
      await commitDurably(
        this.#deps,
        { funding, positions, events: positions.map((position) => positionChanged(position, false)) },
        this.#signal,
      );
      for (const position of positions) this.#deps.book.putPosition(position);
    });
  }

  /**
   * Runs `work` alone on every open basket that holds `symbol`, so that what one venue event does to several baskets is
   * one unit. Queues are entered in the order of their keys: two such calls cannot wait for each other.
   */
  #withHolders(symbol: string, work: (holders: readonly Position[]) => Promise<void>): Promise<void> {
    const { book } = this.#deps;
    const candidates = book
      .positionsOf(this.#account.id)
      .filter((position) => position.legs.some((leg) => leg.symbol === symbol));
    const keys = candidates.map((position) => `${position.tradeAccountId} ${position.basketKey}`).sort();
    const enter = (index: number): Promise<void> => {
      const key = keys[index];
      if (key !== undefined) return book.positionQueue.run(key, () => enter(index + 1));
      return work(
        candidates.flatMap(({ id }) => {
          const current = book.position(id);
          return current === undefined ? [] : [current];
        }),
      );
    };
    return enter(0);
  }

  async #commitFills(
    fills: readonly Fill[],
    positions: readonly Position[],
    events: readonly NewEvent[],
  ): Promise<void> {
    await commitDurably(this.#deps, { fills, positions, events }, this.#signal);
    for (const position of positions) this.#deps.book.putPosition(position);
  }

  #fillRow(
    fill: VenueFill,
    tradeId: string,
    quantity: string,
    fee: string,
    positionId: string | null,
    realizedPnl: string,
  ): Fill {
    return {
      id: this.#deps.ids.next(),
      tradeAccountId: this.#account.id,
      connector: this.#account.connector,
      executionId: null,
      orderId: null,
      positionId,
      symbol: fill.symbol,
      side: fill.side,
      price: fill.price,
      quantity,
      notional: text(dec(fill.price).mul(quantity)),
      fee,
      feeAsset: fill.feeAsset,
      realizedPnl,
      liquidity: fill.liquidity,
      venueOrderId: fill.venueOrderId,
      tradeId,
      cloid: fill.clientOrderId,
      isLiquidation: fill.isLiquidation,
      isProvisional: positionId === null,
      timestamp: fill.timestamp,
    };
  }
}

function partId(tradeId: string, index: number): string {
  return `${tradeId}#${index + 1}`;
}
