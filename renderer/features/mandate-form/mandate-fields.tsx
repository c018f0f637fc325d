/** Fields of an agent's limits, in the dialogs of the dashboard and on the consent page. */
import type { ReactNode } from 'react';
import { MANDATE_KINDS, MANDATE_RIGHTS } from '../../../gateway/domain/enumerations.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import type { SelectFieldProps } from '../../components/native-select-field.tsx';
import { TextField, type TextFieldProps } from '../../components/text-field.tsx';
import type { plainFields } from '../draft-fields/plain-fields.ts';
import css from './mandate-fields.module.css';
import type { MandateDraft } from './mandate-form.ts';

interface NumberField {
  readonly label: string;
  readonly after?: string;
  /** In the contract's mandate, where it differs from the draft's name. */
  readonly path?: string;
}

const NUMBERS = {
  maxOrderUsd: { label: 'One order, at most', after: 'USD' },
  maxOpenedUsd24h: { label: 'Opened in 24 hours, at most', after: 'USD' },
  maxGrossUsd: { label: 'Held and waiting, at most', after: 'USD' },
  lossUsd: { label: 'Loss in a day that stops it', after: 'USD', path: 'lossStop.usd' },
  aboveUsd: { label: 'Asked above', after: 'USD', path: 'approval.aboveUsd' },
  days: { label: 'It may open for', after: 'days', path: 'validUntil' },
  maxLeverage: { label: 'Leverage, at most', after: '×' },
  maxPositions: { label: 'Positions, at most' },
  maxResting: { label: 'Waiting orders, at most' },
  slippage: { label: 'Away from the mark price, at most', after: '%', path: 'maxSlippage' },
  refusals: { label: 'Refusals in an hour that stop it', path: 'runaway.refusals' },
  reopenings: { label: 'Reopenings in 10 minutes that stop it', path: 'runaway.reopenings' },
  feesUsd: { label: 'Fees in an hour that stop it', after: 'USD', path: 'runaway.feesUsd' },
} satisfies Partial<Record<keyof MandateDraft, NumberField>>;
type NumberName = keyof typeof NUMBERS;

const STOPS = [
  { value: 'SUSPEND', label: 'It is stopped' },
  { value: 'SUSPEND_AND_CLOSE', label: 'It is stopped and closed out' },
] as const;
const ASKS = [
  { value: 'always', label: 'Before every order' },
  { value: 'above', label: 'Above an amount' },
  { value: 'never', label: 'Never' },
] as const;
const KIND_WORDS: Readonly<Record<(typeof MANDATE_KINDS)[number], string>> = {
  now: 'Order at once',
  when: 'Place triggers',
  over_time: 'Order in slices over time',
  ladder: 'Place ladders',
  protect: 'Set take-profits and stop-losses',
  rebalance: 'Rebalance',
  reverse: 'Reverse positions',
  margin: 'Add margin',
};
const RIGHT_WORDS: Readonly<Record<(typeof MANDATE_RIGHTS)[number], string>> = {
  readCredentials: 'Read stored venue credentials, decrypted',
  manageAccounts: 'Add, change and remove trade accounts',
  exchangeSetup: 'Set accounts up at venues, withdrawals included',
  changeLeverage: 'Change leverage',
  attributeTrades: 'Assign what was traded elsewhere',
};

/** Label of the field for a path of the contract's mandate; undefined: no field has it. */
export function labelOfPath(path: string): string | undefined {
  return Object.entries<NumberField>(NUMBERS).find(([name, field]) => (field.path ?? name) === path)?.[1]
    .label;
}

/** Controls of a draft by its names, as `draftFields` makes them. */
export interface MandateControls
  extends Pick<ReturnType<typeof plainFields<MandateDraft>>, 'choice' | 'flag'> {
  readonly number: (
    name: NumberName,
    path: string,
  ) => Pick<TextFieldProps, 'name' | 'value' | 'error' | 'onChange'>;
}

/** Fields for amounts and counts; an empty field does not limit. */
export function NumberFields<Name extends NumberName>({
  names,
  number,
}: {
  readonly names: readonly Name[];
  readonly number: (name: Name, path: string) => ReturnType<MandateControls['number']>;
}) {
  return names.map((name) => {
    const { label, after, path = name }: NumberField = NUMBERS[name];
    return <TextField key={name} label={label} after={after} numeric {...number(name, path)} />;
  });
}

/** Amounts, the loss that stops the agent, when its user is asked, and the days until it ends. */
export function MainLimits({
  number,
  choice,
  Select,
}: MandateControls & {
  readonly Select: <Value extends string>(props: SelectFieldProps<Value>) => ReactNode;
}) {
  return (
    <div className={css['grid']}>
      <NumberFields names={['maxOrderUsd', 'maxOpenedUsd24h', 'maxGrossUsd', 'lossUsd']} number={number} />
      <Select label="Then" options={STOPS} {...choice('lossThen')} />
      <Select label="You are asked" options={ASKS} {...choice('when')} />
      {choice('when').value === 'above' && <NumberFields names={['aboveUsd']} number={number} />}
      <NumberFields names={['days']} number={number} />
    </div>
  );
}

/** Limits that few people change. */
export function MoreLimits({ number, flag }: MandateControls) {
  return (
    <>
      <div className={css['grid']}>
        <NumberFields
          names={[
            'maxLeverage',
            'maxPositions',
            'maxResting',
            'slippage',
            'refusals',
            'reopenings',
            'feesUsd',
          ]}
          number={number}
        />
      </div>
      <Checkbox {...flag('asksSame')}>Ask before the same order again within a minute</Checkbox>
    </>
  );
}

/** Kinds of orders and rights that the agent has. @param children further choices among the kinds */
export function Permissions({
  choice,
  children,
}: Pick<MandateControls, 'choice'> & { readonly children?: ReactNode }) {
  const [kinds, rights, manage] = [choice('kinds'), choice('rights'), choice('manage')];
  return (
    <div className={css['grid']}>
      <FieldGroup legend="It may">
        {MANDATE_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            checked={kinds.value.includes(kind)}
            onChange={(isIn) => kinds.onChange(within(kinds.value, kind, isIn))}
          >
            {KIND_WORDS[kind]}
          </Checkbox>
        ))}
        <Checkbox
          checked={manage.value === 'ALL'}
          onChange={(isAll) => manage.onChange(isAll ? 'ALL' : 'OWN')}
        >
          Change and close what it did not place
        </Checkbox>
        {children}
      </FieldGroup>
      <FieldGroup legend="It may also">
        {MANDATE_RIGHTS.map((right) => (
          <Checkbox
            key={right}
            checked={rights.value[right]}
            onChange={(has) => rights.onChange({ ...rights.value, [right]: has })}
          >
            {RIGHT_WORDS[right]}
          </Checkbox>
        ))}
      </FieldGroup>
    </div>
  );
}

/** The list with or without `one`. */
export function within<Value>(list: readonly Value[], one: Value, isIn: boolean): Value[] {
  return isIn ? [...list, one] : list.filter((other) => other !== one);
}
