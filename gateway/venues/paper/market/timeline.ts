/** Wall clock ↔ market time: market = anchor.market + (wall − anchor.wall) × speed. */
export interface TimelineAnchor {
  readonly wall: number;
  readonly market: number;
  readonly speed: number;
}

export interface Timeline {
  /** Anchor in force; `follow` may replace it. */
  readonly anchor: TimelineAnchor;
  toMarket(wall: number): number;
  toWall(market: number): number;
  /**
   * Sets a new anchor when the wall clock was set back by more than `SET_BACK_MS`, since the market would otherwise
   * stand still until the wall clock has caught up.
   * @param market present market time
   */
  follow(wall: number, market: number): void;
}

/** A larger step back of the wall clock counts as a clock that somebody set; after a smaller one the market waits. */
export const SET_BACK_MS = 1_000;

export function createTimeline(first: TimelineAnchor): Timeline {
  let anchor = first;
  const toMarket = (wall: number) => Math.floor(anchor.market + (wall - anchor.wall) * anchor.speed);
  return {
    get anchor() {
      return anchor;
    },
    toMarket,
    toWall: (market) => Math.round(anchor.wall + (market - anchor.market) / anchor.speed),
    follow(wall, market) {
      if (market - toMarket(wall) > SET_BACK_MS * anchor.speed)
        anchor = { wall, market, speed: anchor.speed };
    },
  };
}

/**
 * Keeps the stored anchor if the speed is unchanged. For another speed a new anchor is made at `now`, so that market
 * time does not jump.
 */
export function resumedTimeline(anchor: TimelineAnchor, speed: number, now: number): Timeline {
  if (anchor.speed === speed) return createTimeline(anchor);
  return createTimeline({ wall: now, market: createTimeline(anchor).toMarket(now), speed });
}
