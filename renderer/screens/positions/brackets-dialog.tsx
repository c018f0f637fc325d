/** Take-profit and stop-loss of a position: sets, changes and removes them, and shows their meaning and value now. */
import { useState } from 'react';
import { putBrackets } from '../../../gateway/contract/brackets.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { NoFigure, Percent, Pnl, Ratio } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { say } from '../../components/toast.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import {
  type BracketDraft,
  type BracketsBody,
  bracketDraftsOf,
  bracketsChange,
  transformOf,
} from '../../features/brackets-form/bracket-draft.ts';
import { BothBracketFields } from '../../features/brackets-form/bracket-fields.tsx';
import { BracketNote } from '../../features/brackets-form/bracket-note.tsx';
import { standingText } from '../../features/brackets-form/bracket-standing.ts';
import {
  type BracketSide,
  type BracketType,
  bracketState,
} from '../../features/brackets-form/bracket-text.ts';
import { useChangePlan } from '../../features/change-plan/use-change-plan.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { askedLegs, drawnLegs } from '../../features/leg-weights/leg-weights.ts';
import { isWhole, NOT_WHOLE } from '../../features/position-columns/is-whole.ts';
import { Firing, protectionOn } from '../../features/protection/protection.tsx';
import { positionFacts } from '../../features/ratio-chart/levels.ts';
import { TRANSFORM_HELP } from '../../features/ratio-chart/spread-words.ts';
import { usualSubject } from '../../features/ratio-chart/subject.ts';
import { TransformNow } from '../../features/ratio-chart/transform-now.tsx';
import type { Position, PositionDialogProps } from './use-position-data.ts';

const FIELDS = /^(takeProfit|stopLoss)(\.(type|value|slippage|trailing(\.(delta|activation))?))?$/;

export function BracketsDialog({ position, onClose }: PositionDialogProps) {
  const account = useAccount();
  // Brackets when the dialog was opened. Comparing with later ones would make untouched fields look changed.
  const [standing] = useState({ takeProfit: position.takeProfit, stopLoss: position.stopLoss });
  const [draft, setDraft] = useState(() => bracketDraftsOf(standing));
  const sending = useFormSend(FIELDS);
  const put = useSend('PUT /positions/{id}/brackets', {
    changes: ['GET /positions', 'GET /positions/{id}', 'GET /triggers'],
  });
  const change = bracketsChange(standing, draft);
  const isComplete = change !== null && putBrackets.body.safeParse(change).success;
  const preview = useChangePlan(
    'POST /positions/{id}/brackets/plan',
    position.id,
    isComplete ? change : null,
  );
  const planned = preview.isOld ? null : preview.plan;
  const protection = change === null ? position.protection : (planned?.protection ?? []);
  const facts = (type: BracketType) => factsOf(position, type);
  const save = async (body: BracketsBody) => {
    await put.mutateAsync({ params: { id: position.id }, body });
    say('Take-profit and stop-loss saved', { kind: 'success', account });
  };
  return (
    <FormDialog
      account={account}
      title={`Take-profit and stop-loss of ${useBasketText(position.legs)}`}
      description="Each closes the whole position at market, in rounds until it is flat; the other is then cancelled. To close a part at a level, choose Close, then Trigger."
      sending={sending}
      confirm="Save"
      canSend={change !== null}
      onSubmit={async () => change !== null && sending.send(putBrackets.body, change, save)}
      onClose={onClose}
    >
      <p className={layout['quiet']} data-note="now">
        Now <Pnl value={position.unrealizedPnl} /> (
        <Percent value={position.unrealizedPnlPct} of="percent" pnl />
        ), {position.legs.length === 1 ? 'price' : 'price ratio'}{' '}
        {isWhole(position) ? <Ratio value={position.markPrice} /> : <NoFigure why={NOT_WHOLE} />}
      </p>
      <Working name="Take-profit" bracket={position.takeProfit} />
      <Working name="Stop-loss" bracket={position.stopLoss} />
      <BothBracketFields
        value={draft}
        onChange={setDraft}
        errors={sending.errors}
        legs={position.legs}
        note={(side) => (
          <>
            <AmongPast draft={draft[side]} position={position} />
            {transformOf(draft[side]) === undefined && (
              <BracketNote
                side={side}
                draft={draft[side]}
                facts={facts}
                isHeld={false}
                {...(isAsAsked(draft[side], position[side]) && nowOf(side, position) !== null
                  ? { lead: 'As asked' }
                  : { protection: protectionOn(side, protection) })}
              />
            )}
            <Trails side={side} position={position} />
          </>
        )}
      />
    </FormDialog>
  );
}

/** Live figure that a bracket on the ratio's past compares with its level. */
function AmongPast({ draft, position }: { readonly draft: BracketDraft; readonly position: Position }) {
  const past = transformOf(draft);
  if (past?.transform === undefined || past.lookback === undefined) return null;
  const { transform, lookback } = past;
  const metric = draft.type === 'WEIGHTED_RATIO' ? ('WEIGHTED_RATIO' as const) : ('PRICE_RATIO' as const);
  return (
    <p className={layout['quiet']}>
      <TransformNow
        subject={{ metric }}
        legs={drawnLegs(position)}
        transform={transform}
        lookback={lookback}
      />
      . {TRANSFORM_HELP[transform]}
    </p>
  );
}

/** Facts from which a bracket of this type is measured, in the unit of the chart. */
function factsOf(position: Position, type: BracketType) {
  const legs = askedLegs(position);
  const subject = type === 'WEIGHTED_RATIO' ? ({ metric: type } as const) : usualSubject({ legs });
  return positionFacts(position, subject, legs);
}

/** True: the fields still equal the bracket as it was requested. */
const isAsAsked = (draft: BracketDraft, bracket: Position[BracketSide]) =>
  draft.type === bracket?.type &&
  draft.isTrailing === (bracket.trailing !== null) &&
  draft.value.trim() === bracket.value;

const nowOf = (side: BracketSide, position: Position): string | null => {
  const bracket = position[side];
  return bracket === null ? null : standingText(side, bracket, position.legs);
};

/** Present level of a bracket that trails or has moved with the size. */
function Trails({ side, position }: { readonly side: BracketSide; readonly position: Position }) {
  const figures = protectionOn(side, position.protection);
  if (nowOf(side, position) === null || figures === undefined) return null;
  return (
    <p className={layout['quiet']} data-note={`${side}-now`}>
      {position[side]?.trailing === null ? 'For the present size: ' : 'Trails: '}
      <Firing of={figures} />
    </p>
  );
}

/** State and error of a bracket that fired and has not closed the position yet. */
function Working({ name, bracket }: { readonly name: string; readonly bracket: Position['takeProfit'] }) {
  if (bracket?.status !== 'TRIGGERED') return null;
  return (
    <p role="status">
      {name} is {bracketState(bracket)}. {bracket.error}
    </p>
  );
}
