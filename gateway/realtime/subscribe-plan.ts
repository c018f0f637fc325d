/** Plan for a `subscribe` message, checked against existing channels and the client's rights. */

import type { AccountDirectory } from '../call/authenticator.ts';
import { type ClientMessage, MAX_CHANNELS, type RealtimeErrorCode } from '../contract/realtime.ts';
import type { Principal } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';

const PRIVATE_PREFIX = 'user:';

export interface PrivateRequest {
  readonly channel: string;
  readonly tradeAccountId: string;
  /** Last `seq` that the client has; null: the client wants new events only. */
  readonly resumeFrom: number | null;
}

export interface SubscribePlan {
  readonly publicChannels: readonly string[];
  readonly privateChannels: readonly PrivateRequest[];
}

export interface PlanError {
  readonly code: RealtimeErrorCode;
  readonly message: string;
}

export interface PlanContext {
  readonly principal: Principal | null;
  readonly accounts: AccountDirectory;
  readonly publicExists: (name: string) => boolean;
  readonly subscribed: ReadonlySet<string>;
}

type Subscribe = Extract<ClientMessage, { op: 'subscribe' }>;

/** Only a first-party credential opens private streams: an OAuth grant stays anonymous here. */
export function isFirstParty(
  principal: Principal | null,
): principal is Exclude<Principal, { kind: 'oauth_grant' }> {
  return principal !== null && principal.kind !== 'oauth_grant';
}

function checkChannel(name: string, context: PlanContext): PlanError | null {
  if (!name.startsWith(PRIVATE_PREFIX)) {
    return context.publicExists(name)
      ? null
      : { code: 'UNKNOWN_CHANNEL', message: `Unknown channel: ${name}` };
  }
  if (!isFirstParty(context.principal)) {
    return {
      code: 'UNAUTHENTICATED',
      message: 'Private channels need a session or an API key: send {"op":"auth"} first',
    };
  }
  // An account of another user is refused like an account that does not exist.
  const account = context.accounts.find(context.principal, name.slice(PRIVATE_PREFIX.length));
  return account === undefined ? { code: 'RESOURCE_NOT_FOUND', message: 'Trade account not found' } : null;
}

function resumePoints(
  resumeFrom: Subscribe['resumeFrom'],
  privateNames: readonly string[],
): Result<ReadonlyMap<string, number>, PlanError> {
  if (resumeFrom === undefined) return ok(new Map());
  if (typeof resumeFrom === 'number') {
    const [only, ...others] = privateNames;
    return only !== undefined && others.length === 0
      ? ok(new Map([[only, resumeFrom]]))
      : fail({
          code: 'INVALID_MESSAGE',
          message: 'resumeFrom: a number needs exactly one user: channel; use an object of channel → seq',
        });
  }
  const points = new Map(Object.entries(resumeFrom));
  for (const name of points.keys()) {
    if (!privateNames.includes(name)) {
      return fail({
        code: 'INVALID_MESSAGE',
        message: 'resumeFrom: names a channel that is not a user: channel of this message',
      });
    }
  }
  return ok(points);
}

export function planSubscribe(message: Subscribe, context: PlanContext): Result<SubscribePlan, PlanError> {
  const names = new Set(message.channels);
  for (const name of names) {
    const error = checkChannel(name, context);
    if (error !== null) return fail(error);
  }
  if (new Set([...context.subscribed, ...names]).size > MAX_CHANNELS) {
    return fail({ code: 'TOO_MANY_CHANNELS', message: `At most ${MAX_CHANNELS} channels a connection` });
  }
  const privateNames = [...names].filter((name) => name.startsWith(PRIVATE_PREFIX));
  const points = resumePoints(message.resumeFrom, privateNames);
  if (!points.ok) return points;
  return ok({
    publicChannels: [...names].filter((name) => !name.startsWith(PRIVATE_PREFIX)),
    privateChannels: privateNames.map((channel) => ({
      channel,
      tradeAccountId: channel.slice(PRIVATE_PREFIX.length),
      resumeFrom: points.value.get(channel) ?? null,
    })),
  });
}
