/** What an event stream hands to its caller; `kind` says which. */

/** The subscription stands: at the start, and again after each lost connection. */
export interface Subscribed {
  readonly kind: 'subscribed';
  /** Private channel → every event with a greater seq follows. To resume after a restart of the program. */
  readonly seq: Readonly<Record<string, number>>;
}

/** Something happened on a trade account (`user:{tradeAccountId}`). None is left out and none comes twice. */
export interface AccountEvent {
  readonly kind: 'event';
  readonly channel: string;
  /** `execution.completed`, `position.updated`, … */
  readonly event: string;
  readonly seq: number;
  readonly timestamp: string;
  /** For executions the execution's id; read it for what happened. */
  readonly entityId: string;
}

/** What was missed is not kept any more: read the state anew over HTTP; events after `seq` follow. */
export interface Resync {
  readonly kind: 'resync';
  readonly channel: string;
  readonly seq: number;
}

/** Rows of a public channel: all of them first and after a lost connection (`snapshot`), then those that changed. */
export interface MarketRows {
  readonly kind: 'snapshot' | 'update';
  readonly channel: string;
  readonly timestamp: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export type StreamMessage = Subscribed | AccountEvent | Resync | MarketRows;

/** A message of a channel as the gateway sends it. */
export interface ChannelMessage {
  readonly channel: string;
  readonly event: string;
  readonly timestamp: string;
  readonly seq?: number;
  readonly data?: { readonly entityId: string } | MarketRows['rows'];
}

export function readChannelMessage(message: ChannelMessage): AccountEvent | Resync | MarketRows {
  const { channel, event, timestamp, seq, data } = message;
  if (seq === undefined) {
    const kind = event === 'snapshot' ? 'snapshot' : 'update';
    return { kind, channel, timestamp, rows: Array.isArray(data) ? data : [] };
  }
  if (data === undefined || !('entityId' in data)) return { kind: 'resync', channel, seq };
  return { kind: 'event', channel, event, seq, timestamp, entityId: data.entityId };
}
