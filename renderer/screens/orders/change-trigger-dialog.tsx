/** Level, expiry and brackets of a trigger that waits; of a rung all but its level, which is its ladder's. */
import { useState } from 'react';
import { changeTrigger } from '../../../gateway/contract/triggers.ts';
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { Ratio } from '../../components/amount.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Field, Input } from '../../components/field.tsx';
import { MomentField } from '../../components/moment-field.tsx';
import { say } from '../../components/toast.tsx';
import { basketName } from '../../features/basket-name/basket-name.ts';
import { BracketFields } from '../../features/brackets-form/bracket-fields.tsx';
import { conditionText } from '../../features/condition-text/condition-text.ts';
import { within } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { unitOf } from '../../features/watch-fields/watch.ts';
import type { Trigger } from './order-states.ts';
import { hasBrackets, hasLevel, type TriggerDraft, triggerChange, triggerDraftOf } from './trigger-change.ts';

const FIELDS =
  /^(condition(\.value)?|expiresAt|(takeProfit|stopLoss)(\.(type|value|slippage|trailing(\.(delta|activation))?))?)$/;

export function ChangeTriggerDialog({
  trigger,
  onClose,
}: {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}) {
  // What stood when it was opened: what changes meanwhile must not turn an untouched field into a change.
  const [standing] = useState(trigger);
  const [draft, setDraft] = useState(() => triggerDraftOf(standing));
  const set = (change: Partial<TriggerDraft>) => setDraft({ ...draft, ...change });
  const sending = useFormSend((path) => FIELDS.test(path));
  const patch = useSend('PATCH /triggers/{id}', { changes: ['GET /triggers', 'GET /ladders'] });
  const tickerOf = useTicker();
  const what = standing.rungIndex === null ? 'trigger' : `rung ${standing.rungIndex + 1}`;
  const name = basketName(standing.legs, tickerOf).text;
  const { condition, legs } = standing;
  const isPair = legs.length === 2 && legs[0]?.side !== legs[1]?.side;
  const change = triggerChange(standing, draft);
  const submit = async () => {
    if (change === null) return;
    const went = await sending.send(changeTrigger.body, change, (body) =>
      patch.mutateAsync({ params: { id: standing.id }, body }),
    );
    if (!went) return;
    say(`${what.charAt(0).toUpperCase()}${what.slice(1)} changed`, { kind: 'success' });
    onClose();
  };
  return (
    <FormDialog
      title={`Change ${what} ${name}`}
      {...(condition === null ? {} : { description: `It waits for: ${conditionText(condition, tickerOf)}` })}
      sending={sending}
      confirm="Save"
      canSend={change !== null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {condition !== null && hasLevel(standing) && (
        <>
          <Field
            label="Level"
            help={
              <>
                Last seen <Ratio value={trigger.lastValue} figures={8} />
              </>
            }
            error={sending.errors('condition.value') ?? sending.errors('condition')}
          >
            <Input
              name="condition.value"
              numeric
              after={unitOf(condition.type) || undefined}
              value={draft.level}
              onChange={(event) => set({ level: event.target.value })}
            />
          </Field>
          <Checkbox checked={draft.allowImmediate} onChange={(allowImmediate) => set({ allowImmediate })}>
            Fire at once if the new level is passed already
          </Checkbox>
        </>
      )}
      <MomentField
        label="Expires"
        name="expiresAt"
        help="Empty: never"
        error={sending.errors('expiresAt')}
        value={draft.expiresAt}
        onChange={(expiresAt) => set({ expiresAt })}
      />
      {hasBrackets(standing) && (
        <>
          <BracketFields
            side="takeProfit"
            value={draft.takeProfit}
            onChange={(takeProfit) => set({ takeProfit })}
            errors={within(sending.errors, 'takeProfit')}
            isPair={isPair}
          />
          <BracketFields
            side="stopLoss"
            value={draft.stopLoss}
            onChange={(stopLoss) => set({ stopLoss })}
            errors={within(sending.errors, 'stopLoss')}
            isPair={isPair}
          />
        </>
      )}
    </FormDialog>
  );
}
