/** Fills and payments of a scripted venue, in order, and what its history has told of them. */
import type { VenueFill, VenueFunding, VenueHistory } from '../../gateway/engine/ports/venue.ts';

export class ScriptedHistory {
  readonly items: ({ readonly fill: VenueFill } | { readonly funding: VenueFunding })[] = [];
  /** Trade ids in each answer. */
  readonly told: (readonly string[])[] = [];
  /** Items of the last so many milliseconds are told again with each cursor; null: none are. */
  againMs: number | null = null;

  /** @param now epoch ms */
  after(cursor: string | null, now: number): VenueHistory {
    const from = Number(cursor ?? 0);
    const page = this.items.slice(from);
    const fills = page.flatMap((item) => ('fill' in item ? [item.fill] : []));
    const funding = page.flatMap((item) => ('funding' in item ? [item.funding] : []));
    this.told.push(fills.map(({ tradeId }) => tradeId));
    if (this.againMs === null) return { fills, funding, nextCursor: String(this.items.length), more: false };
    const toldAgainFrom = now - this.againMs;
    const young = page.findIndex(
      (item) => ('fill' in item ? item.fill : item.funding).timestamp >= toldAgainFrom,
    );
    const next = young < 0 ? this.items.length : from + young;
    return { fills, funding, nextCursor: String(next), toldAgainFrom, more: false };
  }
}
