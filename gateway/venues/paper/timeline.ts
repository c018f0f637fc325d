/** Wall clock ↔ market time: market = anchor.market + (wall − anchor.wall) × speed. */
export interface TimelineAnchor {
  readonly wall: number;
  readonly market: number;
  readonly speed: number;
}

export interface Timeline {
  readonly anchor: TimelineAnchor;
  toMarket(wall: number): number;
  toWall(market: number): number;
}

export function createTimeline(anchor: TimelineAnchor): Timeline {
  return {
    anchor,
    toMarket: (wall) => Math.floor(anchor.market + (wall - anchor.wall) * anchor.speed),
    toWall: (market) => Math.round(anchor.wall + (market - anchor.market) / anchor.speed),
  };
}

/** The same anchor while the speed is the same; a new one from `now` on where it changed, so that market time never jumps. */
export function resumedTimeline(anchor: TimelineAnchor, speed: number, now: number): Timeline {
  if (anchor.speed === speed) return createTimeline(anchor);
  return createTimeline({ wall: now, market: createTimeline(anchor).toMarket(now), speed });
}
