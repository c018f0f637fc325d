/** Alerts: triggers that only notify. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  ALERTS_OF_AGENT,
  ALERTS_OF_KEY,
  cancelAlert,
  changeAlert,
  getAlert,
  listAlerts,
  MOST_ALERTS,
  openAlert,
} from '../../contract/alerts.ts';
import type { AnswerOf } from '../../contract/route.ts';
import type { Principal, TradeLeg } from '../../domain/model.ts';
import type { Trigger } from '../../domain/trigger.ts';
import { commandOf } from '../idempotency-key.ts';
import { alertJson, presentAlert } from '../present/alert.ts';
import { momentOf, watchOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

type Asked = {
  readonly legs: readonly {
    readonly symbol: string;
    readonly side: TradeLeg['side'];
    readonly weight?: string | undefined;
  }[];
  readonly condition: { readonly type: string; readonly symbol?: string | undefined };
};

const BOUNDS = { most: MOST_ALERTS, ofAgent: ALERTS_OF_AGENT, ofKey: ALERTS_OF_KEY };

export function alertRoutes({ resting, store, positions, names }: RestingRouteDeps): readonly BoundRoute[] {
  const { triggers } = resting;
  const present = (alert: Trigger, principal: Principal): AnswerOf<typeof getAlert> =>
    presentAlert(alert, triggers.observation(alert.id), names.to(principal));
  return [
    bind(openAlert, async (call) => {
      const { principal, body } = call;
      const command = commandOf(openAlert, call, alertJson(names.to(principal)));
      const asked = {
        ...watchOf(body),
        ...basketOf(body),
        bounds: BOUNDS,
      };
      return answeredReply(unwrap(await triggers.tell(principal, command, asked)), 200);
    }),

    bind(listAlerts, async ({ principal, account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.triggers(
        { ...accountFilter(account, query), kinds: ['ALERT'] },
        pageAsked(query),
      );
      return { body: { alerts: page.rows.map((one) => present(one, principal)), ...nextCursorOf(page) } };
    }),

    bind(getAlert, async ({ principal, account, params }) => {
      const stored = await store.trigger(account.id, params.id);
      return { body: present(found(stored?.kind === 'ALERT' ? stored : null, 'Alert'), principal) };
    }),

    bind(changeAlert, async ({ principal, account, params, body }) => {
      const changed = await triggers.changeAlert(principal, account, params.id, {
        allowImmediate: body.allowImmediate,
        ...(body.condition === undefined ? {} : { level: body.condition.value }),
        ...(body.expiresAt === undefined ? {} : { expiresAt: momentOf(body.expiresAt) }),
      });
      return { body: present(unwrap(changed), principal) };
    }),

    bind(cancelAlert, async ({ principal, account, params }) => ({
      body: present(unwrap(await triggers.cancelAlert(account, params.id)), principal),
    })),
  ];
}

/** The basket that is measured; of the price of an instrument the instrument alone. */
function basketOf({ legs, condition }: Asked): {
  readonly legs: TradeLeg[];
  readonly totalUsd: string | null;
} {
  if (legs.length === 0 && condition.type === 'PRICE' && condition.symbol !== undefined)
    return { legs: [{ symbol: condition.symbol, side: 'BUY', mode: 'USD', amount: '1' }], totalUsd: null };
  const isWeighted = legs.some(({ weight }) => weight !== undefined);
  return {
    legs: legs.map(({ symbol, side, weight }) =>
      weight === undefined
        ? { symbol, side, mode: 'USD', amount: '1' }
        : { symbol, side, mode: 'WEIGHT', amount: weight },
    ),
    totalUsd: isWeighted ? '1' : null,
  };
}
