/** UUID v7 (RFC 9562 §5.7), strictly increasing within the process: 48 bit ms, 12 bit counter, 62 random bits. */
import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '../engine/ports.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const POOL_BYTES = 8 * 512;

export function createIds(clock: Pick<Clock, 'now'>): Ids {
  let pool = randomBytes(POOL_BYTES);
  let offset = 0;
  let lastMs = 0;
  let counter = 0;
  let prefix = '';
  let prefixMs = -1;
  const at = (index: number) => HEX[pool[index] ?? 0] ?? '00';
  return {
    next() {
      const now = clock.now();
      if (now > lastMs) {
        lastMs = now;
        counter = 0;
      } else if (++counter > 0xfff) {
        // More than 4,096 ids in a millisecond, or a clock that stepped back: borrow from the future, stay monotonic.
        lastMs += 1;
        counter = 0;
      }
      if (offset + 8 > POOL_BYTES) {
        pool = randomBytes(POOL_BYTES);
        offset = 0;
      }
      const o = offset;
      offset += 8;
      if (prefixMs !== lastMs) {
        const time = lastMs.toString(16).padStart(12, '0');
        prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
        prefixMs = lastMs;
      }
      const variant = HEX[((pool[o] ?? 0) & 0x3f) | 0x80] ?? '80';
      return `${prefix}${counter.toString(16).padStart(3, '0')}-${variant}${at(o + 1)}-${at(o + 2)}${at(o + 3)}${at(o + 4)}${at(o + 5)}${at(o + 6)}${at(o + 7)}`;
    },
  };
}
