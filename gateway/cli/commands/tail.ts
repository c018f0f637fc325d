import { anonymous } from '../../client/credentials.ts';
import { eventStream } from '../../client/event-stream.ts';
import type { ChannelMessage } from '../../client/stream-messages.ts';
import { moneyWord } from '../account-mark.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import { eventDetail, rowLines } from '../event-detail.ts';
import { watchedSocket } from '../live-socket.ts';
import { type AccountAccess, accountApi, dataDirFor, gatewayUrl } from '../reach-gateway.ts';
import { findApiKey } from '../saved-key.ts';
import { stripControls } from '../table.ts';

export const command: Command = {
  usage: 'tail [--channel <name>] [--from <seq>]',
  about: [
    "Shows the account's live events until you stop it. After a lost connection it resumes where it was.",
    'A line is: time (UTC), sequence number, LIVE, TESTNET or PAPER, event, the id of what changed, and what it is about.',
    'Public channels: prices:<connector>, funding:<connector>, baskets:<connector>, status. They need no key, one line a row.',
  ],
  flags: [
    {
      name: '--channel',
      kind: 'list',
      value: '<name>',
      help: "Also these channels (the account's own events)",
    },
    {
      name: '--from',
      kind: 'text',
      value: '<seq>',
      help: 'First replay what came after this sequence number',
    },
    {
      name: '--symbol',
      kind: 'list',
      value: '<ticker>',
      help: 'Of public channels only these instruments, such as BTC or BTC-PERP',
    },
    {
      name: '--count',
      kind: 'text',
      value: '<n>',
      help: 'Stop after so many events, and rows of public channels; with --json, messages',
    },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const count = wholeNumber(context, '--count');
    const from = wholeNumber(context, '--from');
    const channels = context.flags.lists.get('--channel') ?? [];
    if (channels.length > 0 && from === null && !hasKey(context))
      return follow(context, null, channels, count);
    const access = await accountApi(context);
    return follow(context, access, channels, count, from);
  },
};

function hasKey(context: CommandContext): boolean {
  return findApiKey(context.env, dataDirFor(context)) !== null || context.flags.texts.has('--account');
}

/** @param access null: public channels, without a key */
async function follow(
  context: CommandContext,
  access: AccountAccess | null,
  channels: readonly string[],
  count: number | null,
  from: number | null = null,
): Promise<number> {
  const { terminal } = context;
  if (terminal.interactive && access !== null)
    terminal.err(
      `${moneyWord(access.account)}: events of '${stripControls(access.account.alias)}' as they come; Ctrl-C ends.`,
    );
  let left = count ?? Number.POSITIVE_INFINITY;
  if (left === 0) return 0;
  const symbols = (context.flags.lists.get('--symbol') ?? []).map((symbol) => symbol.toUpperCase());
  const own = access === null ? [] : [`user:${access.account.id}`];
  const gateway = access?.gateway ?? { url: gatewayUrl(context), agent: null };
  const { Socket, lost, connected } = watchedSocket(context, gateway);
  const messages = eventStream(
    {
      url: gateway.url,
      realtimeUrl: null,
      credentials: access?.credentials ?? anonymous,
      socket: async () => Socket,
      read: (message) => ({ kind: 'message' as const, message }),
      lost,
    },
    {
      channels: [...own, ...channels],
      resumeFrom: from === null ? {} : Object.fromEntries(own.map((channel) => [channel, from])),
      signal: context.interrupted,
    },
  );
  for await (const arrival of messages) {
    if (arrival.kind === 'subscribed') {
      connected();
      continue;
    }
    const message = chosen(arrival.message, symbols);
    if (message === null) continue;
    const asJson = isOn(context, '--json');
    const lines = asJson ? [JSON.stringify(message)] : await linesOf(message, access);
    for (const line of lines.slice(0, left)) terminal.out(line);
    left -= Math.min(left, lines.length);
    if (left === 0) break;
  }
  return 0;
}

/** Of a public channel the rows of these instruments, by ticker or id; null: there is none. */
function chosen(message: ChannelMessage, symbols: readonly string[]): ChannelMessage | null {
  const { data } = message;
  if (symbols.length === 0 || !Array.isArray(data)) return message;
  const rows = data.filter((row) =>
    [row['symbol'], row['id']].some(
      (name) => typeof name === 'string' && symbols.includes(name.toUpperCase()),
    ),
  );
  return rows.length === 0 ? null : { ...message, data: rows };
}

async function linesOf(message: ChannelMessage, access: AccountAccess | null): Promise<string[]> {
  const { timestamp, seq, mode, network, event, data } = message;
  const money = mode == null ? '' : moneyWord({ mode, network });
  const head = `${timestamp}  ${sequence(seq)}  ${money.padEnd(7)}  ${event.padEnd(19)}  `;
  if (data === undefined || !('entityId' in data))
    return rowLines(message).map((row) => stripControls(head + row));
  const { entityId } = data;
  const detail = access === null ? '' : await eventDetail(access.api, event, entityId);
  return [stripControls(`${head}${entityId}${detail === '' ? '' : `  ${detail}`}`)];
}

/** Sequence number as `--from` takes it; public channels have none. */
function sequence(seq: number | undefined): string {
  return (seq === undefined ? '' : `#${seq}`).padStart(7);
}

function wholeNumber(context: CommandContext, flag: string): number | null {
  const text = context.flags.texts.get(flag);
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw usage(`${flag} must be a whole number, not '${text}'`);
  return Number(text);
}
