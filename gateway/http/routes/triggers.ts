/** Triggers: changed through the engine, read from the store with their watchers' newest observations. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { unattendedPolicy } from '../../contract/leg-failure.ts';
import {
  cancelAllTriggers,
  cancelTrigger,
  changeTrigger,
  getTrigger,
  listTriggers,
  openTrigger,
  pauseTrigger,
  resumeTrigger,
} from '../../contract/triggers.ts';
import type { Principal } from '../../domain/model.ts';
import type { Trigger } from '../../domain/trigger.ts';
import { commandOf } from '../idempotency-key.ts';
import { presentCancelReport } from '../present/order.ts';
import { presentTrigger, triggerJson } from '../present/trigger.ts';
import { bracketChangeOf, bracketsOf, momentOf, watchOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

/** Kinds that order something. */
const ORDERS = ['OPEN', 'CLOSE'] as const;

function notAlert(trigger: Trigger | null): Trigger | null {
  return trigger?.kind === 'ALERT' ? null : trigger;
}

export function triggerRoutes(deps: RestingRouteDeps): readonly BoundRoute[] {
  const { resting, store, positions, names, protectionWhenFilled } = deps;
  const { triggers } = resting;
  const present = (trigger: Trigger, principal: Principal) =>
    presentTrigger(
      trigger,
      triggers.observation(trigger.id),
      names.to(principal),
      protectionWhenFilled(trigger),
    );
  return [
    bind(openTrigger, async (call) => {
      const { principal, body } = call;
      const command = commandOf(openTrigger, call, triggerJson(names.to(principal)));
      const asked = {
        ...watchOf(body),
        legs: body.legs,
        totalUsd: body.totalUsd ?? null,
        slippage: body.slippage,
        onLegFailure: unattendedPolicy(body),
        ...bracketsOf(body),
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await triggers.open(principal, command, asked)), 200);
    }),

    bind(listTriggers, async ({ principal, account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.triggers(
        { ...accountFilter(account, query), kinds: query.kind === undefined ? ORDERS : [query.kind] },
        pageAsked(query),
      );
      return {
        body: { triggers: page.rows.map((trigger) => present(trigger, principal)), ...nextCursorOf(page) },
      };
    }),

    bind(getTrigger, async ({ principal, account, params }) => ({
      body: present(found(notAlert(await store.trigger(account.id, params.id)), 'Trigger'), principal),
    })),

    bind(changeTrigger, async ({ principal, account, params, body }) => {
      const changed = await triggers.change(principal, account, params.id, {
        allowImmediate: body.allowImmediate,
        ...(body.condition === undefined ? {} : { level: body.condition.value }),
        ...(body.expiresAt === undefined ? {} : { expiresAt: momentOf(body.expiresAt) }),
        ...bracketChangeOf(body),
        ...(body.brackets === undefined ? {} : { brackets: body.brackets }),
      });
      return { body: present(unwrap(changed), principal) };
    }),

    bind(cancelTrigger, async ({ principal, account, params }) => ({
      body: present(unwrap(await triggers.cancel(account, params.id, principal)), principal),
    })),

    bind(pauseTrigger, async ({ principal, account, params }) => ({
      body: present(unwrap(await triggers.pause(account, params.id, principal)), principal),
    })),

    bind(resumeTrigger, async ({ principal, account, params }) => ({
      body: present(unwrap(await triggers.resume(principal, account, params.id)), principal),
    })),

    bind(cancelAllTriggers, async ({ principal, account }) => ({
      body: presentCancelReport(unwrap(await triggers.cancelAll(account, { principal }))),
    })),
  ];
}
