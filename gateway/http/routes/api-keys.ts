/** `/api-keys`: only a signed-in session may call these routes. */
import type { Auth } from '../../auth/auth.ts';
import { apiKey, createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from '../../contract/api-keys.ts';
import type { ValidationDetail } from '../../contract/errors.ts';
import type { Principal } from '../../domain/model.ts';
import type { Clock } from '../../engine/ports/system.ts';
import { type BoundRoute, BusinessError, bind, invalid } from '../handler.ts';
import { wireForm } from '../present/wire-form.ts';
import { originOf } from './origin.ts';
import { notFound, notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

export function apiKeyRoutes(
  auth: Pick<Auth, 'apiKeys' | 'accounts' | 'audit'>,
  clock: Pick<Clock, 'now'>,
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
      const { userId } = sessionOf(principal);
      const wanted = {
        userId,
        label: body.label,
        scope: body.scope,
        expiresAt: readExpiry(body.expiresAt),
        tradeAccountIds: readAccounts(principal, body.tradeAccountIds),
      };
      const made = await apiKeys.create(wanted, ({ id }) => ({
        audit: [audit.entry(userId, 'api_key.created', id, originOf(call))],
      }));
      if (!made.ok) throw notSaved(made.error);
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
