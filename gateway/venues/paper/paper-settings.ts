/** Settings of the paper venues. */
import { z } from 'zod';
import { decimalNumber, type SettingSource, same, wholeNumber } from '../../setting-source.ts';
import type { PaperConnector } from './market/instruments.ts';

export const PAPER_CONNECTORS: readonly PaperConnector[] = ['paper', 'paper-cross'];

export const PAPER_SETTINGS = {
  /** null: the seed stored at the first start. */
  paperSeed: z.int().min(0).nullable().default(null),
  paperProfile: z.enum(['realistic', 'frictionless', 'thin', 'brutal']).default('realistic'),
  /** Simulated seconds per real second. */
  paperSpeed: z.number().min(0.01).max(10_000).default(1),
  /** File of recorded candles (`symbol,t,open,high,low,close,volume`) that the paper markets follow; null: simulated. */
  paperReplay: z.string().min(1).nullable().default(null),
  /** Test only: address of a venue simulator in a process of its own. */
  paperSim: z
    .strictObject({ host: z.string().min(1), port: z.int().min(1).max(65_535) })
    .nullable()
    .default(null),
  /** Test only: script of venue faults. */
  faultScript: z.string().min(1).nullable().default(null),
};
export type PaperSettings = z.infer<z.ZodObject<typeof PAPER_SETTINGS>>;

/** Paper connectors that run in this process and keep their files in its data folder. */
export function embeddedConnectors({ paperSim }: Pick<PaperSettings, 'paperSim'>): readonly PaperConnector[] {
  return PAPER_CONNECTORS.filter((connector) => paperSim === null || connector !== 'paper');
}

// biome-ignore format: a table is read by its columns
export const PAPER_SOURCES: readonly SettingSource<keyof typeof PAPER_SETTINGS>[] = [
  { name: 'paperSeed', variable: 'TANDEM_PAPER_SEED', file: 'paperSeed', read: wholeNumber, expected: 'a whole number',
    flag: { name: '--paper-seed', kind: 'text', value: '<number>', help: 'Seed of the simulated markets (stored at first start)' } },
  { name: 'paperProfile', variable: 'TANDEM_PAPER_PROFILE', file: 'paperProfile', read: same, expected: 'realistic, frictionless, thin or brutal',
    flag: { name: '--paper-profile', kind: 'text', value: '<name>', help: 'realistic, frictionless, thin, brutal (realistic)' } },
  { name: 'paperSpeed', variable: 'TANDEM_PAPER_SPEED', file: 'paperSpeed', read: decimalNumber, expected: 'a number from 0.01 to 10000',
    flag: { name: '--paper-speed', kind: 'text', value: '<factor>', help: 'Speed of the simulated markets, times real time (1)' } },
  { name: 'paperReplay', variable: 'TANDEM_PAPER_REPLAY', file: 'paperReplay', read: same, expected: 'a file of candles',
    flag: { name: '--paper-replay', kind: 'text', value: '<file>', help: 'Candles (CSV) that the simulated markets follow from their first start' } },
];
