/** Parts of the gateway that the MCP program uses. */

import type { Dispatch } from '../call/dispatch.ts';
import type { BrokenLimit, Judgement } from '../domain/mandate.ts';
import type { Principal } from '../domain/model.ts';
import type { Holding } from '../domain/ownership.ts';
import type { Protection } from '../domain/protection.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { IdempotencyRecord, StoredEvent } from '../engine/ports/unit-of-work.ts';
import type { AgentAsk, AgentRequest } from './verdict.ts';

/** Part of one leg of a position. */
export type OwnPart = Pick<
  Holding,
  'tradeAccountId' | 'positionId' | 'symbol' | 'side' | 'quantity' | 'cost'
>;

export interface RefusedPreview {
  readonly accountId: string;
  /** `METHOD path-pattern` of the request that placing it would make. */
  readonly route: string;
  readonly body: unknown;
  readonly broken: readonly BrokenLimit[];
}

export interface McpProgramDeps {
  readonly dispatch: Dispatch;
  /** Names of the caller and of its user, as their user knows them. */
  readonly describe: (principal: Principal) => { readonly agent: string; readonly user: string };
  readonly isAlive: (principal: Principal) => boolean;
  readonly reaches: (principal: Principal, tradeAccountId: string) => boolean;
  readonly onCommitted: (listener: (events: readonly StoredEvent[]) => void) => () => void;
  /** Record of an answer that was committed under an idempotency key; null: none, or older than a day. */
  readonly kept: (principal: Principal, route: string, key: string) => Promise<IdempotencyRecord | null>;
  /** Judges a preview by the caller's mandate; null: it has none. Nothing is reserved or counted. */
  readonly judgeAsk: (principal: Principal, ask: AgentAsk, request: AgentRequest) => Judgement | null;
  /** Protection of a position if its brackets were set so (body of `PUT /positions/:id/brackets`); nothing is set. */
  readonly protectionIf: (
    accountId: string,
    positionId: string,
    body: unknown,
  ) => { readonly protection: readonly Protection[]; readonly problem: string | null };
  /** Why a change of a position would end a pause of the caller's user; null: it ends none. */
  readonly pauseProblem: (principal: Principal, positionId: string, request: AgentRequest) => string | null;
  /** Keeps a preview that the mandate of the caller refuses, and counts it as a refusal. */
  readonly previewRefused: (principal: Principal, refused: RefusedPreview) => void;
  /** Suspends the caller until its user resumes it; false: it failed. null: there are no suspensions here. */
  readonly suspend: ((principal: Principal, reason: string) => boolean) | null;
  /** Parts of open positions that the caller owns; null: its orders count as its user's. */
  readonly ownParts: (principal: Principal) => readonly OwnPart[] | null;
  /** Ids of the caller's pending approvals. */
  readonly waitingApprovals: (principal: Principal) => readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly version: string;
}
