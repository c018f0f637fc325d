/**
 * `POST /register`: dynamic registration of public clients (RFC 7591). Open to everyone, so every field has a maximum
 * size.
 */
import { clientMetadata, type OAuthClientBody } from '../contract/oauth-protocol.ts';
import { withoutHidden } from '../contract/plain-text.ts';
import type { OAuthClient } from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import { NOT_SAVED, type OAuthFailure } from './failure.ts';
import { isAllowedRedirectUri } from './redirect-uri.ts';

const MAX_CLIENTS = 10_000;

const MAX_NAME_CHARS = 128;

/** Client name as pages show it; null: no visible character is left of the name. */
function displayName(given: string | undefined): string | null {
  const shown = withoutHidden(given ?? '');
  return shown === '' ? null : [...shown].slice(0, MAX_NAME_CHARS).join('');
}

const FULL: OAuthFailure = {
  status: 500,
  error: 'server_error',
  description: 'Too many clients are registered',
};

function metadataFailure(error: string, description: string): OAuthFailure {
  return { status: 400, error, description };
}

function presentClient(client: OAuthClient): OAuthClientBody {
  return {
    client_id: client.id,
    redirect_uris: [...client.redirectUris],
    token_endpoint_auth_method: 'none',
    grant_types: [...client.grantTypes],
    response_types: ['code'],
    ...(client.name === null ? {} : { client_name: client.name }),
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
  };
}

export function createRegister(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** Authorities that the gateway answers on, port included: `127.0.0.1:7391`. */
  readonly ownHosts: readonly string[];
}): (body: unknown) => Promise<Result<OAuthClientBody, OAuthFailure>> {
  const { store, clock, ids, ownHosts } = options;
  return async (body) => {
    const parsed = clientMetadata.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = String(issue?.path[0] ?? '');
      if (field === 'redirect_uris')
        return fail(metadataFailure('invalid_redirect_uri', 'Check the `redirect_uris`'));
      const description = field === '' ? 'The body must be a JSON object' : `Check the \`${field}\``;
      return fail(metadataFailure('invalid_client_metadata', description));
    }
    const metadata = parsed.data;
    if (!metadata.redirect_uris.every((uri) => isAllowedRedirectUri(uri, ownHosts))) {
      const description =
        'Each must be https, or http on localhost, 127.0.0.1 or [::1], in its normal spelling, without fragment and user name, and not of this gateway';
      return fail(metadataFailure('invalid_redirect_uri', description));
    }
    const client: OAuthClient = {
      id: ids.next(),
      redirectUris: metadata.redirect_uris,
      grantTypes: metadata.grant_types ?? ['authorization_code', 'refresh_token'],
      name: displayName(metadata.client_name),
      createdAt: clock.now(),
    };
    const added = await store.addClient(client, MAX_CLIENTS);
    if (!added.ok) return fail(NOT_SAVED);
    return added.value ? ok(presentClient(client)) : fail(FULL);
  };
}
