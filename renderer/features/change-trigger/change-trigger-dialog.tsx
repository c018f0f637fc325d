/** Changes level, expiry and brackets of a resting trigger; a rung's level belongs to its ladder and is not offered. */

import { useState } from 'react';
import type { Row } from '../../../gateway/client/client.ts';
import { changeTrigger } from '../../../gateway/contract/triggers.ts';
import { sideWord } from '../../../gateway/words/conditions.ts';
import { useHoldings } from '../../api/account-now.ts';
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { formatMoney } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { MomentField } from '../../components/moment-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { basketName } from '../basket-name/basket-name.ts';
import { type BracketDraft, transformOf } from '../brackets-form/bracket-draft.ts';
import { BothBracketFields } from '../brackets-form/bracket-fields.tsx';
import { BracketNote } from '../brackets-form/bracket-note.tsx';
import { type BracketSide, bracketText } from '../brackets-form/bracket-text.ts';
import { conditionText, inSentence } from '../condition-text/condition-text.ts';
import { useLevelText } from '../condition-text/waiting-text.tsx';
import { draftFields } from '../draft-fields/draft-fields.ts';
import { FormDialog } from '../form-dialog/form-dialog.tsx';
import { useFormSend } from '../form-dialog/use-form-send.ts';
import { figureText } from '../ratio-chart/figure.ts';
import { LastSeen } from '../trigger-figures/trigger-figures.tsx';
import { triggerUsd } from '../trigger-figures/trigger-usd.ts';
import { unitOf } from '../watch-fields/watch.ts';
import {
  hasBrackets,
  hasLevel,
  type Trigger,
  type TriggerChange,
  type TriggerDraft,
  triggerChange,
  triggerDraftOf,
} from './trigger-change.ts';
import { triggerFacts } from './trigger-facts.ts';

const FIELDS =
  /^(condition(\.value)?|expiresAt|(takeProfit|stopLoss)(\.(type|value|slippage|trailing(\.(delta|activation))?))?)$/;

export function ChangeTriggerDialog({
  trigger,
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}) {
  const account = useAccount();
  // Values when the dialog was opened. Comparing with later ones would make untouched fields look changed.
  const [standing] = useState(trigger);
  const [draft, setDraft] = useState(() => triggerDraftOf(standing));
  const set = (change: Partial<TriggerDraft>) => setDraft({ ...draft, ...change });
  const sending = useFormSend(FIELDS);
  const { flag, number, text } = draftFields(draft, setDraft, sending.errors);
  const level = number('level', 'condition.value');
  const patch = useSend('PATCH /triggers/{id}', { changes: ['GET /triggers', 'GET /ladders'] });
  const tickerOf = useTicker();
  const settings = useSettings();
  const what = standing.rungIndex === null ? 'trigger' : `rung ${standing.rungIndex + 1}`;
  const name = basketName(standing.legs, tickerOf).text;
  const { condition, legs } = standing;
  const ownText = useLevelText();
  const levelText = standing.ladderId === null ? ownText : (value: string) => figureText(Number(value));
  const usd = standing.kind === 'OPEN' ? triggerUsd(standing) : null;
  const description =
    condition === null
      ? undefined
      : [
          ...(usd === null ? [] : [`Opens ${formatMoney(settings, usd)}`]),
          ...(standing.status === 'PAUSED' ? ['Paused'] : []),
          `${standing.status === 'PAUSED' ? 'Once resumed it' : 'It'} waits for: ${inSentence(conditionText(condition, tickerOf, levelText))}`,
          ...(standing.ladderId === null
            ? []
            : ["Level and size are the ladder's and cannot be changed here"]),
        ].join('. ');
  const change = triggerChange(standing, draft);
  const held =
    useHoldings().holdings?.positions.find(({ basketKey }) => basketKey === standing.basketKey) ?? null;
  const save = async (body: TriggerChange) => {
    await patch.mutateAsync({ params: { id: standing.id }, body });
    say(`${what.charAt(0).toUpperCase()}${what.slice(1)} changed`, { kind: 'success', account });
  };
  return (
    <FormDialog
      account={account}
      title={`Change ${what} ${name}`}
      {...(description === undefined ? {} : { description })}
      sending={sending}
      confirm="Save"
      canSend={change !== null}
      onSubmit={async () => change !== null && sending.send(changeTrigger.body, change, save)}
      onClose={onClose}
    >
      {condition !== null && hasLevel(standing) && (
        <>
          <TextField
            label="Level"
            help={
              <>
                Fires {sideWord(condition.direction)} it. Last seen <LastSeen trigger={trigger} />
              </>
            }
            after={unitOf(condition) || undefined}
            {...level}
            error={level.error ?? sending.errors('condition')}
          />
          <Checkbox {...flag('allowImmediate')}>Fire at once if the new level is passed already</Checkbox>
        </>
      )}
      <MomentField label="Expires" help="Empty: never" {...text('expiresAt')} />
      {hasBrackets(standing) && (
        <BothBracketFields
          value={draft}
          onChange={set}
          errors={sending.errors}
          legs={legs}
          note={(side) => (
            <BracketOfTrigger
              side={side}
              draft={draft[side]}
              facts={(type) => triggerFacts(standing, draft.level, held, type)}
              held={held}
              mode={standing.brackets}
            />
          )}
        />
      )}
    </FormDialog>
  );
}

/** Meaning of a typed bracket, or when it is set if the position that the trigger adds to keeps its own. */
function BracketOfTrigger({
  side,
  draft,
  facts,
  held,
  mode,
}: {
  readonly side: BracketSide;
  readonly draft: BracketDraft;
  readonly facts: Parameters<typeof BracketNote>[0]['facts'];
  readonly held: Row<'GET /positions'> | null;
  readonly mode: Trigger['brackets'];
}) {
  const own = held?.[side] ?? null;
  const isKept = own !== null && isKeptBy(own, mode);
  return (
    <>
      {!isKept && transformOf(draft) === undefined && (
        <BracketNote side={side} draft={draft} facts={facts} isHeld={held !== null} />
      )}
      {own !== null && (
        <p className={layout[isKept ? 'caution' : 'quiet']}>
          The position's own, {bracketText(side, own)}, {fateOf(own, mode)}
        </p>
      )}
    </>
  );
}

type Own = NonNullable<Row<'GET /positions'>[BracketSide]>;

const isKeptBy = ({ status }: Own, mode: Trigger['brackets']) => mode === 'KEEP' || status === 'TRIGGERED';

/** Future of the position's own bracket in words. It may be gone by the time that the trigger fires. */
function fateOf(own: Own, mode: Trigger['brackets']): string {
  if (mode === 'KEEP') return 'stays while it is there; this one is set only where there is none';
  return isKeptBy(own, mode) ? 'stays, and this one is not set' : 'is replaced by this one';
}
