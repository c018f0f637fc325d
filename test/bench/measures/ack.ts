/** The cost of a durable acknowledgement of `POST /trade/open` with four legs. */
import { type Benchmark, loop } from '../bench-context.ts';
import { compared, rates, tails } from '../closed-loop-figures.ts';
import { newGateway } from '../gateway-home.ts';
import { withGateways } from '../measured-gateways.ts';
import { alternate } from '../rounds.ts';
import { median, spread } from '../statistics.ts';
import { judge, type Measure, ratioMeasure } from '../verdict.ts';

/** The uncommitted server is what the durable one is divided by. */
export const commitCost: Benchmark = async (context) => {
  const gateways = {
    uncommitted: () => newGateway({ store: 'uncommitted' }),
    durable: () => newGateway(),
  };
  return withGateways(context, gateways, async ({ uncommitted, durable }) => {
    const measures: Measure[] = [];
    for (const [connections, goal] of [
      [64, 0.8],
      [16, 0.55],
      [1, null],
    ] as const) {
      context.say(`ack: ${connections} connections`);
      const found = await alternate(context.rounds, {
        uncommitted: loop(context, uncommitted, connections),
        durable: loop(context, durable, connections),
      });
      measures.push(
        ratioMeasure(
          {
            name: `ack/${connections}/durable-vs-uncommitted`,
            about: `acknowledgements a second, commit on disk ÷ commit left out, ${connections} connections`,
            goal: goal === null ? null : { bound: 'at least', value: goal },
            figures: compared(['uncommitted', found.uncommitted], ['durable', found.durable]),
          },
          rates(found.uncommitted),
          rates(found.durable),
        ),
      );
      if (connections === 64) measures.push(tailMeasure(tails(found.durable), rates(found.durable)));
    }
    return measures;
  });
};

function tailMeasure(tailRounds: readonly number[], durableRates: readonly number[]): Measure {
  const goal = { bound: 'at most', value: 4 } as const;
  const value = median(tailRounds);
  const baseSpread = spread(durableRates);
  return {
    name: 'ack/64/p99-vs-p50',
    about: 'slowest hundredth of the durable acknowledgements ÷ their median, 64 connections',
    unit: '×',
    value,
    goal,
    verdict: judge(goal, value, baseSpread),
    ratio: { median: value, lowest: Math.min(...tailRounds), highest: Math.max(...tailRounds) },
    baseSpread,
    figures: { rounds: tailRounds },
  };
}
