/** The two error shapes of the wire. */
import { z } from 'zod';
import { DOCS, isoTime } from './common.ts';
import { BUSINESS_STATUS, type BusinessCode } from './error-codes.ts';

export const validationDetail = z
  .strictObject({ path: z.string(), message: z.string(), code: z.string() })
  .register(DOCS, { id: 'ValidationDetail' });
export type ValidationDetail = z.infer<typeof validationDetail>;

export const businessCode = z
  .enum(Object.keys(BUSINESS_STATUS) as [BusinessCode, ...BusinessCode[]])
  .register(DOCS, { id: 'BusinessErrorCode' });

const businessFields = {
  message: z.string(),
  errorCode: businessCode,
  details: z.union([z.array(validationDetail), z.record(z.string(), z.unknown())]),
  timestamp: isoTime,
};

export const businessError = z.strictObject(businessFields).register(DOCS, {
  id: 'BusinessError',
  description: "The gateway's own logic said no: branch on status, then errorCode",
});

/** `RESOURCE_BUSY` → `ResourceBusyError`: the name of its shape in the description of the API. */
export function businessErrorName(code: BusinessCode): string {
  const words = code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('').replace(/Error$/, '')}Error`;
}

/** The shape with one code. Made for the description of the API, which names the codes of each route. */
export function businessErrorOf(code: BusinessCode) {
  return z
    .strictObject({ ...businessFields, errorCode: z.literal(code) })
    .meta({ id: businessErrorName(code), description: `A refusal with errorCode ${code}` });
}
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
