/**
 * The desk of approvals on a clock that stands still and a real store. What an approved request becomes is one execution,
 * committed with the rows that the desk gives along, as the engine does it.
 */
import { join } from 'node:path';
import type { Approval } from '../../gateway/domain/approval.ts';
import type { MandateHolder } from '../../gateway/domain/mandate.ts';
import type { Execution, Quote, TradeAccount } from '../../gateway/domain/model.ts';
import { fail, ok } from '../../gateway/domain/result.ts';
import { Approvals } from '../../gateway/engine/approvals/approval-desk.ts';
import { approve, type MakeAgain } from '../../gateway/engine/approvals/approve.ts';
import { type EngineError, storeFailed } from '../../gateway/engine/core/errors.ts';
import { LiveState } from '../../gateway/engine/core/live-state.ts';
import type { ApprovalRequest, AskedRequest, DeskAnswer } from '../../gateway/engine/ports/approval-desk.ts';
import type { BoundMandate } from '../../gateway/engine/ports/mandate-book.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { createFakeClock } from './fake-clock.ts';
import { askingMandate } from './mandates.ts';
import { execution, silentLogger, testStore, user } from './store-records.ts';

export const GRANT: MandateHolder = { kind: 'oauth_grant', id: 'grant' };
export const SESSION = 'session';
export const LIFE_SECONDS = 600;
const LEG = {
  symbol: 'BTC-PERP',
  side: 'BUY',
  quantity: '0.005',
  mark: '100000',
  worstPrice: '101000',
  worstUsd: '505',
  feeUsd: '0.25',
  reduces: false,
} as const;
const ACTOR = { method: 'session', client: 'test', ip: null } as const;

export class ApprovalRig {
  readonly clock = createFakeClock();
  readonly store: Store;
  readonly userId: string;
  readonly account: TradeAccount;
  desk!: Approvals;
  /** Symbol → mark. */
  readonly marks = new Map([['BTC-PERP', '100000']]);
  isHolderAlive = true;
  isAccountThere = true;
  isArmed = true;
  suspended: BoundMandate['suspended'] = null;
  mandateVersion = 1;
  /** Error of the engine when the request is made again; null: none. */
  refusal: EngineError | null = null;
  storeRefuses: (unit: UnitOfWork) => boolean = () => false;
  /** Number of requests made again, committed or not. */
  made = 0;

  private constructor(store: Store, userId: string) {
    this.store = store;
    this.userId = userId;
    this.account = {
      id: '018f0000-0000-7000-8000-00000000000a',
      userId,
      alias: 'Paper',
      connector: 'paper',
      mode: 'PAPER',
      exchangeIdentifier: '',
      status: 'READY',
      metadata: null,
      createdAt: 0,
      updatedAt: 0,
    };
  }

  static async open(folder: string): Promise<ApprovalRig> {
    const store = await testStore(join(folder, 'tandem.db'));
    const owner = user();
    await store.commit({ users: [owner] });
    const rig = new ApprovalRig(store, owner.id);
    await rig.start();
    return rig;
  }

  /** A new life on the same file. */
  async start(): Promise<void> {
    this.desk?.stop();
    const { clock, account, marks } = this;
    const market = {
      quote: (_: string, symbol: string) =>
        marks.has(symbol) ? ({ mark: marks.get(symbol) } as Quote) : undefined,
      instrument: () => undefined,
    };
    this.desk = new Approvals({
      store: {
        ...this.store,
        commit: async (unit) =>
          this.storeRefuses(unit)
            ? fail({ kind: 'unavailable', message: 'disk full' })
            : this.store.commit(unit),
      },
      clock,
      ids: createIds(clock),
      logger: silentLogger,
      venues: { get: () => undefined, all: () => [] },
      market,
      state: new LiveState(),
      accountOf: (id) => (this.isAccountThere && id === account.id ? account : undefined),
      holderOf: () => ({ name: 'Codex', client: 'client', isAlive: this.isHolderAlive }),
      isArmed: () => this.isArmed,
      book: { of: () => ({ ...BOUND, version: this.mandateVersion, suspended: this.suspended }) },
    });
    await this.desk.load();
  }

  request(changes: Partial<AskedRequest> = {}): AskedRequest {
    return {
      route: 'POST /trade/open',
      params: null,
      body: {
        legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' }],
        slippage: '0.01',
      },
      idempotency: null,
      approved: null,
      ...changes,
    };
  }

  keyed(key: string, body?: unknown): AskedRequest {
    const route = 'POST /trade/open';
    const idempotency = { userId: this.userId, route, key, requestHash: 'hash' };
    return this.request({ idempotency, ...(body === undefined ? {} : { body }) });
  }

  ask(request = this.request(), changes: Partial<ApprovalRequest> = {}): Promise<DeskAnswer> {
    return this.desk.ask({
      holder: GRANT,
      userId: this.userId,
      account: this.account,
      mandateVersion: this.mandateVersion,
      kind: 'now',
      request,
      asked: { legs: [LEG], loosens: [], changes: null },
      reasons: ['ABOVE'],
      reserveUsd: '505',
      opensPosition: true,
      rests: false,
      lifeSeconds: LIFE_SECONDS,
      driftBps: 50,
      passwordAboveUsd: null,
      ...changes,
    });
  }

  /** Asks, and reads what waits from the disk. */
  async waiting(...asked: Parameters<ApprovalRig['ask']>): Promise<Approval> {
    const answer = await this.ask(...asked);
    return this.read(idOf(answer));
  }

  async read(id: string): Promise<Approval> {
    const approval = await this.store.approval(id);
    if (approval === null) throw new Error(`no approval ${id}`);
    return approval;
  }

  readonly make: MakeAgain = async (_, { alongside }) => {
    this.made += 1;
    if (this.refusal !== null) return fail(this.refusal);
    const placed: Execution = execution({ userId: this.userId, tradeAccountId: this.account.id }, 1);
    const committed = await this.store.commit({ newExecutions: [placed], ...alongside(placed.id) });
    return committed.ok ? ok(placed.id) : storeFailed(committed.error);
  };

  approve(id: string, planHash: string, make = this.make) {
    const decision = { userId: this.userId, approvalId: id, planHash, sessionId: SESSION, actor: ACTOR };
    return approve(this.desk, decision, make);
  }

  deny(id: string) {
    return this.desk.deny(this.userId, id, SESSION, ACTOR);
  }

  withdraw(id: string) {
    return this.desk.withdraw(GRANT, this.userId, id);
  }

  async expire(): Promise<void> {
    this.clock.jump(LIFE_SECONDS * 1_000);
    this.desk.woke();
  }

  async revoke(): Promise<void> {
    this.isHolderAlive = false;
    await this.desk.holderStopped(GRANT);
  }

  async suspend(): Promise<void> {
    this.suspended = { reason: 'too much lost', at: 0 };
    await this.desk.holderStopped(GRANT);
  }

  async disarm(): Promise<void> {
    this.isArmed = false;
    await this.desk.accountChanged(this.account.id);
  }

  async removeAccount(): Promise<void> {
    this.isAccountThere = false;
    await this.desk.accountChanged(this.account.id);
  }

  /** All that an approval needs is there again. */
  mend(): void {
    [this.isHolderAlive, this.isArmed, this.isAccountThere] = [true, true, true];
    this.suspended = null;
  }

  /** Ids of the executions on disk. */
  async executions(): Promise<readonly string[]> {
    const page = await this.store.executions(
      { tradeAccountId: this.account.id },
      { limit: 100, after: null },
    );
    return page.rows.map(({ id }) => id);
  }

  async audited(): Promise<readonly string[]> {
    const page = await this.store.auditLog(this.userId, { limit: 500, after: null });
    return page.rows.map(({ action }) => action).reverse();
  }

  async close(): Promise<void> {
    this.desk.stop();
    await this.store.close();
  }
}

export function idOf({ details }: DeskAnswer): string {
  return 'approvalId' in details ? String(details['approvalId']) : '';
}

const BOUND: BoundMandate = {
  holder: GRANT,
  mandate: askingMandate([], { lifeSeconds: LIFE_SECONDS }),
  version: 1,
  since: 0,
  userId: 'user',
  suspended: null,
  lineage: [],
};
