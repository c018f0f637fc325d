/** Sets the condition of the ticket as an alert: it is told of, and nothing is ordered. */
import { openAlertBody } from '../../../gateway/contract/alerts.ts';
import { CONDITIONS } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { type Basket, tradeLegs } from '../../features/basket/basket.ts';
import { conditionText } from '../../features/condition-text/condition-text.ts';
import { useLevelText } from '../../features/condition-text/waiting-text.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { type WatchDraft, watchInput } from '../../features/watch-fields/watch.ts';

export function AlertOnly({ basket, watch }: { readonly basket: Basket; readonly watch: WatchDraft }) {
  const sending = useFormSend({ test: () => false }, { settles: false });
  const create = useSend('POST /alerts', { changes: ['GET /alerts'] });
  const tickerOf = useTicker();
  const levelText = useLevelText();
  const submit = () => {
    // Only a ratio is of the basket.
    const isOfBasket = CONDITIONS[watch.type].names === 'ratio';
    const legs = isOfBasket
      ? tradeLegs(basket).map(({ symbol, side, amount }) => ({ symbol, side, weight: amount }))
      : [];
    const body = { ...watchInput(watch, basket.legs), legs };
    return sending.send(openAlertBody, body, async () => {
      const made = await create.mutateAsync({ body: openAlertBody.parse(body) });
      say('Alert is set', {
        kind: 'success',
        detail: `${conditionText(made.condition, tickerOf, levelText)}: you are told once. It is among Orders.`,
      });
    });
  };
  return (
    <>
      <Button
        wide
        busy={sending.step !== 'idle'}
        title="Tells you once when the condition is met, and orders nothing: the size does not matter"
        onClick={() => void submit()}
      >
        Alert only
      </Button>
      {sending.elsewhere.length > 0 && (
        <p className={layout['problem']} role="alert">
          {sending.elsewhere.join('. ')}
        </p>
      )}
      {sending.error !== null && sending.error !== undefined && <ErrorState compact error={sending.error} />}
    </>
  );
}
