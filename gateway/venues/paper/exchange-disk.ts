/** Brings a paper exchange up from its files: the same accounts, and the market where it was. */
import type { Clock } from '../../engine/ports.ts';
import type { AccountSnapshot } from './account-state.ts';
import { paperConnectorInfo } from './connectors.ts';
import { PaperExchange } from './exchange.ts';
import type { PaperConnector } from './instruments.ts';
import { Journal } from './journal.ts';
import type { PaperMarket, PaperProfile } from './market-types.ts';
import { createTimeline, resumedTimeline, type Timeline, type TimelineAnchor } from './timeline.ts';

/** Large enough to be rare, small enough that a start stays instant. */
const COMPACT_BYTES = 4 * 1024 * 1024;

export interface PaperState {
  /** Of the first start: a later one is ignored. */
  readonly seed: number;
  readonly startAt: number;
  readonly anchor: TimelineAnchor;
  readonly fundingSettledTo: number;
  readonly accounts: readonly AccountSnapshot[];
  readonly market: string;
}

export type CreateMarket = (options: {
  readonly connector: PaperConnector;
  readonly seed: number;
  readonly startAt: number;
  readonly profile: PaperProfile;
}) => PaperMarket;

export interface OpenedExchange {
  readonly seed: number;
  /** Market time of the first start. */
  readonly startAt: number;
  readonly exchange: PaperExchange;
  readonly market: PaperMarket;
  readonly journal: Journal<PaperState>;
  readonly timeline: Timeline;
}

export async function openExchange(options: {
  readonly connector: PaperConnector;
  readonly dataDir: string;
  readonly seed: number;
  readonly profile: PaperProfile;
  readonly speed: number;
  readonly clock: Clock;
  readonly createMarket: CreateMarket;
  readonly compactBytes?: number;
  readonly onWritable: (writable: boolean, reason: string | null) => void;
}): Promise<OpenedExchange> {
  const { connector, profile, speed, clock } = options;
  // The journal asks for the state only once it is written to, which is after this function has filled it in.
  let stateNow: () => PaperState = () => {
    throw new Error('the exchange is not open yet');
  };
  const { journal, loaded } = await Journal.open<PaperState>({
    directory: options.dataDir,
    name: connector,
    clock,
    compactBytes: options.compactBytes ?? COMPACT_BYTES,
    state: () => stateNow(),
    onWritable: options.onWritable,
  });
  const { snapshot, archived, tail, checkpoint } = loaded;
  const saved = snapshot?.state ?? null;
  const now = clock.now();
  const seed = saved?.seed ?? options.seed;
  const startAt = saved?.startAt ?? now;
  const timeline =
    saved === null
      ? createTimeline({ wall: now, market: now, speed })
      : resumedTimeline(saved.anchor, speed, now);
  const market = options.createMarket({ connector, seed, startAt, profile });
  const exchange = new PaperExchange({
    info: paperConnectorInfo(connector, profile),
    market,
    wallOf: timeline.toWall,
  });
  stateNow = () => ({
    seed,
    startAt,
    anchor: timeline.anchor,
    fundingSettledTo: exchange.fundingSettledTo,
    accounts: exchange.book.snapshot(),
    market: market.snapshot(),
  });

  for (const entry of archived) for (const effect of entry.effects) exchange.book.index(effect);
  if (saved !== null) {
    exchange.book.restore(saved.accounts);
    exchange.continueFrom(snapshot?.n ?? 0, saved.fundingSettledTo);
    if (checkpoint === null) market.restore(saved.market);
  }
  for (const [index, entry] of tail.entries()) {
    if (checkpoint !== null && index === checkpoint.after) market.restore(checkpoint.checkpoint.market);
    exchange.replay(entry, checkpoint === null || index >= checkpoint.after);
  }
  if (checkpoint !== null && checkpoint.after === tail.length) market.restore(checkpoint.checkpoint.market);
  // The seed and the anchor must be on disk before anything depends on them.
  if (saved === null) await journal.compact();
  return { seed, startAt, exchange, market, journal, timeline };
}
