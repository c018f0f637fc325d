/**
 * Proofs that a caller has a private key: RFC 9449 (DPoP) tokens, signed with ES256 by a key that never leaves the
 * origin of a page, its port included (a cookie is not bound to a port). A proof is good for one request: its method
 * and address, a nonce that this process has given out in the last two minutes, and a `jti` that has not been seen.
 * `iat` is not looked at: the nonce is dated by a clock that nobody sets, so a wrong time on the page's machine does
 * not matter.
 *
 * Addresses are compared with the configured hosts, never with the request's own Host.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../engine/ports/system.ts';
import { sha256Hex } from './secret-text.ts';

const NONCE_MS = 2 * 60_000;
const MAX_PROOF_CHARS = 2_048;
/**
 * Maximum number of proofs remembered while their nonce is valid: per key with a session, and for all other keys
 * together.
 */
const MAX_OF_ONE_KEY = 1_000;
const MAX_OF_STRANGERS = 10_000;
/** Maximum number of keys with a session whose proofs are remembered per key. */
const MAX_KEYS = 1_000;

export type ProofVerdict =
  | { readonly ok: true; readonly thumbprint: string }
  /** `nonce`: the nonce is missing or stale; the request may be repeated with a fresh nonce. */
  | { readonly ok: false; readonly reason: 'nonce' | 'invalid' };

export interface KeyProofs {
  /** Nonce for the next proofs: any number of proofs may carry it within two minutes. */
  nonce(): string;
  /** Checks a proof and uses it up. @param path of the request, without its query */
  check(proof: string, request: { readonly method: string; readonly path: string }): Promise<ProofVerdict>;
}

const claimsSchema = z.object({
  htm: z.string(),
  htu: z.string(),
  nonce: z.string().optional(),
  jti: z.string().min(8).max(128),
});

/** `jose`, imported by the first proof: a gateway without browser sign-ins never needs the library. */
let library: Promise<typeof import('jose')> | undefined;

export function createKeyProofs(options: {
  readonly clock: Pick<Clock, 'uptime'>;
  /** Authorities that the gateway answers on: `tandem.localhost:7391`, … */
  readonly hosts: () => readonly string[];
  /** True: the key has a session. */
  readonly isKnown: (thumbprint: string) => boolean;
}): KeyProofs {
  const { clock, hosts, isKnown } = options;
  const bootKey = randomBytes(32);
  const seen = createSeenProofs(clock);

  function mac(issued: string): string {
    return createHmac('sha256', bootKey).update(issued).digest('base64url');
  }

  function isFresh(nonce: string): boolean {
    const [issued = '', signature = '', ...rest] = nonce.split('.');
    const given = Buffer.from(signature);
    const right = Buffer.from(mac(issued));
    if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return false;
    const age = clock.uptime() - Number.parseInt(issued, 36);
    return age >= 0 && age <= NONCE_MS;
  }

  return {
    nonce() {
      const issued = Math.floor(clock.uptime()).toString(36);
      return `${issued}.${mac(issued)}`;
    },
    async check(proof, { method, path }) {
      const invalid = { ok: false, reason: 'invalid' } as const;
      if (proof.length > MAX_PROOF_CHARS) return invalid;
      const claims = readClaims(proof);
      if (claims === null || claims.htm !== method) return invalid;
      if (!hosts().some((host) => claims.htu === `http://${host}${path}`)) return invalid;
      // The nonce is checked before the signature, which costs more.
      if (claims.nonce === undefined || !isFresh(claims.nonce)) return { ok: false, reason: 'nonce' };
      const thumbprint = await signerOf(proof);
      if (thumbprint === null) return invalid;
      if (!seen.claim(isKnown(thumbprint) ? thumbprint : null, `${thumbprint} ${claims.jti}`)) return invalid;
      return { ok: true, thumbprint };
    },
  };
}

function readClaims(proof: string): z.infer<typeof claimsSchema> | null {
  const [, body, , ...rest] = proof.split('.');
  if (body === undefined || rest.length > 0) return null;
  try {
    const parsed = claimsSchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Thumbprint (RFC 7638) of the key that signed the proof; null: a malformed or wrongly signed proof. */
async function signerOf(proof: string): Promise<string | null> {
  library ??= import('jose');
  const { calculateJwkThumbprint, compactVerify, EmbeddedJWK } = await library;
  try {
    const { protectedHeader } = await compactVerify(proof, EmbeddedJWK, { algorithms: ['ES256'] });
    const { typ, jwk } = protectedHeader;
    if (typ !== 'dpop+jwt' || jwk === undefined || 'd' in jwk) return null;
    return await calculateJwkThumbprint(jwk, 'sha256');
  } catch {
    return null;
  }
}

/**
 * Proofs that have been presented. Each key with a session has a memory of its own, so that callers without a session
 * cannot push its proofs out. A forgotten proof of a key without a session opens nothing.
 */
function createSeenProofs(clock: Pick<Clock, 'uptime'>) {
  const ofKeys = new Map<string, Map<string, number>>();
  const ofStrangers = new Map<string, number>();

  function forgetOld(proofs: Map<string, number>): void {
    const now = clock.uptime();
    for (const [proof, at] of proofs) {
      if (now - at <= NONCE_MS) return;
      proofs.delete(proof);
    }
  }

  function ofKey(key: string): Map<string, number> {
    const known = ofKeys.get(key) ?? new Map<string, number>();
    ofKeys.delete(key);
    ofKeys.set(key, known);
    const [oldest] = ofKeys.keys();
    if (ofKeys.size > MAX_KEYS && oldest !== undefined) ofKeys.delete(oldest);
    return known;
  }

  return {
    /** False: a proof seen before, or too many proofs of one key. @param key null: a key without a session */
    claim(key: string | null, proof: string): boolean {
      const hash = sha256Hex(proof);
      const proofs = key === null ? ofStrangers : ofKey(key);
      forgetOld(proofs);
      if (proofs.has(hash) || ofStrangers.has(hash)) return false;
      if (key !== null && proofs.size >= MAX_OF_ONE_KEY) return false;
      proofs.set(hash, clock.uptime());
      const [oldest] = proofs.keys();
      if (key === null && proofs.size > MAX_OF_STRANGERS && oldest !== undefined) proofs.delete(oldest);
      return true;
    },
  };
}
