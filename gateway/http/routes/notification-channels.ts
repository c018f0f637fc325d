/** `/notification-channels`: messages to ntfy, Telegram and Discord. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import {
  changeNotificationChannel,
  createNotificationChannel,
  listChannelDeliveries,
  listNotificationChannels,
  type NotificationChannelBody,
  notificationChannel,
  removeNotificationChannel,
  testNotificationChannel,
} from '../../contract/notification-channels.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Destination } from '../../domain/delivery.ts';
import type { Principal } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import { checkServer } from '../../outgoing/address.ts';
import type { DestinationSecret } from '../../outgoing/secrets.ts';
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

const KINDS = ['NTFY', 'TELEGRAM', 'DISCORD'] as const;
const NAMES = { NTFY: 'ntfy', TELEGRAM: 'Telegram', DISCORD: 'Discord' } as const;
const DISCORD_HOSTS = ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'];
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d+\/[-_A-Za-z0-9]+$/;

export function notificationChannelRoutes(deps: DestinationDeps): readonly BoundRoute[] {
  const { outgoing, auth } = deps;
  const reach = (principal: Principal, id: string) =>
    destinationOf(deps, principal, id, KINDS, 'Notification channel');

  const present = (value: Destination): NotificationChannelBody =>
    wireForm(notificationChannel, value, {
      ...standing(outgoing, value),
      service: value.kind as NotificationChannelBody['service'],
      kinds: [...value.wants] as NotificationChannelBody['kinds'],
      tradeAccountIds: value.tradeAccountIds === null ? null : [...value.tradeAccountIds],
    });

  return [
    bind(listNotificationChannels, ({ principal }) => ({
      body: { notificationChannels: outgoing.list(userOf(deps, principal), KINDS).map(present) },
    })),

    bind(createNotificationChannel, async (call) => {
      const { principal, body } = call;
      const userId = userOf(deps, principal);
      const { address, secret } = targetOf(body.to);
      const made = done(
        await outgoing.create(
          {
            userId,
            kind: body.to.service,
            name: body.name ?? NAMES[body.to.service],
            address,
            wants: [...new Set(body.kinds)],
            tradeAccountIds: accountsNamed(auth.accounts, principal, body.tradeAccountIds),
            enabled: body.enabled,
          },
          secret,
          (id) => noted(deps, 'destination.created', id, call),
        ),
      );
      return { body: present(made.destination) };
    }),

    bind(changeNotificationChannel, async (call) => {
      const { principal, params, body } = call;
      const destination = reach(principal, params.id);
      const { kinds } = body;
      const changed = done(
        await outgoing.change(
          destination,
          {
            ...changedFields(deps, principal, body),
            ...(kinds === undefined ? {} : { wants: [...new Set(kinds)] }),
          },
          noted(deps, 'destination.changed', destination.id, call),
        ),
      );
      return { body: present(changed) };
    }),

    bind(removeNotificationChannel, async (call) => {
      const destination = reach(call.principal, call.params.id);
      done(await outgoing.remove(destination, noted(deps, 'destination.removed', destination.id, call)));
      return {};
    }),

    bind(testNotificationChannel, async ({ principal, params }) => {
      const tested = done(await outgoing.test(reach(principal, params.id)));
      return { body: presentDelivery(tested) };
    }),

    bind(listChannelDeliveries, async ({ principal, params, query }) => ({
      body: await deliveriesPage(deps, reach(principal, params.id), query),
    })),
  ];
}

/** Splits a channel into the address that may be shown and the secret for the vault. */
function targetOf(to: BodyOf<typeof createNotificationChannel>['to']): {
  readonly address: string;
  readonly secret: DestinationSecret;
} {
  switch (to.service) {
    case 'NTFY':
      return {
        address: checked('to.server', checkServer(to.server, [])).href,
        secret: { secret: to.token ?? '', target: to.topic },
      };
    case 'TELEGRAM':
      return {
        address: checked('to.server', checkServer(to.server, ['api.telegram.org'])).href,
        secret: { secret: to.token, target: to.chatId },
      };
    case 'DISCORD': {
      const url = checked('to.webhookUrl', checkServer(to.webhookUrl, DISCORD_HOSTS));
      if (!DISCORD_PATH.test(url.pathname))
        throw invalid('to.webhookUrl', 'Expected https://discord.com/api/webhooks/<id>/<token>');
      return { address: `${url.origin}/api/webhooks`, secret: { secret: url.href } };
    }
  }
}

function checked(path: string, result: Result<URL, string>): URL {
  if (!result.ok) throw invalid(path, result.error);
  return result.value;
}
