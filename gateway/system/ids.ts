/** UUID v7 (RFC 9562 §5.7), strictly increasing, also over restarts: 48 bit ms, 12 bit counter, 62 random bits. */
import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '../engine/ports/system.ts';

/** Random hex digits of a UUID; the first of them is the variant digit, of which only two bits are random. */
const RANDOM_DIGITS = 16;
const VARIANTS = '89ab';
const POOL_DIGITS = 512 * RANDOM_DIGITS;
const MAX_COUNTER = 0xfff;
const COUNTER_DIGITS = Array.from({ length: MAX_COUNTER + 1 }, (_, count) =>
  count.toString(16).padStart(3, '0'),
);

function randomDigits(): string {
  return randomBytes(POOL_DIGITS / 2).toString('hex');
}

/** Milliseconds and counter of a UUID v7. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-/;

/** @param last the greatest id on disk: two runs of the gateway within one millisecond must not mix their ids */
export function createIds(clock: Pick<Clock, 'now'>, last: string | null = null): Ids {
  let pool = randomDigits();
  let offset = 0;
  const [, high = '0', low = '0', count = '0'] = UUID_V7.exec(last ?? '') ?? [];
  let lastMs = Number.parseInt(`${high}${low}`, 16);
  let counter = Number.parseInt(count, 16);
  let prefix = '';
  let prefixMs = -1;
  return {
    next() {
      const now = clock.now();
      if (now > lastMs) {
        lastMs = now;
        counter = 0;
      } else if (++counter > MAX_COUNTER) {
        // More than 4,096 ids in a millisecond, or a clock that stepped back: the next millisecond keeps ids rising.
        lastMs += 1;
        counter = 0;
      }
      if (offset === POOL_DIGITS) {
        pool = randomDigits();
        offset = 0;
      }
      const o = offset;
      offset += RANDOM_DIGITS;
      if (prefixMs !== lastMs) {
        const time = lastMs.toString(16).padStart(12, '0');
        prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
        prefixMs = lastMs;
      }
      // Built from few string pieces, because this is faster: every acknowledgement of an order makes an id.
      return `${prefix}${COUNTER_DIGITS[counter]}-${VARIANTS[pool.charCodeAt(o) & 3]}${pool.slice(o + 1, o + 4)}-${pool.slice(o + 4, o + RANDOM_DIGITS)}`;
    },
  };
}
