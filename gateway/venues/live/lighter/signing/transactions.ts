/**
 * Transactions of Lighter that Tandem can sign. Prices, sizes and amounts are integers in the units of the market or
 * asset; the caller scales them by its decimals.
 */

/** Settings that any transaction can carry. Missing ones are not sent. */
export interface TxAttributes {
  /** Account that takes a share of this order's fee; the two fees, in 1e-6, belong to it. Nothing sets it by default. */
  readonly integratorAccountIndex?: number;
  readonly integratorTakerFee?: number;
  readonly integratorMakerFee?: number;
  /** The nonce may then be any that is higher than the last one, instead of the next one. */
  readonly skipNonce?: boolean;
  /** Cancel-all: of this perpetual market alone. */
  readonly cancelAllMarketIndex?: number;
  readonly selfTradeBehavior?: 'expireMaker' | 'expireTaker' | 'cancelBoth' | 'reduce';
  /** Scope of a self-trade: the account, or all accounts of its master. */
  readonly selfTradeEquality?: 'account' | 'masterAccount';
}

interface Tx {
  readonly accountIndex: number;
  /** 0–254: which of the account's keys signs. */
  readonly apiKeyIndex: number;
  /** Nonce of the key; counts up by one. */
  readonly nonce: number;
  /** Epoch ms after which the venue does not execute the transaction any more. */
  readonly expiredAt: number;
  readonly attributes?: TxAttributes;
}

export interface CreateOrderTx extends Tx {
  readonly kind: 'createOrder';
  /** 0–254 a perpetual, 2048–4094 a spot market. */
  readonly marketIndex: number;
  /** 1 … 2^48−1, ours; 0: none. */
  readonly clientOrderIndex: number;
  /** 1 … 2^48−1 units of the market's size; 0 only with reduce-only: all of the position. */
  readonly baseAmount: number;
  /** 1 … 2^32−1 units of the market's price: the worst one accepted. */
  readonly price: number;
  /** Sells. */
  readonly isAsk: boolean;
  readonly type:
    | 'limit'
    | 'market'
    | 'stopLoss'
    | 'stopLossLimit'
    | 'takeProfit'
    | 'takeProfitLimit'
    | 'twap';
  readonly timeInForce: 'ioc' | 'goodTillTime' | 'postOnly';
  readonly reduceOnly: boolean;
  /** In units of the market's price; 0: none. */
  readonly triggerPrice: number;
  /** Epoch ms at which a resting order ends; 0 with `ioc`. */
  readonly orderExpiry: number;
}

export interface CancelOrderTx extends Tx {
  readonly kind: 'cancelOrder';
  readonly marketIndex: number;
  /** Our client order index, or above 2^48−1 the venue's own order index (up to 2^60−1). */
  readonly index: number | bigint;
}

export interface ModifyOrderTx extends Tx {
  readonly kind: 'modifyOrder';
  readonly marketIndex: number;
  /** As in a cancel. */
  readonly index: number | bigint;
  readonly baseAmount: number;
  readonly price: number;
  readonly triggerPrice: number;
}

export interface CancelAllOrdersTx extends Tx {
  readonly kind: 'cancelAllOrders';
  readonly timeInForce: 'immediate' | 'scheduled' | 'abortScheduled';
  /** Epoch ms at which a scheduled one cancels; else 0. */
  readonly time: number;
}

export interface UpdateLeverageTx extends Tx {
  readonly kind: 'updateLeverage';
  readonly marketIndex: number;
  /** 1 … 10 000 in 1e-4: 500 is 5 %, which is a leverage of 20. */
  readonly initialMarginFraction: number;
  readonly marginMode: 'cross' | 'isolated';
}

export interface UpdateMarginTx extends Tx {
  readonly kind: 'updateMargin';
  readonly marketIndex: number;
  /** In 1e-6 USDC, positive. */
  readonly usdcAmount: bigint;
  readonly direction: 'remove' | 'add';
}

export interface ChangePubKeyTx extends Tx {
  readonly kind: 'changePubKey';
  /** The new key, which signs this itself: 80 hex digits. */
  readonly publicKey: string;
}

export interface ApproveIntegratorTx extends Tx {
  readonly kind: 'approveIntegrator';
  readonly integratorAccountIndex: number;
  /** All four in 1e-6 of the notional. */
  readonly maxPerpsTakerFee: number;
  readonly maxPerpsMakerFee: number;
  readonly maxSpotTakerFee: number;
  readonly maxSpotMakerFee: number;
  /** Epoch ms; 0 with all fees 0 revokes. */
  readonly approvalExpiry: number;
}

/** Also a fast withdrawal: a transfer to the venue's pool, whose memo names the address that is paid. */
export interface TransferTx extends Tx {
  readonly kind: 'transfer';
  readonly toAccountIndex: number;
  /** 3: USDC. */
  readonly assetIndex: number;
  readonly fromRoute: 'perps' | 'spot';
  readonly toRoute: 'perps' | 'spot';
  /** In the asset's smallest unit (USDC: 1e-6). */
  readonly amount: bigint;
  /** In 1e-6 USDC. */
  readonly usdcFee: bigint;
  /** 32 bytes as 64 hex digits. The key's signature does not cover it, only the wallet's does. */
  readonly memo: string;
}

/** A slow withdrawal, which the venue pays to the owner's own address. */
export interface WithdrawTx extends Tx {
  readonly kind: 'withdraw';
  readonly assetIndex: number;
  readonly route: 'perps' | 'spot';
  /** In the asset's smallest unit. */
  readonly amount: bigint;
}

/** Transactions that the owner's wallet signs besides the key. */
export type WalletSignedTx = ChangePubKeyTx | ApproveIntegratorTx | TransferTx;

export type LighterTx =
  | CreateOrderTx
  | CancelOrderTx
  | ModifyOrderTx
  | CancelAllOrdersTx
  | UpdateLeverageTx
  | UpdateMarginTx
  | WithdrawTx
  | WalletSignedTx;
