/** Attempts that the limits of an agent or a key have refused: time, attempt and limit. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { useAccounts } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import css from './agents.module.css';
import { attemptName, limitWords } from './refused-words.ts';

type Attempt = Answer<'GET /agents/{id}/refused'>['refused'][number];

const EVERY_MS = 10_000;
const SHOWN = 20;

export function Refused({ id, name }: { readonly id: string; readonly name: string }) {
  const { data, error } = useGet(
    'GET /agents/{id}/refused',
    { params: { id } },
    { shared: true, refetchEvery: EVERY_MS, freshForMs: 0 },
  );
  if (error !== null) return <ErrorState compact error={error} />;
  if (data === undefined || data.refused.length === 0) return null;
  const more = data.refused.length - SHOWN;
  return (
    <div className={layout['detail']}>
      <strong>Refused by its limits</strong>
      <ol className={css['lines']} aria-label={`Refused attempts of ${name}`}>
        {data.refused.slice(0, SHOWN).map((attempt) => (
          <Line
            key={`${attempt.at} ${attempt.route} ${attempt.message} ${attempt.preview}`}
            attempt={attempt}
          />
        ))}
      </ol>
      {more > 0 && <p className={layout['quiet']}>and {more} before</p>}
    </div>
  );
}

function Line({ attempt }: { readonly attempt: Attempt }) {
  const account = useAccounts().find(({ id }) => id === attempt.tradeAccountId);
  const basket = useBasketText(attempt.legs);
  const { route, legs, limits, message, count, lastAt, says, preview } = attempt;
  return (
    <li className={css['line']}>
      <Time at={lastAt} />
      <span>
        {preview && 'Previewed: '}
        {attemptName(route)}
        {legs.length > 0 && ` ${basket}`}
        {account !== undefined && ` on ${account.alias}`}
        {count > 1 && `, ${count} times`}
      </span>
      <span className={layout['problem']}>
        {limits.length === 0 ? message : limits.map(limitWords).join('; ')}
      </span>
      {says !== null && (
        <q className={layout['quiet']}>
          <bdi>{says}</bdi>
        </q>
      )}
    </li>
  );
}
