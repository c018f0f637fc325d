/** The screener of 100 instruments and 90 days: how long it takes, and whether acknowledgements suffer from it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBodies, openRequest } from '../basket-requests.ts';
import { type Benchmark, loop, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { instrumentIds, newGateway } from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { ratioMeasure, valueMeasure } from '../verdict.ts';

/** About what `beginScreen` takes: a gateway that has stood still so long answers slower at first, on both sides. */
const STANDSTILL_MS = 6_500;
const BODIES = 4_096;
const CONNECTIONS = 64;

export const screener: Benchmark = async (context) => {
  const gateway = await newGateway();
  try {
    const instruments = await instrumentIds(gateway.port);
    const target = {
      port: gateway.port,
      pid: gateway.pid,
      requests: openBodies(instruments, BODIES).map((body) => openRequest(gateway, body)),
      status: 202,
    };
    await warmUp(context, target, CONNECTIONS);
    context.say('screener: 4,950 pairs, nothing beside them');
    const wholeMs = await gateway.wholeScreen();
    context.say('screener: acknowledgements beside it');
    const round = loop(context, target, CONNECTIONS);
    const acks = await alternate(context.rounds, {
      without: async () => {
        await sleep(STANDSTILL_MS);
        return round();
      },
      screening: async () => {
        const end = await gateway.beginScreen();
        try {
          return await round();
        } finally {
          await end();
        }
      },
    });
    return [
      valueMeasure(
        {
          name: 'screener/whole',
          about:
            'from the first question to the statistics of 4,950 pairs over 2,160 hours, in the thread of the screener',
          unit: 's',
          goal: { bound: 'at most', value: 30 },
          figures: {},
        },
        wholeMs / 1_000,
      ),
      ratioMeasure(
        {
          name: 'screener/acks-beside',
          about:
            "acknowledgements a second while the screener's thread computes pairs, from the second tenth on ÷ while none are, 64 connections",
          goal: { bound: 'at least', value: 0.95 },
          figures: compared(['without', acks.without], ['screening', acks.screening]),
        },
        rates(acks.without),
        rates(acks.screening),
      ),
    ];
  } finally {
    await gateway.stop();
  }
};
