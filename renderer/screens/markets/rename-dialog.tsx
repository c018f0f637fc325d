/** Renames a saved basket; its legs stay as they are to the last digit. */
import { useState } from 'react';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { changeSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import { useSend } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import type { SavedBasket } from './saved-basket-draft.ts';

export function RenameDialog({
  basket,
  onClose,
}: {
  readonly basket: SavedBasket;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(basket.name);
  const [problem, setProblem] = useState<string>();
  const rename = useSend('PATCH /saved-baskets/{id}', {
    changes: ['GET /saved-baskets'],
    onDone: ({ name: given }) => {
      say(`Renamed to “${given}”`, { kind: 'success' });
      onClose();
    },
  });
  const { error } = rename;
  const refusal =
    error instanceof ValidationFailed ? error.fields.find(({ path }) => path === 'name') : undefined;
  const save = () => {
    const parsed = changeSavedBasket.body.safeParse({ name });
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message);
    if (parsed.data.name === basket.name) return onClose();
    return rename.mutate({ params: { id: basket.id }, body: { name } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      easyToClose={false}
      title="Rename basket"
      actions={
        <>
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form="rename-basket" busy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <form
        id="rename-basket"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label="Name" error={problem ?? refusal?.message}>
          <Input
            name="basket-name"
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblem(undefined);
              rename.reset();
            }}
          />
        </Field>
        {error !== null && refusal === undefined && <ErrorState compact error={error} />}
      </form>
    </Dialog>
  );
}
