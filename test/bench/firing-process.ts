/**
 * The process that measures how soon a met condition becomes an order: the engine with its triggers on a real database,
 * under a venue that takes no time. Each tick meets the condition of one trigger; the triggers of an instrument have levels
 * of their own, one above the other.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { basketKeyText } from '../../gateway/contract/basket-key.ts';
import type { TradeAccount } from '../../gateway/domain/model.ts';
import { FillReviews } from '../../gateway/engine/account/fill-reviews.ts';
import { OpeningLimits } from '../../gateway/engine/core/account-limits.ts';
import { BasketRegistry } from '../../gateway/engine/core/basket-registry.ts';
import { FollowUps } from '../../gateway/engine/core/follow-ups.ts';
import { LiveState } from '../../gateway/engine/core/live-state.ts';
import { OrderCancels } from '../../gateway/engine/core/order-cancels.ts';
import { TradingPause } from '../../gateway/engine/core/trading-pause.ts';
import { Warden } from '../../gateway/engine/core/warden.ts';
import { Engine } from '../../gateway/engine/engine.ts';
import { NO_APPROVALS } from '../../gateway/engine/ports/approval-desk.ts';
import { NO_MANDATES } from '../../gateway/engine/ports/mandate-book.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { Triggers } from '../../gateway/engine/resting/triggers/triggers.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { cpuBetween, cpuTime } from './cpu-meter.ts';
import type { FiringFigures, FiringTask } from './firing-protocol.ts';
import { CONNECTOR, firingVenue } from './firing-venue.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { watchLoopDelay } from './load/loop-delay.ts';

const ACCOUNTS = 10;
const SETTLE_WITHIN_MS = 5_000;
const ARMED_AT_ONCE = 256;

/** Levels are a hundredth apart: the n-th tick of an instrument meets the condition of its n-th trigger and no other. */
const levelOf = (nth: number): string => (100.005 + nth / 100).toFixed(3);
const priceOf = (nth: number): string => (100.01 + nth / 100).toFixed(2);

const accounts = new Map(
  Array.from({ length: ACCOUNTS }, (_, at): [string, TradeAccount] => [
    `account-${at}`,
    {
      id: `account-${at}`,
      userId: 'user',
      alias: 'Bench',
      connector: CONNECTOR,
      mode: 'PAPER',
      exchangeIdentifier: `account-${at}`,
      status: 'READY',
      metadata: null,
      createdAt: 0,
      updatedAt: 0,
    },
  ]),
);

async function armAll(triggers: Triggers, symbols: readonly string[], each: number): Promise<void> {
  const wanted = symbols.flatMap((symbol, at) =>
    Array.from({ length: each }, (_, nth) => ({
      symbol,
      nth,
      account: accounts.get(`account-${at % ACCOUNTS}`),
    })),
  );
  const principal = { kind: 'session', userId: 'user', sessionId: 'session' } as const;
  for (let from = 0; from < wanted.length; from += ARMED_AT_ONCE) {
    const made = wanted.slice(from, from + ARMED_AT_ONCE).map(({ symbol, nth, account }) => {
      if (account === undefined) throw new Error('no account');
      const command = { account, idempotency: null, answer: () => '{}' };
      return triggers.triggers.open(principal, command, {
        legs: [{ symbol, side: 'BUY', mode: 'USD', amount: '50' }],
        totalUsd: null,
        onLegFailure: 'KEEP',
        condition: { type: 'PRICE', direction: 'MORE_THAN', value: levelOf(nth), symbol },
        priceSource: 'MARK',
        expiresAt: null,
        allowImmediate: false,
        onMissed: 'FIRE',
        slippage: '0.01',
        takeProfit: null,
        stopLoss: null,
        clientId: null,
      });
    });
    for (const done of await Promise.all(made)) {
      if (!done.ok) throw new Error(`a trigger was refused: ${done.error.message}`);
    }
  }
}

async function measure(task: FiringTask): Promise<FiringFigures> {
  const logger = silentLogger;
  const clock = systemClock;
  const store = await openStore({ file: join(task.folder, 'tandem.db'), clock, logger });
  const latency = new LatencyHistogram();
  /** Times of the ticks whose orders are not out, by instrument, oldest first. */
  const met = new Map<string, number[]>();
  let triggeredOnDisk = 0;
  const tally = { met: 0, sent: 0, unwritten: 0, left: 0 };
  let measuring = false;
  let countsFrom = Number.POSITIVE_INFINITY;
  const bench = firingVenue(({ symbol }) => {
    const at = met.get(symbol)?.shift();
    tally.left += 1;
    if (tally.left > triggeredOnDisk) tally.unwritten += 1;
    if (at === undefined || at < countsFrom) return;
    tally.sent += 1;
    latency.record((performance.now() - at) * 1_000);
  });
  const counted: Store = {
    ...store,
    commit: async (unit: UnitOfWork) => {
      const committed = await store.commit(unit);
      if (committed.ok) {
        triggeredOnDisk += unit.triggers?.filter(({ status }) => status === 'TRIGGERED').length ?? 0;
      }
      return committed;
    },
  };
  const accountOf = (id: string) => accounts.get(id);
  const ids = createIds(clock);
  const state = new LiveState();
  const engine = new Engine(
    {
      store: counted,
      venues: { get: (id) => (id === CONNECTOR ? bench.venue : undefined), all: () => [bench.venue] },
      market: bench.market,
      clock,
      ids,
      logger,
      state,
      followUps: new FollowUps(),
      tradingPause: new TradingPause({ store, clock }),
      limits: new OpeningLimits({ store, clock, market: bench.market, state }),
      warden: new Warden({
        ...{ store, clock, ids, market: bench.market, state },
        venues: { get: () => bench.venue },
        book: NO_MANDATES,
        desk: NO_APPROVALS,
      }),
      authorities: { isCutOff: () => false },
      cancels: new OrderCancels(),
      reviews: new FillReviews({ store, clock, ids, logger, accountOf, lots: state.unassigned }),
      baskets: new BasketRegistry(),
      basketKey: (longs, shorts) => hash('sha256', basketKeyText(longs, shorts), 'hex'),
      isActiveClient: () => false,
    },
    { accountOf, holdRunner: false },
  );
  const triggers = new Triggers(engine.accept, { closes: async () => [] });
  await engine.load();
  await triggers.load();
  await engine.start([...accounts.values()]);
  triggers.start();
  const total = Math.ceil(((task.warmUpMs + task.measureMs) * task.perSecond) / 1_000);
  const { symbols } = bench;
  await armAll(triggers, symbols, Math.ceil(total / symbols.length));

  const delay = watchLoopDelay();
  const startedAt = performance.now();
  let cpuBefore = cpuTime(process.pid);
  for (let nth = 0; nth < total; nth += 1) {
    const dueAt = startedAt + (nth * 1_000) / task.perSecond;
    const early = dueAt - performance.now();
    // Timers have whole milliseconds: what is due by then is ticked at once, and counts from its own time.
    if (early > 0) await sleep(early);
    if (!measuring && dueAt >= startedAt + task.warmUpMs) {
      measuring = true;
      countsFrom = performance.now();
      cpuBefore = cpuTime(process.pid);
    }
    const symbol = symbols[nth % symbols.length] ?? '';
    const waiting = met.get(symbol) ?? [];
    met.set(symbol, waiting);
    waiting.push(performance.now());
    if (measuring) tally.met += 1;
    bench.tick(symbol, priceOf(Math.floor(nth / symbols.length)));
  }
  const cpu = cpuBetween(cpuBefore, cpuTime(process.pid));
  const giveUpAt = performance.now() + SETTLE_WITHIN_MS;
  while (tally.sent < tally.met && performance.now() < giveUpAt) await sleep(20);
  const delayMs = delay();
  triggers.stop();
  await engine.stop(SETTLE_WITHIN_MS);
  await store.close();
  return {
    met: tally.met,
    sent: tally.sent,
    unwritten: tally.unwritten,
    latencyUs: latency.counts(),
    cpuUs: cpu === null ? null : cpu.allUs / tally.met,
    loopCpuUs: cpu === null ? null : cpu.loopUs / tally.met,
    delayMs,
  };
}

process.once('message', async (task: FiringTask) => {
  process.send?.(await measure(task));
});
process.on('disconnect', () => process.exit(0));
