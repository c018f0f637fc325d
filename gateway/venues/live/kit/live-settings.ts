/** Settings that live venues share, and the form of those by which each is pointed at an emulator. */
import { z } from 'zod';
import type { SettingSource } from '../../../setting-source.ts';

/** An origin on this machine, for an emulator: real keys must not be sent anywhere but to the venue. */
const loopback = z
  .url()
  .refine((text) => /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?\/?$/.test(text), {
    message: 'only http:// on loopback is allowed',
  })
  .transform((text) => text.replace(/\/$/, ''));

/** Emulator that replaces a venue; null: the venue itself. */
export const emulatorUrl = loopback.nullable().default(null);
export const EMULATOR_URL = 'an http:// address on loopback';

export const LIVE_SETTINGS = {
  /** False: no live connector is offered. */
  live: z.boolean().default(true),
};

const onOff = (text: string) => (text === 'off' ? false : text === 'on' ? true : text);

export const LIVE_SOURCES: readonly SettingSource<keyof typeof LIVE_SETTINGS>[] = [
  { name: 'live', variable: 'TANDEM_LIVE', file: 'live', read: onOff, expected: 'on or off' },
];
