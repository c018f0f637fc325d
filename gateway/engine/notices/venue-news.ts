/**
 * Notifications of fills without an order of the gateway: liquidations and trades made elsewhere. One event at a venue
 * may produce many fills, but only one notification.
 */
import { dec, sum, text } from '../../domain/decimal.ts';
import type { Fill, ForcedCause, Position, TradeAccount } from '../../domain/model.ts';
import { accountNotification, venueNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueFill } from '../ports/venue.ts';
import { notice, noticeOf } from './notify.ts';

/** Only fills younger than this are notified: an account's first connection delivers its past fills too. */
const NEWS_MS = 24 * 60 * 60 * 1_000;
/** Longest time between orders of one liquidation, ms. It may be split into several orders. */
const ONE_EVENT_MS = 10_000;
const NOTHING: UnitOfWork = {};

const FORCED_REASONS = {
  MARGIN: 'The venue closed legs of it for lack of margin',
  ADL: 'The venue closed legs of it to cover the loss of another trader (auto-deleveraging)',
  SETTLEMENT: 'The venue settled legs of it: the instrument expired',
  DELISTING: 'The venue closed legs of it: the instrument is delisted',
} as const;

type ForcedFill = Pick<VenueFill, 'venueOrderId' | 'timestamp'>;
type ExternalFill = Pick<VenueFill, 'venueOrderId' | 'timestamp' | 'symbol' | 'side' | 'quantity' | 'price'>;

export class VenueNews {
  readonly #deps: EngineDeps;
  readonly #account: TradeAccount;
  /** Latest fill of each position that the venue closed, by cause. */
  readonly #forced = new Map<string, Map<ForcedCause | 'MARGIN', ForcedFill>>();
  #lastExternalOrder: string | null = null;
  /** Last notification of another program, epoch ms. */
  #otherProgramToldAt = Number.NEGATIVE_INFINITY;

  constructor(deps: EngineDeps, account: TradeAccount) {
    this.#deps = deps;
    this.#account = account;
  }

  /**
   * Notifies, once a day at most, that another program places orders on the account.
   * @param at epoch ms at which one of its orders existed
   */
  ofOtherProgram(at: number): UnitOfWork {
    const now = this.#deps.clock.now();
    if (now - at > NEWS_MS || now - this.#otherProgramToldAt < NEWS_MS) return NOTHING;
    this.#otherProgramToldAt = now;
    const reason = `${this.#account.alias}: an order there has a client id that this gateway did not give it. A bot, or a second Tandem on a copy of the data folder, trades the account too`;
    const text = accountNotification('OTHER_PROGRAM_TRADES', this.#account, reason);
    return notice(this.#deps, text, this.#account.userId, [this.#account.id]);
  }

  /** @param positions positions that the liquidation reduced, in their state after it */
  ofLiquidation(fill: VenueFill, positions: readonly Position[]): UnitOfWork {
    const news = positions.filter(({ id }) => this.#isNewEvent(id, fill));
    for (const { id, status } of positions) if (status === 'CLOSED') this.#forced.delete(id);
    const reason = FORCED_REASONS[fill.forced ?? 'MARGIN'];
    const category = fill.forced === undefined ? 'POSITION_LIQUIDATED' : 'EXTERNAL_CLOSE';
    return oneUnit(
      ...news.map((position) =>
        this.#notice(category, { positionId: position.id, legs: position.legs }, reason),
      ),
    );
  }

  /** False: a further fill of a liquidation, deleveraging or settlement of the position that was notified already. */
  #isNewEvent(positionId: string, fill: VenueFill): boolean {
    const byCause = this.#forced.get(positionId) ?? new Map<ForcedCause | 'MARGIN', ForcedFill>();
    this.#forced.set(positionId, byCause);
    const cause = fill.forced ?? 'MARGIN';
    const last = byCause.get(cause);
    byCause.set(cause, fill);
    if (last === undefined) return true;
    const isOneOrder = fill.venueOrderId !== null && fill.venueOrderId === last.venueOrderId;
    return !isOneOrder && Math.abs(fill.timestamp - last.timestamp) > ONE_EVENT_MS;
  }

  /**
   * Notifies of an order by its first fill; its later fills are not notified.
   * @param open the account's positions: a fill opposite to one of their legs closes, any other fill opens
   */
  ofExternalFill(fill: ExternalFill, open: readonly Position[]): UnitOfWork {
    const isKnown = fill.venueOrderId !== null && fill.venueOrderId === this.#lastExternalOrder;
    if (isKnown || fill.timestamp < this.#deps.clock.now() - NEWS_MS) return NOTHING;
    this.#lastExternalOrder = fill.venueOrderId;
    const { symbol, side } = fill;
    const against = open.filter(({ legs }) =>
      legs.some((leg) => leg.symbol === symbol && leg.side !== side && leg.quantity !== '0'),
    );
    const [only] = against;
    return this.#notice(
      only === undefined ? 'EXTERNAL_OPEN' : 'EXTERNAL_CLOSE',
      { positionId: only !== undefined && against.length === 1 ? only.id : null, legs: [{ symbol, side }] },
      `${side} ${fill.quantity} ${symbol} at ${fill.price}, outside Tandem; more fills of the order may follow; no basket has changed yet`,
    );
  }

  /**
   * @param position the basket that the gateway reduced by the fills, in its state after them
   * @param fills of one instrument, outside Tandem
   */
  ofReduction(position: Position, fills: readonly Fill[]): UnitOfWork {
    const [{ symbol } = { symbol: '' }] = fills;
    const closed = text(sum(fills.map(({ quantity }) => dec(quantity))));
    const left = position.legs.find((leg) => leg.symbol === symbol)?.quantity ?? '0';
    const end = position.status === 'CLOSED' ? ' The basket is closed.' : '';
    return this.#notice(
      'EXTERNAL_CLOSE',
      { positionId: position.id, legs: position.legs },
      `${closed} ${symbol} of it was closed outside Tandem; ${left === '0' ? 'none' : left} is left.${end}`,
    );
  }

  #notice(
    category: Parameters<typeof venueNotification>[0],
    about: {
      readonly positionId: string | null;
      readonly legs: readonly Pick<Position['legs'][number], 'symbol' | 'side'>[];
    },
    reason: string,
  ): UnitOfWork {
    const { id: tradeAccountId, userId, connector } = this.#account;
    return noticeOf(this.#deps, { tradeAccountId, userId, connector }, about, (subject) =>
      venueNotification(category, subject, reason),
    );
  }
}
