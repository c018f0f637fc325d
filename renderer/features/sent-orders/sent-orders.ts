/**
 * Orders that this page has sent, newest first, with what is known of each. An order at market whose answer was lost is
 * looked for under its key (`GET /executions/by-key`) and never sent again. What has not been resolved is written down in
 * the tab's own storage first, so that a reload goes on looking.
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
  /** What it is, for its card: `BTC / ETH, 1,000 USD at market`. */
  readonly title: string;
  /** Epoch ms. */
  readonly sentAt: number;
  readonly state: SubmissionState;
  readonly executionId: string | null;
  readonly resting: { readonly kind: RestingKind; readonly id: string } | null;
  /** Of a refusal. */
  readonly error: unknown;
}

const RESTING_ROUTES = {
  'POST /triggers/open': 'trigger',
  'POST /schedules': 'schedule',
  'POST /ladders': 'ladder',
} as const satisfies Readonly<Record<string, RestingKind>>;

type RestingRoute = keyof typeof RESTING_ROUTES;
export type SentRoute = KeyedRoute | RestingRoute;

/** No answer within this long: the card says that it is being looked for. */
const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** A request cannot be on its way for longer; the gateway's own limits are far below. */
const LOOK_FOR_MS = 60_000;
const MOST_KEPT = 20;
const KEPT = 'tandem.unresolved-orders';

const store = createStore<readonly SentOrder[]>(() => []);

/** Of one trade account, newest first. */
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
 * Sends an order once. Resolves when it is accepted, or being looked for; its card goes on by itself.
 * @throws Refusal when the gateway says no: its fields belong into the form
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
  store.setState([order, ...store.getState()].slice(0, MOST_KEPT), true);
  writeDown();
  if (isResting(route)) await placeResting(client, order, route, sending.request);
  else await sendOnce(client, order, sending.request);
  const sent = orderOf(key) ?? order;
  if (sent.state !== 'REFUSED') return sent;
  // The form shows why; a card that says the same would stay behind.
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

/** What rests cannot be read by key: the same request under the same key is answered with what was made the first time. */
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

/** Asks under the key until the gateway knows it, or has said for long enough that it does not. */
async function lookFor(client: TandemClient, key: string, route: string): Promise<void> {
  const until = Date.now() + LOOK_FOR_MS;
  const request = { query: { key, route: route as KeyedRoute }, timeoutMs: ANSWER_WITHIN_MS };
  // Only a gateway that answers can say that it has no record.
  const goOn = (hasNoRecord: boolean) =>
    orderOf(key)?.state === 'UNKNOWN' && !(hasNoRecord && Date.now() > until);
  try {
    const found = await findPlaced(() => client.call('GET /executions/by-key', request), goOn, LOOK_EVERY_MS);
    if (found !== null) return settle(key, 'accept', { executionId: found.execution.id });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  settle(key, 'give_up');
}

/** What rests is not kept under its key: it is found in its list. */
export function canLookAgain({ state, route }: SentOrder): boolean {
  return state === 'NOT_FOUND' && !isResting(route);
}

/** Once more, because the trader asks. */
export function lookAgain(client: TandemClient, { key, route }: SentOrder): void {
  settle(key, 'look_again');
  void lookFor(client, key, route);
}

/** After a reload: what was on its way is looked for. */
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

function isResting(route: string): route is RestingRoute {
  return route in RESTING_ROUTES;
}

/** A route that is a variable: its request was typed where it came in. */
function callAs(client: TandemClient, route: string, request: object): Promise<unknown> {
  return client.call(route as KeyedRoute, request as never);
}

function writeDown(): void {
  const unresolved = store
    .getState()
    .filter(({ state, route }) => (state === 'SENDING' || state === 'UNKNOWN') && !isResting(route))
    .map(({ key, accountId, route, title, sentAt }) => ({ key, accountId, route, title, sentAt }));
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(unresolved));
  } catch {
    // Without storage a reload forgets; the gateway does not.
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
