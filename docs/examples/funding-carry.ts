/**
 * Funding carry: short what pays its shorts most, long what pays its longs most, in equal dollars; changes with the rates.
 * It opens only what can be traded now, and only where the funding of PAYBACK_HOURS pays the costs of both ways.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, NothingToDo, type Request, ResourceBusy } from 'tandem-gateway/client';

const { env } = process;
const connector = env['CONNECTOR'] ?? 'paper';
const amount = env['USD'] ?? '500';
/** Spread per hour at which it opens, and below which it closes. */
const enterAbove = Number(env['ENTER_ABOVE'] ?? 0.0001);
const leaveBelow = Number(env['LEAVE_BELOW'] ?? 0.00002);
const paybackHours = Number(env['PAYBACK_HOURS'] ?? 72);
/** Instruments at each end of the rates that are compared. */
const candidates = 3;
/** Seconds between two looks. */
const every = Number(env['EVERY'] ?? 600);
/** 0: until it is stopped. */
const rounds = Number(env['ROUNDS'] ?? 0);

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

type Legs = Request<'POST /trade/open'>['body']['legs'];

/** Funding that a long position pays in an hour, a fraction of its value. Floats only compare figures here. */
async function hourlyRates(): Promise<ReadonlyMap<string, number>> {
  const { funding } = await tandem.call('GET /funding', { query: { connector } });
  return new Map(funding.map(({ id, rate, intervalHours }) => [id, Number(rate) / intervalHours]));
}

/** Instruments that a position may be opened in. The rates name those too that may only be reduced. */
async function tradable(): Promise<ReadonlySet<string>> {
  const { instruments } = await tandem.call('GET /instruments', { query: { connector, scope: 'tradable' } });
  return new Set(instruments.map(({ id }) => id));
}

/** USD that both ways cost, and that an hour earns, by the gateway's plan; null: it cannot be traded whole now. */
async function planned(legs: Legs) {
  const answer = await tandem.call('POST /trade/open', { body: { type: 'MARKET', legs, dryRun: true } });
  if (!('plan' in answer) || answer.plan.problems.length > 0) return null;
  const { plan } = answer;
  for (const { expected, quantity } of plan.legs)
    if (expected === null || Number(expected.fillable) < Number(quantity)) return null;
  const oneWay = Number(plan.totalFee) + Number(plan.expectedCost);
  return { costs: 2 * oneWay, earns: -Number(plan.netFundingHourly) };
}

/** The one position of two legs; this bot has an account of its own. */
async function carry() {
  for await (const position of tandem.rows('GET /positions', { query: { status: 'OPEN' } }))
    if (position.legs.length === 2) return position;
  return null;
}

const percent = (rate: number) => `${(rate * 100).toFixed(6)}%`;

async function act(): Promise<string> {
  const rates = await hourlyRates();
  const position = await carry();
  if (position !== null) {
    let earned = 0;
    for (const { symbol, side } of position.legs)
      earned += (rates.get(symbol) ?? 0) * (side === 'SELL' ? 1 : -1);
    if (earned >= leaveBelow)
      return `holds ${percent(earned)} an hour, funding so far ${position.fundingPaid}`;
    const closing = await tandem.place('POST /positions/{id}/close', {
      params: { id: position.id },
      body: { type: 'MARKET' },
    });
    const { status } = await tandem.ended(closing.execution.id);
    return `closed ${status}: the spread was ${percent(earned)}`;
  }
  return open(rates);
}

/** Opens the pair of the widest spread that can be traded and pays its costs. */
async function open(rates: ReadonlyMap<string, number>): Promise<string> {
  const allowed = await tradable();
  const sorted = [...rates].filter(([symbol]) => allowed.has(symbol)).sort(([, a], [, b]) => a - b);
  const pairs = sorted
    .slice(0, candidates)
    .flatMap(([long, low]) =>
      sorted.slice(-candidates).map(([short, high]) => ({ long, short, spread: high - low })),
    )
    .filter(({ long, short, spread }) => long !== short && spread >= enterAbove)
    .sort((a, b) => b.spread - a.spread);
  for (const { long, short, spread } of pairs) {
    const legs: Legs = [
      { symbol: long, side: 'BUY', mode: 'USD', amount },
      { symbol: short, side: 'SELL', mode: 'USD', amount },
    ];
    const plan = await planned(legs);
    if (plan === null || plan.earns * paybackHours < plan.costs) continue;
    const opening = await tandem.place('POST /trade/open', {
      body: { type: 'MARKET', legs, onLegFailure: 'UNWIND' },
    });
    const { status } = await tandem.ended(opening.execution.id);
    const costs = `costs $${plan.costs.toFixed(2)}`;
    return `opened ${status}: long ${long}, short ${short}, ${percent(spread)} an hour, ${costs}`;
  }
  return `waits: ${pairs.length} pairs have a spread of ${percent(enterAbove)}, and none can be traded and pays its costs`;
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
