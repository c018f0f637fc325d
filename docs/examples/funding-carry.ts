/** Funding carry: short what pays its shorts most, long what pays its longs most, in equal dollars; changes with the rates. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, NothingToDo, ResourceBusy } from 'tandem-gateway/client';

const { env } = process;
const connector = env['CONNECTOR'] ?? 'paper';
const amount = env['USD'] ?? '500';
/** Spread per hour at which it opens, and below which it closes. */
const enterAbove = Number(env['ENTER_ABOVE'] ?? 0.0001);
const leaveBelow = Number(env['LEAVE_BELOW'] ?? 0.00002);
/** Seconds between two looks. */
const every = Number(env['EVERY'] ?? 600);
/** 0: until it is stopped. */
const rounds = Number(env['ROUNDS'] ?? 0);

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

/** What a long position pays in an hour, as a share of its value. Rates are compared here, and no money is computed. */
async function hourlyRates(): Promise<ReadonlyMap<string, number>> {
  const { funding } = await tandem.call('GET /funding', { query: { connector } });
  return new Map(funding.map(({ id, rate, intervalHours }) => [id, Number(rate) / intervalHours]));
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
  const sorted = [...rates].sort(([, a], [, b]) => a - b);
  const [cheap, dear] = [sorted.at(0), sorted.at(-1)];
  if (cheap === undefined || dear === undefined) return 'waits: no rates';
  const spread = dear[1] - cheap[1];
  if (spread < enterAbove) return `waits: the spread is ${percent(spread)}`;
  const opening = await tandem.place('POST /trade/open', {
    body: {
      type: 'MARKET',
      legs: [
        { symbol: cheap[0], side: 'BUY', mode: 'USD', amount },
        { symbol: dear[0], side: 'SELL', mode: 'USD', amount },
      ],
      onLegFailure: 'UNWIND',
    },
  });
  const { status } = await tandem.ended(opening.execution.id);
  return `opened ${status}: long ${cheap[0]}, short ${dear[0]}, ${percent(spread)} an hour`;
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
