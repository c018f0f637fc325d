/** Leverage, opening of baskets, executions and fills. The rules are in the engine. */
import { encodeCursor } from '../../contract/cursor.ts';
import { openTrade } from '../../contract/positions.ts';
import {
  getExecution,
  getExecutionByKey,
  listExecutions,
  listFills,
  listLeverage,
  putLeverage,
} from '../../contract/trading.ts';
import type { ExecutionStatus } from '../../domain/model.ts';
import type { Book } from '../../engine/core/book.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type BoundRoute, BusinessError, bind } from '../handler.ts';
import { idempotentRequest } from '../idempotency-key.ts';
import type { AuthorityNames } from '../present/authority.ts';
import { presentOpeningBrackets } from '../present/bracket.ts';
import { presentExecution, presentFill, presentPlan } from '../present/execution.ts';
import { iso } from '../present/time.ts';
import { setupOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import type { PositionPresenter } from './positions.ts';

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
  readonly book: Book;
  readonly positions: PositionPresenter;
  readonly names: AuthorityNames;
}

export function tradingRoutes(deps: TradingRouteDeps): readonly BoundRoute[] {
  const { engine, store, book, names } = deps;
  return [
    bind(listLeverage, ({ account }) => ({
      body: {
        leverage: book
          .leverageSettings(account.id)
          .map(({ symbol, leverage, marginMode, updatedAt }) => ({
            symbol,
            leverage,
            marginMode,
            updatedAt: iso(updatedAt),
          }))
          .sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
      },
    })),

    bind(putLeverage, async ({ account, body }) => {
      unwrap(await engine.setLeverage(account, { ...body, marginMode: body.marginMode ?? null }));
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
        const { plan, brackets } = unwrap(await engine.dryRunBasket(principal, account, basket));
        const fate = brackets === null ? {} : { brackets: presentOpeningBrackets(brackets) };
        return { status: 200 as const, body: { plan: presentPlan(plan), ...fate } };
      }
      const command = {
        account,
        idempotency: idempotentRequest(openTrade, call),
        answer: deps.positions.acceptedJson(principal),
      };
      return answeredReply(unwrap(await engine.openBasket(principal, command, basket)), 202);
    }),

    bind(getExecution, async ({ principal, account, params }) => {
      const execution = await store.execution(account.id, params.id);
      if (execution === null) throw new BusinessError('RESOURCE_NOT_FOUND', 'Execution not found');
      return { body: { execution: presentExecution(execution, names.to(principal)) } };
    }),

    bind(getExecutionByKey, async ({ principal, account, query }) => {
      const pattern = query.route.replace('{id}', ':id');
      const record = await store.idempotency(principal.userId, pattern, query.key);
      const id: unknown = record === null ? null : JSON.parse(record.answer).execution?.id;
      const execution = typeof id === 'string' ? await store.execution(account.id, id) : null;
      if (execution === null) throw new BusinessError('RESOURCE_NOT_FOUND', 'Execution not found');
      return { body: { execution: presentExecution(execution, names.to(principal)) } };
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
          tradeAccountId: account.id,
          ...(query.connector === undefined ? {} : { connector: query.connector }),
          ...(query.status === undefined
            ? {}
            : { statuses: query.status.flatMap((status) => SELECTED[status]) }),
          ...(query.includeSchedule && query.includeTriggers ? {} : { origins }),
        },
        { limit: query.limit, after: query.cursor ?? null },
      );
      return {
        body: {
          executions: page.rows.map((execution) => presentExecution(execution, names.to(principal))),
          ...(page.next === null ? {} : { nextCursor: encodeCursor(page.next) }),
        },
      };
    }),

    bind(listFills, async ({ account, query }) => {
      deps.positions.checkConnector(query.connector);
      const page = await store.fills(
        {
          tradeAccountId: account.id,
          ...(query.connector === undefined ? {} : { connector: query.connector }),
          descending: query.orderBy === '-timestamp',
        },
        { limit: query.limit, after: query.cursor ?? null },
      );
      return {
        body: {
          fills: page.rows.map(presentFill),
          ...(page.next === null ? {} : { nextCursor: encodeCursor(page.next) }),
        },
      };
    }),
  ];
}
