/** Hyperliquid's answers, as far as they are used. Unknown fields are ignored; numbers come as the text sent. */
import { z } from 'zod';
import { aligned, decimalField, integerField, lax, numericIdField, optional, partly } from '../kit/wire.ts';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());

/** Client order ids, 128 bits. */
const clientId = z.string().regex(/^0x[0-9a-fA-F]{32}$/);

const universeEntry = z.object({
  name: z.string().min(1).max(64),
  szDecimals: integerField,
  maxLeverage: integerField,
  marginTableId: lax(integerField),
  /** Deprecated; `marginMode` says it now: `noCross`, `strictIsolated`. */
  onlyIsolated: z.boolean().nullish(),
  marginMode: z.string().nullish(),
  isDelisted: z.boolean().nullish(),
});

const marginTable = z.tuple([
  integerField,
  z.object({
    marginTiers: z.array(z.object({ lowerBound: decimalField, maxLeverage: integerField })),
  }),
]);

export const meta = z.object({
  /** An asset's id is its place in the list, so an unreadable entry keeps its place as null. */
  universe: aligned(universeEntry),
  marginTables: aligned(marginTable).nullish(),
});
export type WireMeta = z.output<typeof meta>;

/** Our own record of the list: the venue's, and the id that each coin was given. */
export const keptMeta = meta.extend({ symbols: z.record(z.string(), z.string()).nullish() });

export const assetContext = z.object({
  funding: lax(decimalField),
  openInterest: lax(decimalField),
  prevDayPx: lax(decimalField),
  dayNtlVlm: lax(decimalField),
  oraclePx: lax(decimalField),
  markPx: lax(decimalField),
  midPx: lax(decimalField),
});
export type AssetContext = z.output<typeof assetContext>;

/** In the order of the universe. */
export const contexts = aligned(assetContext);
export const metaAndContexts = z.tuple([meta, contexts]);

const leverage = z.object({ type: z.string(), value: integerField });

const marginSummary = z.object({ accountValue: decimalField, totalMarginUsed: decimalField });

export const clearinghouseState = z.object({
  marginSummary: marginSummary.nullish(),
  /** Summary of the cross-margin positions; if it comes alone, there are no others. */
  crossMarginSummary: marginSummary,
  withdrawable: decimalField,
  assetPositions: z.array(
    z.object({
      position: z.object({
        coin: z.string(),
        szi: decimalField,
        entryPx: optional(decimalField),
        leverage,
        liquidationPx: lax(decimalField),
        marginUsed: decimalField,
        positionValue: lax(decimalField),
        unrealizedPnl: decimalField,
      }),
    }),
  ),
});

export const spotState = z.object({
  balances: z.array(z.object({ coin: z.string(), total: decimalField, hold: decimalField })),
});

const order = z.object({
  coin: z.string(),
  sz: decimalField,
  origSz: decimalField,
  oid: numericIdField,
  cloid: clientId.nullish(),
  timestamp: integerField,
});

export const orderWithStatus = z.object({ order, status: z.string(), statusTimestamp: integerField });
export type OrderWithStatus = z.output<typeof orderWithStatus>;

export const orderStatus = z.union([
  z.object({ status: z.literal('order'), order: orderWithStatus }),
  z.object({ status: z.literal('unknownOid') }),
]);
export const openOrders = z.array(order);
export const historicalOrders = partly(orderWithStatus);

export const fill = z.object({
  coin: z.string(),
  px: decimalField,
  sz: decimalField,
  side: z.enum(['A', 'B']),
  time: integerField,
  dir: z.string().nullish(),
  oid: numericIdField,
  crossed: z.boolean().nullish().catch(null),
  fee: decimalField,
  tid: numericIdField,
  /** Before the fill, signed. */
  startPosition: lax(decimalField),
  feeToken: z.string().nullish(),
  /** If unreadable here, the order has it. */
  cloid: clientId.nullish().catch(null),
  liquidation: z.object({ liquidatedUser: optional(address) }).nullish(),
});
const bareValues = {
  fee: decimalField.catch('0'),
  dir: z.string().nullish().catch(null),
  feeToken: z.string().nullish().catch(null),
  liquidation: z.null().catch(null),
};
/** Fields without which a fill cannot be booked; the rest has safe values. `tid` or `startPosition` identifies it. */
export const barestFill = z.union([
  fill.extend(bareValues),
  fill.extend({ ...bareValues, tid: lax(numericIdField), startPosition: decimalField }),
]);
/** Our own record: ids of fills that were booked without the venue's. */
export const bookedFills = z.array(z.string());
/** `tid` null: not readable. */
export type WireFill = Omit<z.output<typeof fill>, 'tid'> & { readonly tid: string | null };
export const fills = partly(fill);
/** Place and time of a history entry that is otherwise unreadable. */
export const barestEntry = z.object({
  time: lax(integerField),
  coin: z.string().nullish().catch(null),
  delta: z
    .object({ type: z.string().nullish().catch(null), coin: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
});

const payment = {
  coin: z.string(),
  usdc: decimalField,
  szi: decimalField,
  fundingRate: decimalField,
};
export const funding = partly(
  z.object({ time: integerField, delta: z.object({ type: z.string(), ...payment }) }),
);
const wirePayment = z.object({ time: integerField, ...payment });
export const fundingNews = z.object({
  isSnapshot: z.boolean().nullish(),
  user: address,
  fundings: partly(wirePayment),
});
export type WirePayment = z.output<typeof wirePayment>;

export const fillNews = z.object({ isSnapshot: z.boolean().nullish(), user: address, fills });
export const orderNews = partly(orderWithStatus);

export const exchangeAnswer = z.union([
  z.object({ status: z.literal('err'), response: z.string() }),
  z.object({
    status: z.literal('ok'),
    response: z.object({
      type: z.string(),
      data: z.object({ statuses: z.array(z.unknown()) }).optional(),
    }),
  }),
]);

export const legStatus = z.union([
  z.object({ filled: z.object({ totalSz: decimalField, oid: numericIdField }) }),
  z.object({ resting: z.object({ oid: numericIdField }) }),
  z.object({ error: z.string() }),
  z.string(),
]);

export const role = z.object({
  role: z.string(),
  data: z.object({ user: optional(address), master: optional(address) }).nullish(),
});
export const agents = z.array(z.object({ name: z.string(), address, validUntil: optional(integerField) }));
export const abstraction = z.string();

/** Stored typed data of an approval: numbers are numbers here. */
export const approvalMessage = z.object({
  message: z.object({ agentName: z.string(), nonce: z.number(), agentAddress: z.string() }),
});

/** Contexts of every exchange on the venue, by its name; the venue's own has none. Only those are read further. */
export const contextsNews = z.object({ ctxs: partly(z.tuple([z.string(), z.unknown()])) });

export const fees = z.object({ userCrossRate: decimalField, userAddRate: decimalField });

/** Requests that an account has made, and its maximum by its traded volume. */
export const requestLimit = z.object({ nRequestsUsed: integerField, nRequestsCap: integerField });

export const exchangeStatus = z.object({ time: integerField });

const bookSide = z.array(z.object({ px: decimalField, sz: decimalField }));
/** Bids, then asks, best first, twenty of each at most; null: there is no such market. */
export const book = z
  .object({ coin: z.string(), time: integerField, levels: z.tuple([bookSide, bookSide]) })
  .nullable();

/** Our own record. Older ones say only whether the account is unified. */
export const accountFacts = z
  .object({
    master: z.string(),
    isSub: z.boolean(),
    isUnified: z.boolean().nullish(),
    mode: z.object({ word: z.string(), changedAt: optional(integerField) }).nullish(),
  })
  .transform(({ master, isSub, isUnified, mode }) => ({
    master,
    isSub,
    mode: mode ?? { word: isUnified === true ? 'unifiedAccount' : 'default', changedAt: null },
  }));
