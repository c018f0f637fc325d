/** Theme, density, language of figures and dates, time zone. Kept in this browser. */
import { useNow } from '../../api/clock.ts';
import { changeSettings, useSettings } from '../../api/settings.ts';
import type { Settings } from '../../api/settings-values.ts';
import { formatMoney, formatTime } from '../../components/format.ts';
import { Panel } from '../../components/page.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { Row } from './row.tsx';

/** Locales for figures and dates; the words of the dashboard are English in all of them. */
const LOCALES: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'auto', label: 'Same as the browser' },
  { value: 'en-US', label: 'English (US)' },
  { value: 'en-GB', label: 'English (UK)' },
  { value: 'de-DE', label: 'German' },
  { value: 'de-CH', label: 'German (Switzerland)' },
  { value: 'es-ES', label: 'Spanish' },
  { value: 'fr-FR', label: 'French' },
  { value: 'it-IT', label: 'Italian' },
  { value: 'ja-JP', label: 'Japanese' },
  { value: 'ko-KR', label: 'Korean' },
  { value: 'nl-NL', label: 'Dutch' },
  { value: 'pl-PL', label: 'Polish' },
  { value: 'pt-BR', label: 'Portuguese (Brazil)' },
  { value: 'sv-SE', label: 'Swedish' },
  { value: 'zh-CN', label: 'Chinese' },
];
const EXAMPLE = '-1234567.891';

export function Appearance() {
  const settings = useSettings();
  const now = useNow();
  const { theme, density, locale, zone } = settings;
  const known = LOCALES.some(({ value }) => value === locale);
  return (
    <Panel title="Appearance">
      <Row name="Theme">
        <Segmented<Settings['theme']>
          label="Theme"
          value={theme}
          onChange={(value) => changeSettings({ theme: value })}
          options={[
            { value: 'dark', label: 'Dark' },
            { value: 'light', label: 'Light' },
            { value: 'system', label: 'Same as the system' },
          ]}
        />
      </Row>
      <Row name="Density">
        <Segmented<Settings['density']>
          label="Density"
          value={density}
          onChange={(value) => changeSettings({ density: value })}
          options={[
            { value: 'compact', label: 'Compact' },
            { value: 'comfortable', label: 'Comfortable' },
          ]}
        />
      </Row>
      <Row
        name="Figures and dates"
        help={`${formatMoney(settings, EXAMPLE)} · ${formatTime(settings, now, 'date')}`}
      >
        <Select
          label="Figures and dates"
          value={locale}
          onChange={(value) => changeSettings({ locale: value })}
          options={known ? LOCALES : [...LOCALES, { value: locale, label: locale }]}
        />
      </Row>
      <Row name="Times" help={formatTime(settings, now)}>
        <Segmented<Settings['zone']>
          label="Times"
          value={zone}
          onChange={(value) => changeSettings({ zone: value })}
          options={[
            { value: 'local', label: 'Local' },
            { value: 'utc', label: 'UTC' },
          ]}
        />
      </Row>
    </Panel>
  );
}
