/** Plans of position changes at present prices, and the exposure of the account. Nothing here changes anything. */

import type { z } from 'zod';
import { type BoundRoute, bind } from '../../call/call.ts';
import { getAccountRisk } from '../../contract/account-risk.ts';
import {
  type closePlan,
  planAdjust,
  planBrackets,
  planClose,
  planCloseAll,
  planReverse,
} from '../../contract/position-plans.ts';
import { planPanic } from '../../contract/safety.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { LiveState } from '../../engine/core/live-state.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ReadExposure } from '../../engine/positions/account-exposure.ts';
import type { ClosePlan } from '../../engine/positions/plan-change.ts';
import { shortBooksOf } from '../../engine/positions/plan-close-all.ts';
import type { BracketService } from '../../engine/resting/triggers/bracket-service.ts';
import { presentNamedBracket, presentReversalBrackets } from '../present/bracket.ts';
import { presentAfter, presentPlan } from '../present/execution.ts';
import { iso } from '../present/time.ts';
import { bracketChangeOf } from '../resting-input.ts';
import { unwrap } from '../unwrap.ts';
import { adjustmentOf, isWholeFraction } from './positions.ts';

export function positionPlanRoutes({
  engine,
  state,
  brackets,
  exposure,
  checkConnector,
  accountsOf,
}: {
  readonly engine: Engine;
  readonly state: LiveState;
  readonly brackets: Pick<BracketService, 'plan'>;
  readonly exposure: ReadExposure;
  readonly checkConnector: (connector: string | undefined) => void;
  readonly accountsOf: (principal: Principal) => readonly TradeAccount[];
}): readonly BoundRoute[] {
  const presentClose = ({
    position,
    worth,
    isWhole,
    legs,
    after,
    protection,
    ...totals
  }: ClosePlan): z.input<typeof closePlan> => {
    const named = state.positions.bracketsOf(position.id).map((one) => presentNamedBracket(one));
    return {
      positionId: position.id,
      position: worth,
      legs: [...legs],
      ...totals,
      after: presentAfter(after),
      protection: [...protection],
      brackets: isWhole ? { ended: named, kept: [] } : { ended: [], kept: named },
    };
  };
  return [
    bind(planClose, async ({ principal, account, params, body }) => {
      const { fraction, slippage = null } = body;
      const asked = { positionId: params.id, fraction: isWholeFraction(fraction) ? '1' : fraction, slippage };
      return { body: presentClose(unwrap(await engine.planClose(principal, account, asked))) };
    }),

    bind(planReverse, async ({ principal, account, params, body }) => {
      const { brackets: fate, slippage = null } = body;
      const asked = { positionId: params.id, slippage, brackets: fate };
      const plan = unwrap(await engine.planReverse(principal, account, asked));
      return {
        body: {
          close: presentClose(plan.close),
          open: presentPlan(plan.open, plan.expected, plan.after),
          brackets: presentReversalBrackets(plan.brackets),
          protection: [...plan.protection],
        },
      };
    }),

    bind(planAdjust, async ({ principal, account, params, body }) => {
      const plan = unwrap(await engine.planAdjust(principal, account, adjustmentOf(params.id, body)));
      return {
        body: {
          open: plan.open === null ? null : presentPlan(plan.open.plan, plan.open.expected, plan.open.after),
          close: plan.close === null ? null : presentClose(plan.close),
          position: plan.worth,
          protection: [...plan.protection],
        },
      };
    }),

    bind(planBrackets, async ({ account, params, body }) => {
      const plan = await brackets.plan(account, params.id, bracketChangeOf(body));
      return { body: { positionId: params.id, protection: [...unwrap(plan)] } };
    }),

    bind(planCloseAll, async ({ account, body: { connector = null, slippage = null } }) => {
      checkConnector(connector ?? undefined);
      const { orders, ...figures } = await engine.planCloseAll(account, {
        ...{ connector, slippage, readsBooks: true },
      });
      return { body: { ...figures, orders: [...orders] } };
    }),

    bind(planPanic, async ({ principal, query }) => {
      const asked = { connector: null, slippage: null, readsBooks: query.includeExpected };
      const accounts = accountsOf(principal).map(async (account) => {
        const { orders, ...figures } = await engine.planCloseAll(account, asked);
        return { tradeAccountId: account.id, ...figures, shortBooks: shortBooksOf(orders) };
      });
      return { body: { accounts: await Promise.all(accounts) } };
    }),

    bind(getAccountRisk, async ({ account }) => {
      const { at, baskets, ...figures } = unwrap(await exposure(account));
      return { body: { at: iso(at), ...figures, baskets: [...baskets] } };
    }),
  ];
}
