import type { OAuthCode } from '../../domain/oauth.ts';
import type { OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { INVALID_CODE } from '../refusals.ts';

/** A code of another client is refused like a code that does not exist. */
export function checkCodeClient({
  code,
  parameters,
}: {
  readonly code: OAuthCode;
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return code.clientId === parameters.get('client_id') ? null : INVALID_CODE;
}
