/** Automatic rebalance of a position, and a single rebalance on request. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError } from '../../call/errors.ts';
import {
  deleteAutoRebalance,
  getAutoRebalance,
  pauseAutoRebalance,
  putAutoRebalance,
  resumeAutoRebalance,
} from '../../contract/auto-rebalance.ts';
import { planRebalance, rebalancePosition } from '../../contract/rebalance.ts';
import type { RebalanceRequest } from '../../engine/resting/rebalances/plan-position.ts';
import { commandOf } from '../idempotency-key.ts';
import { presentAutoRebalance, presentRebalancePlan } from '../present/auto-rebalance.ts';
import { rebalanceTermsOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function rebalanceRoutes({ resting, store, positions }: RestingRouteDeps): readonly BoundRoute[] {
  const { rebalances } = resting;
  return [
    bind(putAutoRebalance, async ({ principal, account, params, body }) => ({
      body: presentAutoRebalance(
        unwrap(await rebalances.set(principal, account, params.id, rebalanceTermsOf(body))),
      ),
    })),

    bind(getAutoRebalance, async ({ account, params }) => {
      if ((await store.position(account.id, params.id)) === null) {
        throw new BusinessError('AUTO_REBALANCE_POSITION_NOT_FOUND', 'Position not found');
      }
      const config = rebalances.of(params.id);
      if (config === undefined) {
        throw new BusinessError('AUTO_REBALANCE_CONFIG_NOT_FOUND', 'The position has no configuration');
      }
      return { body: presentAutoRebalance(config) };
    }),

    bind(pauseAutoRebalance, async ({ principal, account, params }) => ({
      body: presentAutoRebalance(unwrap(await rebalances.pause(account, params.id, principal))),
    })),

    bind(resumeAutoRebalance, async ({ principal, account, params }) => ({
      body: presentAutoRebalance(unwrap(await rebalances.resume(principal, account, params.id))),
    })),

    bind(deleteAutoRebalance, async ({ principal, account, params }) => {
      unwrap(await rebalances.end(account, params.id, principal));
      return {};
    }),

    bind(planRebalance, async ({ account, params, body }) => ({
      body: presentRebalancePlan(unwrap(await rebalances.plan(account, params.id, requestOf(body)))),
    })),

    bind(rebalancePosition, async (call) => {
      const { principal, params, body } = call;
      const command = commandOf(rebalancePosition, call, positions.acceptedJson(principal));
      const asked = {
        ...requestOf(body),
        slippage: body.slippage ?? null,
        onLegFailure: body.onLegFailure,
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await rebalances.rebalance(principal, command, params.id, asked)), 202);
    }),
  ];
}

function requestOf(
  body: {
    readonly [Field in keyof RebalanceRequest]?: RebalanceRequest[Field] | undefined;
  },
): RebalanceRequest {
  return {
    mode: body.mode ?? null,
    timeframe: body.timeframe ?? null,
    maxTradeUsd: body.maxTradeUsd ?? null,
  };
}
