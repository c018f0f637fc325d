/** Shows every part of the design system in both themes, for review and for the accessibility tests. */
import { useState } from 'react';
import { changeSettings, shownTheme, useSettings } from '../../api/settings.ts';
import { Page, Panel } from '../../components/page.tsx';
import { Segmented } from '../../components/radio.tsx';
import { ChartSamples } from './chart-samples.tsx';
import { ControlSamples } from './control-samples.tsx';
import { FigureSamples } from './figure-samples.tsx';
import { OverlaySamples } from './overlay-samples.tsx';
import css from './showcase.module.css';
import { StateSamples } from './state-samples.tsx';
import { TableSamples } from './table-samples.tsx';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;
const DENSITIES = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
] as const;

export default function Showcase() {
  const theme = useSettings(shownTheme);
  const density = useSettings((settings) => settings.density);
  const [big, setBig] = useState(false);
  return (
    <Page
      title="Showcase"
      actions={
        <>
          <Segmented
            label="Theme"
            options={THEMES}
            value={theme}
            onChange={(next) => changeSettings({ theme: next })}
          />
          <Segmented
            label="Density"
            options={DENSITIES}
            value={density}
            onChange={(next) => changeSettings({ density: next })}
          />
        </>
      }
    >
      <div className={css['grid']}>
        <Panel title="Controls">
          <ControlSamples />
        </Panel>
        <Panel title="Figures">
          <FigureSamples />
        </Panel>
        <Panel title="Over the page">
          <OverlaySamples />
        </Panel>
        <Panel title="States">
          <StateSamples />
        </Panel>
        <Panel title="Table" flush>
          <TableSamples rows={big ? 10_000 : 12} onSize={() => setBig(!big)} />
        </Panel>
        <Panel title="Charts">
          <ChartSamples />
        </Panel>
      </div>
    </Page>
  );
}
