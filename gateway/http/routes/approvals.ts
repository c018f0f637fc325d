/** `/approvals`: the user decides about orders of agents and programs; each of these reads its own. */
import type { Auth } from '../../auth/auth.ts';
import { type BoundRoute, bind, type Call } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import {
  approveApproval,
  denyApproval,
  listApprovals,
  readApproval,
  readOwnApproval,
  withdrawApproval,
} from '../../contract/approvals.ts';
import type { Approval } from '../../domain/approval.ts';
import { dec } from '../../domain/decimal.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { Principal } from '../../domain/model.ts';
import type { Approvals } from '../../engine/approvals/approval-desk.ts';
import { approve, type MakeAgain } from '../../engine/approvals/approve.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type ApprovalView, presentApproval, presentAskedApproval } from '../present/approval.ts';
import { unwrap } from '../unwrap.ts';
import { originOf } from './origin.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';
import { notFound } from './refusals.ts';
import { sessionOf } from './session-principal.ts';
import { refusalOf } from './sign-in.ts';

/** A wallet has no password: its owner has signed in as shortly ago as this. */
const JUST_NOW_MS = 5 * 60_000;

export interface ApprovalRouteDeps {
  readonly approvals: Approvals;
  readonly store: Pick<Store, 'approval' | 'approvals'>;
  readonly market: ApprovalView['market'];
  readonly leverageOf: ApprovalView['leverageOf'];
  readonly auth: Pick<Auth, 'accounts' | 'presence' | 'signIn' | 'users'>;
  readonly makeAgain: MakeAgain;
  readonly places: ApprovalView['places'];
  readonly protectionIfApproved: ApprovalView['protectionIfApproved'];
}

export function approvalRoutes(deps: ApprovalRouteDeps): readonly BoundRoute[] {
  const { approvals, store, auth, makeAgain } = deps;
  const view: ApprovalView = {
    market: deps.market,
    leverageOf: deps.leverageOf,
    accountOf: (id) => auth.accounts.get(id),
    moneyOf: (account) => auth.accounts.moneyOf(account),
    places: deps.places,
    protectionIfApproved: deps.protectionIfApproved,
  };

  function isPresent(sessionId: string, { passwordAboveUsd, plan }: Approval): boolean {
    const isBig = passwordAboveUsd !== null && dec(plan.worstUsd).gt(passwordAboveUsd);
    return !isBig && auth.presence.isThere(sessionId);
  }

  const present = (value: Approval, sessionId: string) =>
    presentApproval(view, value, {
      sessionId,
      needsPassword: value.status === 'PENDING' && !isPresent(sessionId, value),
    });

  async function ofUser(userId: string, id: string): Promise<Approval> {
    const approval = await store.approval(id);
    if (approval === null || approval.userId !== userId) throw notFound('Approval');
    return approval;
  }

  async function ofCaller(principal: Principal, id: string): Promise<Approval> {
    const approval = await ofUser(principal.userId, id);
    const own = holderOf(principal);
    if (own !== null && (approval.holder.kind !== own.kind || approval.holder.id !== own.id))
      throw notFound('Approval');
    return approval;
  }

  /** Refuses unless the person is there, or shows it with the password. */
  async function proveThere(
    call: Pick<Call<typeof approveApproval>, 'headers' | 'ip'>,
    { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
    approval: Approval,
    password: string | undefined,
  ): Promise<void> {
    if (isPresent(sessionId, approval)) return;
    if (auth.users.byId(userId)?.passwordHash === null) {
      if (auth.presence.isThere(sessionId, JUST_NOW_MS)) return;
      throw invalid(
        'password',
        'Sign in again with your wallet, then approve within five minutes',
        'sign_in',
      );
    }
    if (password === undefined) throw invalid('password', 'Your password is needed for this', 'needed');
    const device = { userAgent: call.headers['user-agent'] ?? null, ip: call.ip };
    const proven = await auth.signIn.provePassword(userId, password, device);
    if (!proven.ok && proven.error.kind === 'busy') throw refusalOf(proven.error);
    if (!proven.ok) throw invalid('password', 'Wrong password', 'wrong');
    auth.presence.seen(sessionId);
  }

  return [
    bind(listApprovals, async ({ principal, query }) => {
      const { userId, sessionId } = sessionOf(principal);
      const page = await store.approvals(userId, pageAsked(query));
      return {
        body: {
          approvals: page.rows.map((approval) => present(approval, sessionId)),
          waiting: approvals.waitingOf(userId),
          ...nextCursorOf(page),
        },
      };
    }),

    bind(readApproval, async ({ principal, params }) => {
      const { userId, sessionId } = sessionOf(principal);
      return { body: present(await ofUser(userId, params.id.toLowerCase()), sessionId) };
    }),

    bind(approveApproval, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const approvalId = call.params.id.toLowerCase();
      const { planHash, password } = call.body;
      const asked = await ofUser(userId, approvalId);
      if (asked.status === 'PENDING') await proveThere(call, { userId, sessionId }, asked, password);
      const decision = { userId, sessionId, approvalId, planHash, actor: originOf(call) };
      const approved = unwrap(await approve(approvals, decision, makeAgain));
      auth.presence.seen(sessionId);
      return { body: present(approved, sessionId) };
    }),

    bind(denyApproval, async (call) => {
      const { userId, sessionId } = sessionOf(call.principal);
      const id = call.params.id.toLowerCase();
      return {
        body: present(unwrap(await approvals.deny(userId, id, sessionId, originOf(call))), sessionId),
      };
    }),

    bind(readOwnApproval, async ({ principal, params }) => ({
      body: presentAskedApproval(view, await ofCaller(principal, params.id.toLowerCase())),
    })),

    bind(withdrawApproval, async ({ principal, params }) => {
      const own = holderOf(principal);
      if (own === null) throw notFound('Approval');
      const taken = await approvals.withdraw(own, principal.userId, params.id.toLowerCase());
      return { body: presentAskedApproval(view, unwrap(taken)) };
    }),
  ];
}

/** null: a session, which needs no approval. */
function holderOf(principal: Principal): MandateHolder | null {
  switch (principal.kind) {
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId };
    case 'oauth_grant':
      return { kind: 'oauth_grant', id: principal.grantId };
    case 'session':
      return null;
  }
}
