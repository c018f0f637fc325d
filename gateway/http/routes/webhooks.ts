/** `/webhooks`: where a user's events are sent. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
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
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';
import {
  accountsNamed,
  changedFields,
  type DestinationDeps,
  deliveriesPage,
  destinationOf,
  done,
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
      const made = done(
        await outgoing.create(
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
        ),
      );
      const { destination, secret } = made;
      return { headers: { 'cache-control': 'no-store' }, body: { ...present(destination), secret } };
    }),

    bind(readWebhook, ({ principal, params }) => ({ body: present(reach(principal, params.id)) })),

    bind(changeWebhook, async (call) => {
      const { principal, params, body } = call;
      const destination = reach(principal, params.id);
      const { url, events } = body;
      const changed = done(
        await outgoing.change(
          destination,
          {
            ...changedFields(deps, principal, body),
            ...(url === undefined ? {} : { address: addressOf(url) }),
            ...(events === undefined ? {} : { wants: [...new Set(events)] }),
          },
          noted(deps, 'destination.changed', destination.id, call),
        ),
      );
      return { body: present(changed) };
    }),

    bind(removeWebhook, async (call) => {
      const destination = reach(call.principal, call.params.id);
      done(await outgoing.remove(destination, noted(deps, 'destination.removed', destination.id, call)));
      return {};
    }),

    bind(rotateWebhookSecret, async (call) => {
      const destination = reach(call.principal, call.params.id);
      const { secret, previousUntil } = done(
        await outgoing.rotate(
          destination,
          call.body.keepPreviousSeconds * 1_000,
          noted(deps, 'destination.secret_rotated', destination.id, call),
        ),
      );
      return {
        headers: { 'cache-control': 'no-store' },
        body: { id: destination.id, secret, previousUntil: iso(previousUntil) },
      };
    }),

    bind(testWebhook, async ({ principal, params }) => {
      const tested = done(await outgoing.test(reach(principal, params.id)));
      return { body: presentDelivery(tested) };
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
      return { body: presentDelivery(done(await outgoing.redeliver(destination, before))) };
    }),
  ];
}

function addressOf(text: string): string {
  const checked = checkAddress(text);
  if (!checked.ok) throw invalid('url', checked.error);
  return checked.value.href;
}
