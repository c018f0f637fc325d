/** First run: creating a user, checks of the gateway, a funded paper account, a first basket. */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Answer } from '../../gateway/client/client.ts';
import { useGet } from '../api/queries.ts';
import { entered, useMaybeAccount, useSession } from '../api/session.ts';
import { Amount, Side } from '../components/amount.tsx';
import { ModeBadge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { classNames } from '../components/class-names.ts';
import { PaperCaution } from '../components/paper-caution.tsx';
import { Loaded } from '../components/states.tsx';
import { tradeHref } from '../features/basket-link/basket-link.ts';
import { checkDetail, checkName } from '../features/gateway-checks/check-words.ts';
import { goToStep, STEPS, useFirstRun } from './first-run-state.ts';
import css from './gate.module.css';
import { GatePage } from './gate-page.tsx';
import { RegisterForm } from './sign-in.tsx';

const FIRST_BASKET = { long: ['BTC-PERP'], short: ['ETH-PERP'] };

export function FirstRun() {
  const signedIn = useSession((facts) => facts.phase === 'signed-in');
  const kept = useFirstRun((state) => state.step);
  const step = signedIn ? (kept ?? 'checks') : 'user';
  return (
    <GatePage wide>
      <ol className={css['steps']} aria-label="Setting up">
        {STEPS.map(({ id, name }, index) => {
          const now = id === step;
          const done = index < STEPS.findIndex((one) => one.id === step);
          return (
            <li
              key={id}
              className={classNames(css['step'], done && css['stepDone'], now && css['stepNow'])}
              {...(now ? { 'aria-current': 'step' as const } : {})}
            >
              {name}
            </li>
          );
        })}
      </ol>
      {step === 'user' && (
        <RegisterForm
          onDone={async () => {
            goToStep('checks');
            await entered();
          }}
        />
      )}
      {step === 'checks' && <Checks />}
      {step === 'basket' && <FirstBasket />}
    </GatePage>
  );
}

type Check = Answer<'GET /ready'>['checks'][number];

function Checks() {
  const ready = useGet('GET /ready', {}, { shared: true, refetchEvery: 2_000 });
  return (
    <>
      <h1 className={css['title']}>What the gateway needs</h1>
      <Loaded query={ready} rows={3}>
        {({ checks }) => (
          <ul className={css['checks']}>
            {checks.map((check) => (
              <CheckLine key={check.name} check={check} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className={css['buttons']}>
        <Skip />
        <Button kind="primary" onClick={() => goToStep('basket')}>
          Continue
        </Button>
      </div>
    </>
  );
}

function CheckLine({ check }: { readonly check: Check }) {
  const { name, ok } = check;
  const detail = checkDetail(check);
  return (
    <li className={css['check']}>
      {ok ? (
        <CircleCheck className={css['ok']} aria-label="fine" />
      ) : (
        <CircleAlert className={css['warning']} aria-label="attention" />
      )}
      <div>
        <p>{checkName(name)}</p>
        {detail !== null && <p className={css['detail']}>{detail}</p>}
      </div>
    </li>
  );
}

function FirstBasket() {
  const account = useMaybeAccount();
  const [, navigate] = useLocation();
  const portfolio = useGet('GET /portfolio', {}, { enabled: account !== null });
  const begin = () => {
    goToStep(null);
    navigate(tradeHref(FIRST_BASKET));
  };
  return (
    <>
      <h1 className={css['title']}>Your account is funded</h1>
      <p className={css['detail']}>
        {account !== null && <ModeBadge mode={account.mode} network={account.network} />} play money
      </p>
      <PaperCaution className={css['detail'] ?? ''} />
      <p className={css['funds']}>
        <Amount value={portfolio.data?.equity} />
      </p>
      <p>Begin with a pair. It is filled in for you; nothing is sent before you have seen it.</p>
      <div className={css['legs']}>
        <span>
          <Side side="BUY" /> BTC
        </span>
        <span>
          <Side side="SELL" /> ETH
        </span>
      </div>
      <div className={css['buttons']}>
        <Skip />
        <Button kind="primary" onClick={begin} disabled={account === null}>
          Show me the basket
        </Button>
      </div>
    </>
  );
}

function Skip() {
  return (
    <Button kind="ghost" onClick={() => goToStep(null)}>
      Skip
    </Button>
  );
}
