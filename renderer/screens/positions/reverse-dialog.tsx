/** Reverses a position: long legs become short and short legs long, in the same quantities. */
import Big from 'big.js';
import { useState } from 'react';
import { reversePosition } from '../../../gateway/contract/position-actions.ts';
import { planReverse } from '../../../gateway/contract/position-plans.ts';
import { useStaleSeconds } from '../../api/clock.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Pnl, Quantity, Side } from '../../components/amount.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { SelectField } from '../../components/select-field.tsx';
import { ErrorState } from '../../components/states.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { bracketText, carriesOver } from '../../features/brackets-form/bracket-text.ts';
import {
  type ChangePlan,
  type ReversePlan,
  useChangePlan,
} from '../../features/change-plan/use-change-plan.ts';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { LEG_FAILURES } from '../../features/leg-failure/leg-failure.ts';
import { afterFacts } from '../../features/liquidation/liquidation.tsx';
import { PaymentFigure } from '../../features/next-funding/next-payment.tsx';
import { useHasOwnLimits, useOwnLimits } from '../../features/own-limits/own-limits.ts';
import { slippageInput } from '../../features/percent/percent.ts';
import { protectionFacts } from '../../features/protection/protection.tsx';
import { dayOf, OpeningOrders, OpeningProblems, OverLimit } from './adjust-preview.tsx';
import { LegPreview } from './close-preview.tsx';
import css from './positions.module.css';
import { SlippageField } from './slippage-field.tsx';
import { useMarketOrder } from './use-market-order.ts';
import type { Position, PositionDialogProps } from './use-position-data.ts';

interface ReverseDraft {
  /** Slippage in percent, as typed. */
  readonly slippage: string;
  readonly onLegFailure: (typeof LEG_FAILURES)[number]['value'];
  /** True: take-profit and stop-loss carry over to the opposite position. */
  readonly carries: boolean;
}

export function ReverseDialog({ position, onClose }: PositionDialogProps) {
  const account = useAccount();
  const [draft, setDraft] = useState<ReverseDraft>({ slippage: '', onLegFailure: 'KEEP', carries: true });
  const tickerOf = useTicker();
  const sending = useFormSend(/^slippage$/);
  const { choice, flag, percent } = draftFields(draft, setDraft, sending.errors);
  const order = useMarketOrder(position, 'Reverse');
  const brackets = draft.carries ? 'CARRY' : 'DROP';
  const planned = { ...slippageInput(draft.slippage), brackets } as const;
  const isComplete = planReverse.body.safeParse(planned).success;
  const preview = useChangePlan(
    'POST /positions/{id}/reverse/plan',
    position.id,
    isComplete ? planned : null,
  );
  const opens = preview.plan?.open ?? null;
  const ownLimit = useOwnLimits();
  const limit = opens === null ? null : ownLimit({ totalUsd: opens.grossNotional, legs: opens.legs });
  // The preview has the order's amount. If the user has set limits, sending waits for it.
  const isUnknown = useHasOwnLimits() && isComplete && (opens === null || preview.isOld);
  const submit = () => {
    const { slippage, onLegFailure } = draft;
    const asked = { ...slippageInput(slippage), onLegFailure, brackets } as const;
    return sending.send(reversePosition.body, asked, (body) =>
      order('POST /positions/{id}/reverse', { params: { id: position.id }, body }),
    );
  };
  return (
    <FormDialog
      account={account}
      title={`Reverse ${useBasketText(position.legs)}`}
      description="Closes the position at market, then opens the opposite in the same quantities."
      sending={sending}
      confirm="Reverse position"
      canSend={(limit === null && !isUnknown) || sending.step !== 'idle'}
      size="large"
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={css['beside']}>
        <div className={layout['stack']}>
          <ul className={css['turns']}>
            {position.legs.map((leg) => (
              <li key={leg.symbol}>
                <Quantity value={leg.quantity} />
                <Side side={leg.side}>{tickerOf(leg.symbol)}</Side>
                <span aria-hidden="true">→</span>
                <span className="visually-hidden">becomes</span>
                <Side side={leg.side === 'BUY' ? 'SELL' : 'BUY'}>{tickerOf(leg.symbol)}</Side>
              </li>
            ))}
          </ul>
          <Brackets position={position} carries={flag('carries')} />
          <SlippageField {...percent('slippage')} />
          <SelectField
            label="If a leg of the opening fails"
            options={LEG_FAILURES}
            {...choice('onLegFailure')}
          />
        </div>
        <div className={layout['stack']}>
          <Preview read={preview} />
          <OverLimit>{limit}</OverLimit>
        </div>
      </div>
    </FormDialog>
  );
}

/** Preview of both halves: the close, and the opening after it. */
function Preview({ read: { plan, isOld, error } }: { readonly read: ChangePlan<ReversePlan> }) {
  const isStale = useStaleSeconds() !== null;
  if (plan === null) return error === null ? null : <ErrorState compact error={error} />;
  const { close, open, protection } = plan;
  return (
    <section
      aria-label="Preview"
      className={classNames(layout['stack'], (isOld || isStale) && 'stale')}
      data-ready={!isOld}
    >
      <OpeningProblems plan={open} />
      <Facts
        className={css['deciding']}
        of={{
          Opens: <Amount value={open.grossNotional} />,
          'Margin, at most': <Amount value={open.marginRequired} />,
          ...afterFacts(open.after),
          'Funding a day': <PaymentFigure usd={negated(dayOf(open.netFundingHourly))} />,
          'Realised PnL': <Pnl value={close.realizedPnl} />,
          'Fees, closing': <Pnl value={negated(close.totalFee)} />,
          'Fees, opening, at most': <Pnl value={negated(open.totalFee)} />,
          'After these fees': <Pnl value={new Big(close.netPnl).minus(open.totalFee).toFixed()} />,
        }}
      />
      <Facts
        className={classNames(css['deciding'], css['halves'])}
        of={{
          'Expected slippage, closing': <Expected plan={close} />,
          'Expected slippage, opening': <Expected plan={open} />,
          ...protectionFacts(protection, 'after'),
        }}
      />
      <LegPreview plan={close} waits={false} />
      <OpeningOrders plan={open} caption="Then, to open the opposite" />
    </section>
  );
}

/** Take-profit and stop-loss in the reversal. */
function Brackets({
  position,
  carries,
}: {
  readonly position: Position;
  readonly carries: { readonly checked: boolean; readonly onChange: (carries: boolean) => void };
}) {
  const all = (['takeProfit', 'stopLoss'] as const).flatMap((side) => {
    const bracket = position[side];
    return bracket === null ? [] : [{ side, bracket, goesOver: carriesOver(side, bracket) }];
  });
  if (all.length === 0) return null;
  return (
    <>
      <Facts
        className={css['facts']}
        of={Object.fromEntries(
          all.map(({ side, bracket, goesOver }) => [
            `${side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} ${bracketText(side, bracket)}`,
            goesOver
              ? carries.checked
                ? 'Goes over to the opposite position'
                : 'Ends'
              : 'Ends: its level means something else on the other side',
          ]),
        )}
      />
      {all.some(({ goesOver }) => goesOver) && (
        <Checkbox {...carries}>Carry take-profit and stop-loss over</Checkbox>
      )}
    </>
  );
}
