/** Leverage, opening of baskets, executions and fills. The rules are in the engine. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { openTrade } from '../../contract/positions.ts';
import {
  getExecution,
  getExecutionByKey,
  leverageSetting,
  listExecutions,
  listFills,
  listLeverage,
  putLeverage,
} from '../../contract/trading.ts';
import { placedBy } from '../../domain/authority.ts';
import type { ExecutionStatus } from '../../domain/model.ts';
import { keptAnswer, keyOwner } from '../../engine/core/idempotency.ts';
import type { LiveState } from '../../engine/core/live-state.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Store } from '../../engine/ports/store.ts';
import { commandOf } from '../idempotency-key.ts';
import type { AuthorityNames } from '../present/authority.ts';
import { presentOpeningBrackets } from '../present/bracket.ts';
import { presentExecution, presentFill, presentPlan } from '../present/execution.ts';
import { wireForm } from '../present/wire-form.ts';
import { setupOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import type { PositionPresenter } from './positions.ts';
import { found } from './refusals.ts';

/** `COMPLETED` in the query also means `FAILED`: service.md, Executions, rule 1. */
const SELECTED: Readonly<Record<'ACTIVE' | 'COMPLETED' | 'CANCELLED', readonly ExecutionStatus[]>> = {
  ACTIVE: ['ACTIVE'],
  COMPLETED: ['COMPLETED', 'FAILED'],
  CANCELLED: ['CANCELLED'],
};

const DIRECT_ORIGINS = ['API', 'REBALANCE', 'BRACKET'] as const;

export interface TradingRouteDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly state: LiveState;
  readonly positions: PositionPresenter;
  readonly names: AuthorityNames;
}

export function tradingRoutes(deps: TradingRouteDeps): readonly BoundRoute[] {
  const { engine, store, state, names } = deps;
  return [
    bind(listLeverage, ({ account }) => ({
      body: {
        leverage: state.leverage
          .of(account.id)
          .map((setting) => wireForm(leverageSetting, setting, {}))
          .sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
      },
    })),

    bind(putLeverage, async ({ principal, account, body }) => {
      const asked = { ...body, marginMode: body.marginMode ?? null };
      unwrap(await engine.setLeverage(account, asked, placedBy(principal)));
      return { body: {} };
    }),

    bind(openTrade, async (call) => {
      const { principal, account, body } = call;
      const basket = {
        legs: body.legs,
        totalUsd: body.totalUsd ?? null,
        slippage: body.slippage,
        onLegFailure: body.onLegFailure,
        clientId: body.clientId ?? null,
        setup: setupOf(body),
      };
      if (body.dryRun) {
        const dryRun = unwrap(await engine.dryRunBasket(principal, account, basket));
        const { plan, brackets, expected, after, protection } = dryRun;
        const fate =
          brackets === null ? {} : { brackets: presentOpeningBrackets(brackets, names.to(principal)) };
        return {
          status: 200 as const,
          body: { plan: presentPlan(plan, expected, after), ...fate, protection: [...protection] },
        };
      }
      const command = commandOf(openTrade, call, deps.positions.acceptedJson(principal));
      return answeredReply(unwrap(await engine.openBasket(principal, command, basket)), 202);
    }),

    bind(getExecution, async ({ principal, account, params }) => {
      const execution = found(await store.execution(account.id, params.id), 'Execution');
      return { body: { execution: presentExecution(execution, names.to(principal)) } };
    }),

    bind(getExecutionByKey, async ({ principal, account, query }) => {
      const pattern = query.route.replace('{id}', ':id');
      const record = await keptAnswer(store, keyOwner(principal), pattern, query.key);
      const id: unknown = record === null ? null : JSON.parse(record.answer).execution?.id;
      const execution = typeof id === 'string' ? await store.execution(account.id, id) : null;
      return { body: { execution: presentExecution(found(execution, 'Execution'), names.to(principal)) } };
    }),

    bind(listExecutions, async ({ principal, account, query }) => {
      deps.positions.checkConnector(query.connector);
      const origins = [
        ...DIRECT_ORIGINS,
        ...(query.includeSchedule ? ['SCHEDULE'] : []),
        ...(query.includeTriggers ? ['TRIGGER', 'LADDER'] : []),
      ];
      const page = await store.executions(
        {
          ...accountFilter(account, {
            ...query,
            status: query.status?.flatMap((status) => SELECTED[status]),
          }),
          ...(query.includeSchedule && query.includeTriggers ? {} : { origins }),
        },
        pageAsked(query),
      );
      return {
        body: {
          executions: page.rows.map((execution) => presentExecution(execution, names.to(principal))),
          ...nextCursorOf(page),
        },
      };
    }),

    bind(listFills, async ({ account, query }) => {
      deps.positions.checkConnector(query.connector);
      const page = await store.fills(
        { ...accountFilter(account, query), descending: query.orderBy === '-timestamp' },
        pageAsked(query),
      );
      return { body: { fills: page.rows.map(presentFill), ...nextCursorOf(page) } };
    }),
  ];
}
