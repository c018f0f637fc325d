/** Limits of one agent or key as sentences, with their use; suspends and resumes the agent or key. */
import { mandateSentences, usd } from '../../../gateway/contract/mandate-words.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccounts, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { type Agent, cents, used } from './agent-words.ts';
import css from './agents.module.css';
import { namedAccounts } from './named-accounts.ts';

export function Limits({ agent, onEdit }: { readonly agent: Agent; readonly onEdit: () => void }) {
  const named = namedAccounts(useAccounts());
  const { mandate, suspended, usage } = agent;
  return (
    <div className={layout['detail']}>
      {suspended !== null && (
        <p className={layout['problem']}>
          Since <Time at={suspended.at} />: <bdi>{suspended.reason}</bdi>. It opens nothing until you resume
          it; closing is possible.
        </p>
      )}
      {mandate === null ? (
        <p className={layout['problem']}>No limits are set: only its permissions bind it.</p>
      ) : (
        <ul className={css['sentences']} aria-label={`Limits of ${agent.name}`}>
          {mandateSentences(mandate.terms, named).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {mandate !== null && usage !== null && (
        <dl className={css['bars']} aria-label={`Used by ${agent.name}`}>
          {used(mandate.terms, usage).map((bar) => (
            <div key={bar.name}>
              <dt>{bar.name}</dt>
              <dd>
                {bar.isMoney ? usd(cents(bar.used)) : bar.used}
                {bar.most !== null && ` of ${bar.isMoney ? usd(bar.most) : bar.most}`}
                {bar.most !== null && (
                  <progress
                    aria-label={bar.name}
                    value={Math.max(0, Math.min(1, Number(bar.used) / Number(bar.most)))}
                  />
                )}
                {bar.parts !== null && <span className={css['parts']}>{bar.parts}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={css['buttons']}>
        <Button onClick={onEdit}>{mandate === null ? 'Set limits…' : 'Edit limits…'}</Button>
        <Suspend agent={agent} />
      </div>
    </div>
  );
}

function Suspend({ agent }: { readonly agent: Agent }) {
  const client = useClient();
  const { id, suspended, name } = agent;
  const action = useAction(async () => {
    const params = { id };
    if (suspended === null) await client.call('POST /agents/{id}/suspend', { params, body: {} });
    else await client.call('POST /agents/{id}/resume', { params });
    await readAnew('GET /agents', 'GET /audit-log');
  });
  const word = suspended === null ? 'Pause' : 'Resume';
  return (
    <>
      <Button busy={action.busy} aria-label={`${word} ${name}`} onClick={() => void action.run()}>
        {word}
      </Button>
      {action.error !== null && <ErrorState compact error={action.error} />}
    </>
  );
}
