/** Composition of the waiting services: triggers, schedules, ladders, rebalances, and pause and panic over all of them. */
import { machineNotification } from '../domain/notification.ts';
import { createOrderService } from '../engine/execution/order-service.ts';
import { tellAccountNews } from '../engine/notices/account-news.ts';
import { tellClockNews } from '../engine/notices/clock-news.ts';
import { tellConnectorNews } from '../engine/notices/connector-news.ts';
import { tellInstrumentNews } from '../engine/notices/instrument-news.ts';
import { tellUsers } from '../engine/notices/notify.ts';
import type { Unsubscribe } from '../engine/ports/system.ts';
import { createPositionService } from '../engine/positions/position-service.ts';
import { LeftWaiting } from '../engine/resting/left-waiting.ts';
import { createRebalanceService } from '../engine/resting/rebalances/rebalance-service.ts';
import { Rebalancer } from '../engine/resting/rebalances/rebalancer.ts';
import { PlanScheduler } from '../engine/resting/schedules/plan-scheduler.ts';
import { createScheduleService } from '../engine/resting/schedules/schedule-service.ts';
import { Triggers } from '../engine/resting/triggers/triggers.ts';
import { LiquidationWatch } from '../engine/safety/liquidation-watch.ts';
import { LossStops } from '../engine/safety/loss-stops.ts';
import { Runaways } from '../engine/safety/runaways.ts';
import { createSafetyDesk, type OrderServices } from '../engine/safety/safety-service.ts';
import type { Core } from './core.ts';
import type { Trading } from './trading.ts';

export interface RestingParts {
  readonly services: OrderServices;
  readonly leftWaiting: Pick<LeftWaiting, 'count'>;
  /** To be called between `Engine.load` and `Engine.start`, so that triggers and schedules learn how executions end. */
  load(): Promise<void>;
  /** To be called after `Engine.start`. */
  start(): void;
  /** To be called when the machine woke from sleep: work that became due meanwhile is looked for at once. */
  woke(): void;
  /** To be called before `Engine.stop`: from the call on no trigger fires and no slice is sent. */
  stop(): void;
}

export function createRestingServices(
  { market, candles, clockWatch, disk }: Pick<Core, 'market' | 'candles' | 'clockWatch' | 'disk'>,
  { engine, tradingPause, grants, auth }: Pick<Trading, 'engine' | 'tradingPause' | 'grants' | 'auth'>,
): RestingParts {
  const { all } = auth.accounts;
  const deps = engine.accept;
  const watching = new Triggers(deps, candles);
  const { triggers, brackets, ladders } = watching;
  auth.accounts.onRemoving(triggers.removeAccount);
  const scheduler = new PlanScheduler(deps);
  const rebalancer = new Rebalancer(deps, candles);
  const schedules = createScheduleService(deps, scheduler);
  const rebalances = createRebalanceService(deps, rebalancer);
  const orders = createOrderService(deps);
  const { service: safety, panics } = createSafetyDesk({
    deps,
    tradingPause,
    accountsOf: (userId) => all().filter((account) => account.userId === userId),
    moneyOf: auth.accounts.moneyOf,
    services: { triggers, schedules, ladders, rebalances, orders },
  });
  const leftWaiting = new LeftWaiting(
    { ...deps, services: { triggers, schedules, ladders, rebalances } },
    grants,
  );
  const lossStops = new LossStops(deps);
  const runaways = new Runaways(deps);
  const liquidations = new LiquidationWatch(deps, all);
  let stopNews: Unsubscribe = () => {};
  return {
    leftWaiting,
    services: {
      triggers,
      schedules,
      ladders,
      brackets,
      rebalances,
      positions: createPositionService(deps),
      orders,
      safety,
    },
    async load() {
      await watching.load();
      await scheduler.load();
      await rebalancer.load();
      runaways.load();
    },
    start() {
      watching.start();
      scheduler.start();
      rebalancer.start();
      const stops = [
        tellConnectorNews(deps, market, all),
        tellAccountNews(deps, deps.venues.all(), all),
        tellInstrumentNews(deps, market.connectorIds(), all),
        tellClockNews(deps, clockWatch, all),
        disk.onNews((reason) => tellUsers(deps, all(), machineNotification('disk', reason))),
        disk.start(),
      ];
      stopNews = () => {
        for (const stop of stops) stop();
      };
      panics.start();
      leftWaiting.start();
      lossStops.start();
      liquidations.start();
    },
    woke() {
      watching.woke();
      scheduler.woke();
    },
    stop() {
      stopNews();
      panics.stop();
      leftWaiting.stop();
      lossStops.stop();
      liquidations.stop();
      watching.stop();
      scheduler.stop();
      rebalancer.stop();
    },
  };
}
