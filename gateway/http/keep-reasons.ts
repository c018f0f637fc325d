/**
 * Records the reason that an agent or a program gives for an order, in its own words, even without an approval: an
 * entry of the audit log, on disk before the answer goes out. For an approved request, the approval has the reason.
 */
import type { AuditTrail } from '../auth/audit.ts';
import type { BoundRoute, Call, Reply } from '../call/call.ts';
import type { RouteContract } from '../contract/route.ts';
import type { Principal } from '../domain/model.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Logger } from '../engine/ports/system.ts';
import { reasonOf } from './agent-reason.ts';
import { ruleOf } from './mandate-gate.ts';
import { originOf } from './routes/origin.ts';
import { REPLAYED } from './unwrap.ts';

export interface KeepReasonsDeps {
  readonly audit: AuditTrail;
  readonly store: Pick<Store, 'commit'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Wraps the routes that place orders or change positions. */
export function withKeptReason(route: BoundRoute, deps: KeepReasonsDeps): BoundRoute {
  const rule = ruleOf(route.contract);
  if (rule === null || !('judged' in rule || 'kind' in rule)) return route;
  return {
    ...route,
    async handle(call) {
      const reply = await route.handle(call);
      if (call.headers['agent-reason'] !== undefined) await keep(deps, call, reply);
      return reply;
    },
  };
}

async function keep(
  { audit, store, logger }: KeepReasonsDeps,
  call: Call<RouteContract>,
  reply: Reply<RouteContract>,
): Promise<void> {
  // The route is not public, so there is a principal.
  const principal = call.principal as Principal;
  const says = reasonOf(call.headers);
  const subjectId = madeBy(reply);
  const isRepeated = Object.keys(REPLAYED).some((name) => reply.headers?.[name] !== undefined);
  if (says === null || subjectId === null || principal.kind === 'session' || isRepeated) return;
  const entry = audit.entry(principal.userId, 'agent.order.placed', subjectId, originOf(call), says);
  const kept = await store.commit({ audit: [entry] });
  if (!kept.ok) logger.warn({ subjectId, reason: kept.error.message }, "an agent's reason was not kept");
}

/** Id of the execution, the resting object, or the changed position; null: nothing was placed (a dry run). */
function madeBy({ json, body }: Reply<RouteContract>): string | null {
  const told: unknown = json === undefined ? body : JSON.parse(json);
  if (typeof told !== 'object' || told === null) return null;
  const { execution, id, positionId } = told as Readonly<Record<string, unknown>>;
  const made =
    typeof execution === 'object' && execution !== null && 'id' in execution
      ? execution.id
      : (id ?? positionId);
  return typeof made === 'string' ? made : null;
}
