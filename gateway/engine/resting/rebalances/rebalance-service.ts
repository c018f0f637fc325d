/** Commands of rebalances: a position's configuration, its current plan, an immediate rebalance. */
import { inherited, type Placed, placedBy } from '../../../domain/authority.ts';
import {
  type AutoRebalance,
  type AutoRebalanceEvent,
  moveAutoRebalance,
  pauseOf,
  REBALANCE_SLIPPAGE,
} from '../../../domain/auto-rebalance.ts';
import type { ClosingFailurePolicy } from '../../../domain/closing-failure.ts';
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Position, Principal, TradeAccount } from '../../../domain/model.ts';
import type { PausedBy } from '../../../domain/pause.ts';
import type { RebalanceTerms } from '../../../domain/position-setup.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { type EngineError, FINE, noop, type Refusable, storeFailed } from '../../core/errors.ts';
import type { Answered } from '../../core/idempotency.ts';
import { AGENT_DISCONNECTED, isCutOff } from '../../core/may-open.ts';
import type { Admission } from '../../core/reservations.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { changedBy, endsUsersPause, pauserOf } from '../../core/users-pause.ts';
import { acceptExecution, type OrderCommand } from '../../execution/accept.ts';
import { basketQueueKey } from '../../execution/basket-key.ts';
import { mayChangeProtection, rebalanceEnded } from '../../execution/loosening.ts';
import { mayKeepWeights, refusal } from '../../execution/may-wait.ts';
import { checkClient } from '../../execution/open-basket.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import {
  checkExposure,
  type PlannedRebalance,
  pairOf,
  planPosition,
  protectionOfRebalance,
  type RebalanceRequest,
  type RebalanceTarget,
  rebalanceLegs,
  type ShownRebalance,
  skipReasons,
} from './plan-position.ts';
import { type Rebalancer, rebalanceIntention } from './rebalancer.ts';

/**
 * Errors: AUTO_REBALANCE_POSITION_NOT_FOUND, AUTO_REBALANCE_CONFIG_NOT_FOUND (no configuration that has not ended),
 * AUTO_REBALANCE_POSITION_NOT_OPEN, AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS (a configuration that has not ended, paused
 * included; the unique index decides a race), AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE; NOOP_ERROR if the
 * configuration is already in the requested state.
 */
export type RebalanceService = ReturnType<typeof createRebalanceService>;

export function createRebalanceService(deps: AcceptDeps, rebalancer: Rebalancer) {
  /** A position of this account, open or closed. */
  async function positionOf(account: TradeAccount, id: string): Promise<Result<Position, EngineError>> {
    const live = deps.state.positions.get(id);
    const found = live?.tradeAccountId === account.id ? live : await deps.store.position(account.id, id);
    return found === null ? refused('POSITION_NOT_FOUND', 'Position not found') : ok(found);
  }

  async function openPositionOf(account: TradeAccount, id: string): Promise<Result<Position, EngineError>> {
    const found = await positionOf(account, id);
    if (!found.ok || found.value.status === 'OPEN') return found;
    return notOpen();
  }

  async function move(
    account: TradeAccount,
    positionId: string,
    event: AutoRebalanceEvent,
    placed: (config: AutoRebalance) => Placed = inherited,
    check: (config: AutoRebalance) => Result<Admission | null, EngineError> = () => ok(null),
    by: PausedBy | null = null,
  ): Promise<Result<AutoRebalance, EngineError>> {
    const found = await positionOf(account, positionId);
    if (!found.ok) return found;
    return deps.state.positions.queue.run(basketQueueKey(found.value), async () => {
      const config = rebalancer.of(positionId);
      if (config === undefined) {
        return refused<AutoRebalance>('CONFIG_NOT_FOUND', 'The position has no configuration');
      }
      const allowed = check(config);
      if (!allowed.ok) return refusal(deps, allowed);
      const moved = moveAutoRebalance({ ...config, ...placed(config) }, event, deps.clock.now(), by);
      if (!moved.ok) return noop(`The configuration is ${moved.error.from} already`);
      return keep(moved.value, allowed.value);
    });
  }

  async function keep(
    config: AutoRebalance,
    admission: Admission | null,
  ): Promise<Result<AutoRebalance, EngineError>> {
    const approved = admission?.approved?.alongside(config.positionId) ?? {};
    const committed = await deps.store.commit(oneUnit({ autoRebalances: [config] }, approved));
    if (!committed.ok) {
      // The unique index decides a race: a position has one configuration that has not ended.
      return committed.error.kind === 'conflict' ? activeExists() : storeFailed(committed.error);
    }
    rebalancer.put(config);
    return ok(config);
  }

  function planOf(position: Position, target: RebalanceTarget): Result<PlannedRebalance, EngineError> {
    return planPosition({ ...deps, closes: rebalancer.closes }, position, target);
  }

  async function loadCloses(position: Position, { mode, timeframe }: RebalanceTarget): Promise<void> {
    const pair = mode === 'LIVE_BETA' ? pairOf(position) : null;
    if (pair !== null) await rebalancer.closes.load(position.connector, timeframe, pair);
  }

  return {
    /** The position's configuration that has not ended, from memory. */
    of: (positionId: string) => rebalancer.of(positionId),

    async set(
      principal: Principal,
      account: TradeAccount,
      positionId: string,
      terms: RebalanceTerms,
    ): Refusable<AutoRebalance> {
      const found = await openPositionOf(account, positionId);
      if (!found.ok) return found;
      return deps.state.positions.queue.run(basketQueueKey(found.value), async () => {
        const position = deps.state.positions.get(positionId);
        if (position === undefined) return notOpen<AutoRebalance>();
        const exposure = checkExposure(terms.mode, position);
        if (!exposure.ok) return exposure;
        const present = rebalancer.of(positionId);
        if (present !== undefined) {
          // An agent may not remove it either.
          const free = endsUsersPause(deps, principal, pauseOf(present));
          return free.ok ? activeExists() : free;
        }
        const placed = placedBy(principal);
        if (isCutOff(deps, placed)) return noop(AGENT_DISCONNECTED);
        const armed = terms.action === 'TRADE' ? deps.limits.mayOpen(account, placed) : ok(null);
        if (!armed.ok) return armed;
        const allowed = mayKeepWeights(deps, principal, account, position, terms);
        if (!allowed.ok) return refusal(deps, allowed);
        return keep(rebalancer.newConfig(position, terms, placed), allowed.value);
      });
    },

    /** @param principal left out: the user */
    pause: (account: TradeAccount, positionId: string, principal?: Principal) =>
      move(
        account,
        positionId,
        'pause',
        inherited,
        stopOf(deps, principal, account),
        pauserOf(deps, principal),
      ),
    /**
     * If a user resumes a configuration, it runs under the user's authority from then on; an agent's resume does not
     * change the authority.
     */
    resume: (principal: Principal, account: TradeAccount, positionId: string) =>
      move(
        account,
        positionId,
        'resume',
        (config) => changedBy(deps, config, placedBy(principal)),
        (config) => {
          const { action } = config;
          const armed = action === 'TRADE' ? deps.limits.mayOpen(account, placedBy(principal)) : ok(null);
          if (!armed.ok) return armed;
          const free = endsUsersPause(deps, principal, pauseOf(config));
          const position = deps.state.positions.get(positionId);
          if (!free.ok || position === undefined) return free;
          return mayKeepWeights(deps, principal, account, position, config);
        },
      ),
    /** An agent may not end a configuration that its user paused: it could then set another one. */
    end: (account: TradeAccount, positionId: string, principal?: Principal) =>
      move(account, positionId, 'end', inherited, (config) => {
        const free = principal === undefined ? FINE : endsUsersPause(deps, principal, pauseOf(config));
        return free.ok ? stopOf(deps, principal, account)(config) : free;
      }),

    /** Plans only, records nothing. CONFIGURATION_ERROR if a beta cannot be computed (too few candles). */
    async plan(
      account: TradeAccount,
      positionId: string,
      asked: RebalanceRequest,
    ): Refusable<ShownRebalance> {
      const found = await openPositionOf(account, positionId);
      if (!found.ok) return found;
      const target = targetOf(rebalancer.of(positionId), asked);
      await loadCloses(found.value, target);
      const planned = planOf(found.value, target);
      if (!planned.ok) return planned;
      const protection = protectionOfRebalance(deps, found.value, planned.value.plan);
      return ok({ ...planned.value, protection });
    },

    /** 202 with the execution (origin REBALANCE). NOOP_ERROR if every leg is skipped. */
    async rebalance(
      principal: Principal,
      command: OrderCommand,
      positionId: string,
      asked: RebalanceRequest & {
        readonly slippage: DecimalString | null;
        /** Default RETRY. */
        readonly onLegFailure?: ClosingFailurePolicy;
        readonly clientId: string | null;
      },
    ): Refusable<Answered> {
      const client = checkClient(deps, principal, asked.clientId);
      if (!client.ok) return client;
      const found = await positionOf(command.account, positionId);
      if (!found.ok) return found;
      const target = targetOf(rebalancer.of(positionId), asked);
      await loadCloses(found.value, target);
      return acceptExecution(deps, placedBy(principal), command, found.value.basketKey, () => {
        const position = deps.state.positions.get(positionId);
        if (position === undefined) return notOpen();
        const planned = planOf(position, target);
        if (!planned.ok) return planned;
        const legs = rebalanceLegs(planned.value.plan);
        if (legs.length === 0) {
          const reasons = skipReasons(planned.value.plan);
          return noop(`Every leg is skipped (${reasons}): nothing would be traded`);
        }
        const { slippage, onLegFailure = 'RETRY', clientId } = asked;
        const terms = { slippage: slippage ?? REBALANCE_SLIPPAGE, onLegFailure, clientId };
        return ok(rebalanceIntention(position, legs, terms));
      });
    },
  };
}

function refused<T>(
  code: 'POSITION_NOT_FOUND' | 'CONFIG_NOT_FOUND' | 'POSITION_NOT_OPEN' | 'ACTIVE_CONFIG_EXISTS',
  message: string,
): Result<T, EngineError> {
  return fail({ code: `AUTO_REBALANCE_${code}`, message, details: {} });
}

function notOpen<T>(): Result<T, EngineError> {
  return refused('POSITION_NOT_OPEN', 'The position is closed');
}

function activeExists(): Result<AutoRebalance, EngineError> {
  return refused(
    'ACTIVE_CONFIG_EXISTS',
    'The position has a configuration that has not ended: remove it first, then set another',
  );
}

/** Target of a rebalance. Missing fields of the request come from the configuration. */
function targetOf(config: AutoRebalance | undefined, asked: RebalanceRequest): RebalanceTarget {
  return {
    mode: asked.mode ?? config?.mode ?? 'TARGET_WEIGHTS',
    timeframe: asked.timeframe ?? config?.timeframe ?? '1h',
    // A rebalance requested by the trader trades at once, however small the drift.
    minimumDrift: '0',
    maxTradeUsd: asked.maxTradeUsd ?? config?.maxTradeUsd ?? null,
  };
}

/**
 * Check of a caller who pauses or ends a configuration: one of somebody else that trades to keep the hedge protects the
 * position. null: no mandate binds the caller, or it is its own.
 */
function stopOf(
  deps: Pick<AcceptDeps, 'warden'>,
  principal: Principal | undefined,
  account: TradeAccount,
): (config: AutoRebalance) => Result<Admission | null, EngineError> {
  const bound = principal === undefined ? null : deps.warden.ofPrincipal(principal);
  return (config) => {
    if (principal === undefined || bound === null) return ok(null);
    if (config.action !== 'TRADE' || deps.warden.isHis(bound, config)) return ok(null);
    const loosens = [rebalanceEnded(config)];
    return mayChangeProtection(deps, principal, { account, kind: 'rebalance', isOwn: true, loosens });
  };
}
