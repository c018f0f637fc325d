/**
 * Stands for the services behind the routes of resting orders: answers with records that were prepared, or refuses as told,
 * and notes what it was asked.
 */
import type { AutoRebalance } from '../../gateway/domain/auto-rebalance.ts';
import type { TradeAccount } from '../../gateway/domain/model.ts';
import { fail, ok, type Result } from '../../gateway/domain/result.ts';
import { runningSafety } from '../../gateway/domain/safety.ts';
import type { EngineError } from '../../gateway/engine/core/errors.ts';
import type { Answered } from '../../gateway/engine/core/idempotency.ts';
import type { BracketTrigger } from '../../gateway/engine/resting/triggers/bracket-service.ts';
import type { Observation } from '../../gateway/engine/resting/triggers/observation.ts';
import type { OrderServices } from '../../gateway/engine/safety/safety-service.ts';
import { ladderWithRungs, rebalanceConfig, trailingStop, twap, waitingTrigger } from './resting-rows.ts';
import { execution, START } from './store-records.ts';

export interface RestingStandIn {
  readonly services: OrderServices;
  /** `service.method` and everything but principal, account and answer. */
  readonly asked: { readonly method: string; readonly args: readonly unknown[] }[];
  /** Error that every method answers until it is set to null. */
  refusal: EngineError | null;
  observation: Observation | undefined;
  config: AutoRebalance | undefined;
}

const STAND_IN_ACCOUNT: TradeAccount = {
  id: '',
  userId: 'u1',
  alias: 'main',
  connector: 'paper',
  mode: 'PAPER',
  exchangeIdentifier: 'paper-1',
  status: 'READY',
  metadata: null,
  createdAt: 0,
  updatedAt: 0,
};

/** @param tradeAccountId of every record that it answers with */
const NO_BRACKETS = { kind: 'reversal', carried: [], dropped: [] } as const;

export function restingStandIn(tradeAccountId: string): RestingStandIn {
  const of = { tradeAccountId };
  const asked: RestingStandIn['asked'] = [];
  const opening = execution(of);
  const trigger = waitingTrigger(of);
  const alert = { ...trigger, kind: 'ALERT' as const };
  const stop = trailingStop(of);
  const schedule = twap(of);
  const { ladder, triggers } = ladderWithRungs(3, of);
  const statuses = new Map(triggers.map(({ id, status }) => [id, status]));
  const state = { ladder, statuses, fills: new Map() };
  const running = runningSafety('u1', START);
  const paused = { ...running, status: 'PAUSED', pausedAt: START } as const;

  const standIn: RestingStandIn = {
    asked,
    refusal: null,
    observation: undefined,
    config: undefined,
    services: {
      triggers: {
        open: (_, command, given) => made('triggers.open', command, trigger, given),
        close: (_, command, given) => made('triggers.close', command, trigger, given),
        change: (_, __, id, change) => done('triggers.change', trigger, id, change),
        cancel: (_, id) => done('triggers.cancel', trigger, id),
        pause: (_, id) => done('triggers.pause', trigger, id),
        resume: (_, __, id) => done('triggers.resume', trigger, id),
        cancelAll: () => done('triggers.cancelAll', report()),
        cancelMany: async () => report(),
        tell: (_, command, given) => made('triggers.tell', command, alert, given),
        removeAccount: async () => ({ ok: true, value: undefined }),
        changeAlert: (_, __, id, change) => done('triggers.changeAlert', alert, id, change),
        cancelAlert: (_, id) => done('triggers.cancelAlert', alert, id),
        observation: () => standIn.observation,
      },
      schedules: {
        create: (_, command, given) => made('schedules.create', command, schedule, given),
        close: (_, command, given) => made('schedules.close', command, schedule, given),
        pause: (_, id) => done('schedules.pause', schedule, id),
        resume: (_, __, id) => done('schedules.resume', schedule, id),
        cancel: (_, id) => done('schedules.cancel', schedule, id),
      },
      ladders: {
        create: (_, command, given) => made('ladders.create', command, state, given),
        cancel: (_, id) => done('ladders.cancel', state, id),
      },
      brackets: {
        set: (_, __, id, change) =>
          done('brackets.set', { takeProfit: null, stopLoss: bracketOf() }, id, change),
        plan: (_, id, change) => done('brackets.plan', [], id, change),
        of: () => ({ takeProfit: null, stopLoss: null }),
      },
      rebalances: {
        set: (_, __, id, terms) => done('rebalances.set', rebalanceConfig(of), id, terms),
        pause: (_, id) => done('rebalances.pause', rebalanceConfig({ ...of, status: 'PAUSED' }), id),
        resume: (_, __, id) => done('rebalances.resume', rebalanceConfig(of), id),
        end: (_, id) => done('rebalances.end', rebalanceConfig({ ...of, status: 'ENDED' }), id),
        of: () => standIn.config,
        plan: (_, id, given) => done('rebalances.plan', planOf(id), id, given),
        rebalance: (_, command, id, given) =>
          made(
            'rebalances.rebalance',
            command,
            { execution: opening, position: null, brackets: null },
            id,
            given,
          ),
      },
      positions: {
        reverse: (_, command, given) =>
          made(
            'positions.reverse',
            command,
            { execution: opening, position: null, brackets: NO_BRACKETS },
            given,
          ),
        closeAll: (_, command, given) =>
          made('positions.closeAll', command, { executions: [opening], failures: [failure()] }, given),
        changeMargin: (command, given) =>
          made(
            'positions.changeMargin',
            command,
            { ...given, marginUsed: '51.5', liquidationPrice: null },
            given,
          ),
      },
      orders: {
        cancel: (_, id) => done('orders.cancel', orderOf(), id),
        cancelAll: () => done('orders.cancelAll', report()),
      },
      safety: {
        of: () => running,
        pause: ({ userId }) => done('safety.pause', paused, userId),
        resume: ({ userId }) => done('safety.resume', running, userId),
        panic: () =>
          done('safety.panic', {
            safety: { ...paused, status: 'PANIC' as const },
            accounts: [
              {
                account: { ...STAND_IN_ACCOUNT, id: tradeAccountId },
                money: { mode: 'PAPER' as const, network: null },
                cancelled: { triggers: 1, schedules: 2, ladders: 3, orders: 4, autoRebalances: 5 },
                executions: [opening],
                failures: [{ kind: 'POSITION' as const, id: stop.id, error: BUSY }],
              },
            ],
          }),
      },
    },
  };

  function note(method: string, args: readonly unknown[]): void {
    asked.push({ method, args });
  }

  async function done<T>(
    method: string,
    value: T,
    ...args: readonly unknown[]
  ): Promise<Result<T, EngineError>> {
    note(method, args);
    return standIn.refusal === null ? ok(value) : fail(standIn.refusal);
  }

  async function made<T>(
    method: string,
    command: { readonly idempotency: { readonly key: string } | null; readonly answer: (value: T) => string },
    value: T,
    ...args: readonly unknown[]
  ): Promise<Result<Answered, EngineError>> {
    note(method, [command.idempotency?.key ?? null, ...args]);
    if (standIn.refusal !== null) return fail(standIn.refusal);
    return ok({ status: 200, json: command.answer(value), replayed: false });
  }

  function bracketOf(): BracketTrigger {
    if (stop.bracketType === null) throw new Error('not a bracket');
    return stop;
  }

  function orderOf() {
    const [order] = opening.orders;
    if (order === undefined) throw new Error('an execution without orders');
    return { order, execution: opening };
  }

  function report() {
    return { cancelled: [trigger.id], failed: [{ id: stop.id, error: BUSY }] };
  }

  function failure() {
    return { positionId: stop.id, error: BUSY };
  }

  return standIn;
}

export const BUSY: EngineError = { code: 'RESOURCE_BUSY', message: 'Still running', details: {} };

function planOf(positionId: string) {
  return {
    positionId,
    mode: 'LIVE_BETA' as const,
    beta: '0.85',
    protection: [],
    plan: {
      drift: '0.07',
      rows: [
        {
          symbol: 'BTC-PERP',
          ticker: 'BTC',
          side: 'BUY' as const,
          currentWeight: '0.57',
          targetWeight: '0.5',
          deltaUsd: '-70.5',
          deltaQuantity: '0',
          skipped: true,
          skipReason: 'MIN_NOTIONAL' as const,
        },
      ],
    },
  };
}
