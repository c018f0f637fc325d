/** Creates a notification channel: ntfy, Telegram or Discord. */
import { useState } from 'react';
import { createNotificationChannel } from '../../../gateway/contract/notification-channels.ts';
import { gateway } from '../../api/client.ts';
import { readAnew } from '../../api/queries.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';

const KINDS = [
  { kind: 'FILLED', label: 'Filled' },
  { kind: 'FAILED', label: 'Failed' },
  { kind: 'CLOSED', label: 'Closed, with what it brought' },
  {
    kind: 'FIRED',
    label: 'A take-profit, stop-loss, trigger, TWAP or ladder did its work, or an alert was met',
  },
  { kind: 'APPROVAL', label: 'An order waits for you' },
  { kind: 'TROUBLE', label: 'Something asks for a look' },
  { kind: 'OTHER', label: 'Other news' },
] as const;
type Kind = (typeof KINDS)[number]['kind'];
type Service = 'NTFY' | 'TELEGRAM' | 'DISCORD';

const EMPTY = {
  service: 'NTFY' as Service,
  server: '',
  topic: '',
  token: '',
  chatId: '',
  webhookUrl: '',
  kinds: ['FILLED', 'FAILED', 'APPROVAL', 'TROUBLE'] as readonly Kind[],
};

export function AddChannel({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const sending = useFormSend(/^(to\.(server|topic|token|chatId|webhookUrl)|kinds(\.\d+)?)$/, {
    settles: false,
  });
  const { text, choice } = draftFields(draft, setDraft, sending.errors);
  const submit = () =>
    sending.send(createNotificationChannel.body, bodyOf(draft), async (body) => {
      await gateway.call('POST /notification-channels', { body });
      void readAnew('GET /notification-channels');
      say('The channel is added', { kind: 'success', detail: 'Send it a test.' });
    });
  return (
    <FormDialog
      title="Add a channel"
      sending={sending}
      confirm="Add channel"
      onSubmit={submit}
      onClose={onClose}
    >
      <Segmented<Service>
        label="Service"
        {...choice('service')}
        options={[
          { value: 'NTFY', label: 'ntfy' },
          { value: 'TELEGRAM', label: 'Telegram' },
          { value: 'DISCORD', label: 'Discord' },
        ]}
      />
      {draft.service === 'NTFY' && (
        <>
          <TextField
            label="Topic"
            help="Whoever knows it reads along: choose one that nobody guesses."
            {...text('topic', 'to.topic')}
          />
          <TextField label="Server" help="Empty: https://ntfy.sh" {...text('server', 'to.server')} />
          <TextField
            label="Access token"
            help="Where your server asks for one."
            type="password"
            autoComplete="off"
            {...text('token', 'to.token')}
          />
        </>
      )}
      {draft.service === 'TELEGRAM' && (
        <>
          <TextField
            label="Token of your bot"
            help="As BotFather gave it."
            type="password"
            autoComplete="off"
            {...text('token', 'to.token')}
          />
          <TextField
            label="Chat"
            help="Its id, or @channel. Write to the bot once, so that it may answer."
            {...text('chatId', 'to.chatId')}
          />
        </>
      )}
      {draft.service === 'DISCORD' && (
        <TextField
          label="Address of the webhook"
          help="Settings of the channel, Integrations, Webhooks."
          type="password"
          autoComplete="off"
          {...text('webhookUrl', 'to.webhookUrl')}
        />
      )}
      <FieldGroup legend="Tell me of">
        {KINDS.map(({ kind, label }) => (
          <Checkbox
            key={kind}
            checked={draft.kinds.includes(kind)}
            onChange={(chosen) =>
              choice('kinds').onChange(
                chosen ? [...draft.kinds, kind] : draft.kinds.filter((one) => one !== kind),
              )
            }
          >
            {label}
          </Checkbox>
        ))}
        {sending.errors('kinds') !== undefined && (
          <p role="alert" className={layout['problem']}>
            Choose at least one.
          </p>
        )}
      </FieldGroup>
    </FormDialog>
  );
}

function bodyOf({ service, server, topic, token, chatId, webhookUrl, kinds }: typeof EMPTY) {
  const own = server.trim() === '' ? {} : { server: server.trim() };
  const to =
    service === 'NTFY'
      ? { service, topic: topic.trim(), ...own, ...(token === '' ? {} : { token: token.trim() }) }
      : service === 'TELEGRAM'
        ? { service, token: token.trim(), chatId: chatId.trim() }
        : { service, webhookUrl: webhookUrl.trim() };
  return { to, kinds: [...kinds] };
}
