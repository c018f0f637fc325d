/** Risk of the range, from its daily returns. */
import { useSettings } from '../../api/settings.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { Figure } from '../../components/figure.tsx';
import { formatNumber } from '../../components/format.ts';
import { useDayText } from './day-text.ts';
import css from './portfolio.module.css';
import type { Analytics } from './use-portfolio.ts';
import {
  FEW_DAYS,
  type RiskData,
  type RiskFigure,
  whyRiskFigureIsMissing,
  whyRiskIsMissing,
} from './why-missing.ts';

export function Risk({
  risk,
  data,
  basis,
}: {
  readonly risk: Analytics['risk'];
  readonly data: RiskData;
  /** Basis of all figures, in words; null: there is none. */
  readonly basis: string | null;
}) {
  const settings = useSettings();
  const { long } = useDayText();
  const why = (figure: RiskFigure) => whyRiskFigureIsMissing(figure, risk, data);
  const number = (value: string | null) => value !== null && formatNumber(settings, value, { digits: 2 });
  const { value, pct, from, to, recoveredAt } = risk.maxDrawdown;
  const isFew = data.days > 1 && data.days < FEW_DAYS;
  const ofDays = `of ${data.days} days`;
  const whyNone = whyRiskIsMissing(data);
  return (
    <>
      {isFew && (
        <p className={css['reason']}>
          Annualised from {data.days} days only: Sharpe, Sortino, Calmar and volatility say little with fewer
          than {FEW_DAYS}.
        </p>
      )}
      {basis !== null && <p className={css['reason']}>{basis}</p>}
      {whyNone !== null && <p className={css['reason']}>{whyNone}</p>}
      <dl className={css['figures']}>
        <Figure name="Sharpe" missing={why('sharpe')} note={`annualised, ${ofDays}, risk\u2011free\u00a00`}>
          {number(risk.sharpe)}
        </Figure>
        <Figure name="Sortino" missing={why('sortino')} note={`annualised, ${ofDays}, target 0`}>
          {number(risk.sortino)}
        </Figure>
        <Figure name="Calmar" missing={why('calmar')} note={`annualised growth ÷ drawdown, ${ofDays}`}>
          {number(risk.calmar)}
        </Figure>
        <Figure name="Volatility" missing={why('volatility')} note={`annualised, ${ofDays}`}>
          <Percent value={risk.volatility} />
        </Figure>
        <Figure
          name="Deepest drawdown"
          missing={why('maxDrawdown')}
          note={
            from === null || to === null
              ? 'equity never fell'
              : `${long(from)} – ${long(to)}, ${recoveredAt === null ? 'not recovered yet' : `recovered ${long(recoveredAt)}`}`
          }
        >
          <Percent value={pct} of="percent" /> (<Amount value={value} />)
        </Figure>
        <Figure name="Value at risk, 95 %" missing={why('valueAtRisk95')} note="one day">
          <Percent value={risk.valueAtRisk95} />
        </Figure>
        <Figure name="Expected shortfall, 95 %" missing={why('expectedShortfall95')} note="one day">
          <Percent value={risk.expectedShortfall95} />
        </Figure>
        <Figure name="Beta" missing={why('beta')} note="to BTC-PERP">
          {number(risk.beta)}
        </Figure>
        <Figure name="Ulcer index" missing={why('ulcerIndex')}>
          {number(risk.ulcerIndex)}
        </Figure>
      </dl>
    </>
  );
}
