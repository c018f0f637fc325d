/** Cells of an alert, the same wherever alerts are listed. */
import { useTicker } from '../../api/market.ts';
import { NoFigure } from '../../components/amount.tsx';
import { BasketLabel } from '../basket-name/basket-label.tsx';
import { conditionText, keptTogether } from '../condition-text/condition-text.ts';
import { useLevelText } from '../condition-text/waiting-text.tsx';
import { RestingButtons } from '../resting-action/resting-buttons.tsx';
import { Ticker } from '../ticker/ticker.tsx';
import { type Alert, isOfRatio, isWaitingAlert } from './alert.ts';

export function AlertOf({ alert }: { readonly alert: Alert }) {
  const { condition, legs } = alert;
  if (isOfRatio(alert)) return <BasketLabel legs={legs} />;
  return 'symbol' in condition ? (
    <Ticker symbol={condition.symbol} />
  ) : (
    <NoFigure why="of no basket and no instrument" />
  );
}

export function useAlertWords({ condition }: Pick<Alert, 'condition'>): string {
  return keptTogether(conditionText(condition, useTicker(), useLevelText()));
}

export function AlertButtons({
  alert,
  onEdit,
}: {
  readonly alert: Alert;
  readonly onEdit: (alert: Alert) => void;
}) {
  const isWaiting = isWaitingAlert(alert);
  return (
    <RestingButtons
      what="alert"
      id={alert.id}
      name={useAlertWords(alert)}
      since={alert.createdAt}
      actions={isWaiting ? ['cancel'] : []}
      onEdit={isWaiting ? () => onEdit(alert) : undefined}
    />
  );
}
