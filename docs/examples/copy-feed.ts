/**
 * Copies an outside feed: one line of JSON a signal, from standard input; each is traded once, however often it comes.
 *
 *     {"id": "s-17", "long": "SOL-PERP", "short": "AVAX-PERP", "usd": "200"}
 *     {"id": "s-18", "close": "s-17"}
 *
 * Each signal's order has a key that is made of the signal's id. A line that comes twice, and a bot that is started again
 * and reads the feed from its beginning, order nothing twice within 24 hours.
 */
import { createInterface } from 'node:readline';
import { createClient, NothingToDo, Refusal } from 'tandem-gateway/client';

const { env } = process;
const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

/** What a line says, field by field; null: it is no signal. */
function signalOf(line: string): ReadonlyMap<string, string> | null {
  try {
    const fields = Object.entries(JSON.parse(line)).map(([name, value]) => [name, String(value)] as const);
    return new Map(fields);
  } catch {
    return null;
  }
}

async function close(key: string, opened: string): Promise<string> {
  const { execution } = await tandem.call('GET /executions/by-key', { query: { key: `feed-${opened}` } });
  if (execution.positionId === null) return 'nothing to close';
  const closing = await tandem
    .place('POST /positions/{id}/close', {
      params: { id: execution.positionId },
      body: { type: 'MARKET' },
      idempotencyKey: key,
    })
    .catch((error) => {
      if (error instanceof NothingToDo) return null;
      throw error;
    });
  if (closing === null) return 'closed already';
  return `closed ${(await tandem.ended(closing.execution.id)).status}`;
}

async function open(key: string, long: string, short: string, amount: string): Promise<string> {
  const opening = await tandem.place('POST /trade/open', {
    body: {
      type: 'MARKET',
      legs: [
        { symbol: long, side: 'BUY', mode: 'USD', amount },
        { symbol: short, side: 'SELL', mode: 'USD', amount },
      ],
      onLegFailure: 'UNWIND',
    },
    idempotencyKey: key,
  });
  return `opened ${(await tandem.ended(opening.execution.id)).status}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const signal = signalOf(line);
  const [id, long, short, usd] = ['id', 'long', 'short', 'usd'].map((name) => signal?.get(name));
  const closes = signal?.get('close');
  try {
    if (id !== undefined && closes !== undefined) console.log(`${id}: ${await close(`feed-${id}`, closes)}`);
    else if (id !== undefined && long !== undefined && short !== undefined && usd !== undefined)
      console.log(`${id}: ${await open(`feed-${id}`, long, short, usd)}`);
    else console.error(`not a signal: ${line}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`refused (${error.message}): ${line}`);
  }
}
