/** The engine's desk with everything that opens or waits, asked by agents with mandates. */
import type { Principal, TradeLeg } from '../../gateway/domain/model.ts';
import type { Result } from '../../gateway/domain/result.ts';
import { callerOf } from '../../gateway/engine/core/caller.ts';
import type { EngineError } from '../../gateway/engine/core/errors.ts';
import type { AskedRequest } from '../../gateway/engine/ports/approval-desk.ts';
import { createPositionService } from '../../gateway/engine/positions/position-service.ts';
import { createRebalanceService } from '../../gateway/engine/resting/rebalances/rebalance-service.ts';
import { Rebalancer } from '../../gateway/engine/resting/rebalances/rebalancer.ts';
import { PlanScheduler } from '../../gateway/engine/resting/schedules/plan-scheduler.ts';
import { createScheduleService } from '../../gateway/engine/resting/schedules/schedule-service.ts';
import { Triggers } from '../../gateway/engine/resting/triggers/triggers.ts';
import { LossStops } from '../../gateway/engine/safety/loss-stops.ts';
import { basketOf, type EngineDesk } from './engine-desk.ts';
import { grantPrincipal } from './mandates.ts';
import { asked as schedule } from './plan-desk.ts';
import { unwrap } from './unwrap.ts';

/** The services of everything that opens or waits, around one life of the engine. */
function restingServices(deps: EngineDesk['engine']['accept']) {
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

export const AGENT = grantPrincipal('agent');
export const AGENT_HOLDER = { kind: 'oauth_grant', id: 'agent' } as const;

type Answer = Promise<Result<unknown, EngineError>>;

/** Services of one life. */
function made(deps: EngineDesk['engine']['accept']) {
  return { ...restingServices(deps), lossStops: new LossStops(deps) };
}

export class MandateDesk {
  readonly desk: EngineDesk;
  #services!: ReturnType<typeof made>;
  #requests = 0;

  /** @param desk not started yet */
  constructor(desk: EngineDesk) {
    this.desk = desk;
    desk.around = (engine) => {
      const services = made(engine.accept);
      this.#services = services;
      return {
        load: () => services.load(),
        start() {
          services.start();
          services.lossStops.start();
        },
      };
    };
  }

  get services() {
    return this.#services;
  }

  /** Request as the gate passes it on. */
  request(route: string, body: unknown): AskedRequest {
    return { route, params: null, body, idempotency: null, approved: null };
  }

  #command(by: Principal, asked: AskedRequest | null) {
    const answer = (of: object) => JSON.stringify({ id: idOf(of) });
    return {
      account: this.desk.account,
      idempotency: null,
      answer,
      asked: by.kind === 'session' ? null : asked,
    };
  }

  #asks(route: string, body: unknown): AskedRequest {
    this.#requests += 1;
    return this.request(`POST ${route}`, { body, nth: this.#requests });
  }

  open(
    by: Principal,
    legs: readonly TradeLeg[],
    over: Parameters<typeof basketOf>[1] = {},
    asked: AskedRequest = this.#asks('/trade/open', legs),
  ): Answer {
    return this.desk.engine.openBasket(by, this.#command(by, asked), basketOf(legs, over));
  }

  close(by: Principal, positionId: string, fraction = '1'): Answer {
    const close = { positionId, fraction, slippage: null, clientId: null };
    return this.desk.engine.closePosition(by, this.#command(by, this.#asks('/close', close)), close);
  }

  increase(by: Principal, positionId: string, usd: string): Answer {
    const adjust = { positionId, intent: 'INCREASE', by: 'usd', usd, slippage: null } as const;
    const terms = { ...adjust, onLegFailure: 'RETRY', clientId: null } as const;
    return this.desk.engine.adjustPosition(by, this.#command(by, this.#asks('/adjust', adjust)), terms);
  }

  reverse(by: Principal, positionId: string): Answer {
    const reverse = { positionId, slippage: null, onLegFailure: 'KEEP', brackets: 'DROP' } as const;
    const command = this.#command(by, this.#asks('/reverse', reverse));
    return this.services.positions.reverse(by, command, { ...reverse, clientId: null });
  }

  /** A trigger on AAA's price. */
  trigger(by: Principal, legs: readonly TradeLeg[], value: string): Answer {
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'AAA-PERP' } as const;
    const watch = {
      condition,
      priceSource: 'MARK',
      expiresAt: null,
      allowImmediate: true,
      onMissed: 'FIRE',
    } as const;
    const failure = { onLegFailure: 'KEEP' } as const;
    const terms = { totalUsd: null, slippage: '0.01', takeProfit: null, stopLoss: null, clientId: null };
    const command = this.#command(by, this.#asks('/triggers/open', { legs, value }));
    return this.services.triggers.triggers.open(by, command, { ...watch, ...failure, ...terms, legs });
  }

  /** Three rungs on AAA's price, below it. */
  ladder(by: Principal, legs: readonly TradeLeg[], start: string, end: string): Answer {
    const rungs = {
      levels: 3,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
      metric: 'PRICE',
      onLegFailure: 'KEEP',
    } as const;
    const terms = { totalUsd: null, slippage: '0.01', expiresAt: null, clientId: null, allowImmediate: true };
    const levels = { symbol: 'AAA-PERP', direction: 'LESS_THAN', start, end } as const;
    const command = this.#command(by, this.#asks('/ladders', { legs, start, end }));
    return this.services.triggers.ladders.create(by, command, { ...rungs, ...terms, ...levels, legs });
  }

  /** Slices one a minute. */
  twap(by: Principal, legs: readonly TradeLeg[], minutes = 3): Answer {
    const plan = schedule({ legs, durationSeconds: minutes * 60, intervalSeconds: 60 });
    return this.services.schedules.create(by, this.#command(by, this.#asks('/schedules', plan)), plan);
  }

  changeTrigger(by: Principal, id: string, level: string): Answer {
    const asked = this.#asks('/triggers/{id}', { id, level });
    const caller = by.kind === 'session' ? by : callerOf(by, asked);
    const change = { level, allowImmediate: true };
    return this.services.triggers.triggers.change(caller, this.desk.account, id, change);
  }

  /** The refusal; fails the test where there is none. */
  async refusal(answer: Answer): Promise<EngineError> {
    const said = await this.desk.advanceUntil(answer);
    if (said.ok) throw new Error('it was taken');
    return said.error;
  }

  /** Id of what was made; fails the test where it was refused. */
  async id(answer: Answer): Promise<string> {
    const { json } = unwrap(await this.desk.advanceUntil(answer)) as { readonly json: string };
    return JSON.parse(json).id;
  }
}

function idOf(of: object): unknown {
  const [key] = ['execution', 'ladder'].filter((name) => name in of);
  const inner = key === undefined ? of : new Map(Object.entries(of)).get(key);
  return new Map(Object.entries(inner)).get('id');
}

export const limitsOf = ({ details }: EngineError): readonly string[] => {
  const limits = new Map(Object.entries(details)).get('limits');
  return Array.isArray(limits) ? limits.map(({ limit }) => limit) : [];
};
