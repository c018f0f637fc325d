/**
 * One round of closing for one or more executions of an account: the venue is asked for its positions, and transfers
 * and orders are decided at the moment of its answer. Transfers, positions, lots, orders with their client order ids
 * and ACTIVE are one unit, committed before any order is sent. The rest after a round is planned again from the venue's
 * next answer, never only repriced.
 */

import { unexplained } from '../../../domain/closing-orders.ts';
import { planClosing } from '../../../domain/closing-plan.ts';
import type { ClosingInstrument, ClosingLeg, ClosingPlan } from '../../../domain/closing-terms.ts';
import { dec, floorTo, text } from '../../../domain/decimal.ts';
import { problemOf } from '../../../domain/leg-problems.ts';
import type { Execution, Fill, Position, TradeAccount } from '../../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../../domain/order.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { LegProblem } from '../../../domain/sizing.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { commitDurably, type StopSignal } from '../../core/durable.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { feeRatesOf, type NotAnswered, venueOf } from '../ask-venue.ts';
import { basketQueueKey } from '../basket-key.ts';
import { restNotice } from '../leg-imbalance.ts';
import {
  type ClosingRequest,
  type ClosingStep,
  changeOf,
  type Decision,
  nothingHeld,
} from './closing-change.ts';
import { type ClosingView, instrumentFacts, isExplained, viewForClosing } from './closing-facts.ts';
import { type ClosingLegOf, transfersOf, usedUp } from './closing-transfers.ts';

/** Maximum wait for orders in flight before a decision that depends on their outcome. */
const WAIT_FOR_FLIGHTS_MS = 5_000;
const LOOK_EVERY_MS = 25;
/** Maximum age of the venue's positions when sending an order that relies on them, usually one not reduce-only. */
const FRESH_MS = 1_000;
/** Maximum number of reads of the venue's history to explain one difference. */
const MOST_PULLS = 2;

export interface ClosingDeps extends EngineDeps {
  readonly signal: StopSignal;
  /** Reads the account's history from the venue; false: the venue did not answer. */
  readonly pull: (account: TradeAccount) => Promise<boolean>;
  /** Called after the commit of the follow-ups of an end or a change. */
  readonly followed: (ended: Execution | null, followUp: FollowUp) => void;
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

  /**
   * One step per request, in the same order. Fails if the venue cannot be asked. All requests are of one account.
   * @param anew true: the venue has contradicted its stored positions
   */
  async run(
    account: TradeAccount,
    requests: readonly ClosingRequest[],
    anew: boolean,
  ): Promise<Result<readonly ClosingStep[], NotAnswered>> {
    const { clock, store } = this.#deps;
    const until = clock.uptime() + WAIT_FOR_FLIGHTS_MS;
    const baskets = requests.map(({ execution }) => basketQueueKey(execution));
    let pulls = 0;
    let waiting: readonly Fill[] | null = null;
    let after: 'pull' | 'wait' | 'waiting_fills' | null = null;
    for (let isFirst = true; ; isFirst = false) {
      // A difference that the history does not explain is asked about: the stream may have kept an older message.
      const view = await viewForClosing(this.#deps, account, (anew && isFirst) || after === 'pull');
      if (!view.ok) return view;
      // Holds the queue of every basket in the round: the facts of a decision cannot change before its commit.
      const round = await this.#deps.state.positions.queue.runAll(baskets, async (): Promise<Round> => {
        const decided = this.#decide(account, requests, view.value, {
          mayPull: pulls < MOST_PULLS,
          mayWait: clock.uptime() < until,
          knowsWaiting: waiting !== null,
        });
        switch (decided.kind) {
          case 'again':
            return decided;
          case 'refused':
            return { kind: 'steps', steps: requests.map((one) => idleStep(one, decided.problems)) };
          case 'commit': {
            const symbols = movedLots(decided.plan);
            const { unassigned } = this.#deps.state;
            // Other work is changing lots that the decision is based on: the round is decided again after it.
            if (unassigned.isBusy(account.id, symbols)) return { kind: 'again', after: 'wait' };
            return {
              kind: 'steps',
              steps: await unassigned.alone(account.id, symbols, () =>
                this.#commit(requests, decided, waiting ?? []),
              ),
            };
          }
        }
      });
      if (round.kind === 'steps') return ok(round.steps);
      after = round.after;
      if (after === 'pull') {
        pulls += 1;
        if (!(await this.#deps.pull(account))) await clock.sleep(LOOK_EVERY_MS);
      } else if (after === 'waiting_fills') waiting = await store.provisionalFills(account.id);
      else await clock.sleep(LOOK_EVERY_MS);
    }
  }

  #decide(
    account: TradeAccount,
    requests: readonly ClosingRequest[],
    view: ClosingView,
    may: { readonly mayPull: boolean; readonly mayWait: boolean; readonly knowsWaiting: boolean },
  ): Decided {
    const { state, clock } = this.#deps;
    const legs: {
      readonly leg: ClosingLeg;
      readonly request: ClosingRequest;
      readonly position: Position;
    }[] = [];
    for (const request of requests) {
      const position = state.positions.get(request.execution.positionId ?? '');
      if (position === undefined) continue;
      for (const leg of this.#closingLegs(request, position)) legs.push({ leg, request, position });
    }
    const facts = new Map<string, ClosingInstrument>();
    for (const { leg } of legs) {
      if (!facts.has(leg.symbol))
        facts.set(leg.symbol, instrumentFacts(this.#deps, account, leg.symbol, view));
    }
    if (may.mayPull && ![...facts.values()].every(isExplained)) return { kind: 'again', after: 'pull' };
    for (const [symbol, one] of facts) {
      // Without an answer there is nothing to compare.
      if (view !== null && !state.flights.any(account.id, symbol)) {
        state.gaps.note(account.id, symbol, unexplained(one), clock.uptime());
      }
    }
    const { info } = venueOf(this.#deps, account.connector);
    const plan = planClosing(
      legs.map(({ leg }) => leg),
      facts,
      {
        freeMargin: view?.balances.freeMargin ?? '0',
        onlyReduces: view === null,
        takerRate: feeRatesOf(this.#deps, account).taker,
        minimumWaiver: info.minimumWaiver,
      },
    );
    const age = view === null ? 0 : clock.uptime() - view.askedAt;
    const isUnsure = plan.legs.some(({ leg, dust, order, problem }) => {
      const isBold = order !== null && (!order.reduceOnly || order.reliesOnTold);
      const depends = isBold || dust !== null || problem?.code === 'UNDER_REVIEW';
      return (depends && state.flights.any(account.id, leg.symbol)) || (isBold && age > FRESH_MS);
    });
    if (isUnsure && may.mayWait) return { kind: 'again', after: 'wait' };
    const takesLots = plan.legs.some(({ taken }) => taken.some(({ lot }) => lot.source === 'OUTSIDE'));
    if (takesLots && !may.knowsWaiting) return { kind: 'again', after: 'waiting_fills' };
    const refused =
      requests.length === 1
        ? refusedWhole(requests[0], plan, (leg) => this.#openingProblem(account, leg))
        : null;
    if (refused !== null) return { kind: 'refused', problems: refused };
    const decisions = requests.flatMap((request): Decision[] => {
      const own = plan.legs.filter((_, index) => legs[index]?.request === request);
      const position = legs.find((one) => one.request === request)?.position;
      return position === undefined ? [] : [{ request, position, legs: own }];
    });
    return { kind: 'commit', decisions, plan };
  }

  /**
   * Legs by which the request's orders reduce the current position. Several closes of a holder limited to its own share
   * may fire in turn, while the user adds to the position: each takes at most the holder's share at that time.
   */
  #closingLegs(request: ClosingRequest, position: Position): readonly ClosingLeg[] {
    const { execution } = request;
    return execution.orders.flatMap((order): ClosingLeg[] => {
      if (!request.orders.has(order.id) || isTerminalOrder(order)) return [];
      const leg = position.legs.find(({ symbol, side }) => symbol === order.symbol && side !== order.side);
      if (leg === undefined || leg.quantity === '0') return [];
      const wanted = order.quantity === null ? dec(order.amount) : remainingQuantity(order);
      const own = this.#deps.warden.shares.closableBy(execution, position.id, order.symbol);
      if (own?.isZero() === true) return [];
      return [
        {
          key: order.id,
          legIndex: order.legIndex,
          symbol: order.symbol,
          side: order.side,
          held: leg.quantity,
          wanted: text(own?.lt(wanted) === true ? own : wanted),
          isWhole: closesWhole(execution) && own?.lt(leg.quantity) !== true,
          step: this.#deps.market.instrument(position.connector, order.symbol)?.stepSize ?? null,
          target: order.targetQuantity,
          heldSince: position.createdAt,
          slippage: execution.slippage,
          bound: (request.unbound.has(order.id) ? null : order.limitPrice) ?? order.worstPrice,
        },
      ];
    });
  }

  /** Reason why the opposite of a leg could not be opened after it is closed; null: none is known. */
  #openingProblem({ connector }: TradeAccount, leg: ClosingLeg): LegProblem | null {
    const { market } = this.#deps;
    const instrument = market.instrument(connector, leg.symbol);
    const mark = market.quote(connector, leg.symbol)?.mark;
    if (instrument === undefined || mark === undefined) return null;
    const limit = dec(mark).mul(leg.side === 'SELL' ? dec(1).minus(leg.slippage) : 1);
    return problemOf(leg.symbol, instrument, {
      quantity: floorTo(dec(leg.wanted), dec(instrument.stepSize)),
      ...{ limit, mark: dec(mark), shrinks: false, reduceOnly: false },
      // Margin and price band are those of the moment in which it opens.
      ...{ leverage: 1, resulting: dec(0), isOutsideBand: false },
    });
  }

  async #commit(
    requests: readonly ClosingRequest[],
    { decisions, plan }: Extract<Decided, { kind: 'commit' }>,
    waiting: readonly Fill[],
  ): Promise<readonly ClosingStep[]> {
    const { state, cancels, clock, ids } = this.#deps;
    const now = clock.now();
    const owners = ownersOf(decisions);
    const transfers = transfersOf(
      plan,
      (key) => owner(owners, key),
      () => ids.next(),
      now,
    );
    const places = new Map(plan.sending.map((key, place) => [key, place]));
    const changes = decisions.map((decision) => changeOf(this.#deps, decision, transfers, places, now));
    const done = changes.filter(({ kind }) => kind !== 'idle');
    if (done.length > 0) {
      for (const { sent } of done)
        for (const { order, quantity } of sent) state.flights.enterPart(order, dec(quantity));
      await commitDurably(
        this.#deps,
        oneUnit(
          {
            fills: transfers.counters,
            unassignedLots: transfers.lots,
            changedFills: usedUp(transfers, waiting),
          },
          ...done.map(({ unit }) => unit),
          ...decisions.flatMap(({ request, position, legs }) => {
            const rests = legs.flatMap(({ leg, dust }) => (dust === null ? [] : [{ ...leg, ...dust }]));
            return restNotice(this.#deps, request.execution, position, rests) ?? [];
          }),
        ),
        this.#deps.signal,
      );
      state.unassigned.put(transfers.lots);
      for (const { position, execution, followUp, kind } of done) {
        if (position !== null) state.positions.put(position);
        cancels.recorded(execution.orders);
        this.#deps.followed(kind === 'ended' ? execution : null, followUp);
      }
    }
    return requests.map((request) => {
      const index = decisions.findIndex((decision) => decision.request === request);
      return changes[index] ?? goneStep(request);
    });
  }
}

/** Instruments whose lots the plan changes: it takes from existing lots, or adds an adjustment lot. */
function movedLots({ legs }: ClosingPlan): readonly string[] {
  return legs.flatMap(({ leg, taken, adjusted }) =>
    taken.length > 0 || adjusted !== null ? [leg.symbol] : [],
  );
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

/**
 * Problems that refuse a whole close before anything is sent; null: none. A close goes completely or not at all if it
 * needs more margin than is free (because another basket holds the opposite of a leg), or if its part of a leg is below
 * the minimum. A partial close and a reversal send all their legs or none: otherwise the rest of the pair would be
 * unbalanced. A reversal closes nothing whose opposite cannot be opened. A close of the whole position continues with
 * the legs that it can close.
 */
function refusedWhole(
  request: ClosingRequest | undefined,
  plan: ClosingPlan,
  openingProblem: (leg: ClosingLeg) => LegProblem | null,
): ReadonlyMap<string, LegProblem> | null {
  if (request?.execution.status !== 'IDLE') return null;
  const reasons: readonly string[] = ['INSUFFICIENT_MARGIN', 'MIN_NOTIONAL', 'ZERO_QUANTITY', 'MIN_QUANTITY'];
  const isAllOrNone = sendsAllOrNone(request.execution);
  const opens = request.execution.intent === 'REVERSE';
  const problems = plan.legs.flatMap(({ leg, problem }) => {
    const own = problem !== null && (isAllOrNone || reasons.includes(problem.code)) ? problem : null;
    const found = own ?? (opens ? openingProblem(leg) : null);
    return found === null ? [] : [[leg.key, found] as const];
  });
  return problems.length === 0 ? null : new Map(problems);
}

/** True for what would leave a pair unbalanced: part of a position, and a reversal. */
export function sendsAllOrNone(execution: Pick<Execution, 'intent' | 'parentId'>): boolean {
  return !closesWhole(execution) || execution.intent === 'REVERSE';
}

function idleStep({ execution }: ClosingRequest, problems: ReadonlyMap<string, LegProblem>): ClosingStep {
  return { execution, kind: 'idle', sent: [], problems };
}

function goneStep(request: ClosingRequest): ClosingStep {
  const { execution, orders } = request;
  const open = execution.orders.filter((order) => orders.has(order.id) && !isTerminalOrder(order));
  return idleStep(request, new Map(open.map(({ id }) => [id, nothingHeld()])));
}

/** False for a REDUCE requested by a trader or a schedule: its quantity is given. All others close whole legs. */
function closesWhole({ intent, parentId }: Pick<Execution, 'intent' | 'parentId'>): boolean {
  return intent !== 'REDUCE' || parentId !== null;
}
