/** The services of everything that opens or waits, around one life of the engine. */
import { createPositionService } from '../../gateway/engine/positions/position-service.ts';
import { createRebalanceService } from '../../gateway/engine/resting/rebalances/rebalance-service.ts';
import { Rebalancer } from '../../gateway/engine/resting/rebalances/rebalancer.ts';
import { PlanScheduler } from '../../gateway/engine/resting/schedules/plan-scheduler.ts';
import { createScheduleService } from '../../gateway/engine/resting/schedules/schedule-service.ts';
import { Triggers } from '../../gateway/engine/resting/triggers/triggers.ts';
import type { EngineDesk } from './engine-desk.ts';

export function restingServices(deps: EngineDesk['engine']['accept']) {
  const scheduler = new PlanScheduler(deps);
  const rebalancer = new Rebalancer(deps, { closes: async () => [] });
  const triggers = new Triggers(deps, { closes: async () => [] });
  return {
    triggers,
    scheduler,
    schedules: createScheduleService(deps, scheduler),
    rebalances: createRebalanceService(deps, rebalancer),
    positions: createPositionService(deps),
    async load() {
      await triggers.load();
      await scheduler.load();
      await rebalancer.load();
    },
    start() {
      triggers.start();
      scheduler.start();
      rebalancer.start();
    },
  };
}
