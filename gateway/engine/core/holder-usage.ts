/** What a holder of a mandate uses, alone and together with all other holders of its user. */
import { type DecimalString, dec, text } from '../../domain/decimal.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { MandateUsage, MoneyUsage } from '../../domain/mandate-judgement.ts';
import type { Placed } from '../../domain/model.ts';
import type { ApprovalDesk } from '../ports/approval-desk.ts';
import type { BoundMandate, MandateBook } from '../ports/mandate-book.ts';
import type { MarketData } from '../ports/market.ts';
import type { Holdings } from './holdings.ts';
import type { LiveState } from './live-state.ts';
import { holderKey, type UsageBook, type Without } from './mandate-usage.ts';

interface Parts {
  readonly usage: UsageBook;
  readonly holdings: Holdings;
  readonly book: Pick<MandateBook, 'house' | 'all'>;
  readonly desk: Pick<ApprovalDesk, 'waiting'>;
  readonly state: Pick<LiveState, 'positions'>;
  readonly market: Pick<MarketData, 'quote'>;
}

/** Keys of the holder and of those whose usage it continues. */
export function keysOf({ holder, lineage }: BoundMandate): readonly string[] {
  return [holder.id, ...lineage].map((id) => holderKey({ kind: holder.kind, id }));
}

/** Whether whoever placed it is the holder, or one whose usage it continues. */
export function isHis({ holder, lineage }: BoundMandate, { authorityKind, authorityId }: Placed): boolean {
  if (authorityKind !== holder.kind || authorityId === null) return false;
  return authorityId === holder.id || lineage.includes(authorityId);
}

/** @param approvalId an approval that does not count */
export function usageOf(
  parts: Parts,
  bound: BoundMandate,
  without: Without,
  approvalId: string | undefined,
): MandateUsage {
  const { book, usage, holdings } = parts;
  const keys = keysOf(bound);
  const own = moneyUsage(parts, keys, [bound.holder], without, approvalId);
  const rate = usage.rate(keys);
  if (book.house(bound.userId) === null) return { own, house: own, ...rate };
  const holders = book.all().filter(({ userId }) => userId === bound.userId);
  const everybody = new Set([
    ...usage.ofUser(bound.userId),
    ...holdings.ofUser(bound.userId),
    ...holders.flatMap(keysOf),
  ]);
  const asking = holders.map(({ holder }) => holder);
  return { own, house: moneyUsage(parts, [...everybody], asking, without, approvalId), ...rate };
}

function moneyUsage(
  { usage, holdings, desk, state, market }: Parts,
  keys: readonly string[],
  holders: readonly MandateHolder[],
  without: Without,
  approvalId: string | undefined,
): MoneyUsage {
  const used = usage.sum(keys, without);
  const held = holdings.held(keys);
  const asked = holders.flatMap((holder) => desk.waiting(holder)).filter(({ id }) => id !== approvalId);
  const now = asked.filter(({ rests }) => !rests);
  const loss = holdings.lossOf(keys, (positionId, symbol) => {
    const position = state.positions.get(positionId);
    return position === undefined ? null : (market.quote(position.connector, symbol)?.mark ?? null);
  });
  const gross = used.reservedUsd
    .plus(used.waitingUsd)
    .plus(sumOf(held.map(({ cost }) => cost)))
    .plus(sumOf(asked.map(({ reserveUsd }) => reserveUsd)));
  return {
    openedUsd24h: text(used.openedUsd.plus(sumOf(now.map(({ reserveUsd }) => reserveUsd)))),
    grossUsd: text(gross),
    // Counted when it is asked: few mandates limit it.
    get positions() {
      const baskets = usage.baskets(keys, without.executionId);
      for (const { positionId, tradeAccountId } of held) {
        const position = state.positions.get(positionId);
        if (position !== undefined) baskets.add(`${tradeAccountId} ${position.basketKey}`);
      }
      return baskets.size + now.filter(({ opensPosition }) => opensPosition).length;
    },
    resting: used.resting + (asked.length - now.length),
    lossUsd24h: text(loss),
  };
}

function sumOf(usds: readonly DecimalString[]) {
  return usds.reduce((all, usd) => all.plus(usd), dec(0));
}
