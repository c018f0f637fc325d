/** Transactions of every kind; and those that a recorded `tx_info` stands for, read field by field. */
import type {
  ApproveIntegratorTx,
  CancelOrderTx,
  ChangePubKeyTx,
  CreateOrderTx,
  LighterTx,
  TransferTx,
  TxAttributes,
  UpdateLeverageTx,
} from '../../../../../../gateway/venues/live/lighter/signing/signing.ts';

const sender = { accountIndex: 12_345, apiKeyIndex: 5, nonce: 7, expiredAt: 1_777_809_907_005 };
const order: CreateOrderTx = {
  ...sender,
  kind: 'createOrder',
  marketIndex: 1,
  clientOrderIndex: 123,
  baseAmount: 1_000,
  price: 405_000,
  isAsk: false,
  type: 'limit',
  timeInForce: 'ioc',
  reduceOnly: false,
  triggerPrice: 0,
  orderExpiry: 0,
};
const cancel: CancelOrderTx = { ...sender, kind: 'cancelOrder', marketIndex: 1, index: 123 };
const leverage: UpdateLeverageTx = {
  ...sender,
  kind: 'updateLeverage',
  marketIndex: 1,
  initialMarginFraction: 500,
  marginMode: 'cross',
};
const register: ChangePubKeyTx = {
  ...sender,
  kind: 'changePubKey',
  publicKey: '06a9376e20bacf1696f58e73bda0040e2145bbd05ced561e5aa26eddde6b09c313e4f39463d85a90',
};
const approve: ApproveIntegratorTx = {
  ...sender,
  kind: 'approveIntegrator',
  integratorAccountIndex: 723_813,
  maxPerpsTakerFee: 500,
  maxPerpsMakerFee: 200,
  maxSpotTakerFee: 600,
  maxSpotMakerFee: 300,
  approvalExpiry: 1_780_000_000_000,
};
const transfer: TransferTx = {
  ...sender,
  kind: 'transfer',
  toAccountIndex: 281_474_976_710_646,
  assetIndex: 3,
  fromRoute: 'perps',
  toRoute: 'spot',
  amount: 25_000_000n,
  usdcFee: 3_000_000n,
  memo: `${'11'.repeat(20)}${'00'.repeat(12)}`,
};

export const SENDER = { order, cancel, leverage, register, approve, transfer };

/** With what every transaction has changed, one after the other, and what this kind has. */
function each<K extends LighterTx['kind']>(
  tx: LighterTx & { readonly kind: K },
  ...changes: readonly Partial<Extract<LighterTx, { readonly kind: K }>>[]
): readonly [LighterTx, LighterTx[]] {
  const shared: readonly Partial<LighterTx>[] = [
    { accountIndex: 12_346 },
    { apiKeyIndex: 6 },
    { nonce: 8 },
    { expiredAt: tx.expiredAt + 1 },
    { attributes: { skipNonce: true } },
    { attributes: { selfTradeBehavior: 'reduce' } },
    { attributes: { selfTradeBehavior: 'cancelBoth', selfTradeEquality: 'masterAccount' } },
    { attributes: { integratorAccountIndex: 1, integratorTakerFee: 2, integratorMakerFee: 3 } },
    { attributes: { integratorAccountIndex: 1, integratorTakerFee: 3, integratorMakerFee: 2 } },
    { attributes: { cancelAllMarketIndex: 3 } },
  ];
  return [tx, [...shared, ...changes].map((change) => Object.assign({}, tx, change))];
}

export const EACH_KIND: readonly (readonly [LighterTx, readonly LighterTx[]])[] = [
  each(
    order,
    { marketIndex: 2 },
    { clientOrderIndex: 124 },
    { baseAmount: 1_001 },
    { price: 405_001 },
    { isAsk: true },
    { type: 'market' },
    { type: 'stopLoss' },
    { type: 'stopLossLimit' },
    { type: 'takeProfit' },
    { type: 'takeProfitLimit' },
    { type: 'twap' },
    { timeInForce: 'goodTillTime' },
    { timeInForce: 'postOnly' },
    { reduceOnly: true },
    { triggerPrice: 1 },
    { orderExpiry: 1_777_809_907_005 },
  ),
  each(cancel, { marketIndex: 2 }, { index: 124 }, { index: 2n ** 60n - 1n }),
  each(
    { ...sender, kind: 'modifyOrder', marketIndex: 1, index: 9, baseAmount: 1, price: 2, triggerPrice: 3 },
    { marketIndex: 2 },
    { index: 10 },
    { baseAmount: 4 },
    { price: 4 },
    { triggerPrice: 4 },
  ),
  each(
    { ...sender, kind: 'cancelAllOrders', timeInForce: 'immediate', time: 0 },
    { timeInForce: 'scheduled' },
    { timeInForce: 'abortScheduled' },
    { time: 1 },
  ),
  each(leverage, { marketIndex: 2 }, { initialMarginFraction: 501 }, { marginMode: 'isolated' }),
  each(
    { ...sender, kind: 'updateMargin', marketIndex: 1, usdcAmount: 5n, direction: 'add' },
    { marketIndex: 2 },
    { usdcAmount: 6n },
    { usdcAmount: 5n * 2n ** 32n },
    { direction: 'remove' },
  ),
  each(register, {
    publicKey: 'cb9436f5f7b6ace81285684f55824f4676ff9120faff4e74da20ac7217862f56e8c6698292116973',
  }),
  each(
    approve,
    { integratorAccountIndex: 723_814 },
    { maxPerpsTakerFee: 501 },
    { maxPerpsMakerFee: 201 },
    { maxSpotTakerFee: 601 },
    { maxSpotMakerFee: 301 },
    { approvalExpiry: 1_780_000_000_001 },
  ),
  each(
    transfer,
    { toAccountIndex: 1 },
    { assetIndex: 4 },
    { fromRoute: 'spot' },
    { toRoute: 'perps' },
    { amount: 25_000_001n },
    { amount: 25_000_000n * 2n ** 32n },
    { usdcFee: 3_000_001n },
    { usdcFee: 3_000_000n * 2n ** 32n },
  ),
  each(
    { ...sender, kind: 'withdraw', assetIndex: 3, route: 'perps', amount: 5n },
    { assetIndex: 4 },
    { route: 'spot' },
    { amount: 6n },
    { amount: 5n * 2n ** 32n },
  ),
];

const TYPES = [
  'limit',
  'market',
  'stopLoss',
  'stopLossLimit',
  'takeProfit',
  'takeProfitLimit',
  'twap',
] as const;
const TIMES = ['ioc', 'goodTillTime', 'postOnly'] as const;
const CANCEL_TIMES = ['immediate', 'scheduled', 'abortScheduled'] as const;
const DIRECTIONS = ['remove', 'add'] as const;
const MODES = ['cross', 'isolated'] as const;
const ROUTES = ['perps', 'spot'] as const;

function pick<T>(words: readonly T[], code: unknown): T {
  const word = words[Number(code)];
  if (word === undefined) throw new Error(`no code ${code}`);
  return word;
}

/** The transaction of a recorded `tx_info`. */
export function txOf(txType: number, txInfo: string): LighterTx {
  const info: Readonly<Record<string, unknown>> = JSON.parse(txInfo);
  const n = (name: string) => Number(info[name]);
  const bytes = (encoded: unknown) => Buffer.from(String(encoded), 'base64').toString('hex');
  const given = Object.entries(info['L2TxAttributes'] ?? {});
  const attribute = (type: string) => given.find(([name]) => name === type)?.[1];
  const attributes: TxAttributes = {
    ...(attribute('1') === undefined ? {} : { integratorAccountIndex: Number(attribute('1')) }),
    ...(attribute('2') === undefined ? {} : { integratorTakerFee: Number(attribute('2')) }),
    ...(attribute('3') === undefined ? {} : { integratorMakerFee: Number(attribute('3')) }),
    ...(attribute('4') === undefined ? {} : { skipNonce: true }),
  };
  const shared = {
    accountIndex: Number(info['AccountIndex'] ?? info['FromAccountIndex']),
    apiKeyIndex: n('ApiKeyIndex'),
    nonce: n('Nonce'),
    expiredAt: n('ExpiredAt'),
    attributes,
  };
  switch (txType) {
    case 8:
      return { ...shared, kind: 'changePubKey', publicKey: bytes(info['PubKey']) };
    case 12:
      return {
        ...shared,
        kind: 'transfer',
        toAccountIndex: n('ToAccountIndex'),
        assetIndex: n('AssetIndex'),
        fromRoute: pick(ROUTES, info['FromRouteType']),
        toRoute: pick(ROUTES, info['ToRouteType']),
        amount: BigInt(n('Amount')),
        usdcFee: BigInt(n('USDCFee')),
        memo: Buffer.from(Object.values(info['Memo'] ?? {})).toString('hex'),
      };
    case 13:
      return {
        ...shared,
        kind: 'withdraw',
        assetIndex: n('AssetIndex'),
        route: pick(ROUTES, info['RouteType']),
        amount: BigInt(n('Amount')),
      };
    case 14:
      return {
        ...shared,
        kind: 'createOrder',
        marketIndex: n('MarketIndex'),
        clientOrderIndex: n('ClientOrderIndex'),
        baseAmount: n('BaseAmount'),
        price: n('Price'),
        isAsk: n('IsAsk') === 1,
        type: pick(TYPES, info['Type']),
        timeInForce: pick(TIMES, info['TimeInForce']),
        reduceOnly: n('ReduceOnly') === 1,
        triggerPrice: n('TriggerPrice'),
        orderExpiry: n('OrderExpiry'),
      };
    case 15:
      return { ...shared, kind: 'cancelOrder', marketIndex: n('MarketIndex'), index: n('Index') };
    case 16:
      return {
        ...shared,
        kind: 'cancelAllOrders',
        timeInForce: pick(CANCEL_TIMES, info['TimeInForce']),
        time: n('Time'),
      };
    case 17:
      return {
        ...shared,
        kind: 'modifyOrder',
        marketIndex: n('MarketIndex'),
        index: n('Index'),
        baseAmount: n('BaseAmount'),
        price: n('Price'),
        triggerPrice: n('TriggerPrice'),
      };
    case 20:
      return {
        ...shared,
        kind: 'updateLeverage',
        marketIndex: n('MarketIndex'),
        initialMarginFraction: n('InitialMarginFraction'),
        marginMode: pick(MODES, info['MarginMode']),
      };
    case 29:
      return {
        ...shared,
        kind: 'updateMargin',
        marketIndex: n('MarketIndex'),
        usdcAmount: BigInt(n('USDCAmount')),
        direction: pick(DIRECTIONS, info['Direction']),
      };
    case 45:
      return {
        ...shared,
        kind: 'approveIntegrator',
        integratorAccountIndex: n('IntegratorAccountIndex'),
        maxPerpsTakerFee: n('MaxPerpsTakerFee'),
        maxPerpsMakerFee: n('MaxPerpsMakerFee'),
        maxSpotTakerFee: n('MaxSpotTakerFee'),
        maxSpotMakerFee: n('MaxSpotMakerFee'),
        approvalExpiry: n('ApprovalExpiry'),
      };
    default:
      throw new Error(`no recording of type ${txType}`);
  }
}
