/** An account of the emulated venue: money, positions, history and the agents that may trade for it. */
import { type Decimal, dec, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { Account as SharedAccount } from '../../shared/world/parts.ts';
import type { Asset } from './universe.ts';
import type { OrderState } from './world.ts';

export interface Fill {
  /** Name of a market, ours or another: `@107` is of the spot market, `flx:CRCL` of another exchange on the venue. */
  readonly coin: string;
  readonly px: Decimal;
  readonly sz: Decimal;
  readonly isBuy: boolean;
  readonly time: number;
  readonly startPosition: Decimal;
  readonly dir: string;
  readonly closedPnl: Decimal;
  readonly hash: string;
  readonly oid: number;
  readonly cloid: string | null;
  readonly crossed: boolean;
  readonly fee: Decimal;
  readonly feeToken: string;
  readonly tid: number;
  readonly liquidation: { readonly liquidatedUser: string; readonly markPx: Decimal } | null;
}

export interface Agent {
  readonly address: string;
  /** '': the account's one agent without a name, which `extraAgents` does not list. */
  readonly name: string;
  validUntil: number;
}

export type Abstraction = 'default' | 'disabled' | 'unifiedAccount' | 'portfolioMargin' | 'dexAbstraction';

export interface Account extends SharedAccount<Asset> {
  readonly address: string;
  readonly kind: 'user' | 'subAccount' | 'vault';
  /** Address that trades a subaccount or vault. */
  readonly master: string | null;
  deposits: Decimal;
  readonly fills: Fill[];
  /** States of its orders, oldest first. */
  readonly states: OrderState[];
  agents: Agent[];
  abstraction: Abstraction;
  /** Coins of the spot wallet by name; USDC there is margin of perpetuals only in the unified modes. */
  readonly spot: Map<string, Decimal>;
  takerRate: Decimal;
  makerRate: Decimal;
  requestsUsed: number;
  /** Requests that the account has beside one per USDC traded. */
  requestBuffer: number;
}

export interface AccountTemplate {
  readonly address: string;
  /** USDC. */
  readonly deposit: string;
  readonly kind?: Account['kind'];
  readonly master?: string;
}

export function makeAccount({ address, deposit, kind, master }: AccountTemplate): Account {
  return {
    address: address.toLowerCase(),
    kind: kind ?? 'user',
    master: master?.toLowerCase() ?? null,
    ...{ cash: dec(deposit), deposits: dec(deposit) },
    ...{ positions: new Map(), margins: new Map(), fills: [], states: [], funding: [], agents: [] },
    abstraction: 'default',
    spot: new Map(),
    takerRate: dec('0.00045'),
    makerRate: dec('0.00015'),
    ...{ volume: ZERO, requestsUsed: 0, requestBuffer: 10_000 },
  };
}

/** True: the money lies in the spot wallet, and the summary of the perpetuals does not tell it. */
export function isUnified({ abstraction }: Account): boolean {
  return abstraction === 'unifiedAccount' || abstraction === 'portfolioMargin';
}
