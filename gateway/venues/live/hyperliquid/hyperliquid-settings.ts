/** Settings of live venues, and of Hyperliquid. */
import { z } from 'zod';
import { type SettingSource, same } from '../../../setting-source.ts';

/** An origin on this machine, for an emulator: real keys must not be sent anywhere but to the venue. */
const loopback = z
  .url()
  .refine((text) => /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?\/?$/.test(text), {
    message: 'only http:// on loopback is allowed',
  })
  .transform((text) => text.replace(/\/$/, ''));

export const HYPERLIQUID_SETTINGS = {
  /** False keeps every live connector away. */
  live: z.boolean().default(true),
  /** Emulator that stands in for the venue; null: the venue itself. */
  hyperliquidUrl: loopback.nullable().default(null),
  hyperliquidTestnetUrl: loopback.nullable().default(null),
};

const onOff = (text: string) => (text === 'off' ? false : text === 'on' ? true : text);

// biome-ignore format: a table is read by its columns
export const HYPERLIQUID_SOURCES: readonly SettingSource<keyof typeof HYPERLIQUID_SETTINGS>[] = [
  { name: 'live', variable: 'TANDEM_LIVE', file: 'live', read: onOff, expected: 'on or off' },
  { name: 'hyperliquidUrl', variable: 'TANDEM_HYPERLIQUID_URL', read: same, expected: 'an http:// address on loopback' },
  { name: 'hyperliquidTestnetUrl', variable: 'TANDEM_HYPERLIQUID_TESTNET_URL', read: same, expected: 'an http:// address on loopback' },
];
