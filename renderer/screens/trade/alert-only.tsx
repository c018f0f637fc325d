/** Sets the condition of the ticket as an alert, which notifies and orders nothing. */
import { useEffect, useEffectEvent } from 'react';
import { openAlertBody } from '../../../gateway/contract/alerts.ts';
import { CONDITIONS } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import { readAnew, usePlace } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { type Basket, tradeLegs } from '../../features/basket/basket.ts';
import { conditionText } from '../../features/condition-text/condition-text.ts';
import { useLevelText } from '../../features/condition-text/waiting-text.tsx';
import { refusedFields, schemaIssues } from '../../features/field-errors/field-errors.ts';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { type WatchDraft, watchInput } from '../../features/watch-fields/watch.ts';

/** Fields of the ticket, which show their own errors. Other refusals of the gateway are shown here. */
const ON_TICKET = /^(condition(\..*)?|expiresAt|priceSource)$/;
const NO_FIELDS = { test: () => false };

export function AlertOnly({
  basket,
  watch,
  onRefused,
}: {
  readonly basket: Basket;
  readonly watch: WatchDraft;
  /** Called with the paths of the ticket's fields that are wrong or empty. */
  readonly onRefused: (paths: readonly string[]) => void;
}) {
  const sending = useFormSend(NO_FIELDS, { settles: false });
  const create = usePlace('POST /alerts');
  const tickerOf = useTicker();
  const levelText = useLevelText();
  // A reported error is about the values typed before.
  const change = useEffectEvent(() => sending.forget());
  useEffect(() => {
    if (basket !== undefined && watch !== undefined) change();
  }, [basket, watch]);
  const refused = refusedFields(sending.error);
  const told = refused.length > 0 ? refused.map(({ message }) => message) : sending.elsewhere;
  const submit = () => {
    // Only ratio conditions need the basket, and only weighted ones need its weights.
    const isOfBasket = CONDITIONS[watch.type].names === 'ratio';
    const legs = isOfBasket
      ? tradeLegs(basket).map(({ symbol, side, amount }) =>
          watch.type === 'WEIGHTED_RATIO' ? { symbol, side, weight: amount } : { symbol, side },
        )
      : [];
    const body = { ...watchInput(watch, basket.legs), legs };
    const checked = openAlertBody.safeParse(body);
    if (!checked.success) {
      const paths = schemaIssues(checked.error.issues).map(({ path }) => path);
      onRefused(paths);
      if (paths.every((path) => ON_TICKET.test(path))) return;
    }
    void sending.send(openAlertBody, body, async () => {
      const made = await create.mutateAsync({ body: openAlertBody.parse(body) } as never);
      await readAnew('GET /alerts');
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
        onClick={submit}
      >
        Alert only
      </Button>
      {told.length > 0 && (
        <p className={layout['problem']} role="alert">
          {told.join('. ')}
        </p>
      )}
      {refused.length === 0 && sending.error !== null && sending.error !== undefined && (
        <ErrorState compact error={sending.error} />
      )}
    </>
  );
}
