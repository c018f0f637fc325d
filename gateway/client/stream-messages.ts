/** Messages that an event stream hands to its caller, told apart by `kind`. */

/** The gateway has confirmed the subscription: at the start, and again after each lost connection. */
export interface Subscribed {
  readonly kind: 'subscribed';
  /** Private channel → seq after which every event follows. To resume after a restart of the program. */
  readonly seq: Readonly<Record<string, number>>;
}

/** Whose money the trade account of a message is. */
export interface MessageMoney {
  /** null: a gateway of an earlier version, which did not say it. */
  readonly mode: 'PAPER' | 'LIVE' | null;
  /** Real money on `mainnet`, none on `testnet`; null where `mode` is not LIVE. */
  readonly network: 'mainnet' | 'testnet' | null;
}

/** An event of a trade account (`user:{tradeAccountId}`). No event is left out and none comes twice. */
export interface AccountEvent extends MessageMoney {
  readonly kind: 'event';
  readonly channel: string;
  /** `execution.completed`, `position.updated`, … */
  readonly event: string;
  readonly seq: number;
  readonly timestamp: string;
  /** For executions the id of the execution; read it over HTTP for its state. */
  readonly entityId: string;
}

/** The gateway has dropped missed events: read the state anew over HTTP; events after `seq` follow. */
export interface Resync extends MessageMoney {
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
  readonly mode?: MessageMoney['mode'];
  readonly network?: MessageMoney['network'];
  readonly data?: { readonly entityId: string } | MarketRows['rows'];
}

export function readChannelMessage(message: ChannelMessage): AccountEvent | Resync | MarketRows {
  const { channel, event, timestamp, seq, data } = message;
  if (seq === undefined) {
    const kind = event === 'snapshot' ? 'snapshot' : 'update';
    return { kind, channel, timestamp, rows: Array.isArray(data) ? data : [] };
  }
  const { mode = null, network = null } = message;
  if (data === undefined || !('entityId' in data)) return { kind: 'resync', channel, seq, mode, network };
  return { kind: 'event', channel, event, seq, timestamp, mode, network, entityId: data.entityId };
}
