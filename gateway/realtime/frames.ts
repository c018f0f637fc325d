/** Server messages as ready-made buffers: serialised once, sent to any number of clients. */
import type { MessageId, RealtimeErrorCode } from '../contract/realtime.ts';
import type { Money } from '../domain/money.ts';
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function privateChannel(tradeAccountId: string): string {
  return `user:${tradeAccountId}`;
}

/** @param rows text of a JSON array */
export function publicFrame(
  channel: string,
  event: 'snapshot' | 'update',
  now: number,
  rows: string,
): Buffer {
  return Buffer.from(
    `{"channel":${JSON.stringify(channel)},"event":"${event}","timestamp":"${isoTime(now)}","data":${rows}}`,
  );
}

export function privateFrame(event: StoredEvent, { mode, network }: Money): Buffer {
  return Buffer.from(
    JSON.stringify({
      channel: privateChannel(event.tradeAccountId),
      event: event.event,
      seq: event.seq,
      timestamp: isoTime(event.timestamp),
      mode,
      network,
      data: { entityId: event.entityId },
    }),
  );
}

export function resyncFrame(
  tradeAccountId: string,
  seq: number,
  now: number,
  { mode, network }: Money,
): Buffer {
  return Buffer.from(
    JSON.stringify({
      channel: privateChannel(tradeAccountId),
      event: 'resync',
      seq,
      timestamp: isoTime(now),
      mode,
      network,
    }),
  );
}

export function ackFrame(answer: {
  readonly id: MessageId | null;
  readonly subscriptions: readonly string[];
  readonly authenticated: boolean;
  readonly seq?: Readonly<Record<string, number>>;
}): Buffer {
  return Buffer.from(JSON.stringify({ op: 'ack', ...answer }));
}

export function errorFrame(id: MessageId | null, code: RealtimeErrorCode, message: string): Buffer {
  return Buffer.from(JSON.stringify({ op: 'error', id, code, message }));
}

export function pongFrame(id: MessageId | null): Buffer {
  return Buffer.from(JSON.stringify({ op: 'pong', id }));
}
