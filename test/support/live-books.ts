/** Live accounts at emulated venues whose books a test states, and its own sums over such a book. */
import { expect } from 'chai';
import type { FakeClock } from './fake-clock.ts';
import type { Json } from './json.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { LiveGateway as Hyperliquid } from './venues/hyperliquid/live-gateway.ts';
import { LiveGateway as Lighter } from './venues/lighter/live-gateway.ts';
import type { LiveAccountBase } from './venues/shared/live-account.ts';
import type { AnyScript } from './venues/shared/venue-script.ts';

export type Levels = readonly (readonly [price: string, size: string])[];

export interface BookDesk {
  /** Clock of gateway and venue. */
  readonly clock: FakeClock;
  readonly account: LiveAccountBase;
  readonly script: AnyScript;
  /** No new book can be had from now on: refused, or never answered. */
  withhold(how: 'fails' | 'hangs'): void;
  readonly failures: readonly ('fails' | 'hangs')[];
  /** The next change of the book is lost. */
  bookGap(symbol: string): void;
  /** Sets the answer to every request for a book from now on. */
  answerBook(json: object | null): void;
  /** Number of requests for a book. */
  asked(): number;
  close(): Promise<void>;
}

export const BOOK_DESKS: Readonly<Record<string, () => Promise<BookDesk>>> = {
  async hyperliquid() {
    const live = await Hyperliquid.start(await temporaryFolder());
    const { script } = live.emulator;
    return {
      ...(await partsOf(live)),
      failures: ['fails', 'hangs'],
      bookGap: () => expect.fail('its books come whole'),
      withhold: (how) =>
        script.fault({
          ...{ on: 'l2Book', times: null },
          ...(how === 'fails' ? { do: 'status', code: 502 } : { do: 'hang', execute: false }),
        }),
      answerBook: (json) => script.fault({ on: 'l2Book', times: null, do: 'answer', json }),
      asked: () => script.traffic().counts['l2Book'] ?? 0,
    };
  },
  async lighter() {
    const live = await Lighter.start(await temporaryFolder());
    const { script } = live.emulator;
    return {
      ...(await partsOf(live)),
      failures: ['hangs'],
      bookGap: (symbol) => script.bookGap(symbol),
      // Withholds books that nobody has looked at yet. The others are streamed already.
      withhold: () => script.streamFaults({ silent: ['order_book'] }),
      answerBook: () => expect.fail('its books come by the stream'),
      asked: () => script.sentContaining('"order_book/').length,
    };
  },
};

async function partsOf(live: Hyperliquid | Lighter) {
  return {
    ...{ clock: live.gateway.clock, account: await live.account(), script: live.emulator.script },
    close: () => live.close(),
  };
}

/** @param levels best first */
export function taken(levels: Levels, { quantity, limitPrice, side, price }: Json) {
  let [left, paid, depth] = [Number(quantity), 0, 0];
  for (const [px, sz] of levels.map(([p, s]) => [Number(p), Number(s)] as const)) {
    if (side === 'BUY' ? px > Number(limitPrice) : px < Number(limitPrice)) break;
    depth += px * sz;
    const part = Math.min(left, sz);
    paid += part * px;
    left -= part;
  }
  const filled = Number(quantity) - left;
  const cost = (paid - filled * Number(price)) * (side === 'BUY' ? 1 : -1);
  return { filled, average: paid / filled, cost, depth };
}

/** Levels beside the mark, each so many parts in ten thousand further. */
export function ladder(mark: string, sizes: readonly string[], sign: 1 | -1, tenThousandths = 5): Levels {
  return sizes.map((size, index) => [
    (Number(mark) * (1 + (sign * (index + 1) * tenThousandths) / 10_000)).toPrecision(5),
    size,
  ]);
}
