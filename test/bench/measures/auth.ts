/** What looking at the credential adds to a cheap authenticated route. */
import { requestBytes } from '../basket-requests.ts';
import { type BenchContext, type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { type Gateway, grantToken, newGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { type Measure, ratioMeasure } from '../verdict.ts';

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

/** The same request bytes to both; the other server takes the first credential's answer for every later one. */
async function checkedAgainstUnchecked(
  context: BenchContext,
  credential: 'key' | 'bearer',
): Promise<Measure> {
  const open = await newGateway({ unchecked: true });
  const checked = await newGateway();
  const headers = (gateway: Gateway) =>
    credential === 'key' ? byKey(gateway) : byBearer(gateway.accessToken);
  try {
    const sides = { unchecked: target(open, headers(open)), checked: target(checked, headers(checked)) };
    await warmUp(context, sides.unchecked, CONNECTIONS);
    await warmUp(context, sides.checked, CONNECTIONS);
    context.say(`auth: ${credential}`);
    const found = await alternate(context.rounds, {
      unchecked: loop(context, sides.unchecked, CONNECTIONS),
      checked: loop(context, sides.checked, CONNECTIONS),
    });
    return ratioMeasure(
      {
        name: `auth/${credential}/checked-vs-unchecked`,
        about: `GET ${ROUTE} a second with the ${credential === 'key' ? 'API key' : 'bearer token (seen before)'} checked ÷ not looked at, ${CONNECTIONS} connections`,
        goal: { bound: 'at least', value: 0.95 },
        figures: compared(['unchecked', found.unchecked], ['checked', found.checked]),
      },
      rates(found.unchecked),
      rates(found.checked),
    );
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
  await checkedAgainstUnchecked(context, 'key'),
  await checkedAgainstUnchecked(context, 'bearer'),
  ...(await tokensAgainstKey(context)),
];
