/** Nonces that each signer has used: the venue keeps the 100 highest, and takes only new ones above the lowest of them. */

const KEPT = 100;
const DAY_MS = 86_400_000;

export class Nonces {
  readonly #used = new Map<string, number[]>();

  /** Remembers the nonce; answers the venue's words where it refuses it. */
  use(signer: string, nonce: number, now: number): string | null {
    if (nonce <= now - 2 * DAY_MS || nonce >= now + DAY_MS) {
      return `Invalid nonce: ${nonce} is too far from the current time`;
    }
    const used = this.#used.get(signer) ?? [];
    if (used.includes(nonce)) return `Invalid nonce: duplicate nonce ${nonce}`;
    const lowest = Math.min(...used);
    if (used.length >= KEPT && nonce < lowest) return `Invalid nonce: nonce too low ${nonce}`;
    used.push(nonce);
    if (used.length > KEPT) used.splice(used.indexOf(Math.min(...used)), 1);
    this.#used.set(signer, used);
    return null;
  }
}
