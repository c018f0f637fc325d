/**
 * Access tokens: EdDSA JWTs (RFC 7519, RFC 8037) of type `at+jwt` (RFC 9068).
 *
 * Only the gateway issues tokens that it accepts, so the protected header is one constant: a token whose header differs
 * by a byte — another algorithm, `none`, another type, an extra parameter — is refused before anything of it is parsed.
 */
import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { SigningKeys } from './signing-keys.ts';

const ACCESS_TOKEN_SECONDS = 15 * 60;
const MAX_TOKEN_CHARS = 4_096;

export type TokenClaims =
  | {
      readonly kind: 'session';
      readonly userId: string;
      readonly sessionId: string;
      /** Expiry of the token in epoch ms. */
      readonly expiresAt: number;
    }
  | {
      readonly kind: 'grant';
      readonly userId: string;
      readonly grantId: string;
      readonly clientId: string;
      readonly scopes: readonly string[];
      readonly expiresAt: number;
    };

export interface AccessTokens {
  readonly lifetimeSeconds: number;
  signSession(userId: string, sessionId: string): string;
  signGrant(grant: {
    readonly userId: string;
    readonly grantId: string;
    readonly clientId: string;
    readonly scopes: readonly string[];
    readonly lifetimeSeconds: number;
  }): string;
  /** null: the token is not the gateway's, altered, malformed or expired. Revocation is not checked here. */
  verify(token: string): TokenClaims | null;
}

const registered = {
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  jti: z.string(),
  iat: z.int(),
  exp: z.int(),
};
const payloadSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...registered, kind: z.literal('session'), sid: z.string() }),
  z.strictObject({
    ...registered,
    kind: z.literal('grant'),
    gid: z.string(),
    client_id: z.string(),
    scope: z.string(),
  }),
]);
type Payload = z.infer<typeof payloadSchema>;

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const HEADER = encode({ alg: 'EdDSA', typ: 'at+jwt' });

export function createAccessTokens(options: {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly issuer: string;
  readonly audience: string;
}): AccessTokens {
  const { keys, clock, ids, issuer, audience } = options;

  function issue(payload: Payload): string {
    const input = `${HEADER}.${encode(payload)}`;
    return `${input}.${sign(null, Buffer.from(input), keys.privateKey).toString('base64url')}`;
  }

  function base(userId: string, lifetimeSeconds: number) {
    const iat = Math.floor(clock.now() / 1_000);
    return { iss: issuer, aud: audience, sub: userId, jti: ids.next(), iat, exp: iat + lifetimeSeconds };
  }

  return {
    lifetimeSeconds: ACCESS_TOKEN_SECONDS,
    signSession: (userId, sessionId) =>
      issue({ ...base(userId, ACCESS_TOKEN_SECONDS), kind: 'session', sid: sessionId }),
    signGrant: (grant) =>
      issue({
        ...base(grant.userId, grant.lifetimeSeconds),
        kind: 'grant',
        gid: grant.grantId,
        client_id: grant.clientId,
        scope: grant.scopes.join(' '),
      }),
    verify(token) {
      const payload = readSigned(token, keys);
      if (payload === null || payload.iss !== issuer || payload.aud !== audience) return null;
      const expiresAt = payload.exp * 1_000;
      if (clock.now() >= expiresAt) return null;
      if (payload.kind === 'session') {
        return { kind: 'session', userId: payload.sub, sessionId: payload.sid, expiresAt };
      }
      return {
        kind: 'grant',
        userId: payload.sub,
        grantId: payload.gid,
        clientId: payload.client_id,
        scopes: payload.scope === '' ? [] : payload.scope.split(' '),
        expiresAt,
      };
    },
  };
}

function readSigned(token: string, keys: SigningKeys): Payload | null {
  if (token.length > MAX_TOKEN_CHARS) return null;
  const [header, body, signature, ...rest] = token.split('.');
  if (header !== HEADER || body === undefined || signature === undefined || rest.length > 0) return null;
  const signed = Buffer.from(`${header}.${body}`);
  if (!verify(null, signed, keys.publicKey, Buffer.from(signature, 'base64url'))) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const parsed = payloadSchema.safeParse(raw);
  return parsed.success ? parsed.data : null;
}
