/** What a change of a position would do now, and the exposure of the account. Nothing here changes anything. */

import type { z } from 'zod';
import { getAccountRisk } from '../../contract/account-risk.ts';
import { type closePlan, planClose, planReverse } from '../../contract/position-plans.ts';
import { planPanic } from '../../contract/safety.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import type { Position, Principal, TradeAccount } from '../../domain/model.ts';
import type { LiveState } from '../../engine/core/live-state.ts';
import type { Engine } from '../../engine/engine.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { ReadExposure } from '../../engine/positions/account-exposure.ts';
import type { ClosePlan } from '../../engine/positions/plan-change.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { presentNamedBracket, presentReversalBrackets } from '../present/bracket.ts';
import { presentPlan } from '../present/execution.ts';
import { iso } from '../present/time.ts';
import { unwrap } from '../unwrap.ts';
import { isWholeFraction } from './positions.ts';

export function positionPlanRoutes({
  engine,
  state,
  exposure,
  market,
  accountsOf,
}: {
  readonly engine: Engine;
  readonly state: LiveState;
  readonly exposure: ReadExposure;
  readonly market: Pick<MarketData, 'quote'>;
  readonly accountsOf: (principal: Principal) => readonly TradeAccount[];
}): readonly BoundRoute[] {
  const presentClose = ({ position, isWhole, legs, ...totals }: ClosePlan): z.input<typeof closePlan> => {
    const brackets = state.positions.bracketsOf(position.id).map((one) => presentNamedBracket(one));
    return {
      positionId: position.id,
      legs: [...legs],
      ...totals,
      brackets: isWhole ? { ended: brackets, kept: [] } : { ended: [], kept: brackets },
    };
  };
  return [
    bind(planClose, async ({ account, params, body }) => {
      const { fraction, slippage = null } = body;
      const asked = { positionId: params.id, fraction: isWholeFraction(fraction) ? '1' : fraction, slippage };
      return { body: presentClose(unwrap(await engine.planClose(account, asked))) };
    }),

    bind(planReverse, async ({ principal, account, params, body }) => {
      const { brackets, slippage = null } = body;
      const asked = { positionId: params.id, slippage, brackets };
      const plan = unwrap(await engine.planReverse(principal, account, asked));
      return {
        body: {
          close: presentClose(plan.close),
          open: presentPlan(plan.open, plan.expected),
          brackets: presentReversalBrackets(plan.brackets),
        },
      };
    }),

    bind(planPanic, ({ principal }) => ({
      body: {
        accounts: accountsOf(principal).map(({ id }) => {
          const open = state.positions.of(id);
          return { tradeAccountId: id, positions: open.length, ...worthOf(open, market) };
        }),
      },
    })),

    bind(getAccountRisk, async ({ account }) => {
      const { at, baskets, ...figures } = unwrap(await exposure(account));
      return { body: { at: iso(at), ...figures, baskets: [...baskets] } };
    }),
  ];
}

function worthOf(open: readonly Position[], market: Pick<MarketData, 'quote'>) {
  const legs = open.flatMap(({ connector, legs }) =>
    legs.map(({ symbol, side, quantity, entryPrice, entryNotional }) => {
      const notional = dec(market.quote(connector, symbol)?.mark ?? entryPrice).mul(quantity);
      const gain = notional.minus(entryNotional);
      return { notional, gain: side === 'BUY' ? gain : gain.neg() };
    }),
  );
  return {
    grossNotional: text(sum(legs.map(({ notional }) => notional))),
    unrealizedPnl: text(sum(legs.map(({ gain }) => gain))),
  };
}
