/** Reasons why an order would certainly be refused or fail, shown before it can be sent. */
import { useGet } from '../../api/queries.ts';
import type { Order, TicketDraft } from './ticket.ts';
import type { PlanRead } from './use-plan.ts';

/** Order to send, or the typed values while they are no order yet. */
type Asked = Order | Pick<TicketDraft, 'kind' | 'reduceOnly'>;

/** Reason in words; null: no obstacle is known. */
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

/** Problems from the dry run. Pending orders are sized when they fire, so a shortage now may be gone by then. */
export function problemOf({ route }: Order, { plan, isOld }: PlanRead): string | null {
  const fails = route === 'POST /trade/open' && !isOld && plan !== null && plan.problems.length > 0;
  return fails ? 'It would fail: see the problems.' : null;
}

export function onlyReduces(asked: Asked): boolean {
  if ('route' in asked) return asked.route === 'POST /schedules' && asked.body.reduceOnly;
  return asked.kind === 'TWAP' && asked.reduceOnly;
}
