/**
 * Breakout: waits at the edges of the last hours' range; whichever side breaks opens the pair that way, with a bracket. The
 * triggers wait in the gateway, also while this bot does not run. The one that has not fired is cancelled.
 */
import { createClient, NothingToDo, ResourceBusy, ResourceNotFound } from 'tandem-gateway/client';

const { env } = process;
const connector = env['CONNECTOR'] ?? 'paper';
const [first = '', second = ''] = (env['PAIR'] ?? 'SOL-PERP,ETH-PERP').split(',');
const amount = env['USD'] ?? '500';
/** Of a minute. */
const count = Number(env['CANDLES'] ?? 240);
/** Percent. */
const takeProfit = { type: 'PERCENTAGE', value: env['TAKE_PROFIT'] ?? '4' } as const;
const stopLoss = { type: 'PERCENTAGE', value: env['STOP_LOSS'] ?? '2' } as const;

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

/** Refuses a pair that cannot be traded now, or whose take-profit does not pay the costs of both ways. */
async function checkPair(): Promise<void> {
  const { plan } = await planOf();
  const problems = plan.problems.map(({ symbol, message }) => `${symbol ?? 'basket'}: ${message}`);
  if (problems.length > 0) throw new Error(`cannot be traded now: ${problems.join(', ')}`);
  const costs = 2 * (Number(plan.totalFee) + Number(plan.expectedCost));
  const gain = (Number(takeProfit.value) / 100) * Number(plan.grossNotional);
  if (gain <= costs) throw new Error(`the take-profit does not pay $${costs.toFixed(2)} of costs`);
}

async function planOf() {
  const legs = [
    { symbol: first, side: 'BUY', mode: 'USD', amount },
    { symbol: second, side: 'SELL', mode: 'USD', amount },
  ] as const;
  const answer = await tandem.call('POST /trade/open', {
    body: { type: 'MARKET', legs: [...legs], dryRun: true },
  });
  if ('plan' in answer) return answer;
  throw new Error('the dry run has no plan');
}

/** The highest ratio of `long` to `short` in the range, as the text that the gateway gave. */
async function highest(long: string, short: string): Promise<string> {
  const { candles } = await tandem.call('GET /candles/basket', {
    query: { connector, long, short, interval: '1m' },
  });
  const highs = candles.slice(-count).map(({ high }) => high);
  return highs.reduce((most, high) => (Number(high) > Number(most) ? high : most), '0');
}

/** Opens `long` against `short` once their ratio is above the range. */
async function waitAbove(long: string, short: string) {
  const value = await highest(long, short);
  const trigger = await tandem.place('POST /triggers/open', {
    body: {
      legs: [
        { symbol: long, side: 'BUY', mode: 'USD', amount },
        { symbol: short, side: 'SELL', mode: 'USD', amount },
      ],
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value },
      allowImmediate: true,
      takeProfit,
      stopLoss,
    },
  });
  console.log(`waits for ${long} to ${short} above ${value}`);
  return trigger.id;
}

await checkPair();
const waiting: string[] = [];
for await (const message of tandem.events()) {
  // From the subscription on no event is missed. It comes again after a lost connection.
  if (message.kind === 'subscribed' && waiting.length === 0)
    waiting.push(await waitAbove(first, second), await waitAbove(second, first));
  if (message.kind !== 'event' || message.event !== 'position.created') continue;
  const position = await tandem.call('GET /positions/{id}', { params: { id: message.entityId } });
  console.log('broke out:', position.legs.map(({ side, symbol }) => `${side} ${symbol}`).join(', '));
  console.log(
    'take-profit',
    position.takeProfit?.value ?? 'none',
    'stop-loss',
    position.stopLoss?.value ?? 'none',
  );
  break;
}
for (const id of waiting) await cancel(id);

async function cancel(id: string): Promise<void> {
  try {
    await tandem.call('POST /triggers/{id}/cancel', { params: { id } });
  } catch (error) {
    // The one that has fired.
    if (error instanceof NothingToDo || error instanceof ResourceNotFound) return;
    if (!(error instanceof ResourceBusy)) throw error;
    // It fires this very moment: soon it has.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return cancel(id);
  }
}
