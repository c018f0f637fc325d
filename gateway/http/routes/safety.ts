/** The brakes. They hold all of the user's accounts, so a key that reaches only some of them may look, not pull. */
import { getSafety, panic, pauseTrading, resumeTrading } from '../../contract/safety.ts';
import type { Principal } from '../../domain/model.ts';
import type { SafetyService } from '../../engine/resting-ports.ts';
import { type BoundRoute, bind, FrameworkError } from '../handler.ts';
import { presentPanic, presentSafety } from '../present/safety.ts';
import { unwrap } from '../unwrap.ts';

export function safetyRoutes({ safety }: { readonly safety: SafetyService }): readonly BoundRoute[] {
  return [
    bind(getSafety, ({ principal }) => ({ body: presentSafety(safety.of(principal.userId)) })),

    bind(pauseTrading, async ({ principal }) => ({
      body: presentSafety(unwrap(await safety.pause(unlimited(principal).userId))),
    })),

    bind(resumeTrading, async ({ principal }) => ({
      body: presentSafety(unwrap(await safety.resume(unlimited(principal).userId))),
    })),

    bind(panic, async ({ principal, body }) => ({
      body: presentPanic(unwrap(await safety.panic(unlimited(principal), body.includeOutside))),
    })),
  ];
}

function unlimited(principal: Principal): Principal {
  if (principal.kind === 'api_key' && principal.tradeAccountIds !== null) {
    throw new FrameworkError(403, 'API key is limited to its trade accounts');
  }
  return principal;
}
