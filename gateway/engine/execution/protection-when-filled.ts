/** Protection of the position that a pending order would leave if it filled at current marks. */

import type { Placed } from '../../domain/authority.ts';
import { openingBrackets } from '../../domain/bracket-fate.ts';
import { dec, floorTo, text } from '../../domain/decimal.ts';
import type { Protection } from '../../domain/protection.ts';
import type { Schedule } from '../../domain/schedule.ts';
import { remainingOf } from '../../domain/slicing.ts';
import type { Trigger } from '../../domain/trigger.ts';
import { askedQuantity } from '../core/asked-plan.ts';
import type { EngineDeps } from '../core/deps.ts';
import { givesWayTo } from '../core/users-brackets.ts';
import { imaginedLegs, wholeLegs } from './bracket-checks.ts';
import { protectionAfter, withAdded } from './protection-after.ts';

type Deps = Pick<EngineDeps, 'market' | 'state' | 'warden'>;
type Common =
  | ('kind' | 'status' | 'connector' | 'tradeAccountId' | 'basketKey' | 'legs')
  | ('takeProfit' | 'stopLoss')
  | keyof Placed;
export type WaitingOrder =
  | Pick<Trigger, Common | 'totalUsd'>
  | Pick<Schedule, Common | 'ledger' | 'reduceOnly'>;

/** Empty: the order has ended, reduces the position, or a price is unknown. */
export function protectionWhenFilled(
  { market, state, warden }: Deps,
  order: WaitingOrder,
): readonly Protection[] {
  const { kind, status, connector, tradeAccountId, basketKey, takeProfit, stopLoss } = order;
  const waits = kind === 'OPEN' && (status === 'ACTIVE' || status === 'PAUSED');
  if (!waits || ('reduceOnly' in order && order.reduceOnly)) return [];
  const held = state.positions.ofBasket(tradeAccountId, basketKey) ?? null;
  const present = held === null ? [] : state.positions.bracketsOf(held.id);
  // Shortcut: most orders of a long list bring no brackets.
  if (takeProfit === null && stopLoss === null && present.length === 0) return [];
  const legs = 'ledger' in order ? leftOf(order) : order.legs;
  const totalUsd = 'ledger' in order ? null : order.totalUsd;
  const trades = legs.flatMap((leg) => {
    const mark = market.quote(connector, leg.symbol)?.mark;
    const step = market.instrument(connector, leg.symbol)?.stepSize;
    if (mark === undefined || step === undefined) return [];
    const { symbol, side } = leg;
    return [{ symbol, side, quantity: text(floorTo(askedQuantity(leg, totalUsd, dec(mark)), dec(step))) }];
  });
  if (trades.length < legs.length) return [];
  const after = withAdded({ market }, connector, held, trades);
  return protectionAfter({ market, state }, connector, held, after, {
    brackets: openingBrackets({ takeProfit, stopLoss }, present, givesWayTo({ warden }, order)),
    asked: wholeLegs(held, imaginedLegs({ market }, connector, legs, totalUsd)),
    staysNear: warden.shares.keepsStopNear(order, held),
  });
}

/** Amounts that the schedule's slices still have to trade. */
function leftOf({ ledger }: Pick<Schedule, 'ledger'>): Trigger['legs'] {
  return ledger.map((leg) => {
    const { symbol, side, unit } = leg;
    return { symbol, side, mode: unit, amount: text(remainingOf(leg)) };
  });
}
