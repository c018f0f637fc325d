/** Refusals used both for a failed check and for a request that lost a race against another one. */
import { invalidGrant } from './failure.ts';

export const INVALID_CODE = invalidGrant('The authorization code is invalid or has expired');
export const INVALID_REFRESH_TOKEN = invalidGrant('The refresh token is invalid or has expired');
