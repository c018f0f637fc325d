/** `/api-keys`: only a signed-in session may call these routes. */
import type { Auth } from '../../auth/auth.ts';
import { mandateOf, mandateRecord } from '../../auth/mandate-records.ts';
import type { Mandates } from '../../auth/mandates.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
import { apiKey, createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from '../../contract/api-keys.ts';
import type { ValidationDetail } from '../../contract/errors.ts';
import type { AuditAction } from '../../domain/audit.ts';
import type { Principal } from '../../domain/model.ts';
import type { MandateRecord } from '../../engine/ports/mandates.ts';
import type { Clock } from '../../engine/ports/system.ts';
import { wireForm } from '../present/wire-form.ts';
import { checkedMandate } from './mandate-input.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

export function apiKeyRoutes(
  auth: Pick<Auth, 'apiKeys' | 'accounts' | 'audit'>,
  clock: Pick<Clock, 'now'>,
  mandates: Pick<Mandates, 'adopt'>,
): readonly BoundRoute[] {
  const { apiKeys, accounts, audit } = auth;

  function readExpiry(text: string | null | undefined): number | null {
    if (text === null || text === undefined) return null;
    const expiresAt = Date.parse(text);
    if (expiresAt <= clock.now()) throw invalid('expiresAt', 'Must be later than now');
    return expiresAt;
  }

  function readAccounts(principal: Principal, given: readonly string[] | null | undefined) {
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

  return [
    bind(listApiKeysRoute, ({ principal }) => ({
      body: { apiKeys: apiKeys.list(principal.userId).map((key) => wireForm(apiKey, key, {})) },
    })),

    bind(createApiKeyRoute, async (call) => {
      const { body, principal } = call;
      const { userId, sessionId } = sessionOf(principal);
      const wanted = {
        userId,
        label: body.label,
        scope: body.scope,
        expiresAt: readExpiry(body.expiresAt),
        tradeAccountIds: readAccounts(principal, body.tradeAccountIds),
      };
      const limits =
        body.mandate === undefined ? null : checkedMandate(auth, principal, body.mandate, clock.now());
      const making = { userId, by: sessionId, at: clock.now() };
      const recordOf = (id: string): MandateRecord | null =>
        limits === null ? null : mandateRecord({ kind: 'api_key', id }, mandateOf(limits), 1, making);
      const made = await apiKeys.create(wanted, ({ id }) => {
        const record = recordOf(id);
        const noted = (action: AuditAction) => audit.entry(userId, action, id, originOf(call));
        return record === null
          ? { audit: [noted('api_key.created')] }
          : { audit: [noted('api_key.created'), noted('mandate.changed')], mandates: [record] };
      });
      if (!made.ok) throw notSaved(made.error);
      const record = recordOf(made.value.key.id);
      // The key is unknown to all callers until the answer.
      if (record !== null) mandates.adopt(record);
      return {
        headers: { 'cache-control': 'no-store' },
        body: { ...wireForm(apiKey, made.value.key, {}), key: made.value.secret },
      };
    }),

    bind(revokeApiKeyRoute, async (call) => {
      const { params } = call;
      const { userId } = sessionOf(call.principal);
      const id = params.id.toLowerCase();
      const revoked = await apiKeys.revoke(userId, id, {
        audit: [audit.entry(userId, 'api_key.revoked', id, originOf(call))],
      });
      if (!revoked.ok)
        throw revoked.error.kind === 'not_found' ? notFound('API key') : notSaved(revoked.error);
      return {};
    }),
  ];
}
