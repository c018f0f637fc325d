/**
 * One round of closing for one or more executions of an account: the venue is asked what it holds, and in the moment of the
 * answer it is decided what goes to whom. Transfers, positions, lots, orders with their client order ids and ACTIVE are one
 * unit; only then anything is sent. What a round leaves is planned again, from the venue's next answer, never only repriced.
 */
import {
  type ClosingInstrument,
  type ClosingLeg,
  type ClosingLegPlan,
  type ClosingPlan,
  planClosing,
  unexplained,
  wantedOf,
} from '../../domain/closing-plan.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import { activateExecution, concludeExecution } from '../../domain/execution.ts';
import type { Execution, Fill, Order, Position, TradeAccount } from '../../domain/model.ts';
import { venueNotification } from '../../domain/notification.ts';
import { fillOrder, isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import { applyFills } from '../../domain/position.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../deps.ts';
import { commitDurably, type StopSignal } from '../durable.ts';
import { executionEnded, ordersUpdated, positionChanged } from '../events.ts';
import { type FollowUp, together } from '../follow-ups.ts';
import { notice, notificationLegs } from '../notify.ts';
import type { UnitOfWork } from '../ports.ts';
import { nextAttempt, venueOf } from '../prepare.ts';
import { oneUnit } from '../unit-parts.ts';
import { type ClosingLegOf, type Transfers, transfersOf, usedUp } from './book-transfers.ts';
import { askVenue, instrumentFacts, isExplained, type NotAnswered, type VenueView } from './closing-facts.ts';

/** How long orders on their way are waited for before something is decided that depends on them. */
const WAIT_FOR_FLIGHTS_MS = 5_000;
const LOOK_EVERY_MS = 25;
/** An order that is not reduce-only is sent on an answer that is no older than this. */
const FRESH_MS = 1_000;
/** The venue's history is read so often for a difference that nothing explains. */
const MOST_PULLS = 2;

export interface ClosingRequest {
  /** IDLE, or ACTIVE with nothing on its way. */
  readonly execution: Execution;
  readonly account: TradeAccount;
  /** Those of its orders that are to go on. */
  readonly orders: ReadonlySet<string>;
  /** Of these nothing was executed at their last limit, which therefore binds nobody. */
  readonly unbound: ReadonlySet<string>;
}

export interface ClosingStep {
  readonly execution: Execution;
  /** `ended`: with this commit. `idle`: nothing could be done, nothing was committed. */
  readonly kind: 'sent' | 'ended' | 'idle';
  readonly sent: readonly ClosingSend[];
  /** Why an order, or a part of it, was held back. */
  readonly problems: ReadonlyMap<string, LegProblem>;
}

export interface ClosingSend {
  readonly order: Order;
  /** Base units of this attempt. */
  readonly quantity: string;
  /** In the order of sending, over all executions of the round. */
  readonly place: number;
}

export interface ClosingDeps extends EngineDeps {
  readonly signal: StopSignal;
  /** Reads the account's history from the venue; false: it did not answer. */
  readonly pull: (account: TradeAccount) => Promise<boolean>;
  /** Called after the commit of what follows from an end or a change. */
  readonly followed: (ended: Execution | null, followUp: FollowUp) => void;
}

interface Decision {
  readonly request: ClosingRequest;
  readonly position: Position;
  readonly legs: readonly ClosingLegPlan[];
}

type Decided =
  | { readonly kind: 'commit'; readonly decisions: readonly Decision[]; readonly plan: ClosingPlan }
  | { readonly kind: 'refused'; readonly problems: ReadonlyMap<string, LegProblem> }
  | { readonly kind: 'again'; readonly after: 'pull' | 'wait' | 'waiting_fills' };

type Round =
  | { readonly kind: 'steps'; readonly steps: readonly ClosingStep[] }
  | Extract<Decided, { kind: 'again' }>;

export class ClosingRounds {
  readonly #deps: ClosingDeps;

  constructor(deps: ClosingDeps) {
    this.#deps = deps;
  }

  /** Steps in the order of the requests; fails when the venue cannot be asked. All requests are of one account. */
  async run(
    account: TradeAccount,
    requests: readonly ClosingRequest[],
  ): Promise<Result<readonly ClosingStep[], NotAnswered>> {
    const { clock, store } = this.#deps;
    const until = clock.now() + WAIT_FOR_FLIGHTS_MS;
    let pulls = 0;
    let waiting: readonly Fill[] | null = null;
    for (;;) {
      const view = await askVenue(this.#deps, account);
      if (!view.ok) return view;
      const round = await this.#alone(requests, async (): Promise<Round> => {
        const decided = this.#decide(account, requests, view.value, {
          mayPull: pulls < MOST_PULLS,
          mayWait: clock.now() < until,
          knowsWaiting: waiting !== null,
        });
        switch (decided.kind) {
          case 'again':
            return decided;
          case 'refused':
            return { kind: 'steps', steps: requests.map((one) => idleStep(one, decided.problems)) };
          case 'commit':
            return { kind: 'steps', steps: await this.#commit(requests, decided, waiting ?? []) };
        }
      });
      if (round.kind === 'steps') return ok(round.steps);
      const { after } = round;
      if (after === 'pull') {
        pulls += 1;
        if (!(await this.#deps.pull(account))) await clock.sleep(LOOK_EVERY_MS);
      } else if (after === 'waiting_fills') waiting = await store.provisionalFills(account.id);
      else await clock.sleep(LOOK_EVERY_MS);
    }
  }

  /** Alone on every basket of the round: what is decided cannot change before it is committed. */
  #alone<T>(requests: readonly ClosingRequest[], work: () => Promise<T>): Promise<T> {
    const keys = requests.map(({ execution }) => `${execution.tradeAccountId} ${execution.basketKey}`).sort();
    const enter = (index: number): Promise<T> => {
      const key = keys[index];
      return key === undefined ? work() : this.#deps.book.positionQueue.run(key, () => enter(index + 1));
    };
    return enter(0);
  }

  #decide(
    account: TradeAccount,
    requests: readonly ClosingRequest[],
    view: VenueView,
    may: { readonly mayPull: boolean; readonly mayWait: boolean; readonly knowsWaiting: boolean },
  ): Decided {
    const { book, clock } = this.#deps;
    const legs: {
      readonly leg: ClosingLeg;
      readonly request: ClosingRequest;
      readonly position: Position;
    }[] = [];
    for (const request of requests) {
      const position = book.position(request.execution.positionId ?? '');
      if (position === undefined) continue;
      for (const leg of closingLegs(request, position)) legs.push({ leg, request, position });
    }
    const facts = new Map<string, ClosingInstrument>();
    for (const { leg } of legs) {
      if (!facts.has(leg.symbol))
        facts.set(leg.symbol, instrumentFacts(this.#deps, account, leg.symbol, view));
    }
    if (may.mayPull && ![...facts.values()].every(isExplained)) return { kind: 'again', after: 'pull' };
    for (const [symbol, one] of facts) {
      if (!book.flights.any(account.id, symbol)) {
        book.gaps.note(account.id, symbol, unexplained(one), clock.now());
      }
    }
    const { info } = venueOf(this.#deps, account.connector);
    const plan = planClosing(
      legs.map(({ leg }) => leg),
      facts,
      {
        freeMargin: view.balances.freeMargin,
        takerRate: info.takerRate,
        minimumWaiver: info.minimumWaiver,
      },
    );
    const age = clock.now() - view.askedAt;
    const isUnsure = plan.legs.some(({ leg, dust, order, problem }) => {
      const isBold = order !== null && !order.reduceOnly;
      const depends = isBold || dust !== null || problem?.code === 'UNDER_REVIEW';
      return (depends && book.flights.any(account.id, leg.symbol)) || (isBold && age > FRESH_MS);
    });
    if (isUnsure && may.mayWait) return { kind: 'again', after: 'wait' };
    const takesLots = plan.legs.some(({ taken }) => taken.some(({ lot }) => lot.source === 'OUTSIDE'));
    if (takesLots && !may.knowsWaiting) return { kind: 'again', after: 'waiting_fills' };
    const refused = requests.length === 1 ? refusedWhole(requests[0], plan) : null;
    if (refused !== null) return { kind: 'refused', problems: refused };
    const decisions = requests.flatMap((request): Decision[] => {
      const own = plan.legs.filter((_, index) => legs[index]?.request === request);
      const position = legs.find((one) => one.request === request)?.position;
      return position === undefined ? [] : [{ request, position, legs: own }];
    });
    return { kind: 'commit', decisions, plan };
  }

  async #commit(
    requests: readonly ClosingRequest[],
    { decisions, plan }: Extract<Decided, { kind: 'commit' }>,
    waiting: readonly Fill[],
  ): Promise<readonly ClosingStep[]> {
    const { book, cancels, clock, ids } = this.#deps;
    const now = clock.now();
    const owners = ownersOf(decisions);
    const transfers = transfersOf(
      plan,
      (key) => owner(owners, key),
      () => ids.next(),
      now,
    );
    const places = new Map(plan.sending.map((key, place) => [key, place]));
    const changes = decisions.map((decision) => this.#changeOf(decision, transfers, places, now));
    const done = changes.filter(({ isIdle }) => !isIdle);
    if (done.length > 0) {
      for (const { sent } of done)
        for (const { order, quantity } of sent) book.flights.enterPart(order, dec(quantity));
      await commitDurably(
        this.#deps,
        oneUnit(
          {
            fills: transfers.counters,
            unassignedLots: transfers.lots,
            changedFills: usedUp(transfers, waiting).map((fill) => ({
              fill,
              realizedBefore: fill.realizedPnl,
            })),
          },
          ...done.map(({ unit }) => unit),
        ),
        this.#deps.signal,
      );
      book.unassigned.put(transfers.lots);
      for (const { position, execution, followUp, kind } of done) {
        if (position !== null) book.putPosition(position);
        cancels.recorded(execution.orders);
        this.#deps.followed(kind === 'ended' ? execution : null, followUp);
      }
    }
    return requests.map((request) => {
      const index = decisions.findIndex((decision) => decision.request === request);
      const change = changes[index];
      if (change === undefined) return goneStep(request);
      const { execution, kind, sent, problems } = change;
      return { execution, kind, sent, problems };
    });
  }

  /** What the plan makes of one execution and its basket. */
  #changeOf(
    { request, position, legs }: Decision,
    transfers: Transfers,
    places: ReadonlyMap<string, number>,
    now: number,
  ): Change {
    const { execution } = request;
    const own = transfers.intoBaskets.filter(({ key }) => legs.some(({ leg }) => leg.key === key));
    const applied = applyFills(
      position,
      own.map(({ fill }) => fill),
      now,
    );
    if (!applied.ok) throw new Error(`transfers do not fit their basket: ${applied.error.kind}`);
    const fills = own.map(({ fill }, index) => ({
      ...fill,
      realizedPnl: applied.value.realized[index] ?? '0',
    }));
    const next = fills.length === 0 ? null : tradedBoth(applied.value.position, legs);
    const problems = new Map<string, LegProblem>();
    const sent: ClosingSend[] = [];
    const orders = execution.orders.map((order): Order => {
      const planned = legs.find(({ leg }) => leg.key === order.id);
      if (planned === undefined) {
        if (request.orders.has(order.id) && !isTerminalOrder(order)) problems.set(order.id, nothingHeld());
        return order;
      }
      if (planned.problem !== null) problems.set(order.id, planned.problem);
      const changed = plannedOrder(execution, order, planned, fills, now);
      if (planned.order !== null) {
        const place = places.get(order.id) ?? 0;
        sent.push({ order: changed, quantity: planned.order.quantity, place });
      }
      return changed;
    });
    const isIdle = sent.length === 0 && fills.length === 0;
    if (isIdle) {
      const followUp = { unit: {} };
      return { execution, kind: 'idle', isIdle, sent, problems, position: null, followUp, unit: {} };
    }
    const active =
      execution.status === 'IDLE'
        ? legal(activateExecution(execution, orders, now))
        : { ...execution, orders, updatedAt: now };
    const hasEnded = orders.every(isTerminalOrder);
    const after = hasEnded ? legal(concludeExecution(active, now)) : active;
    const followUp = this.#followUp(after, position, next, hasEnded);
    const changed = orders.filter((order, index) => order !== execution.orders[index]);
    const unit = oneUnit(
      {
        executions: [after],
        newExecutions: followUp.children ?? [],
        fills,
        positions: next === null ? [] : [next],
        events: [
          ...(hasEnded || fills.length > 0 ? ordersUpdated(changed, now) : []),
          ...(hasEnded ? [executionEnded(after)] : []),
          ...(next === null ? [] : [positionChanged(next, false)]),
        ],
      },
      followUp.unit,
      this.#told(request, position, legs),
    );
    const kind = hasEnded ? 'ended' : 'sent';
    return { execution: after, kind, isIdle, sent, problems, position: next, followUp, unit };
  }

  #followUp(after: Execution, before: Position, next: Position | null, hasEnded: boolean): FollowUp {
    const { followUps } = this.#deps;
    const position = next ?? before;
    return together([
      next === null ? null : followUps.ofChange(next, after),
      hasEnded ? followUps.ofEnd(after, position.status === 'OPEN' ? position : null) : null,
    ]);
  }

  /** The trader is told what his basket lost outside the gateway. */
  #told(
    { execution, account }: ClosingRequest,
    position: Position,
    legs: readonly ClosingLegPlan[],
  ): UnitOfWork {
    const outside = legs.flatMap(({ leg, taken, adjusted }) => {
      const parts = taken.filter(({ lot }) => lot.source === 'OUTSIDE');
      const quantity = sum(parts.map((part) => dec(part.quantity))).plus(adjusted?.quantity ?? 0);
      return quantity.isZero() ? [] : [{ leg, quantity: text(quantity) }];
    });
    if (outside.length === 0) return {};
    const subject = {
      tradeAccountId: account.id,
      connector: account.connector,
      legs: notificationLegs(
        this.#deps,
        account.connector,
        outside.map(({ leg }) => ({ symbol: leg.symbol, side: leg.side })),
      ),
      positionId: position.id,
      executionId: execution.id,
    };
    const parts = outside.map(({ leg, quantity }) => `${leg.side} ${quantity} ${leg.symbol}`).join(', ');
    const reason = `${parts}: traded against the basket outside the gateway, and taken out of it as it closed`;
    return notice(this.#deps, venueNotification('EXTERNAL_CLOSE', subject, reason), account.userId, [
      account.id,
    ]);
  }
}

/** What was traded outside is part of its history now. */
function tradedBoth(position: Position, legs: readonly ClosingLegPlan[]): Position {
  const isMixed = legs.some(({ taken }) => taken.some(({ lot }) => lot.source === 'OUTSIDE'));
  return isMixed || position.origin === 'EXTERNAL' ? { ...position, origin: 'MIXED' } : position;
}

interface Change {
  readonly execution: Execution;
  readonly kind: ClosingStep['kind'];
  readonly isIdle: boolean;
  readonly sent: readonly ClosingSend[];
  readonly problems: ReadonlyMap<string, LegProblem>;
  /** As it is after the commit; null: unchanged. */
  readonly position: Position | null;
  readonly followUp: FollowUp;
  readonly unit: UnitOfWork;
}

function ownersOf(decisions: readonly Decision[]): ReadonlyMap<string, ClosingLegOf> {
  return new Map(
    decisions.flatMap(({ request: { execution }, position }) =>
      execution.orders.map((order) => [order.id, { execution, order, position }] as const),
    ),
  );
}

function owner(owners: ReadonlyMap<string, ClosingLegOf>, key: string): ClosingLegOf {
  const found = owners.get(key);
  if (found === undefined) throw new Error(`no closing order ${key}`);
  return found;
}

/** The order with what was transferred folded in, and its next attempt where something is sent. */
function plannedOrder(
  execution: Execution,
  order: Order,
  planned: ClosingLegPlan,
  fills: readonly Fill[],
  now: number,
): Order {
  const own = fills.filter(({ orderId }) => orderId === order.id);
  const moved = sum(own.map(({ quantity }) => dec(quantity)));
  const taken = sum(planned.taken.map(({ quantity }) => dec(quantity)));
  const asked = taken.plus(wantedOf(planned.leg, taken));
  const going = moved.plus(planned.order?.quantity ?? 0);
  const total = dec(order.filledQuantity).plus(planned.problem === null ? going : asked);
  let folded: Order = { ...order, ...turnedOver(execution, order, planned), quantity: text(total) };
  for (const fill of own) folded = legal(fillOrder(folded, fill, now));
  if (planned.order !== null) {
    const { limitPrice, reduceOnly } = planned.order;
    return nextAttempt({ ...folded, reduceOnly }, limitPrice, now);
  }
  if (planned.problem === null || isTerminalOrder(folded)) return folded;
  return { ...folded, error: planned.problem.message, errorCode: planned.problem.code, updatedAt: now };
}

/** A reversal opens the opposite of what it closed itself, not of what somebody had closed outside before. */
function turnedOver(execution: Execution, order: Order, planned: ClosingLegPlan): Pick<Order, 'amount'> {
  const outside = planned.taken.filter(({ lot }) => lot.source === 'OUTSIDE');
  if (execution.intent !== 'REVERSE' || outside.length === 0) return order;
  const left = dec(order.amount).minus(sum(outside.map(({ quantity }) => dec(quantity))));
  return { amount: text(left.lt(0) ? dec(0) : left) };
}

/**
 * Before anything of it has left: a close that needs more margin than there is, because another basket holds against one of
 * its legs, goes as a whole or not at all; and so does a part that is too small for one of the legs.
 */
function refusedWhole(
  request: ClosingRequest | undefined,
  plan: ClosingPlan,
): ReadonlyMap<string, LegProblem> | null {
  if (request?.execution.status !== 'IDLE') return null;
  const reasons: readonly string[] = ['INSUFFICIENT_MARGIN', 'MIN_NOTIONAL', 'ZERO_QUANTITY'];
  const problems = plan.legs.flatMap(({ leg, problem }) =>
    problem !== null && reasons.includes(problem.code) ? [[leg.key, problem] as const] : [],
  );
  return problems.length === 0 ? null : new Map(problems);
}

function idleStep({ execution }: ClosingRequest, problems: ReadonlyMap<string, LegProblem>): ClosingStep {
  return { execution, kind: 'idle', sent: [], problems };
}

function goneStep(request: ClosingRequest): ClosingStep {
  const { execution, orders } = request;
  const open = execution.orders.filter((order) => orders.has(order.id) && !isTerminalOrder(order));
  return idleStep(request, new Map(open.map(({ id }) => [id, nothingHeld()])));
}

function nothingHeld(): LegProblem {
  return { code: 'ZERO_QUANTITY', message: 'nothing of the leg is held any more' };
}

/** The steps are legal by construction; one that is not is a bug and must not be committed. */
function legal<T>(
  step: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!step.ok) throw new Error(`illegal step of a closing: ${JSON.stringify(step.error)}`);
  return step.value;
}

/** What the request's orders are to take out of the position, as it is now. */
function closingLegs(request: ClosingRequest, position: Position): readonly ClosingLeg[] {
  const { execution } = request;
  return execution.orders.flatMap((order): ClosingLeg[] => {
    if (!request.orders.has(order.id) || isTerminalOrder(order)) return [];
    const leg = position.legs.find(({ symbol, side }) => symbol === order.symbol && side !== order.side);
    if (leg === undefined || leg.quantity === '0') return [];
    return [
      {
        key: order.id,
        legIndex: order.legIndex,
        symbol: order.symbol,
        side: order.side,
        held: leg.quantity,
        wanted: text(order.quantity === null ? dec(order.amount) : remainingQuantity(order)),
        isWhole: closesWhole(execution),
        heldSince: position.createdAt,
        slippage: execution.slippage,
        bound: request.unbound.has(order.id) ? null : order.limitPrice,
      },
    ];
  });
}

/** A part that a trader or a plan asked to be taken out has its size; everything else wants to be out altogether. */
function closesWhole({ intent, parentId }: Pick<Execution, 'intent' | 'parentId'>): boolean {
  return intent !== 'REDUCE' || parentId !== null;
}
