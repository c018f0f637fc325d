/** An emulated venue with one funded account, its trader and the wallet that owns it. */
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
import { makeKey, Trader } from './trader.ts';

export const ACCOUNT = 7;

export interface Funded {
  readonly venue: Emulator;
  readonly trader: Trader;
  readonly owner: PrivateKeyAccount;
  /** Clock of venue and trader. */
  readonly clock: FakeClock;
  close(): Promise<void>;
}

/** Account 7 with 10,000 USDC and a key 4; markets say nothing but what changes. */
export async function startFunded(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Funded> {
  const key = makeKey('trader');
  const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const account = {
    index: ACCOUNT,
    l1Address: owner.address,
    collateral: '10000',
    keys: { 4: key.publicKey },
  };
  const accounts = [account, ...(options.accounts ?? [])];
  const clock = createFakeClock();
  const venue = await startEmulator({ pulseMs: 0, ...options, accounts, clock });
  const { network = 'mainnet' } = options;
  const trader = new Trader(venue.url, { account: ACCOUNT, key, network, clock });
  return { venue, trader, owner, clock, close: () => venue.close() };
}
