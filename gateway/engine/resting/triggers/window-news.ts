/**
 * Notifies users that orders on a z-score or spread cannot fire, because their window of hourly prices is unknown, and
 * when they can again. Otherwise a stop that cannot fire looks like one that has no reason to.
 */
import { accountNotification } from '../../../domain/notification.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import { tellUsers } from '../../notices/notify.ts';
import type { LiveTriggers } from './live-triggers.ts';

/** Time after which an unknown window is notified, ms. A window is read within seconds of each full hour. */
const AFTER_MS = 5 * 60_000;

interface Blind {
  /** Uptime since which an order of the account cannot fire, ms. */
  readonly since: number;
  isTold: boolean;
}

type Deps = Pick<AcceptDeps, 'store' | 'clock' | 'ids' | 'logger' | 'accountOf'>;

export class WindowNews {
  readonly #deps: Deps;
  readonly #live: Pick<LiveTriggers, 'get'>;
  /** Accounts with an order that cannot fire, by id. */
  readonly #blind = new Map<string, Blind>();

  constructor(deps: Deps, live: Pick<LiveTriggers, 'get'>) {
    this.#deps = deps;
    this.#live = live;
  }

  /** To be called at least every minute. @param ids all triggers whose window is unknown now */
  look(ids: readonly string[]): void {
    const now = this.#deps.clock.uptime();
    const counts = new Map<string, number>();
    for (const id of ids) {
      const account = this.#live.get(id)?.tradeAccountId;
      if (account !== undefined) counts.set(account, (counts.get(account) ?? 0) + 1);
    }
    for (const id of counts.keys())
      if (!this.#blind.has(id)) this.#blind.set(id, { since: now, isTold: false });
    for (const [id, blind] of this.#blind) {
      const count = counts.get(id);
      if (count === undefined) {
        this.#blind.delete(id);
        if (blind.isTold)
          this.#tell(id, 'CONNECTOR_RECOVERED', 'What waits on z-scores and spreads can fire');
      } else if (!blind.isTold && now - blind.since >= AFTER_MS) {
        blind.isTold = true;
        const what =
          count === 1
            ? '1 trigger, take-profit or stop-loss'
            : `${count} triggers, take-profits and stop-losses`;
        const why = 'the hourly prices that they compare with are not known';
        this.#tell(id, 'CONNECTOR_DEGRADED', `${what} on z-scores or spreads cannot fire: ${why}`);
      }
    }
  }

  #tell(accountId: string, category: Parameters<typeof accountNotification>[0], reason: string): void {
    const account = this.#deps.accountOf(accountId);
    if (account !== undefined)
      tellUsers(this.#deps, [account], accountNotification(category, account, reason));
  }
}
