/** Authentication of a caller, and his trade accounts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal, TradeAccount } from '../domain/model.ts';

/** Authentication of a request by its credentials. Implemented by auth/. */
export interface Authenticator {
  /**
   * `x-api-key` decides when present; else the bearer; else the session cookie. Synchronous where the answer is in
   * memory (API keys, tokens already verified).
   */
  authenticate(headers: IncomingHttpHeaders): Authentication | Promise<Authentication>;
  /** True: memory alone accepts the credential, within microseconds, without a signature check. Default: no. */
  knows?(headers: IncomingHttpHeaders): boolean;
}

export type Authentication =
  | { readonly ok: true; readonly principal: Principal; readonly via: 'header' | 'cookie' }
  | {
      readonly ok: false;
      readonly status: 401;
      readonly message: string;
      /** The request has session cookies that contradict each other: the answer removes all of them. */
      readonly cookiesConflict?: true;
    };

/**
 * Finds the caller's trade account; undefined: the account is not the caller's or does not exist (both 404).
 * Implemented by auth/ from memory.
 */
export interface AccountDirectory {
  find(principal: Principal, tradeAccountId: string): TradeAccount | undefined;
}
