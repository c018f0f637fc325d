/** Settings of Lighter. The source of `live` is named once, beside the other venues. */

import { z } from 'zod';
import { type SettingSource, same } from '../../../setting-source.ts';
import { EMULATOR_URL, emulatorUrl, LIVE_SETTINGS } from '../kit/live-settings.ts';
import { INTEGRATOR_FORM, integratorText } from './setup/integrator-setting.ts';

export const LIGHTER_SETTINGS = {
  ...LIVE_SETTINGS,
  lighterUrl: emulatorUrl,
  lighterTestnetUrl: emulatorUrl,
  lighterIntegrator: integratorText,
  /** Requests, and transactions, a minute that an emulator takes; null: as many as the venue. */
  lighterPerMinute: z.int().positive().nullable().default(null),
};

export const LIGHTER_SOURCES: readonly SettingSource<keyof typeof LIGHTER_SETTINGS>[] = [
  { name: 'lighterUrl', variable: 'TANDEM_LIGHTER_URL', read: same, expected: EMULATOR_URL },
  { name: 'lighterTestnetUrl', variable: 'TANDEM_LIGHTER_TESTNET_URL', read: same, expected: EMULATOR_URL },
  { name: 'lighterIntegrator', variable: 'TANDEM_LIGHTER_INTEGRATOR', read: same, expected: INTEGRATOR_FORM },
];
