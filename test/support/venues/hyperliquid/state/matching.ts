/** Answers to orders, each of which the venue takes or refuses alone. */
import type { Account } from './accounts.ts';
import { type OrderLeg, REFUSALS, type Refusal, refusalOf } from './refusals.ts';
import type { Asset } from './universe.ts';
import type { Order, World } from './world.ts';

export type LegAnswer =
  | { readonly kind: 'resting' | 'filled'; readonly order: Order }
  | { readonly kind: 'error'; readonly text: string };

/** @param forced a refusal that the script wants, whatever the order is like */
export function placeOrder(
  world: World,
  account: Account,
  leg: OrderLeg,
  forced: Refusal | null = null,
): LegAnswer {
  const refusal = forced ?? refusalOf(world, account, leg);
  // A second order with the same client id must not hide the first one, so it is not remembered.
  if (refusal === REFUSALS.duplicate) return refused(refusal, leg.asset);
  const order = world.place(account, leg, refusal?.status ?? null);
  if (refusal !== null) return refused(refusal, leg.asset);
  if (order.status === REFUSALS.iocEmpty.status) return refused(REFUSALS.iocEmpty, leg.asset);
  return { kind: order.filledBase.isZero() ? 'resting' : 'filled', order };
}

/** The venue's text of an order's refusal names the instrument. */
function refused({ text }: Refusal, asset: Asset): LegAnswer {
  return { kind: 'error', text: `${text} asset=${asset.index}` };
}
