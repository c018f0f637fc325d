/** An account of the emulated venue: money, positions, history and the keys that act for it. */
import { type Decimal, dec, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { TradeKind } from '../../shared/world/exchange.ts';
import type { Account as SharedAccount } from '../../shared/world/parts.ts';
import type { Market } from './markets.ts';

/** One side of a trade. */
export interface TradeSide {
  readonly account: number;
  readonly orderIndex: number;
  /** 0: none. */
  readonly clientIndex: number;
  /** Fee in millionths of the amount. */
  readonly fee: number;
  /** Account that collects a fee beside the venue's; 0: nobody. */
  readonly integrator: number;
  readonly integratorFee: number;
  readonly sizeBefore: Decimal;
  readonly costBefore: Decimal;
  readonly fractionBefore: number;
  readonly allocatedBefore: Decimal;
  readonly allocatedAfter: Decimal;
  readonly pnl: Decimal;
  readonly signChanged: boolean;
}

export interface Trade {
  readonly id: number;
  readonly hash: string;
  readonly type: TradeKind;
  readonly market: Market;
  readonly size: Decimal;
  readonly price: Decimal;
  readonly ask: TradeSide;
  readonly bid: TradeSide;
  readonly isMakerAsk: boolean;
  readonly block: number;
  /** Epoch ms. */
  readonly time: number;
}

export interface ApiKey {
  readonly index: number;
  /** 80 hexadecimal digits. */
  publicKey: string;
  /** Number of the next transaction that the API takes. */
  nextNonce: number;
  /** Number of the next one that the sequencer takes: smaller while others wait. */
  committed: number;
  changedAt: number;
}

export interface Deposit {
  readonly id: string;
  /** Positive. */
  readonly amount: Decimal;
  readonly time: number;
  readonly hash: string;
}

export interface Integrator {
  readonly account: number;
  readonly perpsTaker: number;
  readonly perpsMaker: number;
  readonly spotTaker: number;
  readonly spotMaker: number;
  /** Epoch ms. */
  readonly until: number;
}

export type Tier = 'standard' | 'premium' | 'plus' | 'builder';

export interface Account extends SharedAccount<Market> {
  readonly index: number;
  /** Lower case. */
  readonly l1Address: string;
  /** Index of a subaccount's master account. */
  readonly master: number | null;
  readonly deposits: Deposit[];
  readonly withdrawals: Deposit[];
  readonly trades: Trade[];
  readonly keys: Map<number, ApiKey>;
  readonly integrators: Map<number, Integrator>;
  tradingMode: 0 | 1;
  tier: Tier;
  /** Epoch ms; 0: never. */
  tierChangedAt: number;
  /** Millionths. */
  takerFee: number;
  makerFee: number;
  readonly createdAt: number;
}

export interface AccountTemplate {
  readonly index: number;
  readonly l1Address: string;
  /** USDC. */
  readonly collateral: string;
  /** Public keys by their index. */
  readonly keys?: Readonly<Record<number, string>>;
  readonly tier?: Tier;
  readonly master?: number;
}

export function makeAccount(template: AccountTemplate, now: number, hash: string): Account {
  const { index, l1Address, collateral, keys = {}, tier = 'standard', master = null } = template;
  const amount = dec(collateral);
  const made: Account = {
    ...{ index, l1Address: l1Address.toLowerCase(), master, cash: amount },
    deposits: amount.isZero() ? [] : [{ id: `deposit-${index}`, amount, time: now, hash }],
    ...{ withdrawals: [], positions: new Map(), margins: new Map(), trades: [], funding: [] },
    ...{ keys: new Map(), integrators: new Map(), tradingMode: 0 },
    ...{ tier, tierChangedAt: 0, ...FEES[tier], volume: ZERO, createdAt: now },
  };
  for (const [key, publicKey] of Object.entries(keys)) setKey(made, Number(key), publicKey, now);
  return made;
}

/** Millionths; of premium the entry level. */
export const FEES: Readonly<Record<Tier, { readonly takerFee: number; readonly makerFee: number }>> = {
  standard: { takerFee: 0, makerFee: 0 },
  plus: { takerFee: 50, makerFee: 50 },
  premium: { takerFee: 280, makerFee: 40 },
  builder: { takerFee: 280, makerFee: 40 },
};

/** A key of the account; one that is there already keeps its nonces, as on the venue. */
export function setKey(account: Account, index: number, publicKey: string, now: number): void {
  const known = account.keys.get(index);
  const text = publicKey.replace(/^0x/, '').toLowerCase();
  if (known === undefined) {
    account.keys.set(index, { index, publicKey: text, nextNonce: 0, committed: 0, changedAt: now });
  } else {
    known.publicKey = text;
    known.changedAt = now;
  }
}
