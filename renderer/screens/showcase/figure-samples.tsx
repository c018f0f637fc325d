import { Amount, Percent, Pnl, Quantity, Ratio, Side } from '../../components/amount.tsx';
import { Badge, ModeBadge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import layout from '../../components/layout.module.css';
import { Age, Countdown, Time } from '../../components/time.tsx';
import css from './showcase.module.css';

const MOMENT = '2026-01-31T12:34:56.000Z';

export function FigureSamples() {
  return (
    <div className={layout['stack']}>
      <dl className={css['facts']}>
        <dt>Amount</dt>
        <dd>
          <Amount value="1234567.891" /> · <Amount value="1234567.891" compact /> · <Amount value={null} />
        </dd>
        <dt>PnL</dt>
        <dd>
          <Pnl value="1234.5" /> · <Pnl value="-88.123" /> · <Pnl value="0" />
        </dd>
        <dt>Percent</dt>
        <dd>
          <Percent value="0.0125" /> · <Percent value="-3.5" of="percent" pnl /> ·{' '}
          <Percent value="0.08" pnl />
        </dd>
        <dt>Ratio</dt>
        <dd>
          <Ratio value="27.48193022" /> · <Ratio value="0.000012345678" />
        </dd>
        <dt>Price, quantity</dt>
        <dd>
          <Quantity value="65432.1" step="0.01" /> · <Quantity value="0.015" />
        </dd>
        <dt>Side</dt>
        <dd>
          <Side side="BUY" /> · <Side side="SELL" /> · <Side side="BUY">BTC</Side>
        </dd>
        <dt>Time</dt>
        <dd>
          <Time at={MOMENT} /> · <Time at={MOMENT} style="time" /> · <Age since={MOMENT} /> ·{' '}
          <Countdown to={MOMENT} over="over" />
        </dd>
      </dl>
      <div className={css['row']}>
        <ModeBadge mode="PAPER" />
        <ModeBadge mode="LIVE" />
        <Badge>Working</Badge>
        <Badge tone="accent">Filled</Badge>
        <Badge tone="warn">Degraded</Badge>
        <Badge tone="danger">Failed</Badge>
        <Badge tone="quiet">Cancelled</Badge>
      </div>
      <div className={css['row']}>
        <CopyButton text={MOMENT} label="Copy time" />
        <CopyButton text={MOMENT} label="Copy time in words" words />
      </div>
    </div>
  );
}
