/** Table of positions that are closed together: position and cost, then the result of each. */
import { useStaleSeconds } from '../../api/clock.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { describeError } from '../../components/describe-error.ts';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import type { ChangePlan, ClosePlan } from '../../features/change-plan/use-change-plan.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { type SentOrder, useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import { useOutcome } from '../../features/sent-orders/use-outcome.ts';
import { sumOf } from './position-sums.ts';
import css from './positions.module.css';
import { type TogetherCost, togetherCost } from './together-cost.ts';
import { useClosePlans } from './use-close-plans.ts';
import type { Position } from './use-position-data.ts';

/** Progress of sending one close. */
export type Step =
  | { readonly kind: 'sending' | 'settling' | 'left' }
  | { readonly kind: 'sent'; readonly order: SentOrder }
  | { readonly kind: 'refused'; readonly text: string };

export function SeveralTable({
  rows,
  steps,
  nameOf,
}: {
  readonly rows: readonly Position[];
  /** null: nothing is sent yet. */
  readonly steps: ReadonlyMap<string, Step> | null;
  readonly nameOf: (row: Position) => string;
}) {
  const plans = useClosePlans(
    rows.map(({ id }) => id),
    steps === null,
  );
  return (
    <div className={classNames(css['preview'], css['several'])}>
      <table>
        <caption>{steps === null ? 'What is closed, at market' : 'Each is an order of its own'}</caption>
        <thead>
          <tr>
            <th scope="col">Basket</th>
            <th scope="col">Notional</th>
            <th scope="col">Unrealised</th>
            <th scope="col">Expected slippage</th>
            <th scope="col">Fees</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.id}>
              <th scope="row">
                {nameOf(row)}
                {steps !== null && (
                  <small>
                    <Became step={steps.get(row.id)} />
                  </small>
                )}
              </th>
              <td>
                <Amount value={row.grossNotional} />
              </td>
              <td>
                <Pnl value={row.unrealizedPnl} />
              </td>
              <Costs {...(plans[index] ?? UNREAD)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{counted(rows.length)}</th>
            <td>
              <Amount value={sumOf(rows, ({ grossNotional }) => grossNotional)} />
            </td>
            <td>
              <Pnl value={sumOf(rows, ({ unrealizedPnl }) => unrealizedPnl)} />
            </td>
            <Costs {...UNREAD} plan={togetherCost(plans.map(({ plan, isOld }) => (isOld ? null : plan)))} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

const UNREAD = { plan: null, isOld: false, error: null };

/** Costs against the marks by the order books, and fees. As in the dialog of one close, outdated ones are grey. */
function Costs({
  plan,
  isOld,
  error,
}: Omit<ChangePlan<ClosePlan>, 'plan'> & { readonly plan: TogetherCost | null }) {
  const isStale = useStaleSeconds() !== null;
  const stale = isOld || isStale ? 'stale' : undefined;
  return (
    <>
      <td className={classNames(css['costs'], stale)}>
        {plan === null && error !== null ? (
          <span className={layout['quiet']} title={describeError(error).text}>
            not read
          </span>
        ) : (
          <Expected plan={plan} />
        )}
      </td>
      <td className={stale}>
        <Pnl value={plan === null ? null : negated(plan.totalFee)} />
      </td>
    </>
  );
}

function Became({ step }: { readonly step: Step | undefined }) {
  switch (step?.kind) {
    case undefined:
      return 'Waits for its turn';
    case 'sending':
      return 'Sending…';
    case 'settling':
      return 'Settling…';
    case 'left':
      return 'Not sent';
    case 'refused':
      return <span className={layout['problem']}>Not closed: {step.text}</span>;
    case 'sent':
      return <Outcome order={step.order} />;
  }
}

function Outcome({ order }: { readonly order: SentOrder }) {
  const { id } = useAccount();
  const now = useSentOrders(id).find(({ key }) => key === order.key) ?? order;
  const { word, text, tone } = useOutcome(now).text;
  return (
    <span className={tone === 'bad' ? layout['problem'] : undefined}>
      {text === null ? word : `${word}. ${text}`}
    </span>
  );
}

export function counted(count: number): string {
  return count === 1 ? '1 position' : `${count} positions`;
}
