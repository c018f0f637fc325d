/** Common parts of the commands about webhooks and notification channels. */
import { messageKind } from '../contract/notification-channels.ts';
import { PRIVATE_EVENTS } from '../contract/realtime.ts';
import type { ChannelAnswer, DeliveryAnswer, WebhookAnswer } from './answers.ts';
import { read } from './answers.ts';
import { usage } from './cli-error.ts';
import {
  CLIENT_FLAGS,
  type Command,
  type CommandContext,
  LIMIT_FLAG,
  limitOf,
  printAnswer,
  printList,
} from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import { chooseById, shortId } from './ids.ts';
import { keyedApi } from './reach-gateway.ts';
import { second } from './resting.ts';
import type { Column } from './table.ts';

type Row = Pick<WebhookAnswer, 'id' | 'name' | 'enabled' | 'waiting' | 'skipped' | 'lastAttempt'>;

export const WEBHOOK_COLUMNS: readonly Column<WebhookAnswer>[] = [
  { title: 'NAME', cell: (row) => row.name },
  { title: 'URL', cell: (row) => row.url },
  { title: 'EVENTS', cell: (row) => row.events.join(',') },
  ...standing(),
];

export const CHANNEL_COLUMNS: readonly Column<ChannelAnswer>[] = [
  { title: 'NAME', cell: (row) => row.name },
  { title: 'SERVICE', cell: (row) => row.service },
  { title: 'KINDS', cell: (row) => row.kinds.join(',') },
  ...standing(),
];

function standing(): readonly Column<Row>[] {
  return [
    { title: 'STATE', cell: (row) => (row.enabled ? 'on' : 'off') },
    { title: 'WAITING', align: 'right', cell: (row) => row.waiting },
    { title: 'SKIPPED', align: 'right', cell: (row) => row.skipped },
    { title: 'LAST', cell: (row) => row.lastAttempt?.error ?? row.lastAttempt?.status },
    { title: 'ID', cell: (row) => shortId(row.id) },
  ];
}

export const DELIVERY_COLUMNS: readonly Column<DeliveryAnswer>[] = [
  { title: 'CREATED (UTC)', cell: (row) => second(row.createdAt) },
  { title: 'EVENT', cell: (row) => row.event.event },
  { title: 'STATUS', cell: (row) => row.status },
  { title: 'TRIES', align: 'right', cell: (row) => row.attempts },
  { title: 'ANSWER', align: 'right', cell: (row) => row.responseStatus },
  { title: 'NEXT (UTC)', cell: (row) => second(row.nextAttemptAt) },
  { title: 'EVENT ID', cell: (row) => row.event.id },
  { title: 'PROBLEM', cell: (row) => row.error || ' ' },
];

/** Values of a list flag, also comma-separated, each one of `known`. */
export function choicesOf(
  { flags }: CommandContext,
  flag: string,
  known: readonly string[],
): readonly string[] {
  const given = (flags.lists.get(flag) ?? []).flatMap((word) => word.split(',')).map((word) => word.trim());
  const wrong = given.find((word) => !known.includes(word));
  if (wrong !== undefined) throw usage(`${flag}: no '${wrong}'; there are: ${known.join(', ')}`);
  return [...new Set(given)];
}

export const EVENT_NAMES: readonly string[] = [...PRIVATE_EVENTS, '*'];
export const KIND_NAMES: readonly string[] = messageKind.options;

export interface Family {
  /** `webhooks` */
  readonly word: string;
  readonly what: string;
  readonly rows: (api: GatewayApi) => Promise<readonly { readonly id: string; readonly name: string }[]>;
  readonly test: 'POST /webhooks/{id}/test' | 'POST /notification-channels/{id}/test';
  readonly remove: 'DELETE /webhooks/{id}' | 'DELETE /notification-channels/{id}';
  readonly log: 'GET /webhooks/{id}/deliveries' | 'GET /notification-channels/{id}/deliveries';
}

export const WEBHOOKS: Family = {
  word: 'webhooks',
  what: 'webhook',
  rows: async (api) => read('GET /webhooks', await api.call('GET /webhooks')).webhooks,
  test: 'POST /webhooks/{id}/test',
  remove: 'DELETE /webhooks/{id}',
  log: 'GET /webhooks/{id}/deliveries',
};

export const CHANNELS: Family = {
  word: 'notify',
  what: 'notification channel',
  rows: async (api) =>
    read('GET /notification-channels', await api.call('GET /notification-channels')).notificationChannels,
  test: 'POST /notification-channels/{id}/test',
  remove: 'DELETE /notification-channels/{id}',
  log: 'GET /notification-channels/{id}/deliveries',
};

/** The one that is named by its id, an end of it, or its name; without a word the only one. */
export async function named(
  family: Family,
  api: GatewayApi,
  wanted: string | undefined,
): Promise<{ readonly id: string; readonly name: string }> {
  const rows = await family.rows(api);
  if (wanted === undefined) {
    const [only, ...others] = rows;
    if (only !== undefined && others.length === 0) return only;
    throw usage(
      rows.length === 0
        ? `there is no ${family.what}; make one with tandem ${family.word} add`
        : `name one ${family.what}; see tandem ${family.word}`,
    );
  }
  const byName = rows.filter(({ name }) => name === wanted);
  const [one] = byName;
  if (one !== undefined && byName.length === 1) return one;
  return chooseById(rows, wanted, family.what, `tandem ${family.word}`);
}

export function testCommand(family: Family): Command {
  return {
    usage: `${family.word} test [<id|name>]`,
    about: [`Sends a test to a ${family.what}, once, and says what came of it.`],
    flags: CLIENT_FLAGS,
    words: [0, 1],
    async run(context) {
      const api = keyedApi(context);
      const { id } = await named(family, api, context.flags.words[0]);
      const answer = await api.call(family.test, { params: { id } });
      const tested = read('POST /webhooks/{id}/test', answer);
      printAnswer(context, answer, () => printList(context, [tested], DELIVERY_COLUMNS, ''));
      return tested.status === 'DELIVERED' ? 0 : 1;
    },
  };
}

export function removeCommand(family: Family): Command {
  return {
    usage: `${family.word} remove <id|name>`,
    about: [`Removes a ${family.what} with its secrets and its log.`],
    flags: CLIENT_FLAGS,
    words: [1, 1],
    async run(context) {
      const api = keyedApi(context);
      const { id, name } = await named(family, api, context.flags.words[0]);
      await api.call(family.remove, { params: { id } });
      printAnswer(context, { removed: id }, () => context.terminal.out(`Removed '${name}' (${id}).`));
      return 0;
    },
  };
}

export function logCommand(family: Family): Command {
  return {
    usage: `${family.word} log [<id|name>]`,
    about: [`Lists what was sent to a ${family.what}, newest first: seven days of it.`],
    flags: [LIMIT_FLAG, ...CLIENT_FLAGS],
    words: [0, 1],
    async run(context) {
      const limit = String(Math.min(200, Number(limitOf(context))));
      const api = keyedApi(context);
      const { id } = await named(family, api, context.flags.words[0]);
      const answer = await api.call(family.log, { params: { id }, query: { limit } });
      printAnswer(context, answer, () => {
        const { deliveries, nextCursor } = read('GET /webhooks/{id}/deliveries', answer);
        printList(context, deliveries, DELIVERY_COLUMNS, 'Nothing was sent yet.', nextCursor);
      });
      return 0;
    },
  };
}
