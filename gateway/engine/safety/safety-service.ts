/**
 * Pause, resume and panic. Panic pauses first, on disk. Then it cancels all pending orders and closes all open
 * positions, account by account, live accounts first. A failed part does not stop the others; it is reported, and
 * retried until no position is left (`panic/panic-runner.ts`).
 */
import type { AuditEntry } from '../../domain/audit.ts';
import { type Placed, placedBy } from '../../domain/authority.ts';
import type { BrokenLimit } from '../../domain/mandate.ts';
import type { Execution, Principal, TradeAccount } from '../../domain/model.ts';
import { type Money, realMoneyFirst } from '../../domain/money.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Safety } from '../../domain/safety.ts';
import { isRunningSchedule } from '../../domain/schedule.ts';
import type { EngineError, Refusable } from '../core/errors.ts';
import { agentLimit } from '../core/mandate-answers.ts';
import type { TradingPause } from '../core/trading-pause.ts';
import type { CancelReport } from '../execution/order-service.ts';
import type { AcceptDeps } from '../execution/start-execution.ts';
import { closeAll } from '../positions/close-all.ts';
import type { RestingServices } from '../resting/resting-services.ts';
import { PanicRunner } from './panic/panic-runner.ts';

export interface PanicReport {
  readonly safety: Safety;
  /** Report of each of the user's accounts, in the order of the work: live accounts first. */
  readonly accounts: readonly AccountReport[];
}

export interface AccountReport {
  readonly account: TradeAccount;
  readonly money: Money;
  /** Number of cancelled triggers, ladders, schedules and orders. */
  readonly cancelled: {
    readonly triggers: number;
    readonly schedules: number;
    readonly ladders: number;
    readonly orders: number;
    readonly autoRebalances: number;
  };
  /** Executions that close positions. */
  readonly executions: readonly Execution[];
  readonly failures: readonly {
    readonly kind: 'POSITION' | 'ORDER' | 'TRIGGER' | 'SCHEDULE' | 'LADDER' | 'AUTO_REBALANCE';
    readonly id: string;
    readonly error: EngineError;
  }[];
}

/** Safety state per user, for all trade accounts alike; survives restarts. */
export type SafetyService = ReturnType<typeof serviceOf>;

export interface OrderServices extends RestingServices {
  readonly safety: SafetyService;
}

/** Longest wait until cancelled orders free their baskets, before the baskets are closed, ms. */
const SETTLE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 25;

export interface SafetyParts {
  readonly deps: AcceptDeps;
  readonly tradingPause: TradingPause;
  readonly accountsOf: (userId: string) => readonly TradeAccount[];
  readonly moneyOf: (account: TradeAccount) => Money;
  readonly services: Pick<RestingServices, 'triggers' | 'schedules' | 'ladders' | 'rebalances' | 'orders'>;
}

type Kind = AccountReport['failures'][number]['kind'];

/** The safety commands, and the runner that continues a panic after its answer. */
export interface SafetyDesk {
  readonly service: SafetyService;
  readonly panics: PanicRunner;
}

export function createSafetyDesk(parts: SafetyParts): SafetyDesk {
  const { tradingPause, deps, accountsOf, moneyOf } = parts;
  const panics = new PanicRunner({
    deps,
    tradingPause,
    accountsOf,
    moneyOf,
    cancelAll: (account) => cancelAll(parts, new Tally(), account),
  });
  return { panics, service: serviceOf(parts, panics) };
}

function serviceOf(parts: SafetyParts, panics: PanicRunner) {
  const { tradingPause } = parts;
  return {
    /** The user's safety state, from memory. */
    of: (userId: string) => tradingPause.of(userId),
    /**
     * Pauses trading of the user named in the audit entry, in the entry's unit. NOOP_ERROR if trading is already
     * paused.
     */
    pause: (audit: AuditEntry) => tradingPause.move(audit.userId, 'pause', { audit: [audit] }),
    /** Resumes trading, like `pause`. NOOP_ERROR if trading is not paused. */
    resume: (audit: AuditEntry) => tradingPause.move(audit.userId, 'resume', { audit: [audit] }),
    /**
     * Commits the pause before anything is cancelled or closed. May be called again at any time.
     * @param includeOutside true: also closes lots traded outside Tandem that are in no basket
     */
    async panic(principal: Principal, includeOutside: boolean, audit: AuditEntry): Refusable<PanicReport> {
      const report = await panic(parts, principal, includeOutside, audit);
      if (!report.ok) return report;
      await panics.begun(principal.userId);
      return ok({ ...report.value, safety: tradingPause.of(principal.userId) });
    },
  };
}

async function panic(
  parts: SafetyParts,
  principal: Principal,
  includeOutside: boolean,
  audit: AuditEntry,
): Promise<Result<PanicReport, EngineError>> {
  const { userId } = principal;
  const allowed = mayPanic(parts, principal);
  if (!allowed.ok) return allowed;
  const placed = placedBy(principal);
  const asked = { includeOutside, placed };
  const safety = await parts.tradingPause.move(userId, 'panic', { audit: [audit] }, asked);
  if (!safety.ok) return safety;
  const reports: AccountReport[] = [];
  // Paper accounts wait for live ones. A venue that does not answer delays no other of its kind.
  for (const alike of realMoneyFirst(parts.accountsOf(userId), parts.moneyOf))
    reports.push(...(await Promise.all(alike.map((account) => stop(parts, account, placed)))));
  return ok({ safety: safety.value, accounts: reports });
}

/** Allows a mandate to panic only if it covers all of the user's accounts and holdings: a panic acts on all of them. */
function mayPanic({ deps, accountsOf }: SafetyParts, principal: Principal): Result<null, EngineError> {
  const mandate = deps.warden.ofPrincipal(principal)?.mandate;
  if (mandate === undefined) return ok(null);
  const beyond = accountsOf(principal.userId).filter(({ id }) => !mandate.accounts.includes(id));
  const broken: readonly BrokenLimit[] = [
    ...beyond.map(({ id }) => ({ limit: 'accounts', allowed: null, used: null, asked: id }) as const),
    ...(mandate.manage === 'OWN'
      ? [{ limit: 'manage', allowed: 'OWN', used: null, asked: 'ALL' } as const]
      : []),
  ];
  return broken.length === 0 ? ok(null) : agentLimit(broken);
}

/** Cancels all pending orders on the account, then closes its positions. */
async function stop(parts: SafetyParts, account: TradeAccount, placed: Placed): Promise<AccountReport> {
  const { deps, moneyOf } = parts;
  const tally = new Tally();
  await cancelAll(parts, tally, account);
  await settled(deps, account);
  const asked = { account, placed, connector: null, slippage: null, clientId: null };
  const closed = await closeAll(deps, asked, () => []);
  if (closed.ok) {
    for (const { positionId, error } of closed.value.failures) tally.failed('POSITION', positionId, error);
  } else {
    for (const { id } of deps.state.positions.of(account.id)) tally.failed('POSITION', id, closed.error);
  }
  return {
    account,
    money: moneyOf(account),
    cancelled: tally.counts(),
    executions: closed.ok ? closed.value.executions : [],
    failures: tally.failures,
  };
}

/** Cancels all pending orders that may trade again. Take-profits and stop-losses end with their positions. */
async function cancelAll(parts: SafetyParts, tally: Tally, account: TradeAccount): Promise<void> {
  const { store } = parts.deps;
  const { ladders, schedules, rebalances, triggers, orders } = parts.services;
  // Schedules that may send another slice.
  const running = async () => (await store.liveSchedules()).filter(isRunningSchedule);
  // Ladders before triggers: their rungs end with them and are not counted again.
  await Promise.all([
    cancelEach(
      tally,
      account,
      'LADDER',
      () => store.liveLadders(),
      ({ id }) => ladders.cancel(account, id),
    ),
    cancelEach(tally, account, 'SCHEDULE', running, ({ id }) => schedules.cancel(account, id)),
    cancelEach(
      tally,
      account,
      'AUTO_REBALANCE',
      () => store.liveAutoRebalances(),
      ({ positionId }) => rebalances.end(account, positionId),
    ),
  ]);
  tally.report('TRIGGER', account, await triggers.cancelAll(account, { keepBrackets: true }));
  tally.report('ORDER', account, await orders.cancelAll(account));
}

async function cancelEach<Row extends { readonly id: string; readonly tradeAccountId: string }>(
  tally: Tally,
  account: TradeAccount,
  kind: Kind,
  live: () => Promise<readonly Row[]>,
  cancel: (row: Row) => Promise<Result<unknown, EngineError>>,
): Promise<void> {
  for (const row of (await live()).filter(({ tradeAccountId }) => tradeAccountId === account.id)) {
    const cancelled = await cancel(row);
    if (cancelled.ok) tally.cancelled(kind);
    else tally.failed(kind, row.id, cancelled.error);
  }
}

/** Waits, at most `SETTLE_WITHIN_MS`, until no execution of the account runs and holds its basket. */
async function settled({ state, clock }: AcceptDeps, account: TradeAccount): Promise<void> {
  const deadline = clock.now() + SETTLE_WITHIN_MS;
  while (state.claims.isRunning(account.id) && clock.now() < deadline) await clock.sleep(LOOK_EVERY_MS);
}

class Tally {
  readonly #cancelled = new Map<Kind, number>();
  readonly failures: AccountReport['failures'][number][] = [];

  cancelled(kind: Kind, count = 1): void {
    this.#cancelled.set(kind, (this.#cancelled.get(kind) ?? 0) + count);
  }

  failed(kind: Kind, id: string, error: EngineError): void {
    // NOOP_ERROR: the order or schedule ended by itself meanwhile and needs no cancelling.
    if (error.code !== 'NOOP_ERROR') this.failures.push({ kind, id, error });
  }

  /**
   * Adds the result of a bulk cancel to the tally. If the bulk cancel itself failed, the failure is listed under the
   * account's id.
   */
  report(kind: Kind, account: TradeAccount, result: Result<CancelReport, EngineError>): void {
    if (!result.ok) {
      this.failed(kind, account.id, result.error);
      return;
    }
    this.cancelled(kind, result.value.cancelled.length);
    for (const { id, error } of result.value.failed) this.failed(kind, id, error);
  }

  counts(): AccountReport['cancelled'] {
    const of = (kind: Kind) => this.#cancelled.get(kind) ?? 0;
    return {
      triggers: of('TRIGGER'),
      schedules: of('SCHEDULE'),
      ladders: of('LADDER'),
      orders: of('ORDER'),
      autoRebalances: of('AUTO_REBALANCE'),
    };
  }
}
