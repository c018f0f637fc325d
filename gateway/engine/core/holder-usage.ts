/** Usage of a mandate by its holder, alone and together with all other holders of its user. */

import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { MandateUsage, MoneyUsage, Usd } from '../../domain/mandate-judgement.ts';
import type { Placed, Position } from '../../domain/model.ts';
import { minus, NOTHING, plus, type Scaled, scaled, scaledText } from '../../domain/scaled.ts';
import type { ApprovalDesk, WaitingApproval } from '../ports/approval-desk.ts';
import type { BoundMandate, MandateBook } from '../ports/mandate-book.ts';
import type { MarketData } from '../ports/market.ts';
import type { Holdings } from './holdings.ts';
import type { LiveState } from './live-state.ts';
import { holderKey, type SummedUsage, type UsageBook, type Without } from './mandate-usage.ts';

const NO_POSITIONS: readonly Position[] = [];

/** Parts of the usage figures, filled and reserved. For display only; the risk check does not use them. */
export interface UsageParts<Amount extends Usd = DecimalString> {
  /** Parts of `openedUsd24h`: filled by ended orders, reserved by running ones, and waiting for approval. */
  readonly opened: { readonly filledUsd: Amount; readonly reservedUsd: Amount; readonly askedUsd: Amount };
  /** Parts of `grossUsd`: holdings at cost, then the worst case of running, pending and unapproved orders. */
  readonly gross: {
    readonly heldUsd: Amount;
    readonly reservedUsd: Amount;
    readonly waitingUsd: Amount;
    readonly askedUsd: Amount;
  };
  readonly positionsHeld: number;
  readonly restingPlaced: number;
}

interface Parts {
  readonly usage: UsageBook;
  readonly holdings: Holdings;
  readonly book: Pick<MandateBook, 'house' | 'all'>;
  readonly desk: Pick<ApprovalDesk, 'waiting'>;
  readonly state: Pick<LiveState, 'positions'>;
  readonly market: Pick<MarketData, 'quote'>;
}

/** Keys of the holder and of its predecessors, whose usage it continues. */
export function keysOf({ holder, lineage }: BoundMandate): readonly string[] {
  const key = holderKey(holder);
  return lineage.length === 0 ? [key] : [key, ...lineage.map((id) => holderKey({ id }))];
}

/** True: the holder, or a predecessor whose usage it continues, placed it. */
export function isHis({ holder, lineage }: BoundMandate, { authorityKind, authorityId }: Placed): boolean {
  if (authorityKind !== holder.kind || authorityId === null) return false;
  return authorityId === holder.id || lineage.includes(authorityId);
}

/** Usage of several holders together. */
abstract class MoneyInUse implements MoneyUsage<Scaled> {
  protected readonly parts: Parts;
  protected readonly keys: readonly string[];
  protected readonly without: Without;
  protected readonly approvalId: string | undefined;
  protected readonly now: number;
  #counted: SummedUsage | null = null;
  #lost: Scaled | null = null;

  constructor(
    parts: Parts,
    keys: readonly string[],
    without: Without,
    approvalId: string | undefined,
    now: number,
  ) {
    this.parts = parts;
    this.now = now;
    this.keys = keys;
    this.without = without;
    this.approvalId = approvalId;
  }

  get #sums(): SummedUsage {
    this.#counted ??= this.parts.usage.sum(this.keys, this.without, this.now);
    return this.#counted;
  }

  /** Requests that wait for a person's approval. */
  protected abstract waiting(): readonly WaitingApproval[];

  get #asked(): readonly WaitingApproval[] {
    const waiting = this.waiting();
    return waiting.length === 0 ? waiting : waiting.filter(({ id }) => id !== this.approvalId);
  }

  get openedUsd24h(): Scaled {
    let opened = this.#sums.openedUsd;
    for (const { rests, reserveUsd } of this.#asked) if (!rests) opened = plus(opened, scaled(reserveUsd));
    return opened;
  }

  get grossUsd(): Scaled {
    const { reservedUsd, waitingUsd } = this.#sums;
    let gross = plus(plus(reservedUsd, waitingUsd), this.parts.holdings.costOf(this.keys));
    for (const { reserveUsd } of this.#asked) gross = plus(gross, scaled(reserveUsd));
    return gross;
  }

  /** Parts of the usage figures. */
  get madeOf(): UsageParts<Scaled> {
    const { openedUsd, reservedUsd, waitingUsd, resting } = this.#sums;
    const sumOf = (asked: readonly WaitingApproval[]) =>
      asked.reduce((total, { reserveUsd }) => plus(total, scaled(reserveUsd)), NOTHING);
    const asked = this.#asked;
    return {
      opened: {
        filledUsd: minus(openedUsd, reservedUsd),
        reservedUsd,
        askedUsd: sumOf(asked.filter(({ rests }) => !rests)),
      },
      gross: {
        heldUsd: this.parts.holdings.costOf(this.keys),
        reservedUsd,
        waitingUsd,
        askedUsd: sumOf(asked),
      },
      positionsHeld: this.#open.length,
      restingPlaced: resting,
    };
  }

  get positions(): number {
    return this.parts.usage.baskets(this.keys, this.without.execution, this.#open) + this.#askedPositions;
  }

  get mostPositions(): number {
    return this.parts.usage.mostBaskets(this.keys, this.#open.length) + this.#askedPositions;
  }

  /** Positions in which the holders have a share. */
  get #open(): readonly Position[] {
    const { holdings, state } = this.parts;
    const held = holdings.held(this.keys);
    if (held.length === 0) return NO_POSITIONS;
    const open: Position[] = [];
    for (const { positionId } of held) {
      const position = state.positions.get(positionId);
      if (position !== undefined && !open.includes(position)) open.push(position);
    }
    return open;
  }

  get #askedPositions(): number {
    let asked = 0;
    for (const { rests, opensPosition } of this.#asked) if (!rests && opensPosition) asked += 1;
    return asked;
  }

  get resting(): number {
    return this.#sums.resting + this.#asked.filter(({ rests }) => rests).length;
  }

  get lossUsd24h(): Scaled {
    const { holdings, state, market } = this.parts;
    this.#lost ??= holdings.lossOf(
      this.keys,
      (positionId, symbol) => {
        const position = state.positions.get(positionId);
        return position === undefined ? null : (market.quote(position.connector, symbol)?.mark ?? null);
      },
      this.now,
    );
    return this.#lost;
  }
}

/** Usage of all holders of a user together. */
class HouseUsage extends MoneyInUse {
  readonly #holders: readonly MandateHolder[];

  constructor(
    parts: Parts,
    keys: readonly string[],
    holders: readonly MandateHolder[],
    ...rest: readonly [Without, string | undefined, number]
  ) {
    super(parts, keys, ...rest);
    this.#holders = holders;
  }

  protected override waiting(): readonly WaitingApproval[] {
    return this.#holders.flatMap((holder) => this.parts.desk.waiting(holder));
  }
}

/**
 * Current usage of one holder. Each figure is computed on demand, because few mandates limit all of them. The object is
 * its own `own`, because every order under a mandate makes one.
 */
export class HolderUsage extends MoneyInUse implements MandateUsage<Scaled> {
  readonly #bound: BoundMandate;

  /**
   * @param approvalId an approval that does not count
   * @param now uptime, ms
   */
  constructor(
    parts: Parts,
    bound: BoundMandate,
    without: Without,
    approvalId: string | undefined,
    now = parts.usage.now(),
  ) {
    super(parts, keysOf(bound), without, approvalId, now);
    this.#bound = bound;
  }

  protected override waiting(): readonly WaitingApproval[] {
    return this.parts.desk.waiting(this.#bound.holder);
  }

  get own(): MoneyUsage<Scaled> {
    return this;
  }

  get house(): MoneyUsage<Scaled> {
    const { book, usage, holdings } = this.parts;
    const { userId } = this.#bound;
    if (book.house(userId) === null) return this;
    const holders = book.all().filter((one) => one.userId === userId);
    const everybody = new Set([
      ...usage.ofUser(userId),
      ...holdings.ofUser(userId),
      ...holders.flatMap(keysOf),
    ]);
    const asking = holders.map(({ holder }) => holder);
    return new HouseUsage(this.parts, [...everybody], asking, this.without, this.approvalId, this.now);
  }

  get lastMinute(): number {
    return this.parts.usage.lastMinute(this.keys, this.now);
  }

  get lastDay(): number {
    return this.parts.usage.lastDay(this.keys, this.now);
  }

  get isCoolingDown(): boolean {
    return this.parts.usage.isCoolingDown(this.keys, this.now);
  }
}

/** Current figures as text. */
export function inTexts({
  own,
  house,
  lastMinute,
  lastDay,
  isCoolingDown,
}: MandateUsage<Scaled>): MandateUsage {
  return { own: moneyInTexts(own), house: moneyInTexts(house), lastMinute, lastDay, isCoolingDown };
}

function moneyInTexts({
  openedUsd24h,
  grossUsd,
  positions,
  resting,
  lossUsd24h,
}: MoneyUsage<Scaled>): MoneyUsage {
  return {
    openedUsd24h: scaledText(openedUsd24h),
    grossUsd: scaledText(grossUsd),
    positions,
    resting,
    lossUsd24h: scaledText(lossUsd24h),
  };
}

export function partsInTexts({
  opened,
  gross,
  positionsHeld,
  restingPlaced,
}: UsageParts<Scaled>): UsageParts {
  return {
    opened: {
      filledUsd: scaledText(opened.filledUsd),
      reservedUsd: scaledText(opened.reservedUsd),
      askedUsd: scaledText(opened.askedUsd),
    },
    gross: {
      heldUsd: scaledText(gross.heldUsd),
      reservedUsd: scaledText(gross.reservedUsd),
      waitingUsd: scaledText(gross.waitingUsd),
      askedUsd: scaledText(gross.askedUsd),
    },
    positionsHeld,
    restingPlaced,
  };
}
