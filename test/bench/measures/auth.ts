/** What looking at the credential adds to a cheap authenticated route. */
import { requestBytes } from '../basket-requests.ts';
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { type Gateway, newGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { type Measure, ratioMeasure } from '../verdict.ts';

const CONNECTIONS = 64;
/** Answered from memory: the account's leverage settings, none. */
const ROUTE = '/leverage';

function target(gateway: Gateway, credential: 'key' | 'bearer'): Target {
  const request = requestBytes(gateway.port, 'GET', ROUTE, {
    'x-trade-account-id': gateway.tradeAccountId,
    ...(credential === 'key'
      ? { 'x-api-key': gateway.apiKey }
      : { authorization: `Bearer ${gateway.accessToken}` }),
  });
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: Array.from({ length: CONNECTIONS }, () => request),
    status: 200,
  };
}

/** The same request bytes to both; the other server takes the first credential's answer for every later one. */
export const auth: Benchmark = async (context) => {
  const measures: Measure[] = [];
  for (const credential of ['key', 'bearer'] as const) {
    const open = await newGateway({ unchecked: true });
    const checked = await newGateway();
    try {
      const sides = { unchecked: target(open, credential), checked: target(checked, credential) };
      await warmUp(context, sides.unchecked, CONNECTIONS);
      await warmUp(context, sides.checked, CONNECTIONS);
      context.say(`auth: ${credential}`);
      const found = await alternate(context.rounds, {
        unchecked: loop(context, sides.unchecked, CONNECTIONS),
        checked: loop(context, sides.checked, CONNECTIONS),
      });
      measures.push(
        ratioMeasure(
          {
            name: `auth/${credential}/checked-vs-unchecked`,
            about: `GET ${ROUTE} a second with the ${credential === 'key' ? 'API key' : 'bearer token (seen before)'} checked ÷ not looked at, ${CONNECTIONS} connections`,
            goal: { bound: 'at least', value: 0.95 },
            figures: compared(['unchecked', found.unchecked], ['checked', found.checked]),
          },
          rates(found.unchecked),
          rates(found.checked),
        ),
      );
    } finally {
      await checked.stop();
      await open.stop();
    }
  }
  return measures;
};
