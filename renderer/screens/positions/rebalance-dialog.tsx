/** Restores a position's weights: once, by the shown plan, or automatically. */
import { useRef, useState } from 'react';
import { useAccount } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { AutoRebalanceForm } from './auto-rebalance-form.tsx';
import css from './positions.module.css';
import { RebalanceNow } from './rebalance-now.tsx';
import type { PositionDialogProps } from './use-position-data.ts';

const TABS = [
  { value: 'now', label: 'Now' },
  { value: 'standing', label: 'Automatically' },
] as const;

export function RebalanceDialog({ position, onClose }: PositionDialogProps) {
  const account = useAccount();
  const [tab, setTab] = useState<(typeof TABS)[number]['value']>(
    position.autoRebalance === null ? 'now' : 'standing',
  );
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      account={account}
      title={`Rebalance ${useBasketText(position.legs)}`}
      size="large"
      easyToClose={false}
      initialFocus={content}
    >
      <div ref={content} tabIndex={-1} className={css['focusable']}>
        <Tabs tabs={TABS} value={tab} onChange={setTab} label="Rebalance">
          <div className={css['tabContent']}>
            {tab === 'now' ? (
              <RebalanceNow position={position} onDone={onClose} />
            ) : (
              <AutoRebalanceForm position={position} />
            )}
          </div>
        </Tabs>
      </div>
    </Dialog>
  );
}
