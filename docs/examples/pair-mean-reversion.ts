/**
 * Pair mean reversion: sells a price ratio that is far above its mean, buys one that is far below, closes near the mean.
 * It opens only what can be traded now, and only where the way to the mean pays the costs of both ways.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, NothingToDo, type Request, ResourceBusy } from 'tandem-gateway/client';

const { env } = process;
const connector = env['CONNECTOR'] ?? 'paper';
const [first = '', second = ''] = (env['PAIR'] ?? 'BTC-PERP,ETH-PERP').split(',');
const amount = env['USD'] ?? '500';
/** Candles of a minute. */
const lookback = Number(env['LOOKBACK'] ?? 120);
/** z-scores. */
const entry = Number(env['ENTRY'] ?? 2);
const exit = Number(env['EXIT'] ?? 0.5);
/** Least gain at the mean, as a multiple of the costs of both ways. */
const minGain = Number(env['MIN_GAIN'] ?? 1);
/** Seconds between two looks. */
const every = Number(env['EVERY'] ?? 60);
/** 0: until it is stopped. */
const rounds = Number(env['ROUNDS'] ?? 0);

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

type Legs = Request<'POST /trade/open'>['body']['legs'];

/** z-score of the ratio, and its distance from the mean as a fraction. */
async function deviation(): Promise<{ readonly z: number; readonly distance: number }> {
  const { candles } = await tandem.call('GET /candles/basket', {
    query: { connector, long: first, short: second, interval: '1m' },
  });
  const closes = candles.slice(-lookback).map(({ close }) => Number(close));
  if (closes.length < 2) return { z: 0, distance: 0 };
  const mean = closes.reduce((sum, close) => sum + close, 0) / closes.length;
  const squares = closes.reduce((sum, close) => sum + (close - mean) ** 2, 0);
  const spread = Math.sqrt(squares / (closes.length - 1));
  const away = (closes.at(-1) ?? mean) - mean;
  return { z: spread > 0 ? away / spread : 0, distance: Math.abs(away) / mean };
}

/** USD that both ways cost by the gateway's plan; null: it cannot be traded whole now. */
async function costsOf(legs: Legs): Promise<number | null> {
  const answer = await tandem.call('POST /trade/open', { body: { type: 'MARKET', legs, dryRun: true } });
  if (!('plan' in answer) || answer.plan.problems.length > 0) return null;
  const { plan } = answer;
  for (const { expected, quantity } of plan.legs)
    if (expected === null || Number(expected.fillable) < Number(quantity)) return null;
  return 2 * (Number(plan.totalFee) + Number(plan.expectedCost));
}

/** The gateway knows what is open: a bot that is started again goes on from there. */
async function openPosition() {
  for await (const position of tandem.rows('GET /positions', { query: { status: 'OPEN' } })) {
    const symbols = position.legs.map(({ symbol }) => symbol).sort();
    if (symbols.join() === [first, second].sort().join()) return position;
  }
  return null;
}

async function act(): Promise<string> {
  const { z, distance } = await deviation();
  const said = `z ${z.toFixed(2)}`;
  const position = await openPosition();
  if (position !== null) {
    if (Math.abs(z) > exit) return `${said}: holds, unrealised ${position.unrealizedPnl}`;
    const closing = await tandem.place('POST /positions/{id}/close', {
      params: { id: position.id },
      body: { type: 'MARKET' },
    });
    return `${said}: closed ${(await tandem.ended(closing.execution.id)).status}`;
  }
  if (Math.abs(z) < entry) return `${said}: waits`;
  const legs: Legs = [
    { symbol: first, side: z > 0 ? 'SELL' : 'BUY', mode: 'USD', amount },
    { symbol: second, side: z > 0 ? 'BUY' : 'SELL', mode: 'USD', amount },
  ];
  const costs = await costsOf(legs);
  if (costs === null) return `${said}: waits, the pair cannot be traded whole now`;
  if (distance * Number(amount) < minGain * costs)
    return `${said}: waits, the way to the mean does not pay $${costs.toFixed(2)} of costs`;
  const opening = await tandem.place('POST /trade/open', {
    body: { type: 'MARKET', legs, onLegFailure: 'UNWIND' },
  });
  return `${said}: opened ${(await tandem.ended(opening.execution.id)).status}`;
}

for (let round = 1; ; round += 1) {
  try {
    console.log(await act());
  } catch (error) {
    if (!(error instanceof ResourceBusy) && !(error instanceof NothingToDo)) throw error;
    console.log(`another time: ${error.message}`);
  }
  if (round === rounds) break;
  await sleep(every * 1_000);
}
