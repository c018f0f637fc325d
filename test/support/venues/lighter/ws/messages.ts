/** Messages of streams before they go out: joined, or emptied by the script. */
import type { Message } from './channels.ts';

/** Fields that are lists by market: of two messages that wait, both count. */
const LISTS = ['orders', 'trades', 'funding_histories'];
/** Fields that are states by market: of each market the newer one counts. */
const STATES = ['positions', 'market_stats'];

/** Joins the message with one of its stream that waits: lists grow, states give way to the newer one. */
export function queue(queued: Map<string, Message>, message: Message): void {
  const key = String(message['channel']);
  const waiting = queued.get(key);
  queued.set(key, waiting === undefined ? message : joined(waiting, message));
}

function joined(before: Message, after: Message): Message {
  const lists = [...LISTS, 'txs', 'liquidation_trades'].filter((name) => name in before && name in after);
  const merged = lists.map((name) => [name, merge(before[name], after[name])]);
  const states = STATES.filter((name) => name in before && name in after);
  const newest = states.map((name) => [name, { ...(before[name] as object), ...(after[name] as object) }]);
  return { ...before, ...after, ...Object.fromEntries([...merged, ...newest]) };
}

function merge(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return [...before, ...after];
  const [older, newer] = [before, after] as Record<string, unknown[]>[];
  const markets = new Set([...Object.keys(older ?? {}), ...Object.keys(newer ?? {})]);
  return Object.fromEntries(
    [...markets].map((market) => [market, [...(older?.[market] ?? []), ...(newer?.[market] ?? [])]]),
  );
}

/** A first message as if the account had never had anything. */
export function emptied(message: Message): Message {
  const empty = (value: unknown) => (Array.isArray(value) ? [] : {});
  const fields = [...LISTS, 'positions', 'txs', 'assets'].filter((name) => name in message);
  return { ...message, ...Object.fromEntries(fields.map((name) => [name, empty(message[name])])) };
}
