import { CODE_TRANSITIONS, codeState, type OAuthCode } from '../../domain/oauth.ts';
import { transition } from '../../domain/transition.ts';
import type { OAuthFailure } from '../failure.ts';
import { INVALID_CODE } from '../refusals.ts';

/** Passes when the code is neither expired nor redeemed. */
export function checkCodeIsLive({
  code,
  now,
}: {
  readonly code: OAuthCode;
  readonly now: number;
}): OAuthFailure | null {
  return transition(CODE_TRANSITIONS, codeState(code, now), 'redeem').ok ? null : INVALID_CODE;
}
