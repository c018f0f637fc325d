/**
 * Notice while everything is being closed: open positions and reasons, then completion. Gone once new orders are
 * accepted.
 */
import { CircleCheck, OctagonX } from 'lucide-react';
import { useGet } from '../api/queries.ts';
import { useAccounts } from '../api/session.ts';
import { useSettings } from '../api/settings.ts';
import { moneyWord } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { formatNumber } from '../components/format.ts';
import { NoticeStrip } from './notice-strip.tsx';
import { panicWords } from './panic-text.ts';
import { setPaused } from './stop-request.ts';

export function PanicNotice() {
  const { data } = useGet('GET /safety', {}, { shared: true });
  const accounts = useAccounts();
  const settings = useSettings();
  const words =
    data === undefined
      ? null
      : panicWords(data, {
          quantity: (value) => formatNumber(settings, value, {}),
          account: (id) => {
            const account = accounts.find((one) => one.id === id);
            return accounts.length < 2 || account === undefined
              ? null
              : `${moneyWord(account)} ${account.alias}`;
          },
        });
  if (words === null) return null;
  const { isFlat, title, detail } = words;
  return (
    <NoticeStrip
      quiet={isFlat}
      icon={isFlat ? <CircleCheck /> : <OctagonX />}
      action={isFlat && <Button onClick={() => void setPaused(false)}>Accept new orders again</Button>}
    >
      <strong>{title}</strong> {detail}
    </NoticeStrip>
  );
}
