/** Ladders. The state of a rung is the state of its trigger. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { cancelLadder, createLadder, getLadder, listLadders } from '../../contract/ladders.ts';
import { unattendedPolicy } from '../../contract/leg-failure.ts';
import { commandOf } from '../idempotency-key.ts';
import { ladderJson, presentLadder } from '../present/ladder.ts';
import { momentOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function ladderRoutes({ resting, store, positions, names }: RestingRouteDeps): readonly BoundRoute[] {
  const { ladders } = resting;
  const rungStates = async (ids: readonly string[]) => {
    const [statuses, fills] = await Promise.all([store.rungStatuses(ids), store.rungFills(ids)]);
    return { statuses, fills };
  };
  return [
    bind(createLadder, async (call) => {
      const { principal, body } = call;
      const command = commandOf(createLadder, call, ladderJson(names.to(principal)));
      const asked = {
        legs: body.legs,
        totalUsd: body.totalUsd ?? null,
        metric: body.metric,
        symbol: body.metric === 'PRICE' ? (body.symbol ?? body.legs[0]?.symbol ?? null) : null,
        direction: body.direction,
        start: body.start,
        end: body.end,
        levels: body.levels,
        distribution: body.distribution,
        sizing: body.sizing,
        allowImmediate: body.allowImmediate,
        expiresAt: momentOf(body.expiresAt),
        slippage: body.slippage,
        onLegFailure: unattendedPolicy(body),
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await ladders.create(principal, command, asked)), 200);
    }),

    bind(listLadders, async ({ principal, account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.ladders(accountFilter(account, query), pageAsked(query));
      const states = await rungStates(page.rows.map(({ id }) => id));
      return {
        body: {
          ladders: page.rows.map((ladder) => presentLadder({ ladder, ...states }, names.to(principal))),
          ...nextCursorOf(page),
        },
      };
    }),

    bind(getLadder, async ({ principal, account, params }) => {
      const ladder = found(await store.ladder(account.id, params.ladderId), 'Ladder');
      const states = await rungStates([ladder.id]);
      return { body: presentLadder({ ladder, ...states }, names.to(principal)) };
    }),

    bind(cancelLadder, async ({ principal, account, params }) => ({
      body: presentLadder(unwrap(await ladders.cancel(account, params.ladderId)), names.to(principal)),
    })),
  ];
}
