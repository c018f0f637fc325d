/** An order on a paper account as if placed outside Tandem: it belongs to no execution. */
import { type Decimal, dec, floorTo, text } from '../../../domain/decimal.ts';
import type { Principal, Side, TradeAccount } from '../../../domain/model.ts';
import { limitPrice } from '../../../domain/price-rules.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, invalid, marketsUnknown, venueFailed } from '../../core/errors.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';
import { knowsMarkets, unknownSymbol } from '../../execution/check-symbols.ts';
import type { OrderOutcome } from '../../ports/venue.ts';

/** Fraction of the mark price, wide enough that the order fills. */
const SLIPPAGE = '0.05';
const EXPIRES_AFTER_MS = 5_000;

export interface PaperOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly amount:
    | { readonly by: 'quantity'; readonly quantity: string }
    | { readonly by: 'usd'; readonly usd: string };
  readonly reduceOnly: boolean;
  readonly cloid: string | null;
}

type FilledOutside = Extract<OrderOutcome, { readonly kind: 'done' }>;

export async function placePaperOrder(
  deps: Pick<EngineDeps, 'venues' | 'market' | 'ids' | 'clock' | 'warden'>,
  account: TradeAccount,
  order: PaperOrder,
  principal: Principal,
): Promise<Result<FilledOutside, EngineError>> {
  const venue = venueOf(deps, account.connector);
  if (venue.info.mode !== 'PAPER') {
    return venueFailed({ kind: 'unsupported', message: 'Only paper accounts take such orders' });
  }
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  const instrument = deps.market.instrument(account.connector, order.symbol);
  const mark = deps.market.quote(account.connector, order.symbol)?.mark;
  if (instrument === undefined || mark === undefined)
    return unknownSymbol(deps, account.connector, 'symbol', order.symbol);
  const quantity = floorTo(quantityOf(order, mark), dec(instrument.stepSize));
  if (quantity.isZero()) return invalid(order.amount.by, `Below one quantity step of ${instrument.stepSize}`);
  const clientOrderId = order.cloid ?? `outside-${deps.ids.next()}`;
  const allowed = mayOrder(deps, principal, account, { ...order, quantity: text(quantity), clientOrderId });
  if (!allowed.ok) return allowed;
  const [outcome] = await venue.placeBatch(venueAccount(account), [
    {
      clientOrderId,
      symbol: order.symbol,
      side: order.side,
      quantity: text(quantity),
      limitPrice: text(limitPrice(dec(mark), order.side, dec(SLIPPAGE), instrument)),
      timeInForce: 'IOC',
      reduceOnly: order.reduceOnly,
      expiresAt: deps.clock.now() + EXPIRES_AFTER_MS,
    },
  ]);
  switch (outcome?.kind) {
    case 'done':
      return ok(outcome);
    case 'rejected':
      return venueFailed({ kind: 'rejected', message: outcome.message });
    default:
      return venueFailed({ kind: 'unknown', message: 'no answer' });
  }
}

/**
 * Mandate check of the order. It uses up the mandate like an own order of the caller, and a repeated order counts
 * again. The order trades against all of the account's holdings of the instrument.
 */
function mayOrder(
  { warden }: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  account: TradeAccount,
  { symbol, side, reduceOnly, quantity, clientOrderId }: PaperOrder & Sized,
): Result<null, EngineError> {
  const bound = warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  const legs = [{ symbol, side, mode: 'BASE', amount: quantity }] as const;
  const admitted = warden.admit(bound, {
    ...{ account, kind: 'now', effect: reduceOnly ? 'REDUCES' : 'OPENS', isOwn: true, actsOn: { symbol } },
    trades: [{ legs, totalUsd: null, slippage: SLIPPAGE }],
    ...{ opensPosition: false, rests: 0, request: null, isRequest: true },
  });
  if (!admitted.ok) return admitted;
  if (!reduceOnly) warden.reservations.tradedOutside(admitted.value, clientOrderId);
  return ok(null);
}

interface Sized {
  readonly quantity: string;
  readonly clientOrderId: string;
}

function quantityOf({ amount }: PaperOrder, mark: string): Decimal {
  return amount.by === 'quantity' ? dec(amount.quantity) : dec(amount.usd).div(mark);
}
