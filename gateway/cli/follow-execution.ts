/**
 * Sends an order and follows it to its end. An order is sent once: when no answer comes, the gateway's record is read
 * back, and the order is never sent again.
 */
import { randomUUID } from 'node:crypto';
import { NoAnswer } from '../client/errors.ts';
import { findPlaced } from '../client/place-order.ts';
import { printAccountAnswer } from './account-mark.ts';
import { type ExecutionAnswer, type MarketRoute, type PlacedAnswer, read, readPlaced } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { FlagSpec } from './parse-flags.ts';
import { printExecution } from './print-execution.ts';
import { startProgress } from './progress.ts';
import type { AccountAccess } from './reach-gateway.ts';

export const FOLLOW_FLAGS: readonly FlagSpec[] = [
  { name: '--wait', kind: 'switch', help: 'Wait for the end (the default; --wait=false returns at once)' },
  { name: '--timeout', kind: 'text', value: '<seconds>', help: 'How long to wait for the end (60)' },
  {
    name: '--idempotency-key',
    kind: 'text',
    fields: ['idempotencyKey'],
    value: '<text>',
    help: 'Your own key: the same one never orders twice',
  },
];

export const SLIPPAGE_FLAG: FlagSpec = {
  name: '--slippage',
  kind: 'text',
  fields: ['slippage'],
  value: '<fraction>',
  help: 'Worst price around mark, up to 0.1 (0.01, one percent)',
};

export function checkSlippage(text: string | undefined): void {
  if (text === undefined || /^0(\.(0\d{0,17}|10{0,17}))?$/.test(text)) return;
  throw usage(`--slippage must be a fraction from 0 to 0.1, such as 0.005 for half a percent, not '${text}'`);
}

const POLL_MS = 200;
const TIMEOUT_SECONDS = 60;
/** How long a request whose answer was lost is looked for. */
const SEARCH_MS = 10_000;
const SEARCH_STEP_MS = 500;

interface FollowOptions {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly key: string;
}

/** Reads the flags before anything is sent. */
export function followOptions(context: CommandContext): FollowOptions {
  const { texts, switches } = context.flags;
  const timeout = texts.get('--timeout') ?? String(TIMEOUT_SECONDS);
  if (!/^[1-9]\d{0,4}$/.test(timeout)) throw usage(`--timeout must be a number of seconds, not '${timeout}'`);
  const key = texts.get('--idempotency-key') ?? randomUUID();
  if (!/^[\x20-\x7e]{1,128}$/.test(key))
    throw usage('--idempotency-key must have 1 to 128 printable characters');
  return { wait: switches.get('--wait') !== false, timeoutMs: Number(timeout) * 1000, key };
}

/**
 * Shows the execution as it ended, or as it is when the wait is over; of a reversal both halves. Exit code: 0 completed, 1 anything else.
 * @param send one request under the idempotency key
 */
export async function placeAndFollow(
  context: CommandContext,
  { api, account }: Pick<AccountAccess, 'api' | 'account'>,
  { wait, timeoutMs, key }: FollowOptions,
  route: MarketRoute,
  send: (idempotencyKey: string) => Promise<PlacedAnswer>,
): Promise<number> {
  const { clock, terminal } = context;
  const progress = startProgress(terminal, clock, 'sending the orders');
  let latest: ExecutionAnswer;
  /** Opening execution of a reversal, after its close. */
  let opened: ExecutionAnswer | null = null;
  try {
    latest = await place(context, api, key, route, send);
    const until = clock.now() + timeoutMs;
    while (wait && !isFinal(latest) && clock.now() < until && !context.interrupted.aborted) {
      progress.update(`${latest.status === 'IDLE' ? 'preparing' : 'filling'} ${filled(latest)}`);
      await clock.sleep(POLL_MS);
      latest = (await readExecution(api, latest.id)) ?? latest;
    }
    const isReversal = route === 'POST /positions/{id}/reverse' && latest.status === 'COMPLETED';
    opened = isReversal ? await openingHalf(api, latest.id) : null;
    while (opened !== null && !isFinal(opened) && clock.now() < until && !context.interrupted.aborted) {
      progress.update(`opening ${filled(opened)}`);
      await clock.sleep(POLL_MS);
      opened = (await readExecution(api, opened.id)) ?? opened;
    }
  } finally {
    progress.done();
  }
  const result = latest;
  printAccountAnswer(context, account, opened === null ? result : { ...result, opened }, () => {
    printExecution(terminal, result);
    if (opened !== null) printExecution(terminal, opened);
  });
  if (opened !== null && result.status === 'COMPLETED') return endOf(context, opened, wait);
  return endOf(context, result, wait);
}

function endOf({ terminal }: CommandContext, result: ExecutionAnswer, wait: boolean): number {
  if (result.status === 'COMPLETED') return 0;
  if (!isFinal(result)) {
    terminal.err(`Not finished yet; it goes on in the gateway. See it with: tandem executions ${result.id}`);
    return wait ? 1 : 0;
  }
  if (result.orders.some((order) => !/^0(\.0*)?$/.test(order.filledQuantity)))
    terminal.err('Some orders filled: look at your positions (tandem positions) before you place more.');
  return 1;
}

async function place(
  context: CommandContext,
  api: GatewayApi,
  key: string,
  route: MarketRoute,
  send: (idempotencyKey: string) => Promise<PlacedAnswer>,
): Promise<ExecutionAnswer> {
  const sentAt = context.clock.now();
  try {
    return readPlaced(route, await send(key));
  } catch (error) {
    if (!wasLost(error)) throw error;
    context.terminal.err(`${error.message}: looking up what was recorded; nothing is sent again`);
  }
  const until = context.clock.now() + SEARCH_MS;
  const ask = () => api.ask('GET /executions/by-key', { query: { key, route } });
  const goOn = () => context.clock.now() < until && !context.interrupted.aborted;
  const found = await findPlaced(ask, goOn, SEARCH_STEP_MS).catch(() => null);
  if (found !== null) return read('GET /executions/by-key', found).execution;
  const time = new Date(sentAt).toISOString();
  throw new CliError(
    `no execution of this basket is recorded since ${time}, but the request may still arrive: check with \`tandem executions\` before you order again`,
  );
}

/** The execution that a reversal's close led to: it is recorded in the moment in which the close completes. */
async function openingHalf(api: GatewayApi, closing: string): Promise<ExecutionAnswer | null> {
  const { executions } = read(
    'GET /executions',
    await api.call('GET /executions', { query: { limit: 100 } }),
  );
  return executions.find(({ parentId }) => parentId === closing) ?? null;
}

async function readExecution(api: GatewayApi, id: string): Promise<ExecutionAnswer | null> {
  try {
    return read('GET /executions/{id}', await api.call('GET /executions/{id}', { params: { id } })).execution;
  } catch (error) {
    // A poll without an answer is repeated: reading changes nothing.
    if (wasLost(error)) return null;
    throw error;
  }
}

/** The request was sent and no answer came. */
function wasLost(error: unknown): error is CliError {
  return error instanceof CliError && error.cause instanceof NoAnswer;
}

function isFinal(one: ExecutionAnswer): boolean {
  return one.status === 'COMPLETED' || one.status === 'CANCELLED' || one.status === 'FAILED';
}

function filled(one: ExecutionAnswer): string {
  return `${one.orders.filter((order) => order.status === 'FILLED').length}/${one.orders.length}`;
}
