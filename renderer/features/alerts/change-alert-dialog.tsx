/** Changes the level and the expiry of a pending alert. */

import { useState } from 'react';
import { changeAlert } from '../../../gateway/contract/alerts.ts';
import { sideWord } from '../../../gateway/words/conditions.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { MomentField } from '../../components/moment-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { useBasketText } from '../basket-name/use-basket-text.ts';
import { inSentence } from '../condition-text/condition-text.ts';
import { draftFields } from '../draft-fields/draft-fields.ts';
import { FormDialog } from '../form-dialog/form-dialog.tsx';
import { useFormSend } from '../form-dialog/use-form-send.ts';
import { LastSeen } from '../trigger-figures/trigger-figures.tsx';
import { unitOf } from '../watch-fields/watch.ts';
import { type Alert, type AlertChange, alertChange, alertDraftOf, isOfRatio } from './alert.ts';
import { useAlertWords } from './alert-cells.tsx';

const FIELDS = /^(condition(\.value)?|expiresAt)$/;

export function ChangeAlertDialog({
  alert,
  onClose,
}: {
  readonly alert: Alert;
  readonly onClose: () => void;
}) {
  const account = useAccount();
  // Values when the dialog was opened. Comparing with later ones would make untouched fields look changed.
  const [standing] = useState(alert);
  const [draft, setDraft] = useState(() => alertDraftOf(standing));
  const sending = useFormSend(FIELDS);
  const { flag, number, text } = draftFields(draft, setDraft, sending.errors);
  const level = number('level', 'condition.value');
  const patch = useSend('PATCH /alerts/{id}', { changes: ['GET /alerts'] });
  const words = useAlertWords(standing);
  const name = useBasketText(standing.legs);
  const { condition } = standing;
  const change = alertChange(standing, draft);
  const save = async (body: AlertChange) => {
    await patch.mutateAsync({ params: { id: standing.id }, body });
    say('Alert changed', { kind: 'success', account });
  };
  return (
    <FormDialog
      account={account}
      title={isOfRatio(standing) ? `Change alert ${name}` : 'Change alert'}
      description={`It waits for: ${inSentence(words)}`}
      sending={sending}
      confirm="Save"
      canSend={change !== null}
      onSubmit={async () => change !== null && sending.send(changeAlert.body, change, save)}
      onClose={onClose}
    >
      <TextField
        label="Level"
        help={
          <>
            You are told {sideWord(condition.direction)} it. Last seen{' '}
            <LastSeen trigger={{ ...alert, bracket: null }} />
          </>
        }
        after={unitOf(condition) || undefined}
        {...level}
        error={level.error ?? sending.errors('condition')}
      />
      <Checkbox {...flag('allowImmediate')}>Tell at once if the new level is passed already</Checkbox>
      <MomentField label="Expires" help="Empty: never" {...text('expiresAt')} />
    </FormDialog>
  );
}
