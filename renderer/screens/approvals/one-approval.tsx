/** One order that waits for its user: the asker, the reason for asking, the order itself, and its effect. */
import { useRef } from 'react';
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { Amount } from '../../components/amount.tsx';
import { AccountMark, Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatMoney, signOf } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { ErrorState, Fresh, Skeleton } from '../../components/states.tsx';
import { Countdown, Time } from '../../components/time.tsx';
import { protectionFacts } from '../../features/protection/protection.tsx';
import {
  type Approval,
  basketWords,
  capWords,
  endWords,
  KIND_WORDS,
  marginOf,
  reasonWords,
  STATUS_WORDS,
  TITLES,
} from './approval-words.ts';
import css from './approvals.module.css';
import { Decision } from './decision.tsx';
import { LegFigures } from './leg-figures.tsx';

/** Refresh interval, ms: for current prices, and for approvals of accounts whose events this page does not receive. */
const ANEW_MS = 3_000;

export function OneApproval({ id }: { readonly id: string }) {
  const read = useGet(
    'GET /approvals/{id}',
    { params: { id } },
    { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 },
  );
  const approval = read.data;
  return (
    <Page
      title={approval === undefined ? 'An order that was asked about' : TITLES[approval.status]}
      actions={<Link href="/approvals">All approvals</Link>}
    >
      {approval === undefined && read.error !== null && (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      )}
      {approval === undefined && read.error === null && <Skeleton />}
      {approval !== undefined && (
        <Fresh>
          <Shown approval={approval} />
        </Fresh>
      )}
    </Page>
  );
}

function Shown({ approval }: { readonly approval: Approval }) {
  const settings = useSettings();
  const { asker, account, plan, terms, says, status } = approval;
  const amount = (usd: string) => formatMoney(settings, usd, 'auto');
  const reason = reasonWords(approval, amount);
  const basket = basketWords(plan.legs, useTicker());
  const margin = marginOf(plan.legs);
  const legsEnd = useRef<HTMLParagraphElement>(null);
  return (
    <div className={css['one']}>
      <Panel
        title={STATUS_WORDS[status]}
        actions={status === 'PENDING' ? <Expiry at={approval.expiresAt} /> : undefined}
      >
        <div className={layout['stack']}>
          {status !== 'PENDING' && (
            <p className={css['end']} role="status">
              {endWords(approval)}{' '}
              {status === 'APPROVED' ? (
                <Link href="/orders/executions">See orders</Link>
              ) : (
                <Link href="/approvals">See what else was asked</Link>
              )}
            </p>
          )}
          {basket !== null && (
            <p className={css['basket']}>
              {basket}
              {signOf(plan.worstUsd) !== 0 && (
                <>
                  , counts as <Amount value={plan.worstUsd} />
                </>
              )}
            </p>
          )}
          <AccountMark {...account} alias={account.alias ?? 'removed'} />
          <p>
            <strong>
              <bdi>{asker.name}</bdi>
            </strong>{' '}
            <Badge tone="warn">unverified</Badge> {status === 'PENDING' ? 'asks' : 'asked'}, because {reason}.
          </p>
          {says !== null && (
            <figure className={css['says']}>
              <figcaption>In its own words:</figcaption>
              <blockquote>
                <bdi>{says}</bdi>
              </blockquote>
            </figure>
          )}
        </div>
      </Panel>
      <div className={css['beside']}>
        {plan.legs.length > 0 && (
          <Panel title="Legs" flush>
            <LegFigures legs={plan.legs} end={legsEnd} />
          </Panel>
        )}
        {terms.length > 0 && (
          <Panel title="Terms">
            <Facts
              label="Terms"
              className={css['facts']}
              of={Object.fromEntries(terms.map(({ name, value }) => [name, <bdi key={name}>{value}</bdi>]))}
            />
          </Panel>
        )}
      </div>
      <Panel title="The order">
        <Facts
          label="The order"
          className={css['facts']}
          of={{
            Account: <AccountMark {...account} alias={account.alias ?? 'removed'} />,
            Venue: account.venue,
            ...(account.caps === null ? {} : { 'Armed for': capWords(account.caps, amount) }),
            Kind: KIND_WORDS[approval.kind],
            'Counts as, together': <Amount value={plan.worstUsd} />,
            ...(margin === null ? {} : { 'Margin, about': <Amount value={margin} /> }),
            'Fees, about': signOf(plan.feeUsd) === 0 ? 'None here' : <Amount value={plan.feeUsd} />,
            'Positions before': <Amount value={plan.exposureBeforeUsd} />,
            'Positions after, so counted': <Amount value={plan.exposureAfterUsd} />,
            ...protectionFacts(approval.protection, 'after'),
            Asked: <Time at={approval.createdAt} />,
          }}
        />
      </Panel>
      {status === 'PENDING' && <Decision key={approval.id} approval={approval} legsEnd={legsEnd} />}
    </div>
  );
}

/** Shown in the header, which the buttons never cover. */
function Expiry({ at }: { readonly at: string }) {
  return (
    <span className={layout['quiet']}>
      Expires in <Countdown to={at} over="a moment" />
    </span>
  );
}
