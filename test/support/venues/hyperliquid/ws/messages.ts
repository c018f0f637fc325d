/** Messages of streams before they go out: joined, or emptied by the script. */
import type { Message } from './channels.ts';

/** Joins the message with one of the same kind that waits: lists grow, a market's state gives way to the newer one. */
export function queue(queued: Map<string, Message>, message: Message, subscription: string): void {
  const { channel, data } = message;
  const fields = Array.isArray(data) ? [] : Object.keys(data as object);
  // A funding or liquidation event holds one thing each.
  const alone = channel === 'user' && listsOf(data).length === 0 ? queued.size : '';
  const kind = `${channel} ${fields.join()} ${alone} ${subscription}`;
  const waiting = queued.get(kind)?.data;
  queued.set(kind, waiting === undefined ? message : { channel, data: joined(waiting, data) });
}

function listsOf(data: unknown): string[] {
  const names = ['fills', 'fundings', 'nonUserCancel'];
  return names.filter((name) => Array.isArray((data as Record<string, unknown>)[name]));
}

function joined(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return [...before, ...after];
  const [older, newer] = [before, after] as Record<string, unknown>[];
  return {
    ...newer,
    ...Object.fromEntries(listsOf(newer).map((name) => [name, joined(older?.[name], newer?.[name])])),
  };
}

/** A first message as if the account had never had anything. */
export function emptied({ channel, data }: Message): Message {
  const [field = ''] = ['fills', 'fundings'].filter((name) => Object.hasOwn(data as object, name));
  return { channel, data: { ...(data as object), [field]: [] } };
}
