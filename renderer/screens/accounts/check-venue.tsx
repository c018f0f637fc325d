/** Checks all that trading on a live account needs, and tells the user how to fix each problem. */
import { useEffect, useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { useClient } from '../../api/session.ts';
import { ModeBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import css from './accounts.module.css';
import type { AccountDialogProps } from './credentials.tsx';

type Report = Answer<'POST /connectors/{id}/check'>;

export function CheckVenue({ account, onClose }: AccountDialogProps) {
  const client = useClient();
  const [report, setReport] = useState<Report | null>(null);
  const check = useAction(async () => {
    setReport(null);
    const body = { tradeAccountId: account.id };
    setReport(await client.call('POST /connectors/{id}/check', { params: { id: account.connector }, body }));
  });
  const { run } = check;
  useEffect(() => void run(), [run]);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={
        <>
          Check of <bdi>{account.alias}</bdi>
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" busy={check.busy} onClick={() => void run()}>
            Check again
          </Button>
        </>
      }
    >
      <div className={layout['stack']}>
        <p role="status">
          <ModeBadge mode={account.mode} network={account.network} />{' '}
          {report === null
            ? check.busy
              ? 'Asking the venue. This takes up to half a minute, and orders nothing.'
              : ''
            : report.ok
              ? 'Everything works.'
              : 'Something does not work.'}
          {report !== null && report.override !== null && ` ${report.override} stands in for the venue.`}
        </p>
        {report !== null && (
          <p className={layout['quiet']}>
            {report.proven === null
              ? 'Orders are not proven here yet: tandem venue check with --order sends the smallest there are.'
              : `Orders proven ${report.proven.at.slice(0, 10)}, by version ${report.proven.version}.`}
          </p>
        )}
        {check.error !== null && <ErrorState compact error={check.error} />}
        {report !== null && (
          <ul className={css['checks']} aria-label="Steps">
            {report.steps.map(({ name, ok, detail, remedy }) => (
              <li key={`${name} ${detail}`} className={css['check']}>
                <StatusBadge text={ok ? 'Fine' : 'Failing'} tone={ok ? 'good' : 'bad'} />
                <span>{name.replaceAll('_', ' ')}</span>
                <span className={layout['quiet']}>
                  {detail}
                  {remedy !== null && <strong> {remedy}.</strong>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
