/** The frames of one WebSocket as they went over the wire: the last few hundred, shown at most four times a second. */
import { createStore } from 'zustand';

export interface Frame {
  readonly number: number;
  /** Time of the frame, epoch ms. */
  readonly at: number;
  readonly direction: 'sent' | 'received';
  /** Subject of the frame: `prices:paper update`, `ack`, … */
  readonly title: string;
  readonly text: string;
}

const MAX_FRAMES = 500;
const FLUSH_MS = 250;

/** Subject of a frame, from its JSON. */
export function frameTitle(text: string): string {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null) return 'message';
    if ('op' in message) {
      const code = 'code' in message ? ` ${String(message.code)}` : '';
      return `${String(message.op)}${code}`;
    }
    if ('channel' in message && 'event' in message)
      return `${String(message.channel)} ${String(message.event)}`;
    return 'message';
  } catch {
    return 'not JSON';
  }
}

/** The frame indented for reading; unchanged if it is not JSON. */
export function prettyFrame(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export class FrameBuffer {
  #waiting: Frame[] = [];
  #made = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isHeld = false;
  readonly #shown = createStore<readonly Frame[]>(() => []);
  /** The frames, newest first. */
  readonly list = this.#shown.getState;
  readonly subscribe = (listener: () => void) => this.#shown.subscribe(listener);

  add(direction: Frame['direction'], text: string): void {
    this.#made += 1;
    this.#waiting.push({ number: this.#made, at: Date.now(), direction, title: frameTitle(text), text });
    if (this.#waiting.length > MAX_FRAMES) this.#waiting.splice(0, this.#waiting.length - MAX_FRAMES);
    this.#flushSoon();
  }

  /** While held, the shown frames do not change; frames that arrive meanwhile are shown afterwards. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (this.#waiting.length > 0) this.#flushSoon();
  }

  clear(): void {
    this.#waiting = [];
    this.#shown.setState([], true);
  }

  #flushSoon(): void {
    if (!this.#isHeld) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    this.#timer = null;
    if (this.#isHeld) return;
    this.#shown.setState([...this.#waiting.reverse(), ...this.list()].slice(0, MAX_FRAMES), true);
    this.#waiting = [];
  }
}

/** The frame for display: the credential of an `auth` message is removed. */
export function shownFrame(text: string): string {
  return frameTitle(text) === 'auth' ? JSON.stringify({ op: 'auth', credential: 'not shown' }) : text;
}

/** A WebSocket class that records every sent and received frame in the buffer. */
export function tappedSocket(buffer: FrameBuffer): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
        buffer.add('received', String(data)),
      );
    }

    override send(data: string): void {
      super.send(data);
      buffer.add('sent', shownFrame(data));
    }
  };
}

const CHANNEL = /^[\w.-]{1,40}(:[\w.-]{1,80})?$/;

/** Channels from typed text, split at commas and blanks; null: one name cannot be a channel. */
export function readChannels(text: string): readonly string[] | null {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
  return names.every((name) => CHANNEL.test(name)) ? names : null;
}
