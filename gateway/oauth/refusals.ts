/** Refusals that a check and a lost race share. */
import { invalidGrant } from './failure.ts';

export const INVALID_CODE = invalidGrant('The authorization code is invalid or has expired');
export const INVALID_REFRESH_TOKEN = invalidGrant('The refresh token is invalid or has expired');
