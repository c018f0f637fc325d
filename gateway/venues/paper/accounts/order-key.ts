/** Key of an order in the index of the archive: 53 bits of (account, client order id), spread evenly. */

/** Upper bound of the keys: whole numbers below 2^53 are exact in a float. */
export const KEY_RANGE = 2 ** 53;

const LOW_BITS = 2 ** 32;

/**
 * Two 32-bit lanes of multiply and xor, finished as in MurmurHash3. Not cryptographic: two orders may share a
 * key, so readers compare the order itself.
 */
export function orderKey(account: string, clientOrderId: string): number {
  let high = 0x9e3779b1 ^ account.length;
  let low = 0x85ebca77 ^ clientOrderId.length;
  for (let i = 0; i < account.length; i += 1) {
    high = Math.imul(high ^ account.charCodeAt(i), 0x27d4eb2f);
    low = Math.imul(low ^ high, 0x165667b1);
  }
  for (let i = 0; i < clientOrderId.length; i += 1) {
    const code = clientOrderId.charCodeAt(i);
    high = Math.imul(high ^ code, 0x27d4eb2f);
    low = Math.imul(low ^ code, 0x165667b1) ^ (high >>> 15);
  }
  return (finished(high ^ low) >>> 11) * LOW_BITS + finished(low);
}

function finished(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
