/** Armed triggers: what a tick costs against a scan and as they become more, how fast they load, what they weigh. */
import type { Benchmark } from '../bench-context.ts';
import { measureTriggers } from '../child-programs.ts';
import { median, spread } from '../statistics.ts';
import { judge, type Measure, ratioMeasure, valueMeasure } from '../verdict.ts';

const FEW = 1_000;
const MANY = 100_000;
const SIZES = [FEW, 10_000, MANY];
const SCANNED = 1_000_000;
const ABOUT_TRIGGERS = 'weighted ratios of 2–5 of 300 instruments, every basket different';

const perSecond = (us: number): number => 1e6 / us;
const megabytesPer10k = (bytes: number, triggers: number): number => (bytes / 2 ** 20 / triggers) * 10_000;

/** e of cost = c × armed^e between the fewest and the most. */
function exponentMeasure(
  few: readonly number[],
  many: readonly number[],
  middle: readonly number[],
): Measure {
  const goal = { bound: 'at most', value: 0.3 } as const;
  const rounds = many.map((us, round) => Math.log(us / (few[round] ?? Number.NaN)) / Math.log(MANY / FEW));
  const value = median(rounds);
  const baseSpread = spread(few);
  return {
    name: 'triggers/growth-exponent',
    about: `exponent with which the CPU time of a tick grows from ${FEW} to ${MANY} armed; ${ABOUT_TRIGGERS}`,
    unit: '',
    value,
    goal,
    verdict: judge(goal, value, baseSpread),
    ratio: { median: value, lowest: Math.min(...rounds), highest: Math.max(...rounds) },
    baseSpread,
    figures: { us1k: median(few), us10k: median(middle), us100k: median(many), rounds },
  };
}

export const triggers: Benchmark = async (context) => {
  context.say('triggers: a million baskets against a scan takes half a minute');
  const found = await measureTriggers({ rounds: context.rounds, sizes: SIZES, scanned: SCANNED });
  const most = SIZES.indexOf(MANY);
  return [
    ratioMeasure(
      {
        name: 'triggers/1m/tick-vs-scan',
        about: `ticks a second of CPU time, the index ÷ a linear scan in floats, ${SCANNED} armed: ${ABOUT_TRIGGERS}`,
        goal: { bound: 'at least', value: 10_000 },
        figures: {
          'scan.usPerTick': median(found.scanUs),
          'index.usPerTick': median(found.indexUs),
          loadSeconds: found.scannedLoadMs / 1_000,
          megabytesPer10k: megabytesPer10k(found.scannedBytes, SCANNED),
          differentBaskets: found.scannedMeasures,
          stillArmed: found.scannedArmed,
        },
      },
      found.scanUs.map(perSecond),
      found.indexUs.map(perSecond),
    ),
    exponentMeasure(found.growth[SIZES.indexOf(FEW)] ?? [], found.growth[most] ?? [], found.growth[1] ?? []),
    valueMeasure(
      {
        name: 'triggers/100k/load',
        about: `arming ${MANY} triggers from records in memory, as at a start, prices known`,
        unit: 's',
        goal: { bound: 'at most', value: 3 },
        figures: {},
      },
      (found.loadMs[most] ?? Number.NaN) / 1_000,
    ),
    valueMeasure(
      {
        name: 'triggers/100k/memory-per-10k',
        about: `bytes that ${MANY} armed triggers keep in use, their ids included, per 10,000`,
        unit: 'MB',
        goal: { bound: 'at most', value: 7 },
        figures: {},
      },
      megabytesPer10k(found.bytes[most] ?? Number.NaN, MANY),
    ),
  ];
};
