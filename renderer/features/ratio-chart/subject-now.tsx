/** "Now 31.2514" beside a typed level; a click copies the value into the field. */

import { figureText, typedFigure } from './figure.ts';
import css from './ratio-chart.module.css';
import type { ChartSubject, WeighedLeg } from './subject.ts';
import { useSubjectValue } from './use-subject-value.ts';

export function SubjectNow({
  subject,
  legs,
  onTake,
  inline = false,
}: {
  readonly subject: ChartSubject;
  readonly legs: readonly WeighedLeg[];
  /** Called with the value on a click; left out: the value is text only. */
  readonly onTake?: (value: string) => void;
  /** Within a sentence: `now 31.2514`. */
  readonly inline?: boolean;
}) {
  const value = useSubjectValue(subject, legs);
  const word = inline ? 'now' : 'Now';
  if (value === null) return <span>{word} —</span>;
  const text = figureText(value);
  if (onTake === undefined) return <span className={css['now']}>{`${word} ${text}`}</span>;
  return (
    <button type="button" className={css['take']} onClick={() => onTake(plain(text))}>
      Now {text}
    </button>
  );
}

/** Text as a person would type it. */
const plain = (text: string) => {
  const bare = typedFigure(text);
  return bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare;
};
