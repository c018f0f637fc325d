/** Plan of the basket that a reversal opens. */
import { placedBy } from '../../domain/authority.ts';
import { dec, text } from '../../domain/decimal.ts';
import type { Principal, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type BasketPlan, planBasket } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { EngineError } from '../core/errors.ts';
import { mayOpen } from '../core/may-open.ts';
import { askVenue, feeRatesOf, leverageAt, type VenueView } from '../execution/ask-venue.ts';

interface Closed {
  readonly symbol: string;
  readonly side: TradeLeg['side'];
  readonly quantity: string;
  readonly notional: string;
}

/** Plan of the opposite basket as if the close had filled: its margin is free, and its quantity is gone. */
export async function planOpposite(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  {
    legs,
    totalFee,
  }: {
    readonly legs: readonly Closed[];
    readonly totalFee: string;
  },
  slippage: string,
): Promise<Result<{ readonly plan: BasketPlan; readonly view: VenueView }, EngineError>> {
  const asked = await askVenue(deps, account);
  if (!asked.ok) return fail({ code: 'CONFIGURATION_ERROR', message: asked.error.error, details: {} });
  const view = asked.value;
  const { market, state } = deps;
  const turned = legs.filter(({ quantity }) => quantity !== '0');
  let free = dec(view.balances.freeMargin).minus(totalFee);
  const facts = turned.flatMap(({ symbol, side, quantity, notional }) => {
    const instrument = market.instrument(account.connector, symbol);
    if (instrument === undefined) return [];
    const leverage =
      leverageAt(deps, account, symbol, view.positions) ?? state.leverage.inForce(account.id, instrument);
    free = free.plus(dec(notional).div(leverage.leverage));
    const net = dec(view.net.get(symbol) ?? '0');
    return [
      {
        instrument,
        quote: market.quote(account.connector, symbol),
        stale: market.isStale(account.connector, symbol),
        funding: market.funding(account.connector, symbol),
        leverage,
        venueNet: text(side === 'BUY' ? net.plus(quantity) : net.minus(quantity)),
        reduces: false,
      },
    ];
  });
  const request = {
    legs: turned.map(
      ({ symbol, side, quantity }): TradeLeg => ({ symbol, side, mode: 'BASE', amount: quantity }),
    ),
    totalUsd: null,
    slippage,
  };
  const takerRate = feeRatesOf(deps, account).taker;
  const planned = planBasket(request, facts, { freeMargin: text(free), takerRate });
  const placed = placedBy(principal);
  const allowed = mayOpen(deps, account, placed);
  const limit = allowed.ok
    ? deps.limits.planProblem(account, placed, planned)
    : ({ code: 'RISK_LIMIT', message: allowed.error.message } as const);
  const first = limit === null ? [] : [{ ...limit, legIndex: null, symbol: null }];
  return ok({ plan: { ...planned, problems: [...first, ...planned.problems] }, view });
}
