/** The streams: which a subscription may name, what each says first, and how the world's news reads on each. */
import { z } from 'zod';
import type { World, WorldEvent } from '../state/world.ts';
import { address } from '../wire/actions.ts';
import { contextForm, fillForm, fundingForm, levelsForm, midsForm, orderForm } from '../wire/forms.ts';

export interface Message {
  readonly channel: string;
  readonly data: unknown;
}

const user = address;

/** Other exchanges on the venue have names; the venue's own is ''. */
const mainDex = z.literal('').nullish();

const SUBSCRIPTION = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allMids'), dex: mainDex }),
  z.strictObject({ type: z.literal('allDexsAssetCtxs') }),
  z.strictObject({ type: z.literal('bbo'), coin: z.string() }),
  z.strictObject({ type: z.literal('orderUpdates'), user }),
  z.strictObject({ type: z.literal('userFills'), user, aggregateByTime: z.boolean().nullish() }),
  z.strictObject({ type: z.literal('userFundings'), user }),
]);

export type Subscription = z.infer<typeof SUBSCRIPTION>;

/** null: the venue has no such stream. */
export function readSubscription(world: World, value: unknown): Subscription | null {
  const read = SUBSCRIPTION.safeParse(value);
  if (!read.success) return null;
  const subscription = read.data;
  if ('coin' in subscription && !world.markets.some(({ name }) => name === subscription.coin)) return null;
  return subscription;
}

/** The first message, where the stream has one. */
export function opening(world: World, subscription: Subscription): Message | null {
  switch (subscription.type) {
    case 'userFills': {
      const fills = (world.find(subscription.user)?.fills ?? []).slice(-2_000).toReversed().map(fillForm);
      return { channel: 'userFills', data: { isSnapshot: true, user: subscription.user, fills } };
    }
    case 'userFundings': {
      const fundings = (world.find(subscription.user)?.funding ?? []).slice(-500).map(fundingForm);
      return { channel: 'userFundings', data: { isSnapshot: true, user: subscription.user, fundings } };
    }
    case 'orderUpdates':
      return null;
    default:
      return present(world, subscription);
  }
}

/** Current state on a stream of states; null: the stream tells only events. */
export function present(world: World, subscription: Subscription): Message | null {
  switch (subscription.type) {
    case 'allMids':
      return { channel: 'allMids', data: { mids: midsForm(world) } };
    case 'allDexsAssetCtxs': {
      const ctxs = [['', world.markets.map((asset) => contextForm(world, asset))]];
      return { channel: 'allDexsAssetCtxs', data: { ctxs } };
    }
    case 'bbo': {
      const { coin } = subscription;
      const bbo = levelsForm(world, world.market(coin)).map(([best]) => best ?? null);
      return { channel: 'bbo', data: { coin, time: world.now(), bbo } };
    }
    default:
      return null;
  }
}

/** Message of a stream about an event; null: none. */
export function news(world: World, subscription: Subscription, event: WorldEvent): Message | null {
  if (event.kind === 'market') {
    if ('coin' in subscription && subscription.coin !== event.market.name) return null;
    return present(world, subscription);
  }
  const account = 'order' in event ? event.order.owner : event.account;
  const about = account.address;
  if (!('user' in subscription) || subscription.user !== about) return null;
  switch (subscription.type) {
    case 'orderUpdates': {
      if (event.kind !== 'order') return null;
      const { order, status } = event;
      const update = { order: orderForm(order), status, statusTimestamp: order.updatedAt };
      return { channel: 'orderUpdates', data: [update] };
    }
    case 'userFills':
      return event.kind === 'fill'
        ? { channel: 'userFills', data: { user: about, fills: [fillForm(event.fill)] } }
        : null;
    case 'userFundings':
      return event.kind === 'funding'
        ? { channel: 'userFundings', data: { user: about, fundings: event.payments.map(fundingForm) } }
        : null;
    default:
      return present(world, subscription);
  }
}
