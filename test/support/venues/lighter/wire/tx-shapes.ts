/**
 * The transactions that the venue takes: each a JSON object with these fields and no others, and the numbers of it that
 * are hashed, in order (elliottech/lighter-go, types/txtypes).
 */
import { z } from 'zod';
import { fromBytes, words } from '../curve/quintic.ts';

const whole = z.int().nonnegative();
const small = z.int().min(0).max(255);
const bit = z.union([z.literal(0), z.literal(1)]);
const bytes = (count: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((value) => value.length === count);

const signed = {
  ExpiredAt: whole,
  Nonce: whole,
  Sig: bytes(80),
  L2TxAttributes: z.record(z.string().regex(/^[1-4]$/), whole).nullish(),
};
const own = { AccountIndex: whole, ApiKeyIndex: small, ...signed };
const from = { FromAccountIndex: whole, ApiKeyIndex: small, ...signed };

const changePubKey = z.strictObject({
  ...own,
  PubKey: bytes(40).refine((key) => fromBytes(key) !== null),
  L1Sig: z.string(),
});
const transfer = z.strictObject({
  ...from,
  ToAccountIndex: whole,
  AssetIndex: whole,
  FromRouteType: bit,
  ToRouteType: bit,
  Amount: z.int().positive(),
  USDCFee: whole,
  Memo: z.array(small).length(32),
  L1Sig: z.string(),
});
const createOrder = z.strictObject({
  ...own,
  MarketIndex: whole,
  ClientOrderIndex: whole,
  BaseAmount: whole,
  Price: whole,
  IsAsk: whole,
  Type: whole,
  TimeInForce: whole,
  ReduceOnly: whole,
  TriggerPrice: whole,
  OrderExpiry: z.int(),
});
const cancelOrder = z.strictObject({ ...own, MarketIndex: whole, Index: whole });
const updateLeverage = z.strictObject({
  ...own,
  MarketIndex: whole,
  InitialMarginFraction: whole,
  MarginMode: whole,
});
const updateMargin = z.strictObject({ ...own, MarketIndex: whole, USDCAmount: whole, Direction: whole });
const approveIntegrator = z.strictObject({
  ...own,
  IntegratorAccountIndex: whole,
  MaxPerpsTakerFee: whole,
  MaxPerpsMakerFee: whole,
  MaxSpotTakerFee: whole,
  MaxSpotMakerFee: whole,
  ApprovalExpiry: whole,
  L1Sig: z.string(),
});

interface Shape<S extends z.ZodType> {
  readonly type: number;
  readonly fields: S;
  /** Values hashed after chain, type, nonce, expiry, account and key. */
  readonly hashed: (tx: z.infer<S>) => readonly (number | bigint)[];
}

function shape<S extends z.ZodType>(type: number, fields: S, hashed: Shape<S>['hashed']): Shape<S> {
  return { type, fields, hashed };
}

/** An amount is hashed in halves of 32 bits. */
function halves(amount: number): bigint[] {
  return [BigInt(amount) & 0xffffffffn, BigInt(amount) >> 32n];
}

export const SHAPES = {
  changePubKey: shape(8, changePubKey, (tx) => words(tx.PubKey)),
  transfer: shape(12, transfer, (tx) => [
    ...[tx.ToAccountIndex, tx.AssetIndex, tx.FromRouteType, tx.ToRouteType],
    ...[...halves(tx.Amount), ...halves(tx.USDCFee)],
  ]),
  createOrder: shape(14, createOrder, (tx) => [
    ...[tx.MarketIndex, tx.ClientOrderIndex, tx.BaseAmount, tx.Price, tx.IsAsk, tx.Type, tx.TimeInForce],
    ...[tx.ReduceOnly, tx.TriggerPrice, tx.OrderExpiry],
  ]),
  cancelOrder: shape(15, cancelOrder, (tx) => [tx.MarketIndex, tx.Index]),
  updateLeverage: shape(20, updateLeverage, (tx) => [
    ...[tx.MarketIndex, tx.InitialMarginFraction, tx.MarginMode],
  ]),
  updateMargin: shape(29, updateMargin, (tx) => [tx.MarketIndex, ...halves(tx.USDCAmount), tx.Direction]),
  approveIntegrator: shape(45, approveIntegrator, (tx) => [
    ...[tx.IntegratorAccountIndex, tx.MaxPerpsTakerFee, tx.MaxPerpsMakerFee],
    ...[tx.MaxSpotTakerFee, tx.MaxSpotMakerFee, tx.ApprovalExpiry],
  ]),
};

export type TxKind = keyof typeof SHAPES;

/** The fields of a transaction of this kind. */
export type TxOf<K extends TxKind> = z.infer<(typeof SHAPES)[K]['fields']>;

/** undefined: the venue has no such type. */
export function kindOf(type: number): TxKind | undefined {
  return (Object.keys(SHAPES) as TxKind[]).find((kind) => SHAPES[kind].type === type);
}
