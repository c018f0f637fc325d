/**
 * Settings for tests and benchmarks alone (NODE_ENV=test or bench). config.ts loads this file when it exists; the file
 * is bundled by itself and not shipped.
 */
import { type SettingSource, same, yesNo } from './setting-source.ts';

const hostAndPort = (text: string) => {
  const [, host, port] =
    /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text)?.filter((part) => part) ?? [];
  return host === undefined ? text : { host, port: Number(port) };
};

// biome-ignore format: a table is read by its columns
export const TEST_SETTINGS: readonly SettingSource[] = [
  { name: 'paperSim', variable: 'TANDEM_PAPER_SIM', read: hostAndPort, expected: 'host:port',
    flag: { name: '--paper-sim', kind: 'text', hidden: true, help: '' } },
  { name: 'faultScript', variable: 'TANDEM_FAULT_SCRIPT', read: same, expected: 'a file',
    flag: { name: '--fault-script', kind: 'text', hidden: true, help: '' } },
  { name: 'heldRunner', variable: 'TANDEM_HELD_RUNNER', read: yesNo, expected: 'true or false',
    flag: { name: '--held-runner', kind: 'switch', hidden: true, help: '' } },
];
