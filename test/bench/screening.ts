/** The screener in a process of the benchmark, over the made prices of 100 instruments and 90 days of hours. */
import type { Instrument } from '../../gateway/domain/model.ts';
import { createScreener } from '../../gateway/market/screener/screener.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { perp } from '../support/market-venue.ts';
import { screenerWorld, WORLD_HOURS, WORLD_INSTRUMENTS, worldId } from '../support/screener-world.ts';
import { silentLogger } from '../support/silent-logger.ts';

const HOUR_MS = 3_600_000;
const LOOK_MS = 20;

export interface Screening {
  /** Resolves when a tenth of the pairs has been computed: V8 has compiled the thread's program by then. */
  begun(): Promise<void>;
  /** Resolves with the time from the question to the whole screen, ms. */
  done(): Promise<number>;
  end(): void;
}

let world: ReturnType<typeof screenerWorld> | null = null;

export function startScreening(): Screening {
  world ??= screenerWorld();
  const columns = world;
  const last = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  // Made with each question and kept by nobody, as those of the store are: a heap full of rows would slow everything.
  const rowsOf = (index: number) =>
    Array.from(columns[index] ?? [], (log, hour) => ({
      at: last - (WORLD_HOURS - 1 - hour) * HOUR_MS,
      prices: [String(Math.exp(log))],
    })).filter(({ prices: [price] }) => price !== 'NaN');
  const instruments: readonly Instrument[] = Array.from({ length: WORLD_INSTRUMENTS }, (_, index) => ({
    ...perp('paper', 'X'),
    id: worldId(index),
  }));
  const screener = createScreener({
    market: { instruments: () => instruments, stats: () => undefined },
    candles: { closes: async ({ symbols }) => rowsOf(Number(symbols[0]?.slice(1, 4))) },
    clock: systemClock,
    logger: silentLogger,
  });
  const since = performance.now();
  screener.of('paper');
  const until = async (isSo: () => boolean): Promise<number> => {
    while (!isSo()) await systemClock.sleep(LOOK_MS);
    return performance.now() - since;
  };
  return {
    begun: async () => {
      await until(() => {
        const { progress } = screener.of('paper');
        return progress === null || progress.done > progress.total / 10;
      });
    },
    done: () => until(() => screener.of('paper').screen !== null),
    end: () => screener.close(),
  };
}
