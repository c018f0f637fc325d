/** Keys of the dashboard. */
import { SCREENS } from '../../app/screens.tsx';
import { Panel } from '../../components/page.tsx';
import css from './settings.module.css';

const EVERYWHERE: readonly (readonly [readonly string[], string])[] = [
  [['⌘ K', 'Ctrl K'], 'Search screens and commands'],
  [['Esc'], 'Close what is open'],
  [['Tab', '⇧ Tab'], 'Next and previous control'],
];
const TABLES: readonly (readonly [readonly string[], string])[] = [
  [['↑', '↓', 'Home', 'End'], 'Move between rows'],
  [['Enter'], 'Open a row'],
  [['→', '←'], 'Expand and collapse a row'],
];

export function Shortcuts() {
  const screens = SCREENS.filter(({ key }) => key !== '').map(
    ({ key, name }) => [[`G then ${key.toUpperCase()}`], name] as const,
  );
  return (
    <Panel title="Keyboard">
      <div className={css['keys']}>
        <Keys title="Everywhere" keys={EVERYWHERE} />
        <Keys title="Tables" keys={TABLES} />
        <Keys title="Screens" keys={screens} />
      </div>
    </Panel>
  );
}

function Keys({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [readonly string[], string])[];
}) {
  return (
    <div>
      <h3>{title}</h3>
      <dl className={css['keyList']}>
        {keys.map(([pressed, does]) => (
          <div key={does} className={css['keyLine']}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
