/** Screen on which a signed-in person allows or denies the agent. Denying takes the least effort. */
import { Check } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Refusal } from '../../gateway/client/errors.ts';
import type { InteractionBody, InteractionTermsBody } from '../../gateway/contract/oauth.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { Facts } from '../components/facts.tsx';
import { FieldGroup } from '../components/field.tsx';
import layout from '../components/layout.module.css';
import { NativeSelectField } from '../components/native-select-field.tsx';
import { useArmed } from '../features/armed/use-armed.ts';
import { useAction } from '../features/one-at-a-time/use-action.ts';
import css from './consent.module.css';
import { call } from './interaction-api.ts';
import { LimitsForm } from './limits.tsx';
import { type Account, shownAccount, shownAddress, shownName, sinceWords } from './plain-words.ts';
import { Screen } from './screen.tsx';
import { uid } from './start-page.tsx';
import { useLimits } from './use-limits.ts';

const READ = 'mcp:read';
const WRITE = 'mcp:write';
/** Nobody is disconnected in the place of the agent. */
const NOBODY = 'nobody';
const params = { uid };

export interface DecisionProps {
  readonly request: InteractionBody;
  readonly account: Account;
  readonly terms: InteractionTermsBody;
  readonly onDecided: (title: string, returnTo: string) => void;
  readonly onRefused: (error: unknown) => Promise<void>;
}

export function Decision({ request, account, terms, onDecided, onRefused }: DecisionProps) {
  const [trades, setTrades] = useState(false);
  const [continues, setContinues] = useState(true);
  const [replaces, setReplaces] = useState(NOBODY);
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useAction((work: () => Promise<void>) => work().catch(onRefused));
  const deny = useRef<HTMLButtonElement>(null);
  const limits = useLimits(terms, trades, onRefused);
  const isArmed = useArmed(limits.content);
  const isReady = isArmed && !busy && (!trades || limits.said !== null);
  const requested = request.params.scope.split(' ').filter((scope) => scope !== '');
  useEffect(() => {
    if (problem !== null && !busy) deny.current?.focus();
  }, [problem, busy]);

  async function allow(): Promise<void> {
    const body = {
      scopes: requested.filter((scope) => scope !== WRITE || trades),
      ...(replaces === NOBODY ? {} : { replaces }),
      ...(trades && limits.said !== null ? { mandate: limits.said, continueBudget: continues } : {}),
      ...(trades && limits.preset === 'proposal' ? { asProposed: true as const } : {}),
    };
    setProblem(null);
    try {
      onDecided('Allowed', (await call('POST /interaction/{uid}/confirm', { params, body })).returnTo);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 403) throw error;
      // Two causes: another account's session (reading fails too), or a limit (the request stays open).
      await call('GET /interaction/{uid}', { params });
      setProblem(`${error.message}. This request stays open until its time is up.`);
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void run(allow);
  };
  const refuse = async () =>
    onDecided('Denied', (await call('POST /interaction/{uid}/abort', { params })).returnTo);

  return (
    <Screen
      heading={
        <>
          <bdi>{shownName(request.client)}</bdi> <Badge tone="warn">unverified</Badge>
        </>
      }
      focus={deny}
    >
      <Requester request={request} account={account} />
      <form id="consent-form" method="post" className={layout['stack']} onSubmit={submit}>
        <FieldGroup legend="What it may do" disabled={busy}>
          <Scopes
            requested={requested}
            trades={trades}
            onTrades={(isTicked) => {
              setTrades(isTicked);
              if (isTicked) limits.choose(limits.preset);
            }}
          />
        </FieldGroup>
        {trades && (
          <LimitsForm
            terms={terms}
            limits={limits}
            disabled={busy}
            continues={continues}
            onContinues={setContinues}
          />
        )}
        {terms.full && <Replacement terms={terms} replaces={replaces} onChange={setReplaces} />}
        {problem !== null && (
          <p role="alert" className={layout['problem']}>
            {problem}
          </p>
        )}
        <div className={css['decision']}>
          <Button
            ref={deny}
            id="deny"
            aria-describedby="consent-summary"
            disabled={busy}
            onClick={() => void run(refuse)}
          >
            Deny
          </Button>
          <Button id="allow" kind="primary" type="submit" disabled={!isReady}>
            {trades ? 'Allow reading and trading' : 'Allow reading'}
          </Button>
        </div>
      </form>
      <p className={layout['quiet']}>
        It never gets your password. You can revoke its access at any time, in Tandem under Agents.
      </p>
    </Screen>
  );
}

function Scopes({
  requested,
  trades,
  onTrades,
}: {
  readonly requested: readonly string[];
  readonly trades: boolean;
  readonly onTrades: (trades: boolean) => void;
}) {
  return (
    <div className={css['box']}>
      <div>
        <span className={layout['line']}>
          <Check size={16} aria-hidden="true" />
          <strong>Read your trading data</strong>
        </span>
        <p className={css['below']}>
          Positions, orders, fills and balances of every trade account.
          {!requested.includes(READ) && ' It did not ask for this, but every connected agent can do it.'}
        </p>
      </div>
      {requested.includes(WRITE) && (
        <div>
          <Checkbox describedBy="write-explanation" checked={trades} onChange={onTrades}>
            <strong>Trade and change settings</strong>
          </Checkbox>
          <div id="write-explanation" className={css['below']}>
            <p>Opens, changes and closes positions and cancels orders, within limits that you set here.</p>
            <p className={layout['caution']}>
              It does not see the venue credentials stored in this gateway, unless you allow it to read them,
              decrypted, in its own limits.
            </p>
          </div>
        </div>
      )}
    </div>
  );
}

function Requester({ request: { client, params }, account }: Pick<DecisionProps, 'request' | 'account'>) {
  const { host, kind } = shownAddress(params.redirect_uri);
  return (
    <>
      <p id="consent-summary">wants to use your Tandem account.</p>
      <p className={css['warning']}>
        Any program can call itself by this name. Allow it only if you have just started connecting it
        yourself.
      </p>
      <Facts
        className={css['facts']}
        of={{
          Account: shownAccount(account),
          'Goes back to': (
            <>
              <code>
                <strong>{host}</strong>
              </code>{' '}
              <span className={layout['quiet']}>{kind}</span>
            </>
          ),
          'Client ID': <code>{client.clientId}</code>,
        }}
      />
    </>
  );
}

function Replacement({
  terms,
  replaces,
  onChange,
}: {
  readonly terms: InteractionTermsBody;
  readonly replaces: string;
  readonly onChange: (id: string) => void;
}) {
  const connected = terms.connected.map(({ id, name, connectedAt, lastSeenAt }) => {
    const seen = lastSeenAt === null ? 'unused since' : `last seen ${sinceWords(lastSeenAt)}`;
    return { value: id, label: `${name}, connected ${sinceWords(connectedAt)}, ${seen}` };
  });
  return (
    <>
      <p className={css['warning']}>Ten agents are connected, which is the most.</p>
      <NativeSelectField
        label="Disconnect in its place"
        options={[{ value: NOBODY, label: 'None: I disconnect one myself' }, ...connected]}
        value={replaces}
        onChange={onChange}
      />
    </>
  );
}
