/** Why the order would certainly be refused or fail, which is said before it can be sent. */
import { useGet } from '../../api/queries.ts';
import type { Order, TicketDraft } from './ticket.ts';
import type { PlanRead } from './use-plan.ts';

/** What is to be sent, or what is typed while it is no order yet. */
type Asked = Order | Pick<TicketDraft, 'kind' | 'reduceOnly'>;

/** Reason in words; null: nothing is known that stands against the order. */
export type MustFail = (asked: Asked) => string | null;

export function useMustFail(read: PlanRead): MustFail {
  const safety = useGet('GET /safety', {}, { shared: true, refetchEvery: 15_000 });
  return (asked) =>
    safety.data?.paused === true && !onlyReduces(asked)
      ? 'New orders are paused. Resume them in the Stop menu. Triggers and slices that open wait too; those that close, and stops, go on.'
      : 'route' in asked
        ? problemOf(asked, read)
        : null;
}

/** By the dry run. What waits is sized when its time comes: what is short now may be there by then. */
export function problemOf({ route }: Order, { plan, isOld }: PlanRead): string | null {
  const fails = route === 'POST /trade/open' && !isOld && plan !== null && plan.problems.length > 0;
  return fails ? 'It would fail: see the problems.' : null;
}

export function onlyReduces(asked: Asked): boolean {
  if ('route' in asked) return asked.route === 'POST /schedules' && asked.body.reduceOnly;
  return asked.kind === 'TWAP' && asked.reduceOnly;
}
