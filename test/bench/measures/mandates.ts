/** Cost of a mandate per acknowledgement: the same orders by a key with one and by a key without. */
import { databaseFile } from '../../../gateway/config.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { type Benchmark, loop } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { call, field, type Gateway, makeFolder, newGateway, settle, startGateway } from '../gateway-home.ts';
import type { ClosedLoopResult } from '../load/load-protocol.ts';
import { withGateways } from '../measured-gateways.ts';
import { alternate } from '../rounds.ts';
import { openSeedDatabase } from '../seed-orders.ts';
import { ratioMeasure } from '../verdict.ts';

const CONNECTIONS = 64;
/** V8's compilation and heap placement make a process some hundredths faster or slower for its lifetime. */
const PAIRS = 3;

/** A key whose mandate sets every limit that an order can be held to, and that every order of the benchmark keeps to. */
async function limitedKey({ port, accessToken, tradeAccountId }: Gateway): Promise<string> {
  const mandate = smallMandate(tradeAccountId, {
    ...{ maxOrderUsd: '1000000000', maxOpenedUsd24h: '100000000000', maxGrossUsd: '100000000000' },
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    ...{ maxPositions: 10_000, lossStop: { usd: '1000000', then: 'SUSPEND' } },
    validUntil: '2100-01-01T00:00:00.000Z',
    approval: {
      ...{ when: 'above', aboveUsd: '1000000', kinds: [], passwordAboveUsd: null },
      ...{ lifeSeconds: 600, driftBps: 50, firsts: 'live' },
    },
    rate: { perMinute: 600, perDay: 100_000, coolDownSeconds: 0 },
  });
  const headers = { authorization: `Bearer ${accessToken}` };
  const body = { label: 'limited', scope: 'read_write', mandate };
  return field(await call(port, 'POST', '/api-keys', headers, body), 'key');
}

/**
 * A gateway whose key has a mandate, with more orders a minute than anybody may allow over HTTP.
 */
async function limitedGateway(): Promise<Gateway> {
  const dataDir = await makeFolder();
  const identity = await settle(dataDir);
  const first = await startGateway(dataDir);
  const apiKey = await limitedKey({ ...first, ...identity }).finally(() => first.stop());
  const { exec, close } = await openSeedDatabase(databaseFile(dataDir));
  await exec(
    "UPDATE agent_mandates SET terms = json_set(terms, '$.rate.perMinute', 1000000000, '$.rate.perDay', 1000000000)",
  );
  await close();
  return { ...(await startGateway(dataDir)), ...identity, apiKey };
}

export const mandates: Benchmark = async (context) => {
  const without: ClosedLoopResult[] = [];
  const limited: ClosedLoopResult[] = [];
  const gateways = { without: () => newGateway(), limited: limitedGateway };
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    context.say(`mandates: ${CONNECTIONS} connections, pair ${pair} of ${PAIRS} gateways`);
    const found = await withGateways(context, gateways, (targets) =>
      alternate(Math.ceil(context.rounds / PAIRS), {
        without: loop(context, targets.without, CONNECTIONS),
        limited: loop(context, targets.limited, CONNECTIONS),
      }),
    );
    without.push(...found.without);
    limited.push(...found.limited);
  }
  return [
    ratioMeasure(
      {
        name: 'ack/64/mandate-vs-none',
        about:
          'acknowledgements a second of a key with a mandate ÷ of one without, 64 connections, three pairs of gateways',
        goal: { bound: 'at least', value: 0.95 },
        figures: compared(['without', without], ['limited', limited]),
      },
      rates(without),
      rates(limited),
    ),
  ];
};
