/** The two error shapes of the wire. */
import { z } from 'zod';
import { DOCS, isoTime } from './common.ts';

export const validationDetail = z
  .strictObject({ path: z.string(), message: z.string(), code: z.string() })
  .register(DOCS, { id: 'ValidationDetail' });
export type ValidationDetail = z.infer<typeof validationDetail>;

export const businessError = z
  .strictObject({
    message: z.string(),
    errorCode: z.string(),
    details: z.union([z.array(validationDetail), z.record(z.string(), z.unknown())]),
    timestamp: isoTime,
  })
  .register(DOCS, {
    id: 'BusinessError',
    description: "The gateway's own logic said no: branch on status, then errorCode",
  });
export type BusinessErrorBody = z.infer<typeof businessError>;

export const frameworkError = z
  .strictObject({ message: z.string(), error: z.string(), statusCode: z.int() })
  .register(DOCS, { id: 'FrameworkError', description: 'Authentication, guard and routing failures' });
export type FrameworkErrorBody = z.infer<typeof frameworkError>;

/** Exact messages of the authentication-failure table. */
export const AUTH_MESSAGES = {
  missing: 'Missing authorization token',
  invalidToken: 'Invalid or expired access token',
  invalidKey: 'Invalid API key',
  expiredKey: 'API key has expired',
  revoked: 'Token has been revoked',
  revocationUnavailable: 'Token revocation status unavailable',
  keyReadOnly: 'API key does not have write access',
  grantReadOnly: 'OAuth grant does not have write access',
  grantFirstParty: 'OAuth grant tokens cannot access first-party account endpoints',
  missingAccount: 'Missing required header: x-trade-account-id',
  methodNotPermitted: (method: 'api_key' | 'session' | 'oauth_grant') =>
    `Auth method '${method}' is not permitted on this route`,
} as const;
