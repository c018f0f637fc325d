/** Creates a webhook and shows its secret once. */
import { useState } from 'react';
import { createWebhook } from '../../../gateway/contract/webhooks.ts';
import { gateway } from '../../api/client.ts';
import { readAnew } from '../../api/queries.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { ShownOnce } from '../../features/shown-once/shown-once.tsx';

type WebhookEvent =
  | '*'
  | 'execution.completed'
  | 'execution.failed'
  | 'position.closed'
  | 'notification.created';

/** Events that most receivers need. The command line and the API offer all events. */
const EVENTS: readonly { readonly event: WebhookEvent; readonly label: string }[] = [
  { event: 'execution.completed', label: 'An execution filled' },
  { event: 'execution.failed', label: 'An execution failed or was cancelled' },
  { event: 'position.closed', label: 'A position was closed' },
  { event: 'notification.created', label: 'A notification' },
  { event: '*', label: 'Every event' },
];
const EMPTY = { url: '', events: ['execution.completed', 'execution.failed'] as readonly WebhookEvent[] };

export function AddWebhook({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const [secret, setSecret] = useState<string | null>(null);
  const sending = useFormSend(/^(url|events(\.\d+)?)$/, { settles: false });
  if (secret !== null)
    return (
      <ShownOnce
        secret={secret}
        title="Secret of the webhook"
        label="The secret"
        copy="Copy secret"
        onClose={onClose}
      >
        <p className={layout['quiet']}>
          Your receiver checks the header <code>tandem-signature</code> with it: <code>verifyWebhook</code> of
          the client library does that.
        </p>
      </ShownOnce>
    );
  const { text, choice } = draftFields(draft, setDraft, sending.errors);
  const submit = async () => {
    const body = { url: draft.url.trim(), events: [...draft.events], enabled: true };
    await sending.send(createWebhook.body, body, async (checked) => {
      setSecret((await gateway.call('POST /webhooks', { body: checked })).secret);
      void readAnew('GET /webhooks');
    });
    // The dialog stays open to show the secret.
    return false;
  };
  return (
    <FormDialog
      title="Add a webhook"
      sending={sending}
      confirm="Add webhook"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        help="https, or http to this computer, such as http://127.0.0.1:5678/webhook/tandem"
        {...text('url')}
      />
      <FieldGroup legend="Events">
        {EVENTS.map(({ event, label }) => (
          <Checkbox
            key={event}
            checked={draft.events.includes(event)}
            onChange={(chosen) =>
              choice('events').onChange(
                chosen ? [...draft.events, event] : draft.events.filter((one) => one !== event),
              )
            }
          >
            {label}
          </Checkbox>
        ))}
        {sending.errors('events') !== undefined && (
          <p role="alert" className={layout['problem']}>
            Choose at least one event.
          </p>
        )}
      </FieldGroup>
    </FormDialog>
  );
}
