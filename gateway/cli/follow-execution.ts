/**
 * Sends an order and follows it to its end. An order is sent once: when no answer comes, what the gateway recorded is read
 * back, and nothing is ever sent again.
 */
import { randomUUID } from 'node:crypto';
import { type ExecutionAnswer, executionEnvelope, executionPage, read } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { type GatewayApi, NoAnswer } from './gateway-api.ts';
import type { FlagSpec } from './parse-flags.ts';
import { startProgress } from './progress.ts';

export const FOLLOW_FLAGS: readonly FlagSpec[] = [
  { name: '--wait', kind: 'switch', help: 'Wait for the end (the default; --wait=false returns at once)' },
  { name: '--timeout', kind: 'text', value: '<seconds>', help: 'How long to wait for the end (60)' },
  {
    name: '--idempotency-key',
    kind: 'text',
    value: '<text>',
    help: 'Your own key: the same one never orders twice',
  },
];

export const SLIPPAGE_FLAG: FlagSpec = {
  name: '--slippage',
  kind: 'text',
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

export interface OrderRequest {
  readonly path: string;
  readonly body: unknown;
  /** Recognises the execution of this request among those recorded since it was sent. */
  readonly isMine: (candidate: ExecutionAnswer) => boolean;
}

/** Reads the flags before anything is sent. */
export function followOptions(context: CommandContext): { wait: boolean; timeoutMs: number; key: string } {
  const { texts, switches } = context.flags;
  const timeout = texts.get('--timeout') ?? String(TIMEOUT_SECONDS);
  if (!/^[1-9]\d{0,4}$/.test(timeout)) throw usage(`--timeout must be a number of seconds, not '${timeout}'`);
  const key = texts.get('--idempotency-key') ?? randomUUID();
  if (!/^[\x20-\x7e]{1,128}$/.test(key))
    throw usage('--idempotency-key must have 1 to 128 printable characters');
  return { wait: switches.get('--wait') !== false, timeoutMs: Number(timeout) * 1000, key };
}

/** The execution as it ended, or as it is when the wait is over. */
export async function placeAndFollow(
  context: CommandContext,
  api: GatewayApi,
  request: OrderRequest,
  options: { wait: boolean; timeoutMs: number; key: string },
): Promise<ExecutionAnswer> {
  const progress = startProgress(context.terminal, context.clock, 'sending the orders');
  try {
    const placed = await place(context, api, request, options.key);
    if (!options.wait) return placed;
    const until = context.clock.now() + options.timeoutMs;
    let latest = placed;
    while (!isFinal(latest) && context.clock.now() < until && !context.interrupted.aborted) {
      progress.update(`${latest.status === 'IDLE' ? 'preparing' : 'filling'} ${filled(latest)}`);
      await context.clock.sleep(POLL_MS);
      latest = (await readExecution(api, latest.id)) ?? latest;
    }
    return latest;
  } finally {
    progress.done();
  }
}

/** 0 completed, 1 anything else; says on standard error what an unfinished end means. */
export function endOf(context: CommandContext, result: ExecutionAnswer): number {
  const { terminal } = context;
  if (result.status === 'COMPLETED') return 0;
  if (isFinal(result)) {
    if (result.orders.some((order) => !/^0(\.0*)?$/.test(order.filledQuantity))) {
      terminal.err('Some orders filled: look at your positions (tandem positions) before you place more.');
    }
    return 1;
  }
  terminal.err(`Not finished yet; it goes on in the gateway. See it with: tandem executions ${result.id}`);
  return context.flags.switches.get('--wait') === false ? 0 : 1;
}

async function place(
  context: CommandContext,
  api: GatewayApi,
  request: OrderRequest,
  key: string,
): Promise<ExecutionAnswer> {
  const sentAt = context.clock.now();
  try {
    const answer = await api.call('POST', request.path, {
      body: request.body,
      headers: { 'idempotency-key': key },
    });
    return read(executionEnvelope, answer, `POST ${request.path}`).execution;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    context.terminal.err(`${error.message}: looking up what was recorded; nothing is sent again`);
    return search(context, api, request, sentAt);
  }
}

async function search(
  context: CommandContext,
  api: GatewayApi,
  request: OrderRequest,
  sentAt: number,
): Promise<ExecutionAnswer> {
  const until = context.clock.now() + SEARCH_MS;
  for (;;) {
    const page = await api.call('GET', '/executions', { query: { limit: '20' } }).catch(() => null);
    const recorded = page === null ? [] : read(executionPage, page, 'GET /executions').executions;
    const mine = recorded.filter((one) => Date.parse(one.createdAt) >= sentAt && request.isMine(one));
    const [found] = mine;
    if (found !== undefined) return found;
    if (context.clock.now() >= until || context.interrupted.aborted) break;
    await context.clock.sleep(SEARCH_STEP_MS);
  }
  const time = new Date(sentAt).toISOString();
  throw new CliError(
    `no execution of this basket is recorded since ${time}, but the request may still arrive: check with \`tandem executions\` before you order again`,
  );
}

async function readExecution(api: GatewayApi, id: string): Promise<ExecutionAnswer | null> {
  try {
    const answer = await api.call('GET', `/executions/${encodeURIComponent(id)}`);
    return read(executionEnvelope, answer, 'GET /executions/{id}').execution;
  } catch (error) {
    // A poll that got lost is repeated: reading is free.
    if (error instanceof NoAnswer) return null;
    throw error;
  }
}

function isFinal(one: ExecutionAnswer): boolean {
  return one.status === 'COMPLETED' || one.status === 'CANCELLED' || one.status === 'FAILED';
}

function filled(one: ExecutionAnswer): string {
  return `${one.orders.filter((order) => order.status === 'FILLED').length}/${one.orders.length}`;
}
