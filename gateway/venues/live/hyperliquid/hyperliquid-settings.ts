/** Settings of Hyperliquid. */
import { type SettingSource, same } from '../../../setting-source.ts';
import { EMULATOR_URL, emulatorUrl, LIVE_SETTINGS, LIVE_SOURCES } from '../kit/live-settings.ts';

export const HYPERLIQUID_SETTINGS = {
  ...LIVE_SETTINGS,
  hyperliquidUrl: emulatorUrl,
  hyperliquidTestnetUrl: emulatorUrl,
};

// biome-ignore format: a table is read by its columns
export const HYPERLIQUID_SOURCES: readonly SettingSource<keyof typeof HYPERLIQUID_SETTINGS>[] = [
  ...LIVE_SOURCES,
  { name: 'hyperliquidUrl', variable: 'TANDEM_HYPERLIQUID_URL', read: same, expected: EMULATOR_URL },
  { name: 'hyperliquidTestnetUrl', variable: 'TANDEM_HYPERLIQUID_TESTNET_URL', read: same, expected: EMULATOR_URL },
];
