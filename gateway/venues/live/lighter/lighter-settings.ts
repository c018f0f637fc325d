/** Settings of Lighter. Where `live` comes from is named once, beside the other venues. */
import { type SettingSource, same } from '../../../setting-source.ts';
import { EMULATOR_URL, emulatorUrl, LIVE_SETTINGS } from '../kit/live-settings.ts';

export const LIGHTER_SETTINGS = {
  ...LIVE_SETTINGS,
  lighterUrl: emulatorUrl,
  lighterTestnetUrl: emulatorUrl,
};

export const LIGHTER_SOURCES: readonly SettingSource<keyof typeof LIGHTER_SETTINGS>[] = [
  { name: 'lighterUrl', variable: 'TANDEM_LIGHTER_URL', read: same, expected: EMULATOR_URL },
  { name: 'lighterTestnetUrl', variable: 'TANDEM_LIGHTER_TESTNET_URL', read: same, expected: EMULATOR_URL },
];
