/**
 * What comes without a credential, in masses, on a gateway in a process of its own: how long its event loop is held, and how
 * soon meanwhile a stop-loss fires and the owner, in a browser that is known, signs in and pauses.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type FloodKind, startFlood } from '../../real-time/support/flood.ts';
import { type GatewayClient, gatewayClient } from '../../support/gateway-client.ts';
import { connectRealtime } from '../../support/realtime-client.ts';
import { PAIR, type Trader, traderOn } from '../../support/trader.ts';
import type { BenchContext, Benchmark } from '../bench-context.ts';
import { EMAIL, type Gateway, newGateway, PASSWORD } from '../gateway-home.ts';
import { median } from '../statistics.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

interface Flooding {
  readonly kind: FloodKind;
  readonly connections: number;
  readonly about: string;
}

const FLOODS: readonly Flooding[] = [
  { kind: 'giantKeys', connections: 20, about: 'bodies of 852 kB with unknown keys' },
  { kind: 'keys', connections: 100, about: 'bodies of 15 kB with unknown keys' },
  {
    kind: 'manyKeys',
    connections: 100,
    about: 'bodies of 60 kB with unknown keys, where so much is allowed',
  },
  { kind: 'messages', connections: 50, about: 'WebSocket messages of 59 kB' },
  { kind: 'pings', connections: 50, about: 'WebSocket pings without an end' },
  { kind: 'passwords', connections: 300, about: 'guessed passwords of the owner' },
  { kind: 'deaf', connections: 250, about: 'requests of 1.5 MB whose answers nobody reads' },
  { kind: 'silent', connections: 250, about: 'connections that say nothing' },
];
const RESOLUTION_MS = 1;

interface Round {
  readonly stopLossMs: number;
  readonly signInMs: number;
  readonly pauseMs: number;
  /** Longest time that the gateway's loop did not look at its timers. */
  readonly holdMs: number;
  /** The same of this process, which next to nothing is asked of: what the machine adds. */
  readonly machineMs: number;
}

export const floods: Benchmark = async (context) => {
  const measures: Measure[] = [];
  for (const flooding of FLOODS) measures.push(...(await measureFlood(context, flooding)));
  return measures;
};

async function measureFlood(
  context: BenchContext,
  { kind, connections, about }: Flooding,
): Promise<readonly Measure[]> {
  context.say(`floods: ${about}`);
  const gateway = await newGateway({ held: false });
  const client = gatewayClient(`http://127.0.0.1:${gateway.port}`);
  const bot = traderOn(client, {
    key: gateway.apiKey,
    accountId: gateway.tradeAccountId,
    accessToken: gateway.accessToken,
  });
  const cookie = await signIn(client, '');
  const quiet: Round[] = [];
  const flooded: Round[] = [];
  // The first is not counted: what is loaded on first use is loaded.
  await live(gateway, client, bot, cookie);
  for (let round = 0; round < context.rounds; round += 1) {
    quiet.push(await live(gateway, client, bot, cookie));
    const flood = await startFlood(kind, gateway.port, connections);
    try {
      flooded.push(await live(gateway, client, bot, cookie));
    } finally {
      flood.kill();
    }
  }
  await gateway.stop();
  const of = (rounds: readonly Round[], what: keyof Round) => rounds.map((round) => round[what]);
  const figure = (name: string, what: keyof Round, goal: number, sentence: string): Measure =>
    valueMeasure(
      {
        name: `floods/${kind}/${name}`,
        about: `${sentence}; ${about}, ${connections} at once; median of the rounds`,
        unit: 'ms',
        goal: { bound: 'at most', value: goal },
        figures: { rounds: of(flooded, what), quiet: of(quiet, what), machine: of(flooded, 'machineMs') },
      },
      median(of(flooded, what)),
      median(of(flooded, 'machineMs')),
    );
  return [
    figure(
      'stop-loss',
      'stopLossMs',
      250,
      'the price that breaks the stop → position closed, told on the stream',
    ),
    figure('sign-in', 'signInMs', 2_000, 'the owner signs in from a browser that is known'),
    figure('pause', 'pauseMs', 2_000, 'the owner pauses'),
    figure('longest-hold', 'holdMs', 20, 'the longest time that the gateway’s event loop was held'),
  ];
}

/** Once everything that must go on. */
async function live(gateway: Gateway, client: GatewayClient, bot: Trader, cookie: string): Promise<Round> {
  const machine = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  machine.enable();
  const longestHold = await gateway.watchLoop();
  const stopLossMs = await stopLossFires(gateway, bot);
  const signInMs = await timed(() => signIn(client, cookie));
  const pauseMs = await timed(() => call(bot, 'POST', '/safety/pause', {}));
  const holdMs = await longestHold();
  machine.disable();
  await call(bot, 'POST', '/safety/resume', {});
  return { stopLossMs, signInMs, pauseMs, holdMs, machineMs: Math.max(0, machine.max / 1e6 - RESOLUTION_MS) };
}

async function stopLossFires(gateway: Gateway, bot: Trader): Promise<number> {
  const { positionId } = await bot.open(PAIR);
  await call(bot, 'PUT', `/positions/${positionId}/brackets`, {
    stopLoss: { type: 'PERCENTAGE', value: '2' },
  });
  const stream = await connectRealtime(`ws://127.0.0.1:${gateway.port}/ws`, {
    headers: { 'x-api-key': bot.key },
  });
  await stream.ask({ op: 'subscribe', channels: [`user:${bot.accountId}`] });
  const closed = stream.next(({ event }) => event === 'position.closed');
  const took = await timed(async () => {
    await gateway.shock('BTC-PERP', 0.9);
    await closed;
  });
  stream.end();
  await gateway.shock('BTC-PERP', 1 / 0.9);
  return took;
}

/** @returns the cookie that makes the browser known */
async function signIn(client: GatewayClient, cookie: string): Promise<string> {
  const answer = await client.request('POST', '/auth/login', {
    headers: cookie === '' ? {} : { cookie },
    body: { method: 'email', email: EMAIL, password: PASSWORD },
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text}`);
  return String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
}

async function call(bot: Trader, method: string, path: string, body: object): Promise<void> {
  const { status, text } = await bot.call(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}
