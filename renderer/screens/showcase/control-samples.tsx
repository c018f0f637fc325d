import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Checkbox, Switch } from '../../components/checkbox.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Field, Input } from '../../components/field.tsx';
import { HoldToConfirm } from '../../components/hold-to-confirm.tsx';
import layout from '../../components/layout.module.css';
import { RadioGroup, Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { say } from '../../components/toast.tsx';
import css from './showcase.module.css';

const MARGIN = [
  { value: 'cross', label: 'Cross' },
  { value: 'isolated', label: 'Isolated', hint: 'own margin' },
  { value: 'portfolio', label: 'Portfolio', disabled: true },
] as const;
const MARKETS = ['BTC', 'ETH', 'SOL', 'DOGE', 'AVAX', 'LINK'].map((ticker) => ({
  value: `${ticker}-PERP`,
  label: ticker,
  hint: `${ticker}-PERP`,
}));
type Margin = (typeof MARGIN)[number]['value'];

export function ControlSamples() {
  const [margin, setMargin] = useState<Margin>('cross');
  const [market, setMarket] = useState<string | null>('BTC-PERP');
  const [on, setOn] = useState(true);
  const [chosen, setChosen] = useState(false);
  return (
    <div className={layout['stack']}>
      <div className={css['row']}>
        <Button kind="primary">Review order</Button>
        <Button icon={<Plus />}>Add leg</Button>
        <Button kind="ghost">Skip</Button>
        <Button kind="danger">Cancel order</Button>
        <Button busy>Saving</Button>
        <Button disabled>Disabled</Button>
        <IconButton label="Refresh" icon={<RefreshCw />} />
        <IconButton label="Remove" icon={<Trash2 />} danger />
      </div>
      <div className={css['fields']}>
        <Field label="Notional" help="Over all legs">
          <Input numeric defaultValue="1000" after="USD" />
        </Field>
        <Field label="Leverage" error="Must be at most 50">
          <Input numeric defaultValue="80" after="×" />
        </Field>
        <Field label="Margin mode">
          <Select options={MARGIN} value={margin} onChange={setMargin} />
        </Field>
        <Field label="Instrument">
          <Combobox options={MARKETS} value={market} onChange={setMarket} />
        </Field>
        <Field label="Disabled">
          <Input disabled defaultValue="not now" />
        </Field>
      </div>
      <div className={css['row']}>
        <Switch checked={on} onChange={setOn}>
          Confirm orders
        </Switch>
        <Checkbox checked={chosen} onChange={setChosen}>
          Reduce only
        </Checkbox>
        <Checkbox checked disabled onChange={() => undefined}>
          Always
        </Checkbox>
      </div>
      <div className={css['row']}>
        <Segmented label="Margin mode" options={MARGIN} value={margin} onChange={setMargin} />
        <HoldToConfirm onConfirm={() => say('Held')}>Hold to close all</HoldToConfirm>
      </div>
      <RadioGroup label="Margin mode, all to be read" options={MARGIN} value={margin} onChange={setMargin} />
    </div>
  );
}
