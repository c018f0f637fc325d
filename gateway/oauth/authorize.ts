/** `GET /authorize`: keeps the validated request as an interaction and sends the browser to the consent page. */
import { randomSecret } from '../auth/secret-text.ts';
import type { OAuthInteraction } from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock } from '../engine/ports/system.ts';
import { AUTHORIZE_CHECKS } from './checks/authorize-checks.ts';
import type { CheckResource } from './checks/check-resource.ts';
import { firstFailure, NOT_SAVED, type OAuthFailure } from './failure.ts';
import { readParameters } from './parameters.ts';
import { readProposal } from './proposal.ts';
import { readScopes } from './scopes.ts';

const INTERACTION_MS = 10 * 60 * 1_000;
const MAX_INTERACTIONS = 1_000;

/** @returns the address of the consent page */
export function createAuthorize(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly consentOrigin: string;
  readonly checkResource: CheckResource;
}): (query: unknown) => Promise<Result<string, OAuthFailure>> {
  const { store, clock, consentOrigin, checkResource } = options;
  return async (query) => {
    const read = readParameters(query);
    if (!read.ok) return read;
    const parameters = read.value;
    const client = await store.client(parameters.get('client_id'));
    const failure = firstFailure([...AUTHORIZE_CHECKS, checkResource], { parameters, client });
    if (failure !== null) return fail(failure);
    const proposal = readProposal(parameters.get('authorization_details'));
    if (!proposal.ok) return proposal;
    const now = clock.now();
    const interaction: OAuthInteraction = {
      uid: randomSecret(),
      clientId: parameters.get('client_id'),
      redirectUri: parameters.get('redirect_uri'),
      scopes: readScopes(parameters.get('scope')),
      state: parameters.get('state') || null,
      codeChallenge: parameters.get('code_challenge'),
      proposal: proposal.value === null ? null : JSON.stringify(proposal.value),
      prompt: 'LOGIN',
      userId: null,
      createdAt: now,
      expiresAt: now + INTERACTION_MS,
    };
    const added = await store.addInteraction(interaction, MAX_INTERACTIONS);
    return added.ok ? ok(`${consentOrigin}/consent/${interaction.uid}`) : fail(NOT_SAVED);
  };
}
