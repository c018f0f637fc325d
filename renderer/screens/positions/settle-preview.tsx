/** Preview of a position with trades outside Tandem: each leg before and after, and the PnL that this realises. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../../gateway/client/client.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { Pnl, Quantity, Side } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { BracketFates, BracketLines } from './bracket-fates.tsx';
import css from './positions.module.css';
import type { SettleTarget } from './settle-draft.ts';
import { changeOf, type SettlePlan } from './settle-words.ts';
import type { Position } from './use-position-data.ts';

const RENEW_MS = 3_000;

/** @param target undefined: nothing is chosen */
export function useSettlePlan(target: SettleTarget | undefined) {
  const account = useAccount();
  const client = useClient();
  const legs = target?.legs.map(({ symbol, side }) => ({ symbol, side })) ?? [];
  return useQuery({
    queryKey: [account.id, 'POST /sync/positions/plan', legs],
    enabled: legs.length > 0,
    refetchInterval: RENEW_MS,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }): Promise<Answer<'POST /sync/positions/plan'>> =>
      client.call('POST /sync/positions/plan', { body: { legs }, signal }),
  });
}

export function SettlePreview({
  plan,
  error,
  position,
}: {
  readonly plan: SettlePlan | undefined;
  readonly error: unknown;
  /** Position that takes the trades; undefined: they become a position of their own. */
  readonly position: Position | undefined;
}) {
  if (error != null) return <ErrorState compact error={error} />;
  if (plan === undefined) return null;
  const change = changeOf(plan);
  return (
    <section aria-label="Preview" className={layout['stack']}>
      <div className={css['preview']}>
        <table>
          <caption>{CAPTIONS[change]}</caption>
          <thead>
            <tr>
              <th scope="col">Leg</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {plan.legs.map(({ symbol, side, ticker, before, after }) => (
              <tr key={symbol}>
                <th scope="row">
                  <Side side={side}>{ticker}</Side>
                </th>
                <td>
                  <Quantity value={before} />
                </td>
                <td className={classNames(before !== after && css['changed'])}>
                  <Quantity value={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Facts
        className={css['facts']}
        of={{
          'Realised PnL': <Pnl value={plan.realizedPnl} />,
          'Fees of the trades': <Pnl value={negated(plan.fees)} />,
        }}
      />
      {change === 'made' && <BracketLines lines={['It begins without take-profit and stop-loss.']} />}
      {change !== 'made' && position !== undefined && (
        <BracketFates position={position} of={{ change, legs: plan.legs }} />
      )}
    </section>
  );
}

const CAPTIONS = {
  made: 'The position that is made',
  enlarged: 'The position is enlarged',
  reduced: 'The position is reduced',
  ended: 'The position ends: nothing of it stays open',
  changed: 'The position changes',
} as const satisfies Readonly<Record<ReturnType<typeof changeOf>, string>>;
