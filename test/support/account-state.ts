/** Everything a gateway says about one account, read the way a client reads it: lists page by page, events from the first. */
import type { GatewayClient } from './gateway-client.ts';
import type { Json } from './json.ts';
import { connectRealtime } from './realtime-client.ts';

export interface AccountAccess {
  readonly key: string;
  readonly accountId: string;
}

export interface ToldEvent {
  readonly seq: number;
  readonly event: string;
  readonly entityId: string;
}

export interface AccountState {
  readonly executions: readonly Json[];
  readonly fills: readonly Json[];
  readonly positions: readonly Json[];
  /** Holdings at the venue that are in no basket, such as remainders too small to close. */
  readonly unassigned: readonly Json[];
  readonly events: readonly ToldEvent[];
}

/** The query that leaves nothing of a list out. */
const WHOLE_LIST = {
  executions: 'limit=2000&includeSchedule=true&includeTriggers=true',
  fills: 'limit=2000',
  positions: 'limit=2000',
  triggers: 'limit=2000',
  schedules: 'limit=2000',
  ladders: 'limit=2000',
  notifications: 'limit=100',
} as const;

export async function readAccount(
  client: Pick<GatewayClient, 'request'>,
  port: number,
  account: AccountAccess,
): Promise<AccountState> {
  return {
    executions: await wholeList(client, account, 'executions'),
    fills: await wholeList(client, account, 'fills'),
    positions: await wholeList(client, account, 'positions'),
    unassigned: await unassignedOf(client, account),
    events: await readEvents(port, account),
  };
}

async function unassignedOf(
  client: Pick<GatewayClient, 'request'>,
  account: AccountAccess,
): Promise<readonly Json[]> {
  const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
  const answer = await client.request('GET', '/positions/unassigned', { headers });
  if (answer.status !== 200) throw new Error(`GET /positions/unassigned: ${answer.status} ${answer.text}`);
  return answer.json.items;
}

export async function wholeList(
  client: Pick<GatewayClient, 'request'>,
  account: AccountAccess,
  resource: keyof typeof WHOLE_LIST,
): Promise<readonly Json[]> {
  const rows: Json[] = [];
  const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
  for (let cursor = ''; ; ) {
    const answer = await client.request('GET', `/${resource}?${WHOLE_LIST[resource]}${cursor}`, { headers });
    if (answer.status !== 200) throw new Error(`GET /${resource}: ${answer.status} ${answer.text}`);
    rows.push(...answer.json[resource]);
    if (answer.json.nextCursor === undefined) return rows;
    cursor = `&cursor=${answer.json.nextCursor}`;
  }
}

/** Every event of the account up to the moment of asking. */
async function readEvents(port: number, account: AccountAccess): Promise<readonly ToldEvent[]> {
  const channel = `user:${account.accountId}`;
  const socket = await connectRealtime(`ws://127.0.0.1:${port}/ws`);
  try {
    await socket.ask({ op: 'auth', apiKey: account.key });
    const now: Json = await socket.ask({ op: 'subscribe', channels: [channel] });
    const last: number = now.seq[channel];
    await socket.ask({ op: 'unsubscribe', channels: [channel] });
    // Events during the request for the channel's last number come again, in their place.
    const told = socket.messages.length;
    await socket.ask({ op: 'subscribe', channels: [channel], resumeFrom: 0 });
    if (last > 0) await socket.next((message: Json) => message.channel === channel && message.seq === last);
    return socket.messages
      .slice(told)
      .flatMap((message: Json) =>
        message.channel === channel && message.seq !== undefined
          ? [{ seq: message.seq, event: message.event, entityId: message.data.entityId }]
          : [],
      );
  } finally {
    socket.end();
  }
}
