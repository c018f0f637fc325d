/**
 * Orders that this page has sent, newest first, with the known state of each. A market order whose answer was lost is
 * looked up under its key (`GET /executions/by-key`) and never sent again. Unresolved orders are written to the tab's
 * own storage first, so that a reload continues the look-up.
 */
import { createStore, useStore } from 'zustand';
import { OutcomeUnknown, Refusal, type Request, type TandemClient } from '../../../gateway/client/client.ts';
import { isUnsure } from '../../../gateway/client/errors.ts';
import { findPlaced, randomKey } from '../../../gateway/client/place-order.ts';
import type { KeyedRoute } from '../../../gateway/contract/trading.ts';
import { nextState, type RestingKind, type SubmissionEvent, type SubmissionState } from './submission.ts';

export interface SentOrder {
  readonly key: string;
  readonly accountId: string;
  readonly route: string;
  /** Description of the order for its card: `BTC / ETH, 1,000 USD at market`. */
  readonly title: string;
  /** Time of sending, epoch ms. */
  readonly sentAt: number;
  readonly state: SubmissionState;
  readonly executionId: string | null;
  readonly resting: { readonly kind: RestingKind; readonly id: string } | null;
  /** Error of a refusal. */
  readonly error: unknown;
}

const RESTING_ROUTES = {
  'POST /triggers/open': 'trigger',
  'POST /schedules': 'schedule',
  'POST /ladders': 'ladder',
} as const satisfies Readonly<Record<string, RestingKind>>;

type RestingRoute = keyof typeof RESTING_ROUTES;
export type SentRoute = KeyedRoute | RestingRoute;

/** Without an answer for this long, the card says that the order is being looked up. */
const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/**
 * Duration of the look-up: the longest time that a request can be in flight. The gateway's own limits are far shorter.
 */
const LOOK_FOR_MS = 60_000;
/** Maximum number of kept orders, besides those whose outcome is not known yet. */
const MOST_KEPT = 20;
const KEPT = 'tandem.unresolved-orders';

const store = createStore<readonly SentOrder[]>(() => []);

/** Orders of one trade account, newest first. */
export function useSentOrders(accountId: string): readonly SentOrder[] {
  const all = useStore(store);
  return all.filter((order) => order.accountId === accountId);
}

export function dismissSentOrder(key: string): void {
  store.setState(
    store.getState().filter((order) => order.key !== key),
    true,
  );
  writeDown();
}

interface Sending<Route extends SentRoute> {
  readonly client: TandemClient;
  readonly accountId: string;
  readonly route: Route;
  readonly title: string;
  readonly request: Omit<Request<Route>, 'idempotencyKey' | 'signal'>;
}

/**
 * Sends an order once. Resolves when the order is accepted or being looked up; its card updates by itself.
 * @throws Refusal of the gateway: its fields belong into the form
 */
export async function sendOrder<Route extends SentRoute>(sending: Sending<Route>): Promise<SentOrder> {
  const { client, accountId, route, title } = sending;
  const key = randomKey();
  const order: SentOrder = {
    key,
    accountId,
    route,
    title,
    sentAt: Date.now(),
    state: 'SENDING',
    executionId: null,
    resting: null,
    error: null,
  };
  const isKept = (one: SentOrder, index: number) => index < MOST_KEPT || isUnresolved(one);
  store.setState([order, ...store.getState()].filter(isKept), true);
  writeDown();
  if (isResting(route)) await placeResting(client, order, route, sending.request);
  else await sendOnce(client, order, sending.request);
  const sent = orderOf(key) ?? order;
  if (sent.state !== 'REFUSED') return sent;
  // The form shows the refusal; a card would repeat it and stay behind.
  dismissSentOrder(key);
  throw sent.error;
}

async function sendOnce(client: TandemClient, { key, route }: SentOrder, request: object): Promise<void> {
  try {
    const answer = await callAs(client, route, {
      ...request,
      idempotencyKey: key,
      timeoutMs: ANSWER_WITHIN_MS,
    });
    take(key, answer);
  } catch (error) {
    if (error instanceof Refusal && !isUnsure(error)) return settle(key, 'refuse', { error });
    settle(key, 'lose_answer');
    void lookFor(client, key, route);
  }
}

/**
 * Resting orders cannot be read by key. Instead the request is repeated under the same key, which returns the order of
 * the first request.
 */
async function placeResting(
  client: TandemClient,
  { key }: SentOrder,
  route: RestingRoute,
  request: object,
): Promise<void> {
  const late = setTimeout(() => settle(key, 'lose_answer'), ANSWER_WITHIN_MS);
  const placing = client
    .place(route, { ...request, idempotencyKey: key, giveUpAfterMs: LOOK_FOR_MS } as never)
    .then((answer: unknown) => take(key, answer))
    .catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) settle(key, 'lose_answer');
      settle(key, error instanceof OutcomeUnknown ? 'give_up' : 'refuse', { error });
    })
    .finally(() => clearTimeout(late));
  await Promise.race([placing, becomes(key, (order) => order.state !== 'SENDING')]);
}

/**
 * Looks the order up by key until the gateway knows it, or has had no record for long enough.
 * @param lostAt time at which its answer was given up, epoch ms
 */
async function lookFor(client: TandemClient, key: string, route: string, lostAt = Date.now()): Promise<void> {
  const until = Date.now() + LOOK_FOR_MS;
  // A gateway that started later cannot receive the request any more, and acknowledged orders are on disk: without a
  // record the order was not placed. Its age is asked first, because an answer of the earlier gateway proves nothing.
  let hasBegunSince = false;
  const look = async () => {
    if (!hasBegunSince) {
      const { uptimeMs } = await client.call('GET /version', { timeoutMs: ANSWER_WITHIN_MS });
      hasBegunSince = uptimeMs < Date.now() - lostAt;
    }
    return client.call('GET /executions/by-key', request);
  };
  const request = { query: { key, route: route as KeyedRoute }, timeoutMs: ANSWER_WITHIN_MS };
  // Gives up only if the gateway has answered that it has no record; a missing answer proves nothing.
  const goOn = (hasNoRecord: boolean) =>
    orderOf(key)?.state === 'UNKNOWN' && !(hasNoRecord && (hasBegunSince || Date.now() > until));
  try {
    const found = await findPlaced(look, goOn, LOOK_EVERY_MS);
    if (found !== null) return settle(key, 'accept', { executionId: found.execution.id });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  settle(key, 'give_up');
}

/** False for resting orders, which have no record under their key: the trader finds them in their lists. */
export function canLookAgain({ state, route }: SentOrder): boolean {
  return state === 'NOT_FOUND' && !isResting(route);
}

/** Repeats the look-up at the trader's request. */
export function lookAgain(client: TandemClient, { key, route }: SentOrder): void {
  settle(key, 'look_again');
  void lookFor(client, key, route);
}

/** Looks up the unresolved orders after a reload. */
export function resumeSentOrders(clientOf: (accountId: string) => TandemClient): void {
  const known = new Set(store.getState().map(({ key }) => key));
  const kept = readKept().filter(({ key }) => !known.has(key));
  store.setState([...store.getState(), ...kept.map((order) => ({ ...NEW, ...order }))], true);
  for (const { key, accountId, route } of kept) void lookFor(clientOf(accountId), key, route);
}

const NEW = { state: 'UNKNOWN', executionId: null, resting: null, error: null } as const;

function take(key: string, answer: unknown): void {
  const order = orderOf(key);
  const made = answer as { readonly execution?: { readonly id: string }; readonly id?: string };
  if (made.execution !== undefined) {
    settle(key, 'accept', { executionId: made.execution.id });
    return;
  }
  const kind = order !== undefined && isResting(order.route) ? RESTING_ROUTES[order.route] : 'trigger';
  settle(key, 'accept', { resting: { kind, id: made.id ?? '' } });
}

function settle(key: string, event: SubmissionEvent, facts: Partial<SentOrder> = {}): void {
  store.setState(
    store
      .getState()
      .map((order) =>
        order.key === key ? { ...order, ...facts, state: nextState(order.state, event) } : order,
      ),
    true,
  );
  writeDown();
}

function orderOf(key: string): SentOrder | undefined {
  return store.getState().find((one) => one.key === key);
}

function becomes(key: string, test: (order: SentOrder) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe((orders) => {
      const order = orders.find((one) => one.key === key);
      if (order !== undefined && !test(order)) return;
      stop();
      resolve();
    });
  });
}

function isUnresolved({ state }: SentOrder): boolean {
  return state === 'SENDING' || state === 'UNKNOWN';
}

function isResting(route: string): route is RestingRoute {
  return route in RESTING_ROUTES;
}

/** The route is a variable, so its request cannot be typed here; the callers typed it. */
function callAs(client: TandemClient, route: string, request: object): Promise<unknown> {
  return client.call(route as KeyedRoute, request as never);
}

function writeDown(): void {
  const unresolved = store
    .getState()
    .filter((order) => isUnresolved(order) && !isResting(order.route))
    .map(({ key, accountId, route, title, sentAt }) => ({ key, accountId, route, title, sentAt }));
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(unresolved));
  } catch {
    // Without storage a reload loses the list of unresolved orders; the gateway still has their records.
  }
}

function readKept(): readonly Pick<SentOrder, 'key' | 'accountId' | 'route' | 'title' | 'sentAt'>[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
