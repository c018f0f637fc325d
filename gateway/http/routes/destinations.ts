/** Shared by `/webhooks` and `/notification-channels`: authorisation, accounts, refusals, wire form of the log. */
import type { Accounts } from '../../auth/accounts.ts';
import type { Auth } from '../../auth/auth.ts';
import { BusinessError, FrameworkError } from '../../call/errors.ts';
import type { ValidationDetail } from '../../contract/errors.ts';
import { type DeliveryBody, delivery } from '../../contract/webhooks.ts';
import type { AuditAction } from '../../domain/audit.ts';
import type { Delivery, DeliveryStatus, Destination } from '../../domain/delivery.ts';
import { MAX_DESTINATIONS, MAX_WAITING } from '../../domain/delivery.ts';
import type { Principal } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import type { Store } from '../../engine/ports/store.ts';
import type { UnitOfWork } from '../../engine/ports/unit-of-work.ts';
import type { DestinationError, Outgoing } from '../../outgoing/outgoing.ts';
import { payloadOf } from '../../outgoing/requests.ts';
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';
import { originOf } from './origin.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';
import { notFound, notSaved } from './refusals.ts';

export interface DestinationDeps {
  readonly outgoing: Outgoing;
  readonly auth: Pick<Auth, 'accounts' | 'audit'>;
  readonly store: Pick<Store, 'delivery' | 'deliveries'>;
  /** True: a mandate binds the caller. */
  readonly isBound: (principal: Principal) => boolean;
}

/** News of the whole user is only for callers with rights for the whole user. */
export function userOf({ isBound }: Pick<DestinationDeps, 'isBound'>, principal: Principal): string {
  if (principal.kind === 'api_key' && principal.tradeAccountIds !== null)
    throw new FrameworkError(403, 'API key is limited to its trade accounts');
  if (isBound(principal))
    throw new FrameworkError(403, 'API key has a mandate, which gives no right to this');
  return principal.userId;
}

export function destinationOf(
  deps: DestinationDeps,
  principal: Principal,
  id: string,
  kinds: readonly Destination['kind'][],
  what: string,
): Destination {
  const found = deps.outgoing.find(userOf(deps, principal), id.toLowerCase(), kinds);
  if (found === undefined) throw notFound(what);
  return found;
}

/** The accounts that were named, each the caller's. */
export function accountsNamed(
  accounts: Pick<Accounts, 'find'>,
  principal: Principal,
  given: readonly string[] | null | undefined,
): readonly string[] | null {
  if (given === null || given === undefined) return null;
  const ids = given.map((id) => id.toLowerCase());
  const details = ids.flatMap((id, index): ValidationDetail[] =>
    accounts.find(principal, id) === undefined
      ? [{ path: `tradeAccountIds.${index}`, message: 'Not one of your trade accounts', code: 'custom' }]
      : [],
  );
  if (details.length > 0) throw new BusinessError('VALIDATION_ERROR', 'Validation error', details);
  return [...new Set(ids)];
}

export function noted(
  { auth }: Pick<DestinationDeps, 'auth'>,
  action: AuditAction,
  id: string,
  call: Parameters<typeof originOf>[0],
): UnitOfWork {
  return { audit: [auth.audit.entry(call.principal.userId, action, id, originOf(call))] };
}

/** Changeable fields of either. @throws for an account that is not the caller's */
export function changedFields(
  { auth }: Pick<DestinationDeps, 'auth'>,
  principal: Principal,
  body: {
    readonly name?: string | undefined;
    readonly tradeAccountIds?: readonly string[] | null | undefined;
    readonly enabled?: boolean | undefined;
  },
) {
  const { name, tradeAccountIds, enabled } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(tradeAccountIds === undefined
      ? {}
      : { tradeAccountIds: accountsNamed(auth.accounts, principal, tradeAccountIds) }),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

/** @throws the refusal */
export function done<T>(result: Result<T, DestinationError>): T {
  if (!result.ok) throw destinationRefusal(result.error);
  return result.value;
}

function destinationRefusal(error: DestinationError): BusinessError {
  switch (error.kind) {
    case 'not_found':
      return notFound('Destination');
    case 'too_many':
      return new BusinessError(
        'RESOURCE_BUSY',
        `There are ${MAX_DESTINATIONS} webhooks and notification channels already: remove one first`,
      );
    case 'full':
      return new BusinessError(
        'RESOURCE_BUSY',
        `${MAX_WAITING.toLocaleString('en-US')} deliveries wait for it already`,
      );
    case 'unsupported':
      return new BusinessError('NOT_IMPLEMENTED_ERROR', 'Only a webhook has a secret of the gateway');
    case 'store':
      return notSaved(error.error);
  }
}

export function presentDelivery(value: Delivery): DeliveryBody {
  return wireForm(delivery, value, { event: payloadOf(value) });
}

export async function deliveriesPage(
  { store }: Pick<DestinationDeps, 'store'>,
  destination: Destination,
  query: Parameters<typeof pageAsked>[0] & { readonly status?: readonly DeliveryStatus[] | undefined },
) {
  const filter = {
    destinationId: destination.id,
    ...(query.status === undefined ? {} : { statuses: query.status }),
  };
  const page = await store.deliveries(filter, pageAsked(query));
  return {
    deliveries: page.rows.map(presentDelivery),
    ...nextCursorOf(page),
  };
}

/** Fields of a destination that are not its record's. */
export function standing(outgoing: Pick<Outgoing, 'waitingOf' | 'lastAttempt'>, { id }: Destination) {
  const last = outgoing.lastAttempt(id);
  return {
    waiting: outgoing.waitingOf(id),
    lastAttempt:
      last === null
        ? null
        : {
            at: iso(last.updatedAt),
            status: last.status,
            responseStatus: last.responseStatus,
            error: last.error,
          },
  };
}
