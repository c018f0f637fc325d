/**
 * What looking at the credential adds: to the order route without its commit, as the other measures have it, and to the
 * cheapest authenticated route there is, where a microsecond is a twentieth of the request.
 */
import { openBodies, requestBytes } from '../basket-requests.ts';
import { type BenchContext, type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { type Gateway, grantToken, instrumentIds, newGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { type Measure, ratioMeasure } from '../verdict.ts';

const BODIES = 4_096;
const CONNECTIONS = 64;
/** Answered from memory: the account's leverage settings, none. */
const ROUTE = '/leverage';

type Credential = Readonly<Record<string, string>>;

const byKey = ({ apiKey }: Gateway): Credential => ({ 'x-api-key': apiKey });
const byBearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });

function target(gateway: Gateway, credential: Credential): Target {
  const request = requestBytes(gateway.port, 'GET', ROUTE, {
    'x-trade-account-id': gateway.tradeAccountId,
    ...credential,
  });
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: Array.from({ length: CONNECTIONS }, () => request),
    status: 200,
  };
}

async function orders(gateway: Gateway, credential: Credential): Promise<Target> {
  const bodies = openBodies(await instrumentIds(gateway.port), BODIES);
  const headers = { 'x-trade-account-id': gateway.tradeAccountId, ...credential };
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: bodies.map((body) => requestBytes(gateway.port, 'POST', '/trade/open', headers, body)),
    status: 202,
  };
}

/** The same request bytes to both; the other server takes the first credential's answer for every later one. */
async function checkedAgainstUnchecked(
  context: BenchContext,
  credential: 'key' | 'bearer',
): Promise<readonly Measure[]> {
  const open = await newGateway({ unchecked: true, store: 'uncommitted' });
  const checked = await newGateway({ store: 'uncommitted' });
  const headers = (gateway: Gateway) =>
    credential === 'key' ? byKey(gateway) : byBearer(gateway.accessToken);
  try {
    const order = {
      unchecked: await orders(open, headers(open)),
      checked: await orders(checked, headers(checked)),
    };
    const cheap = { unchecked: target(open, headers(open)), checked: target(checked, headers(checked)) };
    const named = credential === 'key' ? 'API key' : 'bearer token (seen before)';
    const measures: Measure[] = [];
    for (const { name, route, goal, sides } of [
      {
        name: `auth/${credential}/order`,
        route: 'POST /trade/open without its commit',
        goal: 0.95,
        sides: order,
      },
      { name: `auth/${credential}/cheapest`, route: `GET ${ROUTE}`, goal: null, sides: cheap },
    ]) {
      await warmUp(context, sides.unchecked, CONNECTIONS);
      await warmUp(context, sides.checked, CONNECTIONS);
      context.say(name);
      const found = await alternate(context.rounds, {
        unchecked: loop(context, sides.unchecked, CONNECTIONS),
        checked: loop(context, sides.checked, CONNECTIONS),
      });
      measures.push(
        ratioMeasure(
          {
            name,
            about: `${route} a second with the ${named} checked ÷ not looked at, ${CONNECTIONS} connections`,
            goal: goal === null ? null : { bound: 'at least', value: goal },
            figures: compared(['unchecked', found.unchecked], ['checked', found.checked]),
          },
          rates(found.unchecked),
          rates(found.checked),
        ),
      );
    }
    return measures;
  } finally {
    await checked.stop();
    await open.stop();
  }
}

/** One server, one user, one route: only the header with the credential differs. */
async function tokensAgainstKey(context: BenchContext): Promise<readonly Measure[]> {
  const gateway = await newGateway();
  try {
    const sides = {
      key: target(gateway, byKey(gateway)),
      session: target(gateway, byBearer(gateway.accessToken)),
      grant: target(gateway, byBearer(await grantToken(gateway))),
    };
    for (const side of Object.values(sides)) await warmUp(context, side, CONNECTIONS);
    context.say('auth: session and grant tokens against a key');
    const found = await alternate(context.rounds, {
      key: loop(context, sides.key, CONNECTIONS),
      session: loop(context, sides.session, CONNECTIONS),
      grant: loop(context, sides.grant, CONNECTIONS),
    });
    return (['session', 'grant'] as const).map((kind) =>
      ratioMeasure(
        {
          name: `auth/${kind}/bearer-vs-key`,
          about: `GET ${ROUTE} a second with the bearer token of a ${kind} (seen before) ÷ with an API key, ${CONNECTIONS} connections`,
          goal: { bound: 'at least', value: 0.95 },
          figures: compared(['key', found.key], [kind, found[kind]]),
        },
        rates(found.key),
        rates(found[kind]),
      ),
    );
  } finally {
    await gateway.stop();
  }
}

export const auth: Benchmark = async (context) => [
  ...(await checkedAgainstUnchecked(context, 'key')),
  ...(await checkedAgainstUnchecked(context, 'bearer')),
  ...(await tokensAgainstKey(context)),
];
