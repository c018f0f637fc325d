/** Brings a paper exchange up from its files: the same accounts, and the market where it was. */
import type { Clock } from '../../../engine/ports/system.ts';
import { type AccountSnapshot, historyLength } from '../accounts/account-state.ts';
import { type Generation, generationName } from '../accounts/generation.ts';
import type { PaperAccounts } from '../accounts/paper-accounts.ts';
import type { Archive } from '../disk/archive.ts';
import { Journal, type StateOf } from '../disk/journal.ts';
import { paperConnectorInfo } from '../market/connectors.ts';
import type { PaperConnector } from '../market/instruments.ts';
import type { PaperMarket, PaperProfile } from '../market/market-types.ts';
import { createTimeline, resumedTimeline, type Timeline, type TimelineAnchor } from '../market/timeline.ts';
import { takeOverEarlierFiles } from './earlier-files.ts';
import { PaperExchange } from './exchange.ts';

/** Journal size above which it is compacted. Each time the whole state is written, which a smaller size does more often. */
const COMPACT_BYTES = 2 * 1024 * 1024;

export interface PaperState {
  /** Seed of the first start; a later seed is ignored. */
  readonly seed: number;
  readonly startAt: number;
  readonly anchor: TimelineAnchor;
  readonly fundingSettledTo: number;
  readonly accounts: readonly AccountSnapshot[];
  readonly market: string;
  /** Last number given to an order or a trade. */
  readonly sequence: number;
  readonly generations: readonly Generation[];
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
  readonly archive: Archive;
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
  // Set once the exchange is made, which is before the journal's first write asks for its state.
  let stateNow: () => StateOf<PaperState> = () => {
    throw new Error('the exchange is not open yet');
  };
  await takeOverEarlierFiles(options.dataDir, connector);
  const { journal, loaded } = await Journal.open<PaperState>({
    directory: options.dataDir,
    name: connector,
    clock,
    compactBytes: options.compactBytes ?? COMPACT_BYTES,
    state: () => stateNow(),
    onWritable: options.onWritable,
  });
  const { snapshot, archive, tail, checkpoint, lost } = loaded;
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
    state: {
      seed,
      startAt,
      anchor: timeline.anchor,
      fundingSettledTo: exchange.fundingSettledTo,
      accounts: exchange.accounts.snapshot(),
      market: market.snapshot(),
      sequence: exchange.accounts.sequence,
      generations: exchange.accounts.generations,
    },
    ...exchange.accounts.ended(),
  });

  const { accounts } = exchange;
  accounts.old = archive;
  if (saved !== null) {
    accounts.sequence = saved.sequence;
    accounts.restore(saved.accounts);
    const lengths = await archive.historyLengths();
    for (const [id, account] of accounts.byId) account.archivedHistory = lengths.get(id) ?? 0;
    exchange.continueFrom(snapshot?.n ?? 0, saved.fundingSettledTo);
    if (checkpoint === null) market.restore(saved.market);
  }
  for (const [index, entry] of tail.entries()) {
    if (checkpoint !== null && index === checkpoint.after) market.restore(checkpoint.checkpoint.market);
    exchange.replay(entry, checkpoint === null || index >= checkpoint.after);
  }
  if (checkpoint !== null && checkpoint.after === tail.length) market.restore(checkpoint.checkpoint.market);

  const known = saved?.generations ?? [];
  const begun =
    saved === null || lost
      ? [{ name: generationName(seed, now, accounts.sequence), history: historyLengths(accounts) }]
      : [];
  accounts.generations = [...known, ...begun];
  // The seed, the clock anchor and the generation must be on disk before any id or price depends on them.
  if (saved === null || lost || saved.anchor.speed !== speed) await journal.compact();
  return { seed, startAt, exchange, market, journal, archive, timeline };
}

function historyLengths(accounts: PaperAccounts): Record<string, number> {
  return Object.fromEntries([...accounts.byId].map(([id, account]) => [id, historyLength(account)]));
}
