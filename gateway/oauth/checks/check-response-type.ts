import { badParameter, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

export function checkResponseType({ parameters }: { readonly parameters: Parameters }): OAuthFailure | null {
  const responseType = parameters.get('response_type');
  if (responseType === '') return badParameter('response_type');
  if (responseType === 'code') return null;
  return { status: 400, error: 'unsupported_response_type', description: 'Must be `code`' };
}
