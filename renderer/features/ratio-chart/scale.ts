/** What the levels of a chart are levels of: its subject itself, or where the subject stands among its own past. */
import { figureText } from './figure.ts';
import { levelText } from './levels.ts';
import {
  levelOfRatio,
  type RatioWindow,
  ratioOfLevel,
  type Transformed,
  transformFigure,
} from './transform.ts';

export interface LevelScale {
  /** null: levels are those of the subject. */
  readonly among: Transformed | null;
  /** Whether something can be set there. */
  readonly isLevel: (level: number) => boolean;
  /** Value of the subject at a level, of a transform until the hour is over; null: not known. */
  readonly ratioOf: (level: number) => number | null;
  readonly levelOf: (ratio: number) => number | null;
  /** A level as it is read. */
  readonly text: (level: number) => string;
  /** A level as somebody would type it, and as it is sent. */
  readonly typed: (level: number) => string;
}

export const PLAIN_SCALE: LevelScale = {
  among: null,
  isLevel: (level) => level > 0,
  ratioOf: (level) => level,
  levelOf: (ratio) => ratio,
  text: figureText,
  typed: levelText,
};

/** The contract takes no level that is farther out. */
const FARTHEST = 1_000;

/** @param window null: it is not known, so nothing is said of ratios */
export function transformScale(among: Transformed, window: RatioWindow | null): LevelScale {
  const { transform } = among;
  return {
    among,
    isLevel: (level) => Math.abs(level) <= FARTHEST,
    ratioOf: (level) => (window === null ? null : ratioOfLevel(transform, level, window)),
    levelOf: (ratio) => (window === null ? null : levelOfRatio(transform, ratio, window)),
    text: (level) => transformFigure(transform, level),
    typed: (level) => {
      const text = level.toFixed(2);
      return Number(text) === 0 ? '0' : text;
    },
  };
}
