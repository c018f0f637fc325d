/** Choice of an agent's limits and accounts, with what it allows in sentences. */
import type { InteractionTermsBody } from '../../gateway/contract/oauth.ts';
import { Badge } from '../components/badge.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { FieldGroup } from '../components/field.tsx';
import layout from '../components/layout.module.css';
import { NativeSelectField } from '../components/native-select-field.tsx';
import { RadioGroup } from '../components/radio.tsx';
import { plainFields } from '../features/draft-fields/plain-fields.ts';
import { errorsOf } from '../features/field-errors/field-errors.ts';
import {
  labelOfPath,
  MainLimits,
  MoreLimits,
  Permissions,
  within,
} from '../features/mandate-form/mandate-fields.tsx';
import css from './consent.module.css';
import { accountsFor, offeredPresets, type useLimits } from './use-limits.ts';

type TermsAccount = InteractionTermsBody['accounts'][number];
type Limits = ReturnType<typeof useLimits>;

const MONEY = { PAPER: 'play money', TESTNET: 'test network', LIVE: 'REAL MONEY' };

export function LimitsForm({
  terms,
  limits,
  disabled,
  continues,
  onContinues,
}: {
  readonly terms: InteractionTermsBody;
  readonly limits: Limits;
  readonly disabled: boolean;
  /** True: the use of earlier agents of this name counts. */
  readonly continues: boolean;
  readonly onContinues: (continues: boolean) => void;
}) {
  const { preset, draft, issues, sentences } = limits;
  const { text, ...controls } = plainFields(draft, limits.change, errorsOf(issues));
  const ticked = controls.choice('accounts');
  const isEditable = preset === 'proposal' || preset === 'own_numbers';
  return (
    <FieldGroup legend="Within these limits" disabled={disabled}>
      <div className={css['box']}>
        <RadioGroup
          label="Limits"
          name="preset"
          options={offeredPresets(terms)}
          value={preset}
          onChange={limits.choose}
        />
        <div>
          <FieldGroup legend="On these accounts">
            {accountsFor(preset, terms).map((account) => (
              <AccountBox
                key={account.id}
                account={account}
                checked={draft.accounts.includes(account.id)}
                onChange={(isIn) => ticked.onChange(within(draft.accounts, account.id, isIn))}
              />
            ))}
            {terms.accounts.every(({ money }) => money !== 'PAPER') && (
              <p className={layout['quiet']}>You have no account with play money.</p>
            )}
          </FieldGroup>
        </div>
        {isEditable && (
          <div className={layout['stack']}>
            <p className={layout['quiet']}>An empty field does not limit.</p>
            <MainLimits {...controls} number={text} Select={NativeSelectField} />
            <details>
              <summary>More limits</summary>
              <div className={layout['stack']}>
                <MoreLimits {...controls} number={text} />
                <Permissions {...controls} />
              </div>
            </details>
          </div>
        )}
        {terms.continues.length > 0 && (
          <Checkbox checked={continues} onChange={onContinues}>
            Count what earlier agents of this name used in the last 24 hours
          </Checkbox>
        )}
        {issues.length > 0 && (
          <p role="alert" className={layout['problem']}>
            {issues.map(({ path, message }) => `${labelOfPath(path) ?? path}: ${message}.`).join(' ')}
          </p>
        )}
        <ul className={css['sentences']} aria-live="polite" aria-label="What this allows">
          {sentences.map((sentence) => (
            <li key={sentence} className={sentence.includes(MONEY.LIVE) ? css['real'] : undefined}>
              {sentence}
            </li>
          ))}
        </ul>
      </div>
    </FieldGroup>
  );
}

function AccountBox({
  account: { id, alias, money, venue, caps },
  checked,
  onChange,
}: {
  readonly account: TermsAccount;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const isReal = money === 'LIVE';
  return (
    <div>
      <Checkbox
        id={`account-${id}`}
        describedBy={caps === null ? undefined : `caps-${id}`}
        checked={checked}
        onChange={onChange}
      >
        <span className={isReal ? css['real'] : undefined}>{alias}</span>{' '}
        <Badge tone={isReal ? 'danger' : 'quiet'}>{MONEY[money]}</Badge>
      </Checkbox>
      {caps !== null && (
        <p id={`caps-${id}`} className={css['below']}>
          {capWords(venue, caps)}
        </p>
      )}
    </div>
  );
}

function capWords(
  venue: string,
  { opens, perOrderUsd, totalUsd }: NonNullable<TermsAccount['caps']>,
): string {
  return opens
    ? `At ${venue}; you armed it for orders of up to ${perOrderUsd} USD, ${totalUsd} USD in all.`
    : `At ${venue}; not armed for agents: until you arm it, they open nothing there.`;
}
