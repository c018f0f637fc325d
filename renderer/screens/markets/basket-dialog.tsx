/**
 * Creates a saved basket, or replaces a basket's name and legs. The typed values stay until they are saved or
 * discarded.
 */
import { Scale, X } from 'lucide-react';
import { useState } from 'react';
import { changeSavedBasket, createSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import { useInstruments, useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Combobox } from '../../components/combobox.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { MAX_LEGS } from '../../features/basket/basket.ts';
import { ONE, percentText } from '../../features/basket-weights/basket-weights.ts';
import type { FormPart } from '../../features/draft-fields/draft-fields.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './basket-dialog.module.css';
import { CancelButton } from './rename-dialog.tsx';
import {
  bodyOf,
  changeOf,
  type DraftLeg,
  type DraftProblems,
  draftOf,
  draftSum,
  isRounded,
  type SavedBasket,
  type SavedBasketDraft,
  withEqualWeights,
  withLegs,
  withNewLeg,
  withNormalisedWeights,
} from './saved-basket-draft.ts';

/** The dialog's task. */
export type BasketTask =
  | { readonly kind: 'create'; readonly draft: SavedBasketDraft }
  | { readonly kind: 'edit'; readonly basket: SavedBasket };

const SIDES = [
  { value: 'BUY', label: 'Long' },
  { value: 'SELL', label: 'Short' },
] as const;
const CHANGES = ['GET /saved-baskets', 'GET /markets/baskets'] as const;

export function BasketDialog({ task, onClose }: { readonly task: BasketTask; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(() => (task.kind === 'edit' ? draftOf(task.basket) : task.draft));
  const sending = useFormSend(/^(name|legs.*)$/, { settles: false });
  const create = useSend('POST /saved-baskets', { changes: CHANGES });
  const change = useSend('PATCH /saved-baskets/{id}', { changes: CHANGES });
  const edit = (next: SavedBasketDraft) => {
    setDraft(next);
    sending.forget();
  };
  const save = async () => {
    const made = bodyOf(draft);
    if ('problems' in made) return sending.refuse(issuesOf(made.problems));
    const { name } = made.body;
    const done = () => say(`Basket “${name}” saved`, { kind: 'success' });
    if (task.kind === 'create')
      return sending.send(createSavedBasket.body, made.body, (body) =>
        create.mutateAsync({ body }).then(done),
      );
    const { id } = task.basket;
    const changed = changeOf(task.basket, made.body);
    if (Object.keys(changed).length === 0) return true;
    return sending.send(changeSavedBasket.body, changed, (body) =>
      change.mutateAsync({ params: { id }, body }).then(done),
    );
  };
  return (
    <FormDialog
      title={task.kind === 'edit' ? 'Edit basket' : 'New basket'}
      description="Legs and weights under a name, to trade them again. Weights are shares of the whole basket; each leg is long or short."
      size="large"
      sending={sending}
      confirm="Save basket"
      back={<CancelButton onClick={onClose} />}
      onSubmit={save}
      onClose={onClose}
    >
      <div className={layout['sections']}>
        <TextField
          label="Name"
          name="basket-name"
          placeholder="e.g. Majors against DOGE"
          value={draft.name}
          onChange={(name) => edit({ ...draft, name })}
          error={sending.errors('name')}
        />
        <Legs value={draft} onChange={edit} errors={sending.errors} />
        {task.kind === 'edit' && isRounded(task.basket) && (
          <p className={layout['quiet']}>
            Some weights have more than the four decimals shown. They stay unless you change the legs.
          </p>
        )}
      </div>
    </FormDialog>
  );
}

function issuesOf(problems: DraftProblems): readonly FieldIssue[] {
  return Object.entries(problems).map(([path, message]) => ({ path, message }));
}

type LegsProps = FormPart<SavedBasketDraft>;

function Legs({ value: draft, onChange: edit, errors }: LegsProps) {
  const tickerOf = useTicker();
  const sum = draftSum(draft);
  const patched = (index: number, patch: Partial<DraftLeg>) =>
    draft.legs.map((leg, at) => (at === index ? { ...leg, ...patch } : leg));
  const problem = errors('legs');
  return (
    <fieldset className={css['legs']}>
      <legend className={css['legend']}>Legs</legend>
      {draft.legs.map((leg, index) => (
        <div key={leg.symbol} className={css['leg']}>
          <Segmented
            label={`Side of ${tickerOf(leg.symbol)}`}
            options={SIDES}
            value={leg.side}
            onChange={(side) => edit(withLegs(draft, patched(index, { side })))}
          />
          <span className={css['ticker']}>{tickerOf(leg.symbol)}</span>
          <TextField
            label={`Weight of ${tickerOf(leg.symbol)}`}
            hideLabel
            numeric
            after="%"
            value={leg.weight}
            onChange={(weight) => edit({ ...draft, legs: patched(index, { weight }) })}
            error={errors(`legs.${index}.weight`) ?? errors(`legs.${index}.symbol`)}
          />
          <IconButton
            label={`Remove ${tickerOf(leg.symbol)}`}
            icon={<X />}
            onClick={() =>
              edit(
                withLegs(
                  draft,
                  draft.legs.filter((_, at) => at !== index),
                ),
              )
            }
          />
        </div>
      ))}
      <AddLeg value={draft} onChange={edit} />
      <div className={css['sum']}>
        <span className={css['total']} data-off={draft.legs.length > 0 && sum !== ONE ? '' : undefined}>
          Total {draft.legs.length === 0 ? '–, of 100\u00a0%' : sum === null ? '–' : `${percentText(sum)} %`}
        </span>
        <Button
          kind="ghost"
          icon={<Scale />}
          onClick={() => edit(withNormalisedWeights(draft))}
          disabled={draft.legs.length === 0}
        >
          Scale to 100 %
        </Button>
        <Button kind="ghost" onClick={() => edit(withEqualWeights(draft))} disabled={draft.legs.length === 0}>
          Equal weights
        </Button>
      </div>
      {problem !== undefined && (
        <p role="alert" className={layout['problem']}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function AddLeg({ value: draft, onChange: edit }: Omit<LegsProps, 'errors'>) {
  const instruments = useInstruments();
  const taken = new Set(draft.legs.map(({ symbol }) => symbol));
  if (draft.legs.length >= MAX_LEGS)
    return <p className={layout['quiet']}>A basket has at most {MAX_LEGS} legs.</p>;
  const options = instruments
    .filter(({ id }) => !taken.has(id))
    .map(({ id, symbol, tradeability }) => ({
      value: id,
      label: symbol,
      hint: tradeability.status === 'tradable' ? id : tradeability.status.replace('_', ' '),
    }));
  return (
    <Combobox
      key={draft.legs.length}
      label="Add a leg"
      placeholder="Add a leg: ticker or instrument"
      options={options}
      value={null}
      onChange={(symbol) => {
        if (symbol !== null) edit(withNewLeg(draft, symbol));
      }}
    />
  );
}
