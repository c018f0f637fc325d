import type { Agent } from 'node:http';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { createBackoff } from '../../system/backoff.ts';
import { CliError, usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import { accountApi } from '../reach-gateway.ts';
import { stripControls } from '../table.ts';

export const command: Command = {
  usage: 'tail [--channel <name>] [--from <seq>]',
  about: [
    "Shows the account's live events until you stop it. After a lost connection it resumes where it was.",
    'A line is: time (UTC), sequence number, event, and the id of what changed.',
    'Public channels: prices:<connector>, funding:<connector>, baskets:<connector>, status.',
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
    { name: '--count', kind: 'text', value: '<n>', help: 'Stop after so many events' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const count = wholeNumber(context, '--count');
    const from = wholeNumber(context, '--from');
    const { api, apiKey, agent, account } = await accountApi(context);
    const follower: Follower = {
      address: `${api.url.replace(/^http/, 'ws')}/ws`,
      apiKey,
      agent,
      channel: `user:${account.id}`,
      others: context.flags.lists.get('--channel') ?? [],
      seq: from,
      left: count ?? Number.POSITIVE_INFINITY,
    };
    if (context.terminal.interactive)
      context.terminal.err(`Events of '${stripControls(account.alias)}' as they come; Ctrl-C ends.`);
    const backoff = createBackoff({ baseMs: 250, maxMs: 10_000, random: Math.random });
    let connectedBefore = false;
    while (!context.interrupted.aborted && follower.left > 0) {
      const end = await follow(context, follower, () => {
        connectedBefore = true;
        backoff.reset();
      });
      if (end === 'finished') break;
      // A refusal before the first subscription (a wrong channel, a revoked key) will not go away by trying again.
      if (!connectedBefore) throw new CliError(`no live connection to ${api.url}: ${end}`);
      const delayMs = backoff.nextDelayMs();
      context.terminal.err(`Connection lost (${end}); trying again in ${(delayMs / 1000).toFixed(1)} s`);
      await Promise.race([context.clock.sleep(delayMs), aborted(context.interrupted)]);
    }
    return 0;
  },
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

interface Follower {
  readonly address: string;
  readonly apiKey: string;
  readonly agent: Agent | null;
  /** The private channel. */
  readonly channel: string;
  readonly others: readonly string[];
  /** Last event seen; null before the first. */
  seq: number | null;
  /** How many more events are wanted. */
  left: number;
}

const reply = z.object({
  op: z.enum(['ack', 'error', 'pong']),
  id: z.unknown(),
  message: z.string().optional(),
  seq: z.record(z.string(), z.number()).optional(),
});
const serverMessage = z.union([
  reply,
  z.object({
    op: z.undefined().optional(),
    channel: z.string(),
    event: z.string(),
    seq: z.number().optional(),
    timestamp: z.string(),
    data: z.unknown().optional(),
  }),
]);

/** One connection. `finished`: stopped on purpose; anything else is why it ended. */
function follow(context: CommandContext, follower: Follower, onSubscribed: () => void): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(follower.address, {
      handshakeTimeout: 10_000,
      perMessageDeflate: false,
      ...(follower.agent === null ? {} : { agent: follower.agent }),
    });
    let end = 'closed';
    const stop = () => {
      end = 'finished';
      socket.close(1000);
    };
    context.interrupted.addEventListener('abort', stop, { once: true });
    if (context.interrupted.aborted) stop();

    socket.on('open', () => {
      socket.send(JSON.stringify({ op: 'auth', id: 'auth', apiKey: follower.apiKey }));
    });
    socket.on('message', (raw) => {
      const message = readMessage(String(raw));
      if (message === null || end === 'finished') return;
      if (message.op !== undefined) {
        if (message.op === 'error') {
          end = stripControls(message.message ?? 'refused');
          socket.close(1000);
        } else if (message.id === 'auth') {
          const resume = follower.seq === null ? {} : { resumeFrom: follower.seq };
          const channels = [follower.channel, ...follower.others];
          socket.send(JSON.stringify({ op: 'subscribe', id: 'subscribe', channels, ...resume }));
        } else if (message.id === 'subscribe') {
          // Where the gateway stands: a connection lost before the first event resumes from here.
          follower.seq ??= message.seq?.[follower.channel] ?? null;
          onSubscribed();
        }
        return;
      }
      if (message.channel === follower.channel && message.seq !== undefined) follower.seq = message.seq;
      context.terminal.out(
        isOn(context, '--json')
          ? JSON.stringify(message)
          : stripControls(
              `${message.timestamp}  ${sequence(message.seq)}  ${message.event.padEnd(19)}  ${about(message.data, message.channel)}`,
            ),
      );
      follower.left -= 1;
      if (follower.left <= 0) stop();
    });
    socket.on('error', (error) => {
      if (end === 'closed') end = error.message;
    });
    socket.on('close', () => {
      context.interrupted.removeEventListener('abort', stop);
      resolve(end);
    });
  });
}

function readMessage(raw: string): z.output<typeof serverMessage> | null {
  try {
    const parsed = serverMessage.safeParse(JSON.parse(raw));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What `--from` takes; public channels have none. */
function sequence(seq: number | undefined): string {
  return (seq === undefined ? '' : `#${seq}`).padStart(7);
}

function about(data: unknown, channel: string): string {
  if (typeof data === 'object' && data !== null && 'entityId' in data) return String(data.entityId);
  return Array.isArray(data) ? `${channel}  ${data.length} rows` : channel;
}

function wholeNumber(context: CommandContext, flag: string): number | null {
  const text = context.flags.texts.get(flag);
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw usage(`${flag} must be a whole number, not '${text}'`);
  return Number(text);
}
