/**
 * Index against majors: long an equal-weight index, short the majors, brought back to its weights by the gateway, which
 * trades when a weight has drifted by more than DRIFT, also while this bot does not run.
 */
import { createClient, type Request } from 'tandem-gateway/client';

const { env } = process;
const index = (env['INDEX'] ?? 'SOL-PERP,AVAX-PERP,LINK-PERP,DOGE-PERP').split(',');
const majors = (env['MAJORS'] ?? 'BTC-PERP,ETH-PERP').split(',');
const totalUsd = env['TOTAL_USD'] ?? '4000';
const minimumDrift = env['DRIFT'] ?? '0.02';
/** Event with which it ends; default: it tells of events until it is stopped. */
const until = env['UNTIL'];

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

type Legs = Request<'POST /trade/open'>['body']['legs'];

/** Half of the money on each side. The weights of all legs add up to 1 exactly, so they are counted in thousandths. */
function legsOf(symbols: readonly string[], side: 'BUY' | 'SELL'): Legs {
  const each = Math.floor(500 / symbols.length);
  return symbols.map((symbol, nth) => {
    const weight = nth === 0 ? 500 - each * (symbols.length - 1) : each;
    return { symbol, side, mode: 'WEIGHT', amount: `0.${String(weight).padStart(3, '0')}` };
  });
}

async function basket() {
  const wanted = [...index, ...majors].sort().join();
  for await (const position of tandem.rows('GET /positions', { query: { status: 'OPEN' } }))
    if (
      position.legs
        .map(({ symbol }) => symbol)
        .sort()
        .join() === wanted
    )
      return position;
  return null;
}

for await (const message of tandem.events()) {
  if (message.kind === 'event') {
    console.log(message.event, message.timestamp);
    if (message.event === until) break;
  }
  // From the subscription on no event is missed. It comes again after a lost connection.
  if (message.kind !== 'subscribed' || (await basket()) !== null) continue;
  const legs = [...legsOf(index, 'BUY'), ...legsOf(majors, 'SELL')];
  // The gateway's plan says what cannot be traded now, and what it costs.
  const dryRun = { type: 'MARKET', legs, totalUsd, dryRun: true } as const;
  const answer = await tandem.call('POST /trade/open', { body: dryRun });
  if (!('plan' in answer)) throw new Error('the dry run has no plan');
  const problems = answer.plan.problems.map(({ symbol, message }) => `${symbol ?? 'basket'}: ${message}`);
  if (problems.length > 0) throw new Error(`cannot be opened now: ${problems.join(', ')}`);
  console.log('costs, in USD: fees', answer.plan.totalFee, 'slippage', answer.plan.expectedCost ?? 'unknown');
  const opening = await tandem.place('POST /trade/open', {
    body: {
      type: 'MARKET',
      legs,
      totalUsd,
      onLegFailure: 'UNWIND',
      autoRebalance: { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift, cooldownSeconds: 60 },
    },
  });
  const { status, error } = await tandem.ended(opening.execution.id);
  console.log('opened', status, error ?? '');
}

const position = await basket();
for (const { side, symbol, targetWeight, currentWeight } of position?.legs ?? [])
  console.log(side, symbol, 'wants', targetWeight, 'has', currentWeight);
console.log('rebalancing', position?.autoRebalance?.status ?? 'none');
