/** UUID v7 (RFC 9562 §5.7), strictly increasing within the process: 48 bit ms, 12 bit counter, 62 random bits. */
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

export function createIds(clock: Pick<Clock, 'now'>): Ids {
  let pool = randomDigits();
  let offset = 0;
  let lastMs = 0;
  let counter = 0;
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
