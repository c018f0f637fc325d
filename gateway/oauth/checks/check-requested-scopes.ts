import type { OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { checkScopes, SCOPES } from '../scopes.ts';

export function checkRequestedScopes({
  parameters,
}: {
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return checkScopes(parameters.get('scope'), SCOPES);
}
