/** Makes a saved basket, or replaces the name and legs of one. What was typed stays until it is saved or given up. */
import { Scale, X } from 'lucide-react';
import { useState } from 'react';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { useInstruments, useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { ONE, percentText } from '../../features/basket-weights/basket-weights.ts';
import css from './basket-dialog.module.css';
import {
  bodyOf,
  changeOf,
  type DraftLeg,
  type DraftProblems,
  draftOf,
  draftSum,
  isRounded,
  MAX_LEGS,
  type SavedBasket,
  type SavedBasketDraft,
  withEqualWeights,
  withLegs,
  withNewLeg,
  withNormalisedWeights,
} from './saved-basket-draft.ts';

/** What the dialog is open for. */
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
  const [problems, setProblems] = useState<DraftProblems>({});
  const saved = (name: string) => {
    say(`Basket “${name}” saved`, { kind: 'success' });
    onClose();
  };
  const create = useSend('POST /saved-baskets', { changes: CHANGES, onDone: ({ name }) => saved(name) });
  const change = useSend('PATCH /saved-baskets/{id}', {
    changes: CHANGES,
    onDone: ({ name }) => saved(name),
  });
  const { isPending, error } = task.kind === 'edit' ? change : create;

  const edit = (next: SavedBasketDraft) => {
    setDraft(next);
    setProblems({});
    create.reset();
    change.reset();
  };
  const save = () => {
    const made = bodyOf(draft);
    if ('problems' in made) return setProblems(made.problems);
    if (task.kind === 'create') return create.mutate({ body: made.body });
    const body = changeOf(task.basket, made.body);
    if (body.name === undefined && body.legs === undefined) return onClose();
    return change.mutate({ params: { id: task.basket.id }, body });
  };

  const fields = error instanceof ValidationFailed ? error.fields : [];
  const problemAt = (path: string) => problems[path] ?? fields.find((field) => field.path === path)?.message;
  // What no field shows is said above the buttons.
  const isPlaced =
    fields.length > 0 && fields.every(({ path }) => path === 'name' || path.startsWith('legs'));

  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      easyToClose={false}
      title={task.kind === 'edit' ? 'Edit basket' : 'Save basket'}
      description="A template of this account. Weights are shares of the whole basket, long and short together."
      actions={
        <>
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form="saved-basket" busy={isPending}>
            Save basket
          </Button>
        </>
      }
    >
      <form
        id="saved-basket"
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label="Name" error={problemAt('name')}>
          <Input
            value={draft.name}
            onChange={(event) => edit({ ...draft, name: event.currentTarget.value })}
            placeholder="Majors against DOGE"
            name="basket-name"
          />
        </Field>
        <Legs draft={draft} edit={edit} problemAt={problemAt} />
        {task.kind === 'edit' && isRounded(task.basket) && (
          <p className={css['note']}>
            Some weights are finer than the four decimals shown. They stay as they are unless you change the
            legs.
          </p>
        )}
        {error !== null && !isPlaced && <ErrorState compact error={error} />}
      </form>
    </Dialog>
  );
}

interface LegsProps {
  readonly draft: SavedBasketDraft;
  readonly edit: (draft: SavedBasketDraft) => void;
  readonly problemAt: (path: string) => string | undefined;
}

function Legs({ draft, edit, problemAt }: LegsProps) {
  const tickerOf = useTicker();
  const sum = draftSum(draft);
  const patched = (index: number, patch: Partial<DraftLeg>) =>
    draft.legs.map((leg, at) => (at === index ? { ...leg, ...patch } : leg));
  const problem = problemAt('legs');
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
          <Field
            label={`Weight of ${tickerOf(leg.symbol)}`}
            hideLabel
            error={problemAt(`legs.${index}.weight`) ?? problemAt(`legs.${index}.symbol`)}
          >
            <Input
              numeric
              after="%"
              value={leg.weight}
              onChange={(event) =>
                edit({ ...draft, legs: patched(index, { weight: event.currentTarget.value }) })
              }
            />
          </Field>
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
      <AddLeg draft={draft} edit={edit} />
      <div className={css['sum']}>
        <span className={css['total']} data-off={draft.legs.length > 0 && sum !== ONE ? '' : undefined}>
          Total {sum === null ? '–' : `${percentText(sum)} %`}
        </span>
        <Button
          kind="ghost"
          icon={<Scale />}
          onClick={() => edit(withNormalisedWeights(draft))}
          disabled={draft.legs.length === 0}
        >
          Normalise
        </Button>
        <Button kind="ghost" onClick={() => edit(withEqualWeights(draft))} disabled={draft.legs.length === 0}>
          Equal weights
        </Button>
      </div>
      {problem !== undefined && (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function AddLeg({ draft, edit }: Pick<LegsProps, 'draft' | 'edit'>) {
  const instruments = useInstruments();
  const taken = new Set(draft.legs.map(({ symbol }) => symbol));
  if (draft.legs.length >= MAX_LEGS)
    return <p className={css['note']}>A basket has at most {MAX_LEGS} legs.</p>;
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
