/** Saves the built basket as a template of the account, with its present weights. */
import { useState } from 'react';
import { createSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import { useSend } from '../../api/queries.ts';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { type Basket, inOrder } from '../../features/basket/basket.ts';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { weightNumber } from '../../features/basket-weights/basket-weights.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';

export function SaveBasketDialog({
  basket,
  onClose,
}: {
  readonly basket: Basket;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const sending = useFormSend(/^name$/);
  const create = useSend('POST /saved-baskets', { changes: ['GET /saved-baskets', 'GET /markets/baskets'] });
  const legs = inOrder(basket).map(({ id, side, weight }) => ({
    symbol: id,
    side,
    weight: weightNumber(weight),
  }));
  const text = useBasketText(legs);
  const submit = () =>
    sending.send(createSavedBasket.body, { name, legs }, async (body) => {
      await create.mutateAsync({ body });
      say(`Basket “${name.trim()}” saved`, { kind: 'success' });
    });
  return (
    <FormDialog
      title="Save this basket"
      description={`${text}, with its sides and weights. It is listed on Markets, under Saved.`}
      size="small"
      sending={sending}
      confirm="Save basket"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        placeholder="e.g. Majors against DOGE"
        value={name}
        onChange={setName}
        error={sending.errors('name')}
      />
    </FormDialog>
  );
}
