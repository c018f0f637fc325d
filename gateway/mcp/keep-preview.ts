/** Makes the answer of a preview, and keeps the preview where it can be placed. */
import type { Judgement } from '../domain/mandate.ts';
import type { ShownHeld } from '../domain/shown-held.ts';
import type { RouteLabel } from './ask.ts';
import type { AccountOut } from './fields.ts';
import { nextOf, type PreviewOut, previewText } from './preview-out.ts';
import { PREVIEW_LIFE_MS } from './previews.ts';
import type { Said } from './said.ts';
import type { ToolContext } from './tool.ts';
import { type AgentAsk, verdictOf } from './verdict.ts';

export interface Draft {
  readonly account: AccountOut;
  readonly summary: string;
  readonly route: RouteLabel;
  readonly params?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Quantities of the position that it shows. Default: it concerns none. */
  readonly shown?: ShownHeld;
  readonly ask: AgentAsk;
  /** Why it cannot be placed. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly legs: PreviewOut['legs'];
  readonly figures?: Partial<
    Pick<
      PreviewOut,
      | 'gross_usd'
      | 'net_usd'
      | 'total_fee_usd'
      | 'expected_cost_usd'
      | 'expected_slippage_pct'
      | 'funding_usd_per_hour'
      | 'margin_required_usd'
      | 'free_margin_usd'
      | 'account_after'
      | 'protection'
    >
  >;
}

/** @throws Refused where the route that placing it would call says that the request is not complete */
export async function keepPreview(context: ToolContext, draft: Draft): Promise<Said<PreviewOut>> {
  const { clock, ids, previews, principal } = context;
  const { account, legs, summary, route, params, body } = draft;
  // An order that cannot be placed (a quantity of zero, say) has no request to check.
  if (draft.problems.length === 0) await context.check({ route, account: account.id, params, body });
  const judgement = context.judgeAsk(principal, draft.ask, { route, body });
  if (judgement?.verdict === 'refused')
    context.previewRefused(principal, { accountId: account.id, route, body, broken: judgement.broken });
  const verdict = verdictOf(judgement, draft.problems);
  const isPlaceable = verdict.verdict !== 'REFUSED';
  const expiresAt = clock.now() + PREVIEW_LIFE_MS;
  const id = isPlaceable ? ids.next() : null;
  if (id !== null) {
    previews.keep({
      id,
      accountId: account.id,
      route: draft.route,
      params: draft.params,
      body: draft.body,
      shown: draft.shown,
      legs: legs.map(({ instrument, side }) => ({ symbol: instrument, side })),
      worstPrices: new Map(
        legs.flatMap((leg) => (leg.worst_price_usd === null ? [] : [[leg.instrument, leg.worst_price_usd]])),
      ),
      summary,
      expiresAt,
    });
  }
  const data = {
    ...verdict,
    preview_id: id,
    expires_at: id === null ? null : new Date(expiresAt).toISOString(),
    summary,
    account,
    legs,
    gross_usd: null,
    net_usd: null,
    total_fee_usd: null,
    expected_cost_usd: null,
    expected_slippage_pct: null,
    funding_usd_per_hour: null,
    counts_as_usd: countedUsd(judgement, draft.ask),
    margin_required_usd: null,
    free_margin_usd: null,
    account_after: null,
    protection: [],
    ...draft.figures,
    notes: [...draft.notes],
    next: nextOf(verdict.verdict),
  };
  return { data, text: previewText(data) };
}

/** null: nothing limits it, it opens nothing, or its broken limits name the requested amount. */
function countedUsd(judgement: Judgement | null, { effect }: AgentAsk): string | null {
  return judgement === null || judgement.verdict === 'refused' || effect !== 'OPENS'
    ? null
    : judgement.reserveUsd;
}
