/** Renames a saved basket; its legs keep every digit. */
import { useState } from 'react';
import { changeSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import { useSend } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import type { SavedBasket } from './saved-basket-draft.ts';

export function RenameDialog({
  basket,
  onClose,
}: {
  readonly basket: SavedBasket;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(basket.name);
  const sending = useFormSend(/^name$/, { settles: false });
  const rename = useSend('PATCH /saved-baskets/{id}', { changes: ['GET /saved-baskets'] });
  const save = async () =>
    name.trim() === basket.name ||
    sending.send(changeSavedBasket.body, { name }, async (body) => {
      const { name: given } = await rename.mutateAsync({ params: { id: basket.id }, body });
      say(`Renamed to “${given}”`, { kind: 'success' });
    });
  return (
    <FormDialog
      title="Rename basket"
      size="small"
      sending={sending}
      confirm="Rename"
      back={<CancelButton onClick={onClose} />}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="basket-name"
        value={name}
        onChange={(typed) => {
          setName(typed);
          sending.forget();
        }}
        error={sending.errors('name')}
      />
    </FormDialog>
  );
}

/** Closes the dialog without a change to the basket. */
export function CancelButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button kind="ghost" onClick={onClick}>
      Cancel
    </Button>
  );
}
