/** Protection of a position as the gateway computes it: firing level, distance and result. */
import type { ReactNode } from 'react';
import type { Row } from '../../../gateway/client/client.ts';
import type { Settings } from '../../api/settings-values.ts';
import { Digits, Percent, Pnl } from '../../components/amount.tsx';
import { formatLevel, formatMoney, formatNumber, PERCENT_UNIT } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { BRACKET_MEASURES, type BracketSide } from '../brackets-form/bracket-text.ts';

export type Protection = Row<'GET /positions'>['protection'][number];

const SIDES = { TAKE_PROFIT: 'takeProfit', STOP_LOSS: 'stopLoss' } as const;
const NAMES = { TAKE_PROFIT: 'Take-profit', STOP_LOSS: 'Stop-loss' } as const;

const COSTS = 'Result before fees, funding and slippage';
const ESTIMATED = `${COSTS}. Estimated as if all legs moved alike`;

/** Metrics whose level already determines the result. */
const FOLLOWS = new Set<Protection['metric']>(['PERCENTAGE', 'DOLLAR', 'POSITION_VALUE']);

export function protectionOn(side: BracketSide, all: readonly Protection[]): Protection | undefined {
  return all.find(({ kind }) => SIDES[kind] === side);
}

/** Rows of a list of facts. @param when suffix of the names: `after` for a plan */
export function protectionFacts(
  all: readonly Protection[],
  when?: 'after',
): Readonly<Record<string, ReactNode>> {
  const after = when === undefined ? '' : ` ${when}`;
  return Object.fromEntries(
    all.map((one) => [`${NAMES[one.kind]}${after}`, <Firing key={one.kind} of={one} />]),
  );
}

/** `fires at −5.00 % (3.20 % away): −$512.40` */
export function Firing({
  of: { metric, now, firesAt, distancePct, resultUsd },
}: {
  readonly of: Protection;
}) {
  if (firesAt === null)
    return <span className={layout['quiet']}>{now === null ? 'no fixed level' : 'cannot fire now'}</span>;
  const follows = FOLLOWS.has(metric);
  return (
    <span title={follows ? COSTS : ESTIMATED}>
      <span className={layout['whole']}>
        fires at <Digits value={firesAt} text={(settings, level) => levelText(settings, metric, level)} />
      </span>
      {distancePct !== null && (
        <>
          {' '}
          <span className={layout['whole']}>
            (<Percent value={distancePct} of="percent" /> away)
          </span>
        </>
      )}
      {resultUsd !== null && (
        <>
          : {!follows && '≈\u00a0'}
          <Pnl value={resultUsd} />
        </>
      )}
    </span>
  );
}

function levelText(settings: Settings, metric: Protection['metric'], level: string): string {
  const { name } = BRACKET_MEASURES[metric];
  switch (metric) {
    case 'PERCENTAGE':
      return `${formatNumber(settings, level, { digits: 2, sign: 'always' })}${PERCENT_UNIT}`;
    case 'DOLLAR':
      return formatMoney(settings, level, 'always');
    case 'POSITION_VALUE':
      return `${name.toLowerCase()} ${formatMoney(settings, level)}`;
    default:
      return `${name.toLowerCase()} ${formatLevel(settings, level)}`;
  }
}
