/** The engine's desk with what works through plans of its own: schedules and rebalances. */
import type { Schedule } from '../../gateway/domain/schedule.ts';
import type { EngineError } from '../../gateway/engine/core/errors.ts';
import type { Engine } from '../../gateway/engine/engine.ts';
import type { CandleHistory } from '../../gateway/engine/ports/market.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { RebalanceService } from '../../gateway/engine/resting/rebalances/rebalance-service.ts';
import { createRebalanceService } from '../../gateway/engine/resting/rebalances/rebalance-service.ts';
import { Rebalancer } from '../../gateway/engine/resting/rebalances/rebalancer.ts';
import type { CreateSchedule } from '../../gateway/engine/resting/schedules/new-schedule.ts';
import { PlanScheduler } from '../../gateway/engine/resting/schedules/plan-scheduler.ts';
import type { ScheduleService } from '../../gateway/engine/resting/schedules/schedule-service.ts';
import { createScheduleService } from '../../gateway/engine/resting/schedules/schedule-service.ts';
import { Triggers } from '../../gateway/engine/resting/triggers/triggers.ts';
import { createCandleHistory } from '../../gateway/market/candle-history.ts';
import { startCandleRecorder } from '../../gateway/market/candle-recorder.ts';
import { type EngineDesk, engineDesk, leg, PRINCIPAL } from './engine-desk.ts';
import { RecordedHours } from './trigger-desk.ts';
import { unwrap } from './unwrap.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const START_PRICES = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];

export interface PlanDesk {
  readonly desk: EngineDesk;
  readonly schedules: ScheduleService;
  readonly rebalances: RebalanceService;
  /** As it is on disk. */
  schedule(id: string): Promise<Schedule>;
  /** Makes one; its id. */
  twap(over?: Partial<CreateSchedule>): Promise<string>;
  /** Error of a schedule that is refused. */
  refused(over: Partial<CreateSchedule>): Promise<EngineError>;
  /** Quantities sent of an instrument, order by order, in base units. */
  sent(symbol: string): readonly string[];
}

/** Ten slices, one a minute, 1000 USD long AAA and short BBB. */
export function asked(over: Partial<CreateSchedule> = {}): CreateSchedule {
  return {
    legs: START_PRICES,
    totalUsd: null,
    slippage: '0.01',
    onLegFailure: 'RETRY',
    durationSeconds: 600,
    intervalSeconds: 60,
    randomize: false,
    limitRatio: null,
    missedSlicePolicy: 'CATCH_UP',
    takeProfit: null,
    stopLoss: null,
    afterBracket: 'STOP',
    reduceOnly: false,
    clientId: null,
    ...over,
  };
}

/** Candles as the gateway keeps them, of the desk's market. */
async function closesOf({ accept }: Engine): Promise<CandleHistory['closes']> {
  const { store, market, clock, logger, venues } = accept;
  const connectors = () =>
    venues.all().map(({ info }) => ({
      ...info,
      capabilities: [...info.capabilities],
      inUse: true,
      status: 'UP' as const,
      since: '',
      reason: null,
      trading: 'UP' as const,
      until: null,
    }));
  const { onTick, instruments, quote } = market;
  const watched = { onTick, instruments, quote, connectors };
  const recorder = await startCandleRecorder({ market: watched, venues, store, clock, logger });
  return createCandleHistory({ store, recorder, venues, clock }).closes;
}

export async function planDesk(shared?: Store): Promise<PlanDesk> {
  const desk = await engineDesk(shared);
  let services: Pick<PlanDesk, 'schedules' | 'rebalances'> | null = null;
  desk.around = (engine) => {
    let candles: CandleHistory['closes'] = () => Promise.reject(new Error('the desk is not running'));
    const scheduler = new PlanScheduler(engine.accept);
    const rebalancer = new Rebalancer(engine.accept, { closes: (request) => candles(request) });
    services = {
      schedules: createScheduleService(engine.accept, scheduler),
      rebalances: createRebalanceService(engine.accept, rebalancer),
    };
    return {
      async load() {
        candles = await closesOf(engine);
        await scheduler.load();
        await rebalancer.load();
      },
      start() {
        scheduler.start();
        rebalancer.start();
      },
    };
  };
  const now = () => {
    if (services === null) throw new Error('the desk is not running');
    return services;
  };
  const command = () => ({
    account: desk.account,
    idempotency: null,
    answer: (made: Schedule) => JSON.stringify({ id: made.id }),
  });
  await desk.start();
  return {
    desk,
    get schedules() {
      return now().schedules;
    },
    get rebalances() {
      return now().rebalances;
    },
    async schedule(id) {
      const found = await desk.store.schedule(desk.account.id, id);
      if (found === null) throw new Error(`no schedule ${id}`);
      return found;
    },
    async twap(over) {
      return JSON.parse(unwrap(await now().schedules.create(PRINCIPAL, command(), asked(over))).json).id;
    },
    async refused(over) {
      const made = await now().schedules.create(PRINCIPAL, command(), asked(over));
      if (made.ok) throw new Error('it was not refused');
      return made.error;
    },
    sent: (symbol) =>
      desk.venue.sent.filter((order) => order.symbol === symbol).map(({ quantity }) => quantity),
  };
}

/** Starts the desk anew, with what watches brackets beside what works through plans. */
export async function withTriggers(desk: EngineDesk): Promise<void> {
  desk.kill();
  const { around } = desk;
  let triggers: Triggers | null = null;
  desk.around = (engine) => {
    triggers?.stop();
    const watching = new Triggers(engine.accept, new RecordedHours());
    triggers = watching;
    const plans = around(engine);
    return {
      async load() {
        await watching.load();
        await plans.load();
      },
      start() {
        watching.start();
        plans.start();
      },
    };
  };
  await desk.start();
}
