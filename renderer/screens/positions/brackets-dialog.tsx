/** Take-profit and stop-loss of a position: set, changed and removed. */
import { useState } from 'react';
import { putBrackets } from '../../../gateway/contract/brackets.ts';
import { useSend } from '../../api/queries.ts';
import { say } from '../../components/toast.tsx';
import { bracketDraftOf, bracketsChange } from '../../features/brackets-form/bracket-draft.ts';
import { BracketFields } from '../../features/brackets-form/bracket-fields.tsx';
import { bracketState } from '../../features/brackets-form/bracket-text.ts';
import { within } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { useBasketText } from './use-market-order.ts';
import type { Position } from './use-position-data.ts';
import { isPair } from './weighed-legs.ts';

const FIELDS = /^(takeProfit|stopLoss)(\.(type|value|slippage|trailing(\.(delta|activation))?))?$/;

export function BracketsDialog({
  position,
  onClose,
}: {
  readonly position: Position;
  readonly onClose: () => void;
}) {
  // What stood when it was opened: what changes meanwhile must not turn an untouched field into a change.
  const [standing] = useState({ takeProfit: position.takeProfit, stopLoss: position.stopLoss });
  const [takeProfit, setTakeProfit] = useState(() => bracketDraftOf(standing.takeProfit));
  const [stopLoss, setStopLoss] = useState(() => bracketDraftOf(standing.stopLoss));
  const sending = useFormSend((path) => FIELDS.test(path));
  const put = useSend('PUT /positions/{id}/brackets', {
    changes: ['GET /positions', 'GET /positions/{id}', 'GET /triggers'],
  });
  const change = bracketsChange(standing, { takeProfit, stopLoss });
  const submit = async () => {
    if (change === null) return;
    const went = await sending.send(putBrackets.body, change, (body) =>
      put.mutateAsync({ params: { id: position.id }, body }),
    );
    if (!went) return;
    say('Take-profit and stop-loss saved', { kind: 'success' });
    onClose();
  };
  return (
    <FormDialog
      title={`Take-profit and stop-loss of ${useBasketText(position)}`}
      description="Each closes the whole position at market, in rounds until it is closed; then the other is cancelled."
      sending={sending}
      confirm="Save"
      canSend={change !== null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Working name="Take-profit" bracket={position.takeProfit} />
      <Working name="Stop-loss" bracket={position.stopLoss} />
      <BracketFields
        side="takeProfit"
        value={takeProfit}
        onChange={setTakeProfit}
        errors={within(sending.errors, 'takeProfit')}
        isPair={isPair(position)}
      />
      <BracketFields
        side="stopLoss"
        value={stopLoss}
        onChange={setStopLoss}
        errors={within(sending.errors, 'stopLoss')}
        isPair={isPair(position)}
      />
    </FormDialog>
  );
}

/** One that fired and has not closed the position yet: why, and what remains. */
function Working({ name, bracket }: { readonly name: string; readonly bracket: Position['takeProfit'] }) {
  if (bracket?.status !== 'TRIGGERED') return null;
  return (
    <p role="status">
      {name} is {bracketState(bracket)}. {bracket.error}
    </p>
  );
}
