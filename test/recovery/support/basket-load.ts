/**
 * A load that opens, adjusts and closes baskets as fast as it is answered, on several accounts and on instruments that
 * overlap. It outlives the gateway: while none answers it waits, and afterwards it asks again with the same
 * Idempotency-Key, both where no answer came and, now and then, where one did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { RunningGateway } from '../../real-time/support/mortal-gateway.ts';
import { type PausableLoad, startLoad } from '../../real-time/support/pausable-load.ts';
import type { AccountAccess } from '../../support/account-state.ts';
import type { GatewayClient, TestAnswer } from '../../support/gateway-client.ts';
import { type TestLeg, usd } from '../../support/trader.ts';
import type { Askers } from './askers.ts';
import type { Asked, OrderLedger } from './order-ledger.ts';

export interface LoadUser extends AccountAccess {
  /** Callers that place the orders, by turns. */
  readonly askers: Askers;
}

const TICKERS = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'BNB', 'AVAX', 'LINK'];
const BASKETS_PER_ACCOUNT = 12;
const WORKERS_PER_ACCOUNT = 3;
const REQUEST_TIMEOUT_MS = 20_000;
const AFTER_REFUSAL_MS = 10;
const POLICIES = ['KEEP', 'UNWIND', 'RETRY'] as const;

export function startBasketLoad(options: {
  readonly accounts: readonly LoadUser[];
  readonly seed: number;
  readonly ledger: OrderLedger;
  /** Resolves once a gateway serves; null: none will come any more. */
  readonly gateway: () => Promise<RunningGateway | null>;
}): PausableLoad {
  const { ledger } = options;
  const complain = (complaint: string) => ledger.complain(complaint);

  const workers = options.accounts.flatMap((account, index) => {
    const baskets = basketsOf(new Random(options.seed, index));
    const again: { readonly asked: Asked; readonly generation: number }[] = [];
    return Array.from({ length: WORKERS_PER_ACCOUNT }, (_, worker) => {
      const random = new Random(options.seed, 1_000 + index * WORKERS_PER_ACCOUNT + worker);
      const turn = (running: RunningGateway) => act(running, account, baskets, again, random);
      return { turn, complain };
    });
  });

  /** Reading the positions may find no gateway. What was sent is in the ledger. */
  async function act(
    { client, generation }: RunningGateway,
    account: LoadUser,
    baskets: readonly (readonly TestLeg[])[],
    again: { readonly asked: Asked; readonly generation: number }[],
    random: Random,
  ): Promise<void> {
    const repeated = again.findIndex((entry) => entry.generation < generation);
    const asked =
      repeated < 0 ? await choose(client, account, baskets, random) : again.splice(repeated, 1)[0]?.asked;
    if (asked === undefined) return;
    const answer = await send(client, account, asked);
    const settled = note(asked, answer);
    if (asked.idempotencyKey !== null && (!settled || (repeated < 0 && random.uniform() < 0.3))) {
      // A busy basket is asked again by the same gateway, everything else by the next one.
      again.push({ asked, generation: answer === null || settled ? generation : generation - 1 });
    }
    if (answer?.status === 409) await sleep(AFTER_REFUSAL_MS);
  }

  async function choose(
    client: GatewayClient,
    account: LoadUser,
    baskets: readonly (readonly TestLeg[])[],
    random: Random,
  ): Promise<Asked | undefined> {
    const key = (serial: number) => (random.uniform() < 0.5 ? `load-${options.seed}-${serial}` : null);
    const onLegFailure = pick(random, POLICIES);
    const by = pick(random, account.askers.all).name;
    const action = random.uniform();
    if (action < 0.5) {
      const legs = pick(random, baskets).map((leg) => ({
        ...leg,
        amount: String(Math.round(30 + random.uniform() * 400)),
      }));
      return ledger.ask(account.accountId, '/trade/open', { type: 'MARKET', legs, onLegFailure }, key, by);
    }
    const { json, status } = await client.request('GET', '/positions/lite', {
      headers: headersOf(account),
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    if (status !== 200) {
      ledger.complain(`GET /positions/lite answered ${status}`);
      return undefined;
    }
    if (json.positions.length === 0) return undefined;
    const { id } = pick<{ readonly id: string }>(random, json.positions);
    if (action < 0.85) {
      const fraction = random.uniform() < 0.7 ? '1' : '0.5';
      return ledger.ask(account.accountId, `/positions/${id}/close`, { type: 'MARKET', fraction }, key, by);
    }
    const intent = random.uniform() < 0.5 ? 'INCREASE' : 'REDUCE';
    // A reduction takes no UNWIND.
    const policy = intent === 'REDUCE' && onLegFailure === 'UNWIND' ? 'KEEP' : onLegFailure;
    const body = { intent, fraction: '0.4', onLegFailure: policy };
    return ledger.ask(account.accountId, `/positions/${id}/adjust`, body, key, by);
  }

  /** null: no whole answer came. */
  async function send(client: GatewayClient, account: LoadUser, asked: Asked): Promise<TestAnswer | null> {
    const keyed = asked.idempotencyKey === null ? {} : { 'idempotency-key': asked.idempotencyKey };
    try {
      return await client.request('POST', asked.path, {
        headers: { ...headersOf(account, asked.by), ...keyed },
        body: asked.body,
        timeoutMs: REQUEST_TIMEOUT_MS,
      });
    } catch {
      return null;
    }
  }

  /** Takes an answer down. False: the same request must be sent again to know. */
  function note(asked: Asked, answer: TestAnswer | null): boolean {
    if (answer === null) {
      if (asked.state !== 'acknowledged') asked.state = 'unknown';
      return asked.state !== 'unknown';
    }
    const name = `request ${asked.serial} (${asked.path}, ${asked.state})`;
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    if (answer.status === 202) {
      const { id } = answer.json.execution;
      if (asked.state === 'acknowledged' && (asked.executionId !== id || !replayed)) {
        ledger.complain(`${name} was told ${asked.executionId}, and now ${id}, replayed: ${replayed}`);
      }
      if ((asked.state === 'sent' || asked.state === 'refused') && replayed)
        ledger.complain(`${name} was answered with a replay`);
      asked.state = 'acknowledged';
      asked.executionId = id;
      return true;
    }
    const code = answer.json?.errorCode;
    const isRefusal = answer.status === 409 && (code === 'RESOURCE_BUSY' || code === 'NOOP_ERROR');
    if (!isRefusal || asked.state === 'acknowledged') {
      ledger.complain(`${name} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    if (asked.state === 'unknown' && code === 'RESOURCE_BUSY') return false;
    if (asked.state !== 'acknowledged') asked.state = 'refused';
    return true;
  }

  return startLoad(workers, options.gateway);
}

export function headersOf(account: LoadUser, by?: string): Readonly<Record<string, string>> {
  const credential = by === undefined ? { 'x-api-key': account.key } : account.askers.named(by).headers;
  return { ...credential, 'x-trade-account-id': account.accountId };
}

/** One to four legs on any sides; a pool of eight instruments makes them overlap. */
function basketsOf(random: Random): readonly (readonly TestLeg[])[] {
  return Array.from({ length: BASKETS_PER_ACCOUNT }, () => {
    const tickers = [...TICKERS];
    return Array.from({ length: 1 + Math.floor(random.uniform() * 4) }, () => {
      const [ticker = ''] = tickers.splice(Math.floor(random.uniform() * tickers.length), 1);
      return usd(ticker, random.uniform() < 0.5 ? 'BUY' : 'SELL', '100');
    });
  });
}

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random.uniform() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}
