/** Gateways that take orders in a closed loop. */
import { openBodies, openRequest } from './basket-requests.ts';
import { type BenchContext, type Target, warmUp } from './bench-context.ts';
import { type Gateway, instrumentIds } from './gateway-home.ts';

/** Different baskets that the orders of a measure are made of. */
const BODIES = 4_096;

/** `POST /trade/open` with four legs. */
export async function orderTarget(
  gateway: Pick<Gateway, 'port' | 'pid' | 'apiKey' | 'tradeAccountId'>,
): Promise<Target> {
  const bodies = openBodies(await instrumentIds(gateway.port), BODIES);
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: bodies.map((body) => openRequest(gateway, body)),
    status: 202,
  };
}

/** Starts one gateway a side, warms each up, and stops all of them after `run`. */
export async function withGateways<Side extends string, Result>(
  context: BenchContext,
  sides: Readonly<Record<Side, () => Promise<Gateway>>>,
  run: (targets: Readonly<Record<Side, Target>>) => Promise<Result>,
): Promise<Result> {
  const started: Gateway[] = [];
  try {
    const targets: [string, Target][] = [];
    for (const [side, start] of Object.entries<() => Promise<Gateway>>(sides)) {
      const gateway = await start();
      started.push(gateway);
      const target = await orderTarget(gateway);
      await warmUp(context, target, 64);
      targets.push([side, target]);
    }
    return await run(Object.fromEntries(targets) as Record<Side, Target>);
  } finally {
    for (const gateway of started) await gateway.stop();
  }
}
