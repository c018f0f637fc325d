/** `/webhooks`: where a user's events are sent. */
import {
  changeWebhook,
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  readWebhook,
  redeliverWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookBody,
  webhook,
} from '../../contract/webhooks.ts';
import type { Destination } from '../../domain/delivery.ts';
import type { Principal } from '../../domain/model.ts';
import { checkAddress } from '../../outgoing/address.ts';
import { type BoundRoute, BusinessError, bind, invalid } from '../handler.ts';
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';
import {
  accountsNamed,
  type DestinationDeps,
  deliveriesPage,
  destinationOf,
  destinationRefusal,
  noted,
  presentDelivery,
  standing,
  userOf,
} from './destinations.ts';
import { notFound } from './refusals.ts';

const KINDS = ['WEBHOOK'] as const;

export function webhookRoutes(deps: DestinationDeps): readonly BoundRoute[] {
  const { outgoing, auth, store } = deps;
  const reach = (principal: Principal, id: string) => destinationOf(deps, principal, id, KINDS, 'Webhook');

  const present = (value: Destination): WebhookBody =>
    wireForm(webhook, value, {
      ...standing(outgoing, value),
      url: value.address,
      events: [...value.wants] as WebhookBody['events'],
      tradeAccountIds: value.tradeAccountIds === null ? null : [...value.tradeAccountIds],
    });

  return [
    bind(listWebhooks, ({ principal }) => ({
      body: { webhooks: outgoing.list(userOf(deps, principal), KINDS).map(present) },
    })),

    bind(createWebhook, async (call) => {
      const { principal, body } = call;
      const userId = userOf(deps, principal);
      const address = addressOf(body.url);
      const made = await outgoing.create(
        {
          userId,
          kind: 'WEBHOOK',
          name: body.name ?? new URL(address).host,
          address,
          wants: [...new Set(body.events)],
          tradeAccountIds: accountsNamed(auth.accounts, principal, body.tradeAccountIds),
          enabled: body.enabled,
        },
        null,
        (id) => noted(deps, 'destination.created', id, call),
      );
      if (!made.ok) throw destinationRefusal(made.error);
      const { destination, secret } = made.value;
      return { headers: { 'cache-control': 'no-store' }, body: { ...present(destination), secret } };
    }),

    bind(readWebhook, ({ principal, params }) => ({ body: present(reach(principal, params.id)) })),

    bind(changeWebhook, async (call) => {
      const { principal, params, body } = call;
      const destination = reach(principal, params.id);
      const { name, url, events, tradeAccountIds, enabled } = body;
      const changed = await outgoing.change(
        destination,
        {
          ...(name === undefined ? {} : { name }),
          ...(url === undefined ? {} : { address: addressOf(url) }),
          ...(events === undefined ? {} : { wants: [...new Set(events)] }),
          ...(tradeAccountIds === undefined
            ? {}
            : { tradeAccountIds: accountsNamed(auth.accounts, principal, tradeAccountIds) }),
          ...(enabled === undefined ? {} : { enabled }),
        },
        noted(deps, 'destination.changed', destination.id, call),
      );
      if (!changed.ok) throw destinationRefusal(changed.error);
      return { body: present(changed.value) };
    }),

    bind(removeWebhook, async (call) => {
      const destination = reach(call.principal, call.params.id);
      const removed = await outgoing.remove(
        destination,
        noted(deps, 'destination.removed', destination.id, call),
      );
      if (!removed.ok) throw destinationRefusal(removed.error);
      return {};
    }),

    bind(rotateWebhookSecret, async (call) => {
      const destination = reach(call.principal, call.params.id);
      const rotated = await outgoing.rotate(
        destination,
        call.body.keepPreviousSeconds * 1_000,
        noted(deps, 'destination.secret_rotated', destination.id, call),
      );
      if (!rotated.ok) throw destinationRefusal(rotated.error);
      const { secret, previousUntil } = rotated.value;
      return {
        headers: { 'cache-control': 'no-store' },
        body: { id: destination.id, secret, previousUntil: iso(previousUntil) },
      };
    }),

    bind(testWebhook, async ({ principal, params }) => {
      const tested = await outgoing.test(reach(principal, params.id));
      if (!tested.ok) throw destinationRefusal(tested.error);
      return { body: presentDelivery(tested.value) };
    }),

    bind(listWebhookDeliveries, async ({ principal, params, query }) => ({
      body: await deliveriesPage(deps, reach(principal, params.id), query),
    })),

    bind(redeliverWebhook, async ({ principal, params }) => {
      const destination = reach(principal, params.id);
      const before = await store.delivery(destination.id, params.deliveryId.toLowerCase());
      if (before === null) throw notFound('Delivery');
      if (before.finishedAt === null)
        throw new BusinessError('RESOURCE_BUSY', 'This delivery has not ended yet');
      const again = await outgoing.redeliver(destination, before);
      if (!again.ok) throw destinationRefusal(again.error);
      return { body: presentDelivery(again.value) };
    }),
  ];
}

function addressOf(text: string): string {
  const checked = checkAddress(text);
  if (!checked.ok) throw invalid('url', checked.error);
  return checked.value.href;
}
