/**
 * Pause, resume and panic. A pause stops all of the user's accounts, so a key limited to some accounts may read its
 * state, not change it. A pause stops agents too, so an agent may pause or panic but not resume. The audit entry is in
 * the commit of the action.
 */

import { type BoundRoute, bind } from '../../call/call.ts';
import { FrameworkError } from '../../call/errors.ts';
import { getSafety, panic, pauseTrading, resumeTrading } from '../../contract/safety.ts';
import type { AuditAction } from '../../domain/audit.ts';
import type { Principal } from '../../domain/model.ts';
import { presentPanic, presentSafety } from '../present/safety.ts';
import { unwrap } from '../unwrap.ts';
import { originOf } from './origin.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function safetyRoutes({ resting, names, audit }: RestingRouteDeps): readonly BoundRoute[] {
  const { safety } = resting;
  /** Audit entry of an action. @throws FrameworkError 403 when the caller may not act */
  function entry(call: Parameters<typeof originOf>[0], action: AuditAction) {
    const { userId } = unlimited(call.principal);
    return audit.entry(userId, action, userId, originOf(call));
  }
  return [
    bind(getSafety, ({ principal }) => ({ body: presentSafety(safety.of(principal.userId)) })),

    bind(pauseTrading, async (call) => ({
      body: presentSafety(unwrap(await safety.pause(entry(call, 'trading.paused')))),
    })),

    bind(resumeTrading, async (call) => ({
      body: presentSafety(unwrap(await safety.resume(entry(call, 'trading.resumed')))),
    })),

    bind(panic, async (call) => {
      const { principal, body } = call;
      const report = await safety.panic(principal, body.includeOutside, entry(call, 'trading.panic'));
      return { body: presentPanic(unwrap(report), names.to(principal)) };
    }),
  ];
}

function unlimited(principal: Principal): Principal {
  if (principal.kind === 'api_key' && principal.tradeAccountIds !== null) {
    throw new FrameworkError(403, 'API key is limited to its trade accounts');
  }
  return principal;
}
