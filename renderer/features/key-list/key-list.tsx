/** List of the dashboard's keyboard shortcuts, for the Settings screen and the dialog behind `?`. */
import type { Ref } from 'react';
import css from './key-list.module.css';

type Keys = readonly (readonly [pressed: readonly string[], does: string])[];

const IS_MAC = navigator.platform.startsWith('Mac');

const EVERYWHERE: Keys = [
  [[IS_MAC ? '⌘ K' : 'Ctrl K'], 'Search and commands'],
  [['?'], 'This list'],
  [['Esc'], 'Close what is open'],
  [['Tab', '⇧ Tab'], 'Next, previous control'],
];
const TABLES: Keys = [
  [['↑', '↓', 'Home', 'End'], 'Move between rows'],
  [['Enter'], 'Open a row'],
  [['→', '←'], 'Expand, collapse a row'],
  [['Hold Enter'], 'Where a button says “Hold”'],
];

const POSITIONS: Keys = [
  [['c'], 'Close'],
  [['h'], 'Close half'],
  [['r'], 'Reverse'],
  [['s'], 'Take-profit and stop-loss'],
  [['a'], 'Adjust the size'],
  [['x'], 'Choose it, to close several'],
  [['/'], 'Filter the rows'],
];

const TICKET: Keys = [
  [['n'], 'Type the size'],
  [['1', '2', '3', '4', '5'], '10, 25, 50, 75, 100 % of the free margin'],
  [['x'], 'Swap long and short'],
  [['v'], 'Review'],
];

const TRADE: Keys = [
  [['b'], 'Another basket'],
  [['w'], 'Watchlist, where the window has room for it'],
  [['f'], 'Larger chart, and back (Esc)'],
];

const CHART: Keys = [
  [['↑', '↓'], 'Move it'],
  [['⇧ ↑', '⇧ ↓'], 'Ten times as far'],
  [['Enter'], 'Review the new level'],
  [['Esc'], 'Put the line back'],
  [['Delete'], 'Remove a drawing'],
];

export function KeyList({
  screens,
  ref,
}: {
  readonly screens: readonly { readonly key: string; readonly name: string }[];
  /** Gets the focus where the list is the only content. */
  readonly ref?: Ref<HTMLDivElement>;
}) {
  const places = screens
    .filter(({ key }) => key !== '')
    .map(({ key, name }): Keys[number] => [['g', key], name]);
  return (
    <div ref={ref} tabIndex={-1} className={css['lists']}>
      <Section title="Everywhere" keys={EVERYWHERE} />
      <Section title="Tables and buttons" keys={TABLES} />
      <Section title="The focused row of Positions, a review first" keys={POSITIONS} />
      <Section title="Trade" keys={TRADE} />
      <Section title="The focused line of a chart" keys={CHART} />
      <Section title="Trade, outside of fields" keys={TICKET} />
      <Section title="Screens, one key after the other" keys={places} />
    </div>
  );
}

function Section({ title, keys }: { readonly title: string; readonly keys: Keys }) {
  return (
    <section className={css['section']}>
      <h3 className={css['title']}>{title}</h3>
      <dl className={css['list']}>
        {keys.map(([pressed, does]) => (
          <div key={does} className={css['line']}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
