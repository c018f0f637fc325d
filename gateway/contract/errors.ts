/** The two error shapes of the wire and the closed set of business codes. */
import { z } from 'zod';
import { isoTime } from './common.ts';

/** Business error code → HTTP status. */
export const BUSINESS_STATUS = {
  VALIDATION_ERROR: 400,
  RESOURCE_NOT_FOUND: 404,
  RESOURCE_BUSY: 409,
  NOOP_ERROR: 409,
  SYNC_CREATE_EXECUTION_IN_FLIGHT: 409,
  SYNC_CREATE_EXECUTION_JUST_SETTLED: 409,
  SYNC_CREATE_FILLS_TOO_RECENT: 409,
  SYNC_CREATE_CLOID_ALREADY_PROVISIONAL: 409,
  DATABASE_ERROR: 500,
  CONFIGURATION_ERROR: 500,
  NOT_IMPLEMENTED_ERROR: 501,
  AUTO_REBALANCE_POSITION_NOT_FOUND: 404,
  AUTO_REBALANCE_CONFIG_NOT_FOUND: 404,
  AUTO_REBALANCE_POSITION_NOT_OPEN: 409,
  AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS: 409,
  AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE: 400,
} as const;

export type BusinessCode = keyof typeof BUSINESS_STATUS;

export const validationDetail = z
  .strictObject({ path: z.string(), message: z.string(), code: z.string() })
  .meta({ id: 'ValidationDetail' });
export type ValidationDetail = z.infer<typeof validationDetail>;

export const businessError = z
  .strictObject({
    message: z.string(),
    errorCode: z.string(),
    details: z.union([z.array(validationDetail), z.record(z.string(), z.unknown())]),
    timestamp: isoTime,
  })
  .meta({
    id: 'BusinessError',
    description: "The gateway's own logic said no: branch on status, then errorCode",
  });
export type BusinessErrorBody = z.infer<typeof businessError>;

export const frameworkError = z
  .strictObject({ message: z.string(), error: z.string(), statusCode: z.int() })
  .meta({ id: 'FrameworkError', description: 'Authentication, guard and routing failures' });
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
