/** Previews of one grant or key, in memory: 64, two minutes each. A placed one is on disk under its id. */
import type { ShownHeld } from '../domain/shown-held.ts';
import type { RouteLabel } from './ask.ts';

export const PREVIEW_LIFE_MS = 120_000;
const MOST = 64;

export interface Preview {
  readonly id: string;
  readonly accountId: string;
  /** The request that placing it makes. */
  readonly route: RouteLabel;
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
  /** Legs that it trades at once. */
  readonly legs: readonly { readonly symbol: string; readonly side: 'BUY' | 'SELL' }[];
  /** Worst price by instrument, which no order of it exceeds. Empty: it is sized when it fires. */
  readonly worstPrices: ReadonlyMap<string, string>;
  /** Quantities of the position that it showed; undefined: it concerns none. */
  readonly shown: ShownHeld | undefined;
  readonly summary: string;
  readonly expiresAt: number;
}

export class Previews {
  readonly #previews = new Map<string, Preview>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(preview: Preview): void {
    this.#previews.set(preview.id, preview);
    for (const [id, { expiresAt }] of this.#previews) {
      if (expiresAt > this.#now() && this.#previews.size <= MOST) break;
      this.#previews.delete(id);
    }
  }

  /** undefined: unknown, or over. */
  get(id: string): Preview | undefined {
    const preview = this.#previews.get(id);
    return preview === undefined || preview.expiresAt <= this.#now() ? undefined : preview;
  }
}
