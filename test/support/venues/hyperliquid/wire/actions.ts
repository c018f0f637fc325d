/**
 * Actions as the venue reads them: strictly, and written anew with its own order of keys and its own shortest numbers
 * before they are hashed. A client that signed other bytes is therefore taken for another signer.
 */
import { z } from 'zod';
import { dec } from '../../../../../gateway/domain/decimal.ts';

const index = z.int().nonnegative();
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase();
export const cloid = z
  .string()
  .regex(/^0x[0-9a-fA-F]{32}$/)
  .toLowerCase();
/** A decimal as the venue writes it: without zeros at the end. */
const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .transform((text) => dec(text).toFixed());

const leg = z.strictObject({
  ...{ a: index, b: z.boolean(), p: decimal, s: decimal, r: z.boolean() },
  t: z.strictObject({ limit: z.strictObject({ tif: z.enum(['Gtc', 'Ioc', 'Alo']) }) }),
  c: cloid.optional(),
});

const SHAPES = {
  order: z.strictObject({
    type: z.literal('order'),
    orders: z.array(leg).min(1),
    grouping: z.literal('na'),
    builder: z.unknown().optional(),
  }),
  cancel: z.strictObject({
    type: z.literal('cancel'),
    cancels: z.array(z.strictObject({ a: index, o: index })).min(1),
  }),
  cancelByCloid: z.strictObject({
    type: z.literal('cancelByCloid'),
    cancels: z.array(z.strictObject({ asset: index, cloid })).min(1),
  }),
  updateLeverage: z.strictObject({
    type: z.literal('updateLeverage'),
    ...{ asset: index, isCross: z.boolean(), leverage: z.int().positive() },
  }),
  updateIsolatedMargin: z.strictObject({
    type: z.literal('updateIsolatedMargin'),
    ...{ asset: index, isBuy: z.boolean(), ntli: z.int() },
  }),
  noop: z.strictObject({ type: z.literal('noop') }),
  approveAgent: z.strictObject({
    type: z.literal('approveAgent'),
    hyperliquidChain: z.enum(['Mainnet', 'Testnet']),
    signatureChainId: z.string().regex(/^0x[0-9a-fA-F]+$/),
    agentAddress: address,
    agentName: z.string().nullish(),
    nonce: index,
  }),
} as const;

export type ActionType = keyof typeof SHAPES;
export type Action = { [T in ActionType]: z.infer<(typeof SHAPES)[T]> }[ActionType];
export type ActionOf<T extends ActionType> = z.infer<(typeof SHAPES)[T]>;

const ENVELOPE = z.strictObject({
  action: z.looseObject({ type: z.string() }),
  nonce: index,
  signature: z.strictObject({
    r: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
    s: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
    v: z.union([z.literal(27), z.literal(28)]),
  }),
  vaultAddress: address.nullish(),
  expiresAfter: index.nullish(),
});

export interface Envelope {
  /** In the venue's form. */
  readonly action: Action;
  readonly nonce: number;
  readonly signature: { readonly r: string; readonly s: string; readonly v: 27 | 28 };
  readonly vaultAddress: string | null;
  readonly expiresAfter: number | null;
}

/** null: the venue could not read the request. */
export function readEnvelope(body: unknown): Envelope | null {
  const outer = ENVELOPE.safeParse(body);
  if (!outer.success) return null;
  const { type } = outer.data.action;
  if (!Object.hasOwn(SHAPES, type)) return null;
  const inner = SHAPES[type as ActionType].safeParse(outer.data.action);
  if (!inner.success) return null;
  return {
    action: ordered(inner.data),
    nonce: outer.data.nonce,
    signature: outer.data.signature,
    vaultAddress: outer.data.vaultAddress ?? null,
    expiresAfter: outer.data.expiresAfter ?? null,
  };
}

/** Spelled out, because the order of keys is the point and no parser promises one. */
function ordered(action: Action): Action {
  switch (action.type) {
    case 'order':
      return {
        type: action.type,
        orders: action.orders.map(({ a, b, p, s, r, t, c }) => ({
          ...{ a, b, p, s, r, t },
          ...(c === undefined ? {} : { c }),
        })),
        grouping: action.grouping,
        ...(action.builder === undefined ? {} : { builder: action.builder }),
      };
    case 'cancel':
      return { type: action.type, cancels: action.cancels.map(({ a, o }) => ({ a, o })) };
    case 'cancelByCloid':
      return {
        type: action.type,
        cancels: action.cancels.map((one) => ({ asset: one.asset, cloid: one.cloid })),
      };
    case 'updateLeverage': {
      const { type, asset, isCross, leverage } = action;
      return { type, asset, isCross, leverage };
    }
    case 'updateIsolatedMargin': {
      const { type, asset, isBuy, ntli } = action;
      return { type, asset, isBuy, ntli };
    }
    default:
      return action;
  }
}
