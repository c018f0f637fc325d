/** Wall clock ↔ market time: market = anchor.market + (wall − anchor.wall) × speed. */
export interface TimelineAnchor {
  readonly wall: number;
  readonly market: number;
  readonly speed: number;
}

export interface Timeline {
  /** As it is now. */
  readonly anchor: TimelineAnchor;
  toMarket(wall: number): number;
  toWall(market: number): number;
  /**
   * A wall clock that was set back by more than `SET_BACK_MS` would make the market stand still until it has caught up: from
   * here on the market's present is the wall's.
   * @param market where the market is
   */
  follow(wall: number, market: number): void;
}

/** Less is a clock being kept right: the market waits for it. */
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

/** The same anchor while the speed is the same; a new one from `now` on where it changed, so that market time never jumps. */
export function resumedTimeline(anchor: TimelineAnchor, speed: number, now: number): Timeline {
  if (anchor.speed === speed) return createTimeline(anchor);
  return createTimeline({ wall: now, market: createTimeline(anchor).toMarket(now), speed });
}
