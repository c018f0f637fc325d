/** Emulated venues, each in a process of its own, for gateways that are killed: how one is connected there, and what is true. */
import { randomBytes } from 'node:crypto';
import { addressOf, toHex } from '../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import * as hyperliquid from '../../support/venues/hyperliquid/remote.ts';
import * as lighter from '../../support/venues/lighter/remote.ts';
import { makeKey } from '../../support/venues/lighter/trader.ts';

/** The venue's own records of the account. */
export interface VenueTruth {
  /** Client's names of its orders, each as often as the venue has it. */
  readonly orders: readonly string[];
  readonly fills: readonly { readonly coin: string; readonly isBuy: boolean; readonly size: string }[];
  readonly positions: readonly { readonly coin: string; readonly size: string }[];
}

export interface CrashVenue {
  readonly connector: string;
  readonly credentials: Readonly<Record<string, string | number>>;
  /** Environment of the gateway, set once the venue runs. */
  readonly env: Readonly<Record<string, string>>;
  begin(): Promise<void>;
  /** One leg of the next orders is refused. */
  refuseLeg(): Promise<void>;
  truth(): Promise<VenueTruth>;
  end(): Promise<void>;
}

function running<T>(emulator: T | null): T {
  if (emulator === null) throw new Error('there is no venue');
  return emulator;
}

export function crashHyperliquid(): CrashVenue {
  const address = addressOf(randomBytes(32));
  const agent = randomBytes(32);
  let emulator: hyperliquid.RemoteEmulator | null = null;
  return {
    connector: 'hyperliquid',
    credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
    get env() {
      return { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: running(emulator).url };
    },
    async begin() {
      emulator = await hyperliquid.launchEmulator({ pulseMs: 500 });
      const { script } = emulator;
      await script.addAccount({ address, deposit: '1000000' });
      await script.addAgent(address, addressOf(agent));
      await script.setRequests(address, 0, 1_000_000);
      await script.setWeightPerMinute(null);
    },
    async refuseLeg() {
      const text = 'Insufficient margin to place order. asset=1';
      await running(emulator).script.fault({ on: 'order', do: 'refuse_leg', leg: 1, text });
    },
    async truth() {
      const { orders, fills, positions } = await running(emulator).script.state(address);
      return {
        orders: orders.map(({ cloid }) => String(cloid)),
        fills: fills.map(({ coin, side, sz }) => ({ coin, isBuy: side === 'B', size: sz })),
        positions: positions.map(({ coin, size }) => ({ coin, size })),
      };
    },
    end: async () => emulator?.close(),
  };
}

const ACCOUNT = 4_711;
const KEY_INDEX = 7;

export function crashLighter(): CrashVenue {
  const key = makeKey('crash');
  let emulator: lighter.RemoteEmulator | null = null;
  return {
    connector: 'lighter',
    credentials: { accountIndex: ACCOUNT, apiKeyIndex: KEY_INDEX, apiPrivateKey: key.privateKey },
    get env() {
      return { TANDEM_LIVE: 'on', TANDEM_LIGHTER_URL: running(emulator).url };
    },
    async begin() {
      emulator = await lighter.launchEmulator({ pulseMs: 500 });
      const l1Address = `0x${'c4'.repeat(20)}`;
      const keys = { [KEY_INDEX]: key.publicKey };
      await emulator.script.addAccount({ index: ACCOUNT, l1Address, collateral: '1000000', keys });
    },
    async refuseLeg() {
      await running(emulator).script.refuseInSequencer({ kind: 'createOrder' });
    },
    async truth() {
      const { orders, trades, positions } = await running(emulator).script.state(ACCOUNT);
      const nameOf = new Map(orders.map(({ order, symbol }) => [order, symbol]));
      return {
        orders: orders.map(({ client }) => String(client)),
        fills: trades.map((trade) => {
          const isBuy = trade.bid_account_id === ACCOUNT;
          const order = isBuy ? trade.bid_id : trade.ask_id;
          return { coin: nameOf.get(order) ?? String(trade.market_id), isBuy, size: trade.size };
        }),
        positions: positions.map(({ symbol, size }) => ({ coin: symbol, size })),
      };
    },
    end: async () => emulator?.close(),
  };
}
