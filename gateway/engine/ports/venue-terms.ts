/** Common terms of all requests to a venue. */

/** Credentials of an account at its venue, by field. */
export type VenueCredentials = Readonly<Record<string, string | number | boolean>>;

/**
 * *rejected*: the venue refused. *throttled*: the request was not sent or not processed, because of rate limits.
 * *auth*: the venue refuses the account's credentials. *unknown*: no answer. (*denied*, a refusal by the gateway
 * itself, does not occur here.)
 */
export type VenueError =
  | { readonly kind: 'rejected'; readonly message: string }
  /** `retryAt`: epoch ms. */
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAt: number }
  /** Right after a start: the venue's instruments are not known yet, or the account is not open there. */
  | { readonly kind: 'not_ready'; readonly message: string }
  | { readonly kind: 'auth'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };
