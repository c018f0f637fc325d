/** Scale of a chart's levels: the subject itself, or its z-score or spread against its own past. */
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
  /** Transform and look-back; null: levels are those of the subject. */
  readonly among: Transformed | null;
  /** True: an order or alert can be set at the level. */
  readonly isLevel: (level: number) => boolean;
  /** Value of the subject at a level, for a transform until the hour ends; null: not known. */
  readonly ratioOf: (level: number) => number | null;
  readonly levelOf: (ratio: number) => number | null;
  /** Level as displayed text. */
  readonly text: (level: number) => string;
  /** Level as a person would type it, and as it is sent. */
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

/** Farthest level that the contract accepts. */
const FARTHEST = 1_000;

/** @param window mean and deviation; null: not known, so levels cannot be converted to ratios */
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
