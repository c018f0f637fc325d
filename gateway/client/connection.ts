/**
 * One WebSocket connection from its opening to its end: authenticates, subscribes, and queues messages until the stream
 * takes them.
 */
import type { SocketConstructor } from './socket.ts';
import type { ChannelMessage, Subscribed } from './stream-messages.ts';

export interface ConnectionRequest {
  readonly url: string;
  readonly auth: Readonly<Record<string, string>> | null;
  readonly channels: readonly string[];
  /** Private channel → the last seq that the caller has. */
  readonly resumeFrom: Readonly<Record<string, number>>;
  readonly signal: AbortSignal | undefined;
}

export type Arrival = Subscribed | { readonly kind: 'message'; readonly message: ChannelMessage } | Ended;

/** The last thing a connection delivers: its end. */
export interface Ended {
  readonly kind: 'ended';
  /** null: the connection broke; else the gateway's reason. */
  readonly code: string | null;
  readonly text: string;
  /** False: it never was a connection to a gateway. */
  readonly wasOpen: boolean;
}

/**
 * A connection counts as lost after this much silence despite pings: after the machine slept, no event reports its
 * end.
 */
const SILENCE_MS = 45_000;
const PING_MS = 15_000;
/**
 * Maximum number of messages that wait for the caller. If it reads none, the connection is closed, and resumed when
 * it reads again.
 */
const MAX_WAITING = 10_000;

/** The gateway's answer to a message of the client. */
interface Reply {
  readonly op: 'ack' | 'error' | 'pong';
  readonly id: unknown;
  readonly code?: string;
  readonly message?: string;
  readonly seq?: Readonly<Record<string, number>>;
}

export class Connection {
  readonly #request: ConnectionRequest;
  readonly #socket: InstanceType<SocketConstructor>;
  #arrivals: Arrival[] = [];
  #taker: (() => void) | null = null;
  #ended = false;
  #isOpen = false;
  #heard = true;
  #quietMs = 0;
  readonly #pulse: ReturnType<typeof setInterval>;
  readonly #stop = () => this.#end(null, 'stopped');

  constructor(Constructor: SocketConstructor, request: ConnectionRequest) {
    this.#request = request;
    this.#socket = new Constructor(request.url);
    this.#socket.addEventListener('open', () => this.#opened());
    this.#socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    this.#socket.addEventListener('close', ({ code, reason }) => this.#end(null, `${code} ${reason}`));
    // The `close` event that follows is handled. Without an `error` listener the package `ws` would end the program.
    this.#socket.addEventListener('error', () => {});
    this.#pulse = setInterval(() => this.#beat(), PING_MS);
    request.signal?.addEventListener('abort', this.#stop, { once: true });
  }

  /** The next thing that arrived, in order. */
  async next(): Promise<Arrival> {
    for (;;) {
      const arrival = this.#arrivals.shift();
      if (arrival !== undefined) return arrival;
      await new Promise<void>((resolve) => {
        this.#taker = resolve;
      });
    }
  }

  close(): void {
    this.#end(null, 'closed');
  }

  #opened(): void {
    this.#isOpen = true;
    if (this.#ended) {
      this.#socket.close();
      return;
    }
    const { auth } = this.#request;
    if (auth === null) this.#subscribe();
    else this.#send({ op: 'auth', id: 'auth', ...auth });
  }

  #subscribe(): void {
    const { channels, resumeFrom } = this.#request;
    const accounts = channels.filter((name) => name.startsWith('user:'));
    const [first, ...others] = Object.entries(resumeFrom);
    // With one account, its sequence number is sent without the channel's name, as the protocol's documentation shows.
    const isPlain = others.length === 0 && accounts.length === 1 && accounts[0] === first?.[0];
    const resume = first === undefined ? {} : { resumeFrom: isPlain ? first[1] : resumeFrom };
    this.#send({ op: 'subscribe', id: 'subscribe', channels, ...resume });
  }

  #take(message: Reply | ChannelMessage): void {
    if (this.#ended) return;
    this.#heard = true;
    if (!('op' in message)) this.#push({ kind: 'message', message });
    else if (message.op === 'error') this.#end(message.code ?? 'INTERNAL_ERROR', message.message ?? '');
    else if (message.op === 'pong') return;
    else if (message.id === 'auth') this.#subscribe();
    else this.#push({ kind: 'subscribed', seq: message.seq ?? {} });
  }

  #beat(): void {
    this.#quietMs = this.#heard ? 0 : this.#quietMs + PING_MS;
    this.#heard = false;
    if (this.#quietMs >= SILENCE_MS) this.#end(null, 'silent');
    else this.#send({ op: 'ping' });
  }

  #send(message: object): void {
    try {
      this.#socket.send(JSON.stringify(message));
    } catch {
      // The socket is not open; its `close` event will report its end.
    }
  }

  #push(arrival: Arrival): void {
    if (this.#ended) return;
    this.#arrivals.push(arrival);
    this.#taker?.();
    if (this.#arrivals.length > MAX_WAITING) this.#end(null, 'the caller takes nothing');
  }

  #end(code: string | null, text: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#pulse);
    this.#request.signal?.removeEventListener('abort', this.#stop);
    this.#arrivals.push({ kind: 'ended', code, text, wasOpen: this.#isOpen });
    this.#taker?.();
    // Browsers log a warning if a socket is closed while it opens, so it is closed once it is open.
    if (this.#isOpen) this.#socket.close();
  }
}
