/** Confirmations that the dashboard asks for, and limits on its orders. */

import { useState } from 'react';
import { changeSettings, useSettings } from '../../api/settings.ts';
import { localeOf, type Settings } from '../../api/settings-values.ts';
import { Switch } from '../../components/checkbox.tsx';
import { formatNumber } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { readLeverageLimit, readUsdLimit } from './limit-input.ts';
import css from './settings.module.css';

const ASKED: readonly (readonly [keyof Settings['confirm'], string])[] = [
  ['orders', 'Review an order before it is sent'],
  ['closing', 'Ask before a position is closed'],
  ['cancelling', 'Ask before something is cancelled'],
];

export function Trading() {
  const settings = useSettings();
  const { confirm, limits } = settings;
  const locale = localeOf(settings);
  const [usd, setUsd] = useState(limits.largestOrderUsd ?? '');
  const [leverage, setLeverage] = useState(
    limits.highestLeverage === null ? '' : String(limits.highestLeverage),
  );
  const readUsd = readUsdLimit(usd, locale);
  const readLeverage = readLeverageLimit(leverage);
  const held = {
    usd:
      limits.largestOrderUsd === null
        ? 'no limit'
        : `${formatNumber(settings, limits.largestOrderUsd)}\u00a0USD`,
    leverage: limits.highestLeverage === null ? "the venue's" : `${limits.highestLeverage}×`,
  };
  return (
    <Panel title="Trading in this browser">
      <div className={layout['stack']}>
        {ASKED.map(([name, text]) => (
          <Switch
            key={name}
            checked={confirm[name]}
            onChange={(on) => changeSettings({ confirm: { ...confirm, [name]: on } })}
          >
            {text}
          </Switch>
        ))}
        <div className={css['pair']}>
          <TextField
            label="Largest order"
            error={'error' in readUsd ? `${readUsd.error}. Until then: ${held.usd}` : undefined}
            help="Gross, of what opens or adds. The dashboard sends nothing above it."
            numeric
            after="USD"
            placeholder="No limit"
            value={usd}
            onChange={(typed) => {
              setUsd(typed);
              const read = readUsdLimit(typed, locale);
              if ('value' in read) changeSettings({ limits: { ...limits, largestOrderUsd: read.value } });
            }}
          />
          <TextField
            label="Highest leverage"
            error={
              'error' in readLeverage ? `${readLeverage.error}. Until then: ${held.leverage}` : undefined
            }
            help="The lower of this and the venue's limit holds."
            numeric
            inputMode="numeric"
            after="×"
            placeholder="The venue's"
            value={leverage}
            onChange={(typed) => {
              setLeverage(typed);
              const read = readLeverageLimit(typed);
              if ('value' in read) changeSettings({ limits: { ...limits, highestLeverage: read.value } });
            }}
          />
        </div>
        <p className={layout['quiet']}>
          Changes apply at once, and to this browser only. Programs and agents are bound by their keys, limits
          and the Stop menu.
        </p>
      </div>
    </Panel>
  );
}
