/** Figures of a trigger, the same wherever triggers are listed. */
import type { Row } from '../../../gateway/client/client.ts';
import { conditionUnit } from '../../../gateway/domain/condition-table.ts';
import { Amount, Percent, Pnl, Quantity, Ratio } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { triggerUsd } from './trigger-usd.ts';

type Trigger = Row<'GET /triggers'>;

/** Last value that the trigger has seen, in the unit of the value that the condition compares. */
export function LastSeen({
  trigger,
}: {
  readonly trigger: Pick<Trigger, 'condition' | 'bracket' | 'lastValue'>;
}) {
  const value = trigger.lastValue;
  if (trigger.condition !== null) {
    const isPercent = conditionUnit(trigger.condition) === 'PERCENT';
    const { transform } = trigger.condition as { readonly transform?: string };
    if (transform === 'Z_SCORE') return <Quantity value={value} step="0.01" />;
    return isPercent ? <Percent value={value} of="percent" /> : <Ratio value={value} />;
  }
  if (trigger.bracket?.transform === 'SPREAD') return <Percent value={value} of="percent" />;
  switch (trigger.bracket?.type) {
    case 'PERCENTAGE':
      return <Percent value={value} of="percent" pnl />;
    case 'DOLLAR':
      return <Pnl value={value} />;
    case 'POSITION_VALUE':
      return <Amount value={value} />;
    default:
      return <Ratio value={value} />;
  }
}

/** Size of the trigger in USD if it is known, otherwise its number of legs. */
export function TriggerSize({ of: trigger }: { readonly of: Trigger }) {
  const { fraction, legs } = trigger;
  if (fraction !== null)
    return (
      <span data-long="" className={layout['whole']}>
        <Percent value={fraction} digits={0} /> of position
      </span>
    );
  const usd = triggerUsd(trigger);
  if (usd !== null) return <Amount value={usd} />;
  const [only] = legs;
  if (only === undefined || legs.length > 1) return <>{legs.length} legs</>;
  return <Quantity value={only.amount} />;
}
