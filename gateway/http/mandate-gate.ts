/**
 * Checks a caller's mandate before a route's handler: rights, and the ownership of what it touches
 * (`contract/mandate-rights.ts`). The engine judges opening and pending orders when it accepts them. Bound routes are
 * wrapped, so that every caller passes here, whichever way in it uses.
 */

import type { BoundRoute, Call } from '../call/call.ts';
import { BusinessError, FrameworkError } from '../call/errors.ts';
import {
  MANDATE_MESSAGES,
  MANDATE_RULES,
  type MandateRule,
  type OwnThing,
  ruleName,
} from '../contract/mandate-rights.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Placed } from '../domain/authority.ts';
import { dec } from '../domain/decimal.ts';
import type { BrokenLimit } from '../domain/mandate.ts';
import { asksAboutOrders, sharedProblem } from '../domain/mandate-judgement.ts';
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { Owned } from '../domain/ownership.ts';
import { askedOf, callerOf } from '../engine/core/caller.ts';
import type { LiveState } from '../engine/core/live-state.ts';
import { agentLimit } from '../engine/core/mandate-answers.ts';
import type { Warden } from '../engine/core/warden.ts';
import type { AskedRequest } from '../engine/ports/approval-desk.ts';
import type { BoundMandate } from '../engine/ports/mandate-book.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { reasonOf } from './agent-reason.ts';
import { idempotentRequest } from './idempotency-key.ts';
import type { Refused, RefusedAttempts } from './refused-attempts.ts';
import { notFound } from './routes/refusals.ts';
import { unwrap } from './unwrap.ts';

export interface MandateGateDeps {
  readonly warden: Warden;
  readonly state: Pick<LiveState, 'positions'>;
  readonly store: Pick<
    Store,
    'trigger' | 'triggers' | 'ladder' | 'schedule' | 'schedules' | 'orderWithExecution'
  >;
  readonly rebalances: { of(positionId: string): Placed | undefined };
  readonly refused: Pick<RefusedAttempts, 'note'>;
}

type AnyCall = Call<RouteContract>;

const NAMES: Readonly<Record<OwnThing, string>> = {
  position: 'Position',
  trigger: 'Trigger',
  alert: 'Alert',
  ladder: 'Ladder',
  schedule: 'Schedule',
  order: 'Order',
  autoRebalance: 'Position',
};

/** @throws Error for a route that changes something and has no rule: it must not be reachable before it has one */
export function withMandate(route: BoundRoute, deps: MandateGateDeps): BoundRoute {
  const { contract, handle } = route;
  const rule = ruleOf(contract);
  if (rule === null) return route;
  const label = `${contract.method} ${contract.path}`;
  return {
    contract,
    handle(call) {
      const principal = call.principal as Principal;
      const bound = deps.warden.ofPrincipal(principal);
      if (bound === null) return handle(call);
      const own = ownThing(rule, bound, call.account);
      let passing: AnyCall;
      try {
        checkSuspended(rule, bound);
        checkRight(rule, bound, call, deps);
        const read = checkByReading(rule, own, bound, call, deps);
        if (read !== null) {
          return read
            .then(() => passed(contract, label, rule, bound, call))
            .catch((error: unknown) => countedAs(deps, bound, error))
            .then(handle);
        }
        passing = passed(contract, label, rule, bound, call);
      } catch (error) {
        return countedAs(deps, bound, error);
      }
      return handle(passing);
    },
    /** The user sees the attempt. Refusals of an approved request are left out: the approver sees them at once. */
    failed(call, error) {
      if (call.approved !== undefined || !isRefusal(error)) return;
      const bound = deps.warden.ofPrincipal(call.principal as Principal);
      if (bound !== null) void deps.refused.note(bound, refusedOf(label, call, error));
    },
  };
}

/** A refusal that comes before anything is judged counts as one too. */
function countedAs({ warden }: MandateGateDeps, bound: BoundMandate, error: unknown): never {
  if (isRefusal(error)) warden.wasRefused(bound);
  throw error;
}

/** An attempt at something missing or not its own does not test a limit, so it is not counted. */
function isRefusal(error: unknown): boolean {
  if (error instanceof FrameworkError) return error.status === 403;
  return error instanceof BusinessError && error.code === 'AGENT_LIMIT';
}

function refusedOf(route: string, { account, body, headers }: AnyCall, error: unknown): Refused {
  const details: unknown = error instanceof BusinessError ? error.details : null;
  const limits = details !== null && typeof details === 'object' && 'limits' in details ? details.limits : [];
  return {
    route,
    tradeAccountId: (account as TradeAccount | null)?.id ?? null,
    message: error instanceof Error ? error.message : 'Refused',
    limits: Array.isArray(limits) ? (limits as readonly BrokenLimit[]) : [],
    body,
    says: saidIn(headers),
  };
}

/** Reason that the caller gives; null if it cannot be read. The request has been refused already. */
function saidIn(headers: AnyCall['headers']): string | null {
  try {
    return reasonOf(headers);
  } catch {
    return null;
  }
}

/** null: the mandate is not checked, because the route only reads or only its user may call it. */
export function ruleOf(contract: RouteContract): MandateRule | null {
  const name = ruleName(contract);
  const rule = MANDATE_RULES[name];
  if (rule !== undefined) return rule;
  if (contract.auth !== 'K' || contract.method === 'GET') return null;
  throw new Error(`${name} has no rule in contract/mandate-rights.ts`);
}

/** The call together with the request, for a person who has to approve it. Throws if the mandate does not allow it. */
function passed(
  contract: RouteContract,
  label: string,
  rule: MandateRule,
  bound: BoundMandate,
  call: AnyCall,
): AnyCall {
  const principal = call.principal as Principal;
  const account = call.account as TradeAccount | null;
  // Judged routes check the account themselves, after a repeated request has had its first answer.
  if (asksForAccount(rule) && account !== null) checkAccount(bound, account);
  const known = askedOf(principal);
  if (known !== null) return new BoundCall(call, callerOf(principal, known), undefined) as AnyCall;
  const { headers, params, body } = call;
  const idempotency = idempotentRequest(contract, { headers, principal, account, params, body });
  const asked: AskedRequest = {
    route: label,
    params: params ?? null,
    body: body ?? null,
    idempotency,
    says: reasonOf(headers),
    approved: call.approved ?? null,
  };
  return new BoundCall(call, callerOf(principal, asked), idempotency) as AnyCall;
}

/** A call with another principal. Copied field by field: spreading would evaluate all of its lazy getters. */
class BoundCall {
  readonly principal: Principal;
  readonly account: AnyCall['account'];
  readonly params: AnyCall['params'];
  readonly query: AnyCall['query'];
  readonly body: AnyCall['body'];
  readonly headers: AnyCall['headers'];
  readonly connection: AnyCall['connection'];
  readonly worstPrices: AnyCall['worstPrices'];
  readonly idempotency: AnyCall['idempotency'];
  readonly #call: AnyCall;

  constructor(call: AnyCall, principal: Principal, idempotency: AnyCall['idempotency']) {
    this.principal = principal;
    this.account = call.account;
    this.params = call.params;
    this.query = call.query;
    this.body = call.body;
    this.headers = call.headers;
    this.connection = call.connection;
    this.worstPrices = call.worstPrices;
    this.idempotency = idempotency;
    this.#call = call;
  }

  get ip(): string {
    return this.#call.ip;
  }

  get peer(): AnyCall['peer'] {
    return this.#call.peer;
  }
}

/** The thing that has to be the holder's; undefined: it may touch those of others, or the route is about none. */
function ownThing(
  rule: MandateRule,
  { mandate, suspended }: BoundMandate,
  account: AnyCall['account'],
): OwnThing | undefined {
  if (!('own' in rule)) return undefined;
  const { own } = rule;
  // Its right to manage others' alerts applies to its own accounts alone.
  const isElsewhere = own === 'alert' && account !== null && !isAmong(mandate, account);
  const isBound = mandate.manage === 'OWN' || (suspended !== null && !('judged' in rule));
  return isElsewhere || isBound ? own : undefined;
}

/** True: the route needs an account of the mandate. For the holder's own alerts, `ownThing` checks it. */
function asksForAccount(rule: MandateRule): boolean {
  if ('judged' in rule || 'free' in rule) return false;
  return !('own' in rule && rule.own === 'alert');
}

function checkRight(
  rule: MandateRule,
  bound: BoundMandate,
  { params, body, account }: AnyCall,
  { warden }: MandateGateDeps,
): void {
  const { mandate } = bound;
  if ('never' in rule) throw new FrameworkError(403, MANDATE_MESSAGES.never(rule.never));
  if ('manage' in rule && mandate.manage !== 'ALL') throw new FrameworkError(403, MANDATE_MESSAGES.manageAll);
  if (!('right' in rule)) return;
  const { right } = rule;
  if (!mandate.rights[right]) throw new FrameworkError(403, MANDATE_MESSAGES.right(right));
  const named = idOf(params).toLowerCase();
  if (rule.among === true && !mandate.accounts.includes(named))
    refuse({ limit: 'accounts', allowed: null, used: null, asked: named });
  // Keys of accounts that it may not trade are none of its business.
  if (right === 'readCredentials' && !mandate.accounts.includes(idOf(params)))
    throw notFound('Trade account');
  const asked = new Map(Object.entries(body ?? {}));
  const [leverage, symbol] = [asked.get('leverage'), asked.get('symbol')];
  if (right !== 'changeLeverage' || typeof leverage !== 'number' || account === null) return;
  const { maxLeverage } = mandate;
  if (maxLeverage !== null && dec(leverage).gt(maxLeverage)) {
    refuse({ limit: 'maxLeverage', allowed: `${maxLeverage}`, used: null, asked: `${leverage}` });
  }
  if (typeof symbol !== 'string') return;
  const broken = warden.shares.leverageProblem(bound, account, symbol);
  if (broken !== null) refuse(broken);
}

/** Checks that read the store; null: none is needed. @param own the thing that has to be the holder's */
function checkByReading(
  rule: MandateRule,
  own: OwnThing | undefined,
  bound: BoundMandate,
  { account, params, body }: AnyCall,
  deps: MandateGateDeps,
): Promise<void> | null {
  if (account === null) return null;
  if (own !== undefined) return checkOwn(deps, own, bound, account, idOf(params));
  const isLeverage = 'right' in rule && rule.right === 'changeLeverage';
  return isLeverage ? checkWaiting(deps, bound, account, body) : null;
}

/** Refuses a leverage other than the one at which a pending order was requested, or shown to the user. */
async function checkWaiting(
  { store, warden }: MandateGateDeps,
  bound: BoundMandate,
  { id: tradeAccountId }: Pick<TradeAccount, 'id'>,
  body: AnyCall['body'],
): Promise<void> {
  const { mandate } = bound;
  const isAsked = asksAboutOrders(mandate);
  if (mandate.manage === 'ALL' && !isAsked) return;
  const symbol = new Map<string, unknown>(Object.entries(body ?? {})).get('symbol');
  const filter = { tradeAccountId, statuses: ['ACTIVE', 'PAUSED'] } as const;
  const [triggers, schedules] = await Promise.all([
    everyRow((page) => store.triggers({ ...filter, kinds: ['OPEN'] }, page)),
    everyRow((page) => store.schedules(filter, page)),
  ]);
  const waits = [...triggers, ...schedules].some(
    ({ kind, legs }) => kind === 'OPEN' && legs.some((leg) => leg.symbol === symbol),
  );
  if (waits || (isAsked && warden.usagePartsOf(bound).restingPlaced > 0))
    throw new BusinessError(
      'RESOURCE_BUSY',
      'Orders that wait were asked for at the present leverage: it changes when they have ended',
      { reason: 'WAITING_ORDERS' },
    );
}

async function everyRow<Row>(read: (page: PageRequest) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: PageRequest['after'] = null; ; ) {
    const page = await read({ limit: 200, after });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
  }
}

/** Refuses an action on something as a whole of which the holder owns only a part. */
function refuseShared({ mandate }: BoundMandate, owned: Owned): void {
  const broken = sharedProblem(mandate, owned);
  if (broken !== null) refuse(broken);
}

/** A suspended holder may still protect, reduce and close. The engine refuses requests that it judges itself. */
function checkSuspended(rule: MandateRule, { suspended }: BoundMandate): void {
  const isRefused = 'right' in rule || ('suspended' in rule && rule.suspended === 'REFUSED');
  if (suspended !== null && isRefused) refuse(SUSPENDED);
}

function isAmong({ accounts }: BoundMandate['mandate'], { id }: Pick<TradeAccount, 'id'>): boolean {
  return accounts.includes(id);
}

function checkAccount({ mandate }: BoundMandate, account: TradeAccount): void {
  if (!isAmong(mandate, account)) refuse({ limit: 'accounts', allowed: null, used: null, asked: account.id });
}

/** Rejects as for a thing that does not exist, unless it is the holder's. */
async function checkOwn(
  { warden, state, store, rebalances }: MandateGateDeps,
  what: OwnThing,
  bound: BoundMandate,
  account: TradeAccount,
  id: string,
): Promise<void> {
  const isHis = (placed: Placed | null | undefined) =>
    placed !== null && placed !== undefined && warden.isHis(bound, placed);
  const owns = async (): Promise<boolean> => {
    switch (what) {
      case 'trigger':
      case 'alert': {
        const trigger = await store.trigger(account.id, id);
        if (!isHis(trigger)) return false;
        // A bracket protects all of its position, by whomever it was placed.
        const position = state.positions.get(trigger?.bracketType == null ? '' : (trigger.positionId ?? ''));
        if (position !== undefined) refuseShared(bound, warden.shares.owned(bound, account, { position }));
        return true;
      }
      case 'ladder':
        return isHis(await store.ladder(account.id, id));
      case 'schedule':
        return isHis(await store.schedule(account.id, id));
      case 'order':
        return isHis((await store.orderWithExecution(account.id, id))?.execution);
      case 'autoRebalance':
        return isHis(rebalances.of(id));
      case 'position': {
        const position = state.positions.get(id);
        // A closed one passes: the handler says so, or repeats its answer to the request that closed it.
        if (position === undefined || position.tradeAccountId !== account.id) return true;
        return warden.holdings.ownership(warden.keysOf(bound), position) !== 'NONE';
      }
    }
  };
  if (await owns()) return;
  // A holder that manages all of them knows that there is such a thing.
  if (bound.suspended !== null && bound.mandate.manage === 'ALL') refuse(SUSPENDED);
  throw notFound(NAMES[what]);
}

function idOf(params: unknown): string {
  const [id]: readonly unknown[] = Object.values(params ?? {});
  return typeof id === 'string' ? id : '';
}

const SUSPENDED: BrokenLimit = { limit: 'suspended', allowed: null, used: null, asked: null };

function refuse(broken: BrokenLimit): never {
  unwrap(agentLimit([broken]));
  throw new Error('a limit was refused without an answer');
}
