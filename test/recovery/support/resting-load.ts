/**
 * Keeps so many triggers, schedules and ladders waiting on several accounts, through every death of the gateway: what was not
 * answered is asked again with the same Idempotency-Key. Everything that opens does so when the instruments of `RISING` rise.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { RunningGateway } from '../../real-time/support/mortal-gateway.ts';
import { type GatewayClient, NoAnswer, type TestAnswer } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { type TestLeg, usd } from '../../support/trader.ts';
import { headersOf, type LoadUser } from './basket-load.ts';

/** The test lifts these prices and leaves the others to themselves. */
export const RISING = ['BTC', 'ETH', 'SOL', 'DOGE'] as const;
const CALM = ['XRP', 'BNB', 'AVAX', 'LINK'] as const;
const REQUEST_TIMEOUT_MS = 20_000;
const PAUSE_MS = 20;
const REFILL_MS = 200;
/** Few enough that their levels are still ahead of the market when the last of them is asked. */
const MADE_AT_A_LOOK = 8;

export interface Wanted {
  readonly triggers: number;
  readonly schedules: number;
  readonly ladders: number;
}

export interface Thing {
  readonly kind: keyof Wanted;
  readonly accountId: string;
  /** Label of the API key that asked. */
  readonly by: string;
  /** null: not answered yet. */
  id: string | null;
}

export interface RestingLoad {
  /** Everything that was ever made. */
  readonly things: readonly Thing[];
  /** Ids whose cancel was asked for. */
  readonly cancelled: ReadonlySet<string>;
  /** Ids that were paused and resumed, by the account's first key. */
  readonly resumed: ReadonlySet<string>;
  /** Resolves when as many as wanted wait on every account. */
  filled(): Promise<void>;
  /** Ends when everything that was asked has its answer. */
  stop(): Promise<void>;
}

interface Pending {
  readonly thing: Thing;
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

export function startRestingLoad(options: {
  readonly accounts: readonly LoadUser[];
  /** Per account. */
  readonly wanted: Wanted;
  readonly random: Random;
  /** Resolves once a gateway serves; null: none will come any more. */
  readonly gateway: () => Promise<RunningGateway | null>;
  readonly complain: (complaint: string) => void;
}): RestingLoad {
  const { random, complain, wanted } = options;
  const things: Thing[] = [];
  const cancelled = new Set<string>();
  const resumed = new Set<string>();
  /** Paused here and not resumed yet: what its owner has paused waits for its owner, also after a death in between. */
  const paused = new Map<string, LoadUser>();
  const full = new Set<string>();
  let waiters: (() => void)[] = [];
  let stopped = false;
  let made = 0;

  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random.uniform() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const between = (low: number, high: number) => low + random.uniform() * (high - low);

  async function read(client: GatewayClient, account: LoadUser, path: string): Promise<Json> {
    const answer = await client.request('GET', path, {
      headers: headersOf(account),
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  function ask(account: LoadUser, kind: keyof Wanted, path: string, body: object): Pending {
    made += 1;
    const by = pick(account.askers.all).name;
    const thing: Thing = { kind, accountId: account.accountId, by, id: null };
    things.push(thing);
    return { thing, path, body, key: `resting-${made}` };
  }

  function newTrigger(account: LoadUser, marks: ReadonlyMap<string, number>, positions: Json[]): Pending {
    const long = pick(RISING);
    const short = pick(CALM);
    const mark = (ticker: string) => marks.get(`${ticker}-PERP`) ?? 1;
    const above = (price: number) => (price * between(1.001, 1.08)).toPrecision(5);
    const direction = 'MORE_THAN';
    const price = { type: 'PRICE', direction, value: above(mark(long)), symbol: `${long}-PERP` };
    const amount = String(Math.round(between(30, 60)));
    const legs: TestLeg[] = [usd(long, 'BUY', amount), usd(short, 'SELL', amount)];
    const way = random.uniform();
    if (way < 0.15 && positions.length > 0) {
      const { id } = pick(positions);
      const condition = { ...price, type: 'CROSS_ASSET_PRICE' };
      const fraction = random.uniform() < 0.5 ? '1' : '0.5';
      return ask(account, 'triggers', `/positions/${id}/close`, { type: 'TRIGGER', fraction, condition });
    }
    const ratio = { type: 'PRICE_RATIO', direction, value: above(mark(long) / mark(short)) };
    const cross = { ...price, type: 'CROSS_ASSET_PRICE' };
    const pair = { type: 'PRICE_RATIO', direction, lookback: pick([24, 240]) };
    const zScore = { ...pair, transform: 'Z_SCORE', value: between(3, 8).toFixed(2) };
    const spread = { ...pair, transform: 'SPREAD', value: between(5, 20).toFixed(2) };
    const condition = pick<Json>([price, ratio, cross, zScore, spread]);
    // Nobody here knows where a ratio stands among its hours: what is met already fires.
    const allowImmediate = 'transform' in condition;
    return ask(account, 'triggers', '/triggers/open', { legs, condition, allowImmediate });
  }

  function newSchedule(account: LoadUser): Pending {
    const legs = [usd(pick(RISING), 'BUY', '480'), usd(pick(CALM), 'SELL', '480')];
    return ask(account, 'schedules', '/schedules', {
      legs,
      durationSeconds: 60,
      intervalSeconds: 5,
      randomize: random.uniform() < 0.5,
      missedSlicePolicy: pick(['CATCH_UP', 'SKIP']),
    });
  }

  function newLadder(account: LoadUser, marks: ReadonlyMap<string, number>): Pending {
    const ticker = pick(RISING);
    const mark = marks.get(`${ticker}-PERP`) ?? 1;
    return ask(account, 'ladders', '/ladders', {
      legs: [usd(ticker, 'BUY', '200'), usd(pick(CALM), 'SELL', '200')],
      metric: 'PRICE',
      symbol: `${ticker}-PERP`,
      direction: 'MORE_THAN',
      start: (mark * 1.002).toPrecision(5),
      end: (mark * 1.06).toPrecision(5),
      levels: 5,
      distribution: pick(['LINEAR', 'GEOMETRIC']),
      sizing: pick(['EQUAL', 'INCREASING', 'DECREASING']),
    });
  }

  async function send(client: GatewayClient, account: LoadUser, asked: Pending): Promise<TestAnswer | null> {
    try {
      return await client.request('POST', asked.path, {
        headers: { ...headersOf(account, asked.thing.by), 'idempotency-key': asked.key },
        body: asked.body,
        timeoutMs: REQUEST_TIMEOUT_MS,
      });
    } catch {
      return null;
    }
  }

  /** True: it has its answer. */
  function note(asked: Pending, answer: TestAnswer | null): boolean {
    if (answer === null) return false;
    if (answer.status === 200) {
      asked.thing.id = answer.json.id;
      return true;
    }
    // The market has moved on, the position is closed, or its basket is at work: made with another body, or not at all.
    const code = answer.json?.errorCode;
    const isBusyKey = code === 'RESOURCE_BUSY' && answer.json.message.includes('Idempotency-Key');
    if (isBusyKey) return false;
    if (code !== 'VALIDATION_ERROR' && code !== 'NOOP_ERROR' && code !== 'RESOURCE_BUSY')
      complain(`POST ${asked.path} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
    things.splice(things.indexOf(asked.thing), 1);
    return true;
  }

  async function work(account: LoadUser): Promise<void> {
    const unanswered: Pending[] = [];
    while (!stopped || unanswered.length > 0 || pausedOf(account).length > 0) {
      const running = await options.gateway();
      if (running === null) return;
      const { client } = running;
      try {
        await resume(client, account);
        if (unanswered.length === 0) unanswered.push(...(await missing(client, account)));
        const asked = unanswered.shift();
        if (asked === undefined) {
          await sleep(REFILL_MS);
          continue;
        }
        const answer = await send(client, account, asked);
        if (!note(asked, answer)) {
          unanswered.push(asked);
          await sleep(PAUSE_MS);
        }
      } catch (error) {
        // Reading found no gateway.
        if (!(error instanceof NoAnswer)) complain(`the load broke: ${error}`);
        await sleep(PAUSE_MS);
      }
    }
  }

  /** Orders to make next. Empty: enough are pending. Listing the pending ones costs more than making one. */
  async function missing(client: GatewayClient, account: LoadUser): Promise<readonly Pending[]> {
    const live = {
      schedules: (await read(client, account, '/schedules?limit=2000&status=ACTIVE,PAUSED')).schedules,
      ladders: (await read(client, account, '/ladders?limit=2000&status=ACTIVE')).ladders,
      triggers: (await read(client, account, '/triggers?limit=2000&status=ACTIVE,PAUSED')).triggers.filter(
        ({ ladderId }: Json) => ladderId === null,
      ),
    };
    const lacking = (kind: keyof Wanted) =>
      Math.min(MADE_AT_A_LOOK, Math.max(0, wanted[kind] - live[kind].length));
    const times = (count: number, make: () => Pending) => Array.from({ length: count }, make);
    if (lacking('schedules') > 0) return times(lacking('schedules'), () => newSchedule(account));
    if (lacking('ladders') + lacking('triggers') > 0) {
      const { prices } = await read(client, account, '/prices?connector=paper');
      const marks = new Map<string, number>(prices.map(({ id, mark }: Json) => [id, Number(mark)]));
      if (lacking('ladders') > 0) return times(lacking('ladders'), () => newLadder(account, marks));
      const { positions } = await read(client, account, '/positions/lite');
      return times(lacking('triggers'), () => newTrigger(account, marks, positions));
    }
    full.add(account.accountId);
    if (full.size === options.accounts.length) {
      for (const resolve of waiters) resolve();
      waiters = [];
    }
    if (random.uniform() < 0.2) await disturb(client, account, pick<Json>(live.triggers).id);
    return [];
  }

  /** Cancels, or stops and resumes. */
  async function disturb(client: GatewayClient, account: LoadUser, id: string): Promise<void> {
    if (random.uniform() < 0.5) {
      cancelled.add(id);
      await order(client, account, id, 'cancel');
    } else {
      paused.set(id, account);
      resumed.add(id);
      await order(client, account, id, 'pause');
      await resume(client, account);
    }
  }

  function order(client: GatewayClient, account: LoadUser, id: string, step: string): Promise<TestAnswer> {
    return client.request('POST', `/triggers/${id}/${step}`, {
      headers: headersOf(account),
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
  }

  const pausedOf = (account: LoadUser): readonly string[] =>
    [...paused].flatMap(([id, owner]) => (owner === account ? [id] : []));

  /** Resumes paused orders. Those that have fired or were never paused refuse, and need no resuming. */
  async function resume(client: GatewayClient, account: LoadUser): Promise<void> {
    for (const id of pausedOf(account)) {
      const { json } = await order(client, account, id, 'resume');
      if (json?.errorCode !== 'RESOURCE_BUSY') paused.delete(id);
    }
  }

  const workers = options.accounts.map(work);
  return {
    things,
    cancelled,
    resumed,
    filled: () =>
      full.size === options.accounts.length
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push(resolve)),
    async stop() {
      stopped = true;
      await Promise.all(workers);
    },
  };
}
