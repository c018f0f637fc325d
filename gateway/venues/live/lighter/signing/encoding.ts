/**
 * A transaction as the venue hashes it and as it is written into `tx_info`. (github.com/elliottech/lighter-go at 17f2d60,
 * types/txtypes: field orders, limits, and what is cut in two halves because it may not fit the field.)
 */
import { decode } from './decode.ts';
import { hashToQuintic } from './poseidon2.ts';
import { coefficientsOf, ELEMENT_BYTES, fromBytes, isZero, type Quintic } from './quintic.ts';
import type { LighterTx, TxAttributes } from './transactions.ts';

/** Numbers of the kinds of transactions: `tx_type`. */
export const TX_TYPE: Readonly<Record<LighterTx['kind'], number>> = {
  changePubKey: 8,
  transfer: 12,
  withdraw: 13,
  createOrder: 14,
  cancelOrder: 15,
  cancelAllOrders: 16,
  modifyOrder: 17,
  updateLeverage: 20,
  updateMargin: 29,
  approveIntegrator: 45,
};

const ORDER_TYPES = [
  'limit',
  'market',
  'stopLoss',
  'stopLossLimit',
  'takeProfit',
  'takeProfitLimit',
  'twap',
] as const;
const TIMES_IN_FORCE = ['ioc', 'goodTillTime', 'postOnly'] as const;
const CANCEL_TIMES = ['immediate', 'scheduled', 'abortScheduled'] as const;
const MARGIN_MODES = ['cross', 'isolated'] as const;
const MARGIN_DIRECTIONS = ['remove', 'add'] as const;
export const ROUTES = ['perps', 'spot'] as const;
const SELF_TRADE_BEHAVIORS = ['expireMaker', 'expireTaker', 'cancelBoth', 'reduce'] as const;
const SELF_TRADE_EQUALITIES = ['account', 'masterAccount'] as const;

const MAX_48 = 2n ** 48n - 1n;
const MAX_60 = 2n ** 60n - 1n;
const MAX_32 = 2n ** 32n - 1n;
const MAX_ACCOUNT = MAX_48 - 1n;
const MAX_MARKET = 4094n;
const MAX_API_KEY = 254n;
const MAX_ASSET = 62n;
const MAX_TIME = MAX_48;
const MAX_ORDER_TIME = 2n ** 63n - 1n;
const MAX_NONCE = 2n ** 63n - 1n;
const MARGIN_FRACTION_TICK = 10_000n;
const FEE_TICK = 1_000_000n;
const MAX_ATTRIBUTES = 4;
const CANCEL_ALL_MARKET = 5;
/** In the market field of a cancel-all: all markets. */
const NO_MARKET = 255n;

/** One field of `tx_info`, and the elements that it adds to the hash. */
interface Field {
  readonly name: string;
  /** As JSON. */
  readonly json: string;
  readonly hashed: readonly bigint[];
}

function integer(name: string, value: number | bigint, min: bigint, max: bigint): bigint {
  const exact = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value) : null;
  if (exact === null || exact < min || exact > max) {
    throw new TypeError(`${name}: ${value} is no integer from ${min} to ${max}`);
  }
  return exact;
}

function whole(name: string, value: number | bigint, max: bigint, min = 0n): Field {
  const exact = integer(name, value, min, max);
  return { name, json: `${exact}`, hashed: [exact] };
}

/** Low and high 32 bits apart. */
function halves(name: string, value: bigint, min: bigint): Field {
  const exact = integer(name, value, min, MAX_60);
  return { name, json: `${exact}`, hashed: [exact & MAX_32, exact >> 32n] };
}

/** The number that `word` has in a list. */
function coded<T extends string>(name: string, word: T, words: readonly T[]): Field {
  return whole(name, codeOf(name, word, words), BigInt(words.length - 1));
}

function codeOf<T extends string>(name: string, word: T, words: readonly T[]): number {
  const code = words.indexOf(word);
  if (code < 0) throw new TypeError(`${name}: ${word} is none of ${words.join(', ')}`);
  return code;
}

const flag = (name: string, value: boolean) => whole(name, value ? 1 : 0, 1n);
const market = (index: number) => whole('MarketIndex', index, MAX_MARKET);
const nonce = (tx: LighterTx) => whole('Nonce', tx.nonce, MAX_NONCE);
const expiredAt = (tx: LighterTx) => whole('ExpiredAt', tx.expiredAt, MAX_TIME);
const price = (name: string, value: number, min: bigint) => whole(name, value, MAX_32, min);

/** `tx_info` from the account up to the fields that all transactions share. */
function bodyOf(tx: LighterTx): readonly Field[] {
  const from = tx.kind === 'transfer' || tx.kind === 'withdraw' ? 'FromAccountIndex' : 'AccountIndex';
  const sender = [
    whole(from, tx.accountIndex, MAX_ACCOUNT),
    whole('ApiKeyIndex', tx.apiKeyIndex, MAX_API_KEY),
  ];
  return [...sender, ...ownFields(tx)];
}

function ownFields(tx: LighterTx): readonly Field[] {
  switch (tx.kind) {
    case 'createOrder':
      return [
        market(tx.marketIndex),
        whole('ClientOrderIndex', tx.clientOrderIndex, MAX_48),
        whole('BaseAmount', tx.baseAmount, MAX_48, tx.reduceOnly ? 0n : 1n),
        price('Price', tx.price, 1n),
        flag('IsAsk', tx.isAsk),
        coded('Type', tx.type, ORDER_TYPES),
        coded('TimeInForce', tx.timeInForce, TIMES_IN_FORCE),
        flag('ReduceOnly', tx.reduceOnly),
        price('TriggerPrice', tx.triggerPrice, 0n),
        whole('OrderExpiry', tx.orderExpiry, MAX_ORDER_TIME),
      ];
    case 'cancelOrder':
      return [market(tx.marketIndex), whole('Index', tx.index, MAX_60, 1n)];
    case 'modifyOrder':
      return [
        market(tx.marketIndex),
        whole('Index', tx.index, MAX_60, 1n),
        whole('BaseAmount', tx.baseAmount, MAX_48),
        price('Price', tx.price, 1n),
        price('TriggerPrice', tx.triggerPrice, 0n),
      ];
    case 'cancelAllOrders':
      return [coded('TimeInForce', tx.timeInForce, CANCEL_TIMES), whole('Time', tx.time, MAX_ORDER_TIME)];
    case 'updateLeverage':
      return [
        market(tx.marketIndex),
        whole('InitialMarginFraction', tx.initialMarginFraction, MARGIN_FRACTION_TICK, 1n),
        coded('MarginMode', tx.marginMode, MARGIN_MODES),
      ];
    case 'updateMargin':
      return [
        market(tx.marketIndex),
        halves('USDCAmount', tx.usdcAmount, 1n),
        coded('Direction', tx.direction, MARGIN_DIRECTIONS),
      ];
    case 'changePubKey':
      return [publicKey(tx.publicKey)];
    case 'approveIntegrator':
      return [
        whole('IntegratorAccountIndex', tx.integratorAccountIndex, MAX_ACCOUNT),
        whole('MaxPerpsTakerFee', tx.maxPerpsTakerFee, FEE_TICK),
        whole('MaxPerpsMakerFee', tx.maxPerpsMakerFee, FEE_TICK),
        whole('MaxSpotTakerFee', tx.maxSpotTakerFee, FEE_TICK),
        whole('MaxSpotMakerFee', tx.maxSpotMakerFee, FEE_TICK),
        whole('ApprovalExpiry', tx.approvalExpiry, MAX_TIME),
      ];
    case 'transfer':
      return [
        whole('ToAccountIndex', tx.toAccountIndex, MAX_ACCOUNT),
        whole('AssetIndex', tx.assetIndex, MAX_ASSET, 1n),
        coded('FromRouteType', tx.fromRoute, ROUTES),
        coded('ToRouteType', tx.toRoute, ROUTES),
        halves('Amount', tx.amount, 1n),
        halves('USDCFee', tx.usdcFee, 0n),
        // No part of the hash: without the wallet's signature, a holder of the key alone could write another
        // destination into a fast withdrawal.
        { name: 'Memo', json: `[${hexBytes('Memo', tx.memo, 32).join(',')}]`, hashed: [] },
      ];
    case 'withdraw':
      return [
        whole('AssetIndex', tx.assetIndex, MAX_ASSET, 1n),
        coded('RouteType', tx.route, ROUTES),
        halves('Amount', tx.amount, 1n),
      ];
  }
}

function publicKey(digits: string): Field {
  const bytes = hexBytes('PubKey', digits, ELEMENT_BYTES);
  const element = fromBytes(bytes);
  if (isZero(element) || decode(element) === null) throw new TypeError('PubKey: no point of the curve');
  return {
    name: 'PubKey',
    json: JSON.stringify(bytes.toString('base64')),
    hashed: coefficientsOf(element),
  };
}

/** Bytes of hexadecimal digits, which may have a `0x` before them. TypeError: it is not that. */
export function hexBytes(name: string, digits: string, length: number): Buffer {
  const bare = digits.replace(/^0x/i, '');
  if (bare.length !== 2 * length || !/^[0-9a-f]*$/i.test(bare)) {
    throw new TypeError(`${name}: ${length} bytes expected in hexadecimal digits`);
  }
  return Buffer.from(bare, 'hex');
}

/** Attributes by their numbers, in order. */
function attributesOf(attributes: TxAttributes): readonly (readonly [number, bigint])[] {
  const given: (readonly [number, bigint])[] = [];
  const put = (type: number, name: string, value: number | undefined, max: bigint) => {
    if (value !== undefined) given.push([type, integer(name, value, 0n, max)]);
  };
  put(1, 'IntegratorAccountIndex', attributes.integratorAccountIndex, MAX_ACCOUNT);
  put(2, 'IntegratorTakerFee', attributes.integratorTakerFee, FEE_TICK);
  put(3, 'IntegratorMakerFee', attributes.integratorMakerFee, FEE_TICK);
  put(4, 'SkipTxNonce', attributes.skipNonce === true ? 1 : undefined, 1n);
  put(5, 'CancelAllMarketIndex', attributes.cancelAllMarketIndex, NO_MARKET);
  const { selfTradeBehavior: behavior, selfTradeEquality: equality } = attributes;
  if (behavior !== undefined) {
    put(6, 'SelfTradeBehaviorMode', codeOf('SelfTradeBehaviorMode', behavior, SELF_TRADE_BEHAVIORS), 3n);
  }
  if (equality !== undefined) {
    put(7, 'SelfTradeEqualityMode', codeOf('SelfTradeEqualityMode', equality, SELF_TRADE_EQUALITIES), 1n);
  }
  if (given.length > MAX_ATTRIBUTES) throw new TypeError(`more than ${MAX_ATTRIBUTES} attributes`);
  return given;
}

/** Attributes that say nothing are written, but not hashed. */
const saysSomething = ([type, value]: readonly [number, bigint]) =>
  value !== (type === CANCEL_ALL_MARKET ? NO_MARKET : 0n);

/** Hash of a transaction, which the key signs. */
export function hashOf(chainId: number, tx: LighterTx): Quintic {
  const elements = [integer('ChainId', chainId, 0n, MAX_32), BigInt(TX_TYPE[tx.kind])];
  for (const field of [nonce(tx), expiredAt(tx), ...bodyOf(tx)]) elements.push(...field.hashed);
  const hash = hashToQuintic(elements);
  const said = attributesOf(tx.attributes ?? {}).filter(saysSomething);
  if (said.length === 0) return hash;
  // At most eight elements; the venue fills them up with zeros, which an empty sponge holds there anyway.
  const pairs = said.flatMap(([type, value]) => [BigInt(type), value]);
  return hashToQuintic([...coefficientsOf(hash), ...coefficientsOf(hashToQuintic(pairs))]);
}

/**
 * `tx_info`, in the venue's own order of fields.
 * @param signature 80 bytes of the key
 * @param l1Signature of the owner's wallet, '' where it is still to come; of no meaning for transactions without one
 */
export function txInfoOf(tx: LighterTx, signature: Buffer, l1Signature: string): string {
  const l1: Field = { name: 'L1Sig', json: JSON.stringify(l1Signature), hashed: [] };
  const attributes = attributesOf(tx.attributes ?? {}).map(([type, value]) => `"${type}":${value}`);
  const fields: Pick<Field, 'name' | 'json'>[] = [
    ...bodyOf(tx),
    ...(tx.kind === 'changePubKey' ? [l1] : []),
    expiredAt(tx),
    nonce(tx),
    { name: 'Sig', json: `"${signature.toString('base64')}"` },
    ...(tx.kind === 'transfer' || tx.kind === 'approveIntegrator' ? [l1] : []),
    { name: 'L2TxAttributes', json: attributes.length === 0 ? 'null' : `{${attributes.join(',')}}` },
  ];
  return `{${fields.map(({ name, json }) => `"${name}":${json}`).join(',')}}`;
}
