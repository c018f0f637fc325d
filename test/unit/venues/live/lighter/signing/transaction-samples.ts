/** Transactions of every kind; and those that a recorded `tx_info` stands for, read field by field. */
import { expect } from 'chai';
import { TX_TYPE } from '../../../../../../gateway/venues/live/lighter/signing/encoding.ts';
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

/** A transaction of each kind. */
export const EACH_KIND: readonly LighterTx[] = [
  order,
  cancel,
  { ...sender, kind: 'modifyOrder', marketIndex: 1, index: 9, baseAmount: 1, price: 2, triggerPrice: 3 },
  { ...sender, kind: 'cancelAllOrders', timeInForce: 'immediate', time: 0 },
  leverage,
  { ...sender, kind: 'updateMargin', marketIndex: 1, usdcAmount: 5n, direction: 'add' },
  register,
  approve,
  transfer,
  { ...sender, kind: 'withdraw', assetIndex: 3, route: 'perps', amount: 5n },
];

/** Words of a field by their recorded codes; `timeInForce` of one kind has its own. */
const WORDS: Readonly<Record<string, readonly (string | boolean)[]>> = {
  type: ['limit', 'market', 'stopLoss', 'stopLossLimit', 'takeProfit', 'takeProfitLimit', 'twap'],
  timeInForce: ['ioc', 'goodTillTime', 'postOnly'],
  'cancelAllOrders timeInForce': ['immediate', 'scheduled', 'abortScheduled'],
  isAsk: [false, true],
  reduceOnly: [false, true],
  direction: ['remove', 'add'],
  marginMode: ['cross', 'isolated'],
  fromRoute: ['perps', 'spot'],
  toRoute: ['perps', 'spot'],
  route: ['perps', 'spot'],
};
/** Recorded names that are not the field's own with a capital letter. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ publicKey: 'PubKey', fromRoute: 'FromRouteType', toRoute: 'ToRouteType', route: 'RouteType' },
  ...{ usdcFee: 'USDCFee', usdcAmount: 'USDCAmount' },
};
const BYTES: Readonly<Record<string, (value: string) => Buffer>> = {
  publicKey: (value) => Buffer.from(value, 'base64'),
  memo: (value) => Buffer.from(Object.values(value).map(Number)),
};

/** The transaction of a recorded `tx_info`: it has the fields of the sample of its kind. */
export function txOf(txType: number, txInfo: string): LighterTx {
  const info = JSON.parse(txInfo);
  const sample = EACH_KIND.find(({ kind }) => TX_TYPE[kind] === txType);
  if (sample === undefined) throw new Error(`no sample of type ${txType}`);
  const { kind, ...fields } = sample;
  const read = ([field, like]: [string, unknown]) => {
    const name = NAMES[field] ?? field.replace(/^./, (letter) => letter.toUpperCase());
    const value = info[name] ?? info[`From${name}`];
    const words = WORDS[`${kind} ${field}`] ?? WORDS[field];
    if (words !== undefined) return words[value] ?? expect.fail(`no code ${value} of ${field}`);
    const bytes = BYTES[field]?.(value).toString('hex');
    return bytes ?? (typeof like === 'bigint' ? BigInt(value) : Number(value));
  };
  const own = Object.entries(fields).map((entry) => [entry[0], read(entry)]);
  const { 1: account, 2: taker, 3: maker, 4: skip } = info['L2TxAttributes'] ?? {};
  const attributes: TxAttributes = {
    ...(account === undefined ? {} : { integratorAccountIndex: account }),
    ...(taker === undefined ? {} : { integratorTakerFee: taker }),
    ...(maker === undefined ? {} : { integratorMakerFee: maker }),
    ...(skip === undefined ? {} : { skipNonce: true }),
  };
  return { kind, ...Object.fromEntries(own), attributes };
}
