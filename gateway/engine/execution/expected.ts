/** Order book previews for planned orders. If the venue does not answer, the plan is still returned without them. */
import { type BookPreview, type ExpectedPlan, expectedPlan } from '../../domain/expected-fill.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import { soon } from '../../domain/soon.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { ExpectedOrder } from '../ports/venue.ts';

type Asked = Pick<EngineDeps, 'venues' | 'clock'>;

/** One preview per order; null: no book is known, or the order cannot be sent (quantity or limit 0). */
export async function previewsOf(
  { venues, clock }: Asked,
  { connector }: Pick<TradeAccount, 'connector'>,
  orders: readonly ExpectedOrder[],
): Promise<readonly (BookPreview | null)[]> {
  const venue = venues.get(connector);
  const asked = orders.filter(({ quantity, limitPrice }) => Number(quantity) > 0 && Number(limitPrice) > 0);
  const nothing = orders.map(() => null);
  if (venue?.expectedFills === undefined || asked.length === 0) return nothing;
  const answer = await soon(clock, venue.expectedFills(asked));
  if (answer === null || !answer.ok) return nothing;
  return orders.map((order) => answer.value[asked.indexOf(order)] ?? null);
}

/** Expected fills of an opening plan. */
export async function expectedOf(
  deps: Asked,
  account: TradeAccount,
  planned: BasketPlan,
): Promise<ExpectedPlan> {
  return expectedOfOpening(planned, await previewsOf(deps, account, ordersOf(planned)));
}

export function ordersOf({ legs }: BasketPlan): readonly ExpectedOrder[] {
  return legs.map(({ leg: { symbol, side }, quantity, limitPrice }) => ({
    symbol,
    side,
    quantity,
    limitPrice,
  }));
}

export function expectedOfOpening(
  { legs }: BasketPlan,
  previews: readonly (BookPreview | null)[],
): ExpectedPlan {
  return expectedPlan(
    legs.map(({ leg: { side }, price }) => ({ side, price })),
    previews,
  );
}
